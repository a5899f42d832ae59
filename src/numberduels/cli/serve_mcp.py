"""The web server with the MCP endpoint `/mcp`, for `duel serve --mcp`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from numberduels.engine.pool import EnginePool
from numberduels.harness.mcp.calls import TASKS, Calls, run_in_workers
from numberduels.harness.mcp.server import mcp_endpoint
from numberduels.web.http.app import create_app
from numberduels.web.http.middleware import client_address
from numberduels.web.settings import Settings


def create_app_with_mcp() -> Any:
    """The server with the settings of the environment and the endpoint; uvicorn calls this.

    The tools have workers of their own, with the limits of the pages: time and memory of an answer, questions
    that one address may have waiting, and one worker at least for everybody else.
    """
    settings = Settings.from_environment()
    pool = EnginePool(
        settings.thinkers, settings.seconds, settings.memory << 20, each=settings.questions, tasks=TASKS
    )
    routes, serving = mcp_endpoint(
        Calls(run_in_workers(pool)), lambda request: client_address(request.scope), settings.hosts
    )

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        await pool.open()
        try:
            async with serving():
                yield
        finally:
            await pool.close()

    return create_app((routes, running))
