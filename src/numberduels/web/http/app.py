"""Builds the server: services, routes, middleware, start and shutdown."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from threading import current_thread, main_thread
from time import monotonic, time
from typing import Any

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Route

from numberduels.engine.pool import EnginePool
from numberduels.engine.processes import when_parent_ends
from numberduels.game.files import data_folder
from numberduels.web.engine_service import EngineService
from numberduels.web.http import (
    api,
    assets,
    learn,
    lessons,
    match_pages,
    my_games,
    new_game,
    previews,
    puzzles,
    review_pages,
    site,
)
from numberduels.web.http.connections import STATE, ConnectionLimits
from numberduels.web.http.error_handlers import HANDLERS
from numberduels.web.http.metrics import Metrics
from numberduels.web.http.middleware import App, RequestMiddleware
from numberduels.web.http.rate_limits import Clock, RateLimits
from numberduels.web.http.services import Services
from numberduels.web.match.cleanup import Cleaner
from numberduels.web.match.service import MatchService
from numberduels.web.match.subscriptions import Subscriptions
from numberduels.web.settings import ServerSettings
from numberduels.web.store.base import Store, Unavailable, make_store

log = logging.getLogger("numberduels.web")

MIN_COMPRESSED = 500
"""Bytes below which a response is not compressed."""

GC_THRESHOLD = 20_000
"""GC threshold for workers: a move allocates much and creates few reference cycles."""


Endpoint = tuple[Sequence[BaseRoute], Callable[[], AbstractAsyncContextManager[None]]]
"""Routes that somebody else offers on this server, and the context in which they work."""


def create_app(endpoint: Endpoint | None = None) -> App:
    """The server with the settings of the environment; workers call this."""
    # A worker whose supervisor has ended must free the port.
    when_parent_ends(lambda: os.kill(os.getpid(), signal.SIGTERM))
    app = make_app(ServerSettings.from_environment(), endpoint=endpoint)
    gc.freeze()  # what is loaded by now stays
    gc.set_threshold(GC_THRESHOLD)
    return app


def _engine_pool(settings: ServerSettings) -> EnginePool:
    return EnginePool(settings.thinkers, settings.seconds, settings.memory << 20, each=settings.questions)


def make_app(
    settings: ServerSettings,
    *,
    clock: Clock = monotonic,
    wall_clock: Clock = time,
    engine_pool: Callable[[ServerSettings], EnginePool] = _engine_pool,
    endpoint: Endpoint | None = None,
) -> App:
    """The server with these settings; tests pass clocks and engine pools of their own."""
    store = make_store(settings.store or os.path.join(data_folder(), "duels.sqlite"))
    subscriptions = Subscriptions(settings.streams, settings.streams_each)
    # Two pools, so that questions of visitors never delay the moves of the computer.
    move_pool, question_pool = engine_pool(settings), engine_pool(settings)
    metrics = Metrics()
    rate_limits = RateLimits(settings, clock)
    connections = ConnectionLimits(settings, metrics, on_arrival=rate_limits.turns.arrive)
    services = Services(
        settings=settings,
        store=store,
        subscriptions=subscriptions,
        matches=MatchService(
            store,
            move_pool,
            subscriptions,
            clock=wall_clock,
            on_move=metrics.moves.inc,
            turn=rate_limits.turns.take,
        ),
        engine=EngineService(question_pool),
        metrics=metrics,
        limits=rate_limits,
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, Any]]:
        async with AsyncExitStack() as stack:
            stack.enter_context(_close_streams_on_signal(subscriptions))
            stack.push_async_callback(store.close)
            await _open(store, subscriptions)
            for pool in (move_pool, question_pool):
                stack.push_async_callback(pool.close)
                await pool.open()
            stack.push_async_callback(services.matches.close)
            cleaner = Cleaner(services.matches, settings.keep_days, settings.keep_unfinished_days)
            background = [cleaner.run()]
            if store.shared:
                background.append(services.matches.presence.run())
            for work in background:
                stack.callback(asyncio.create_task(work).cancel)
            metrics.streams.set(0)
            if endpoint:
                await stack.enter_async_context(endpoint[1]())
            yield {STATE: connections}

    app = Starlette(
        routes=[
            *api.ROUTES,  # first, because routes are tried in order, and bots make the most requests
            *new_game.ROUTES,  # before the pages of matches, which take any other action by POST
            *match_pages.ROUTES,
            *review_pages.ROUTES,
            *puzzles.ROUTES,
            *learn.ROUTES,
            *lessons.ROUTES,
            *my_games.ROUTES,
            *previews.ROUTES,
            *site.ROUTES,
            *(endpoint[0] if endpoint else ()),
            Route(assets.PREFIX + "{name:path}", assets.asset),
        ],
        lifespan=lifespan,
        exception_handlers=HANDLERS,
    )
    app.state.services = services
    # Starlette does not compress event streams: each event must leave at once.
    return RequestMiddleware(GZipMiddleware(app, MIN_COMPRESSED, 6), services)


async def _open(store: Store, subscriptions: Subscriptions) -> None:
    """Open the store; retry while it is unavailable, because a worker that exits would end all others."""
    while True:
        try:
            return await store.open()
        except Unavailable as error:
            if subscriptions.closing:
                raise
            log.error(json.dumps({"event": "store away", "fault": str(error)}))
            await asyncio.sleep(1)


@contextmanager
def _close_streams_on_signal(subscriptions: Subscriptions) -> Iterator[None]:
    """Close all event streams on SIGTERM and SIGINT: uvicorn waits for them and would never end."""
    loop = asyncio.get_running_loop()
    previous = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def handle(number: int, frame: Any) -> None:
        loop.call_soon_threadsafe(subscriptions.close)
        handler = previous[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    if current_thread() is not main_thread():  # there signals cannot be handled
        yield
        return
    for each in previous:
        signal.signal(each, handle)
    try:
        yield
    finally:
        for each, handler in previous.items():
            signal.signal(each, handler)
