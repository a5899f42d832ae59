"""`duel mcp`: the games as tools for programs that speak the Model Context Protocol."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from numberduels.cli.argument_parser import CliError, Parser

ABOUT = (
    "Offer the games as tools to a client of the Model Context Protocol, over standard input and output."
    " The client starts this command; the guide shows its configuration."
)


SECONDS = 30.0
"""The time limit of one call, which only a fault or a busy machine reaches: the work of a call is counted."""


def run(arguments: list[str]) -> int:
    """Serve until the client closes standard input."""
    Parser("mcp", ABOUT).parse_args(arguments)
    if sys.stdin is not None and sys.stdin.isatty():
        print("duel: waiting for messages of an MCP client; Ctrl-C ends it", file=sys.stderr, flush=True)
    try:
        from numberduels.engine.pool import EnginePool
        from numberduels.harness.mcp.calls import TASKS, Calls, run_in_workers
        from numberduels.harness.mcp.server import make_server
    except ModuleNotFoundError as fault:
        raise missing_package(fault) from None
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        # The thread that reads standard input cannot be interrupted, and there is nothing to save.
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    pool = EnginePool(seconds=SECONDS, patience=SECONDS, tasks=TASKS)

    async def serve() -> None:
        await pool.open()
        try:
            await make_server(Calls(run_in_workers(pool))).run_stdio_async()
        finally:
            await pool.close()

    asyncio.run(serve())
    return 0


def missing_package(fault: ModuleNotFoundError) -> CliError:
    """The error if the package `mcp` is not installed."""
    return CliError(f"{fault.name} is not installed; pip install 'numberduels[mcp]' brings it")


def create_app_with_mcp() -> Any:
    """The server for `duel serve --mcp`, with the endpoint /mcp; uvicorn calls this.

    The tools have workers of their own, with the limits of the pages: memory of an answer, questions that one
    address may have waiting, and one worker at least for everybody else.
    """
    from numberduels.engine.pool import EnginePool
    from numberduels.harness.mcp.calls import TASKS, Calls, run_in_workers
    from numberduels.harness.mcp.server import mcp_endpoint
    from numberduels.web.http.app import create_app
    from numberduels.web.http.middleware import client_address
    from numberduels.web.settings import ServerSettings

    settings = ServerSettings.from_environment()
    pool = EnginePool(settings.thinkers, SECONDS, settings.memory << 20, each=settings.questions, tasks=TASKS)
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
