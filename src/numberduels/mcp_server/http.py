"""The MCP server as an endpoint of a web server: streamable HTTP at `/mcp`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings

from numberduels.mcp_server.server import make_server

PATH = "/mcp"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
MAX_SESSIONS = 1_000
IDLE_SECONDS = 3_600.0
"""A session that was not used for so long is closed."""
MAX_BODY = 64 << 10


def mcp_endpoint(
    hosts: Sequence[str] = (),
) -> tuple[list[Any], Callable[[], AbstractAsyncContextManager[None]]]:
    """The routes of the endpoint, and the context in which they work.

    Requests must be for one of these host names, by default for this machine: a page of another site could
    otherwise reach a server that only this machine is meant to use.
    """
    server = make_server()
    names = list(hosts) or list(LOCAL)
    allowed = [*names, *(f"{name}:*" for name in names)]
    security = TransportSecuritySettings(
        allowed_hosts=allowed,
        allowed_origins=[f"{scheme}://{name}" for scheme in ("http", "https") for name in allowed],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=security,
        max_request_body_size=MAX_BODY,
        session_idle_timeout=IDLE_SECONDS,
        max_sessions=MAX_SESSIONS,
    )
    return list(app.routes), server.session_manager.run
