"""The MCP server as an endpoint of a web server: streamable HTTP at `/mcp`, without sessions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route

from numberduels.harness.mcp.calls import Calls
from numberduels.harness.mcp.server import make_server

PATH = "/mcp"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
MAX_BODY = 64 << 10


def mcp_endpoint(
    calls: Calls, address: Callable[[Any], str], hosts: Sequence[str] = ()
) -> tuple[list[Any], Callable[[], AbstractAsyncContextManager[None]]]:
    """The routes of the endpoint, and the context in which they work.

    Every request stands for itself: games are found by their ids, so there are no sessions that one address
    could use up, and no streams that stay open. `address` tells who sends a request.

    Requests must be for one of these host names, by default for this machine: a page of another site could
    otherwise reach a server that only this machine is meant to use.
    """
    server = make_server(calls, address)
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
        stateless_http=True,
        json_response=True,
    )
    [endpoint] = [route.endpoint for route in app.routes if route.path == PATH]
    return [Route(PATH, endpoint, methods=["POST"])], server.session_manager.run
