"""The web server with the MCP endpoint `/mcp`, for `duel serve --mcp`."""

from __future__ import annotations

from typing import Any

from numberduels.mcp_server.http import mcp_endpoint
from numberduels.web.http.app import create_app
from numberduels.web.settings import Settings


def create_app_with_mcp() -> Any:
    """The server with the settings of the environment and the endpoint; uvicorn calls this."""
    return create_app(mcp_endpoint(Settings.from_environment().hosts))
