"""The limit that the server is measured by: a bare handler with one insert, committed, and no more."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

INSERT = "insert into bare_events values (${}, ${}, ${})"
TABLE = "create table if not exists bare_events (game text, seq integer, data text, primary key (game, seq))"


def create() -> Starlette:
    """The handler on the store that the environment names."""
    place = os.environ["BARE_STORE"]
    count, name = 0, f"bare {time.time_ns()}"

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        if place.startswith("postgresql:"):
            import asyncpg  # type: ignore[import-untyped]  # it has no types

            async with asyncpg.create_pool(place, min_size=4, max_size=8) as pool:
                await pool.execute(TABLE)
                app.state.pool = pool
                yield
        else:
            app.state.file = sqlite3.connect(place, isolation_level=None)
            app.state.file.execute("pragma journal_mode=wal")
            app.state.file.execute("pragma synchronous=full")
            app.state.file.execute(TABLE)
            yield
            app.state.file.close()

    async def insert(request: Request) -> Response:
        nonlocal count
        count += 1
        data = json.dumps(await request.json())
        if place.startswith("postgresql:"):
            await request.app.state.pool.execute(INSERT.format(1, 2, 3), name, count, data)
        else:
            request.app.state.file.execute(INSERT.format("", "", "").replace("$", "?"), (name, count, data))
        return JSONResponse({"seq": count})

    return Starlette(routes=[Route("/insert", insert, methods=["POST"])], lifespan=life)
