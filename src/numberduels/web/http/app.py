"""Builds the server: services, routes, middleware, responses to errors, start and shutdown."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from threading import current_thread, main_thread
from time import monotonic, time
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from numberduels.engine.pool import EnginePool
from numberduels.engine.processes import when_parent_ends
from numberduels.game.files import data_folder
from numberduels.game.messages import Message
from numberduels.web.errors import UserError, status_of
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
    site_files,
)
from numberduels.web.http.connections import STATE, ConnectionLimits
from numberduels.web.http.metrics import Metrics
from numberduels.web.http.middleware import App, RequestMiddleware
from numberduels.web.http.rate_limits import Clock, RateLimits
from numberduels.web.http.rendering import page
from numberduels.web.http.responses import Fault, json_response
from numberduels.web.http.services import Services, services
from numberduels.web.match.cleanup import Cleaner
from numberduels.web.match.engine_queries import EngineService
from numberduels.web.match.service import MatchNotFound, MatchService
from numberduels.web.match.state import State, state_of
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


# Responses to errors: JSON under /api/, a page elsewhere

HEADERS = {401: {"www-authenticate": "Bearer"}, 429: {"retry-after": "1"}, 503: {"retry-after": "2"}}
"""Headers of errors by their status."""

AWAY = Message("The games cannot be reached just now. Nothing is lost; try again in a moment.")


def _is_api(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def _respond(
    request: Request, status: int, key: str, text: str, page_text: str = "", state: State | None = None
) -> Response:
    headers = HEADERS.get(status, {})
    if _is_api(request):
        # msgspec encodes no subclass of str, such as Message.
        return json_response(Fault(error=str(text), key=key, state=state), status, headers)
    response = page(request, "error.html", status, text=page_text or text)
    response.headers.update(headers)
    return response


async def on_user_error(request: Request, error: Exception) -> Response:
    """A request that cannot be fulfilled; bots also get the state as it is now."""
    assert isinstance(error, UserError)
    state = None
    if _is_api(request) and "duel" in request.path_params:
        state = state_of(await services(request).matches.get(request.path_params["duel"]))
    return _respond(request, status_of(error), error.key, str(error), error.text, state)


async def on_match_not_found(request: Request, _: Exception) -> Response:
    """There is no such match."""
    return _respond(request, 404, "missing", Message("There is no such game."))


async def on_unavailable(request: Request, error: Exception) -> Response:
    """The store is unavailable: nothing was written."""
    log.error(json.dumps({"event": "store away", "path": request.url.path, "fault": str(error)}))
    return _respond(request, 503, "away", AWAY)


async def on_http_error(request: Request, error: Exception) -> Response:
    """There is no such address, or it does not support the method."""
    assert isinstance(error, HTTPException)
    key = "method" if error.status_code == 405 else "missing"
    response = _respond(request, error.status_code, key, error.detail, Message("There is no such page."))
    response.headers.update(error.headers or {})
    return response


async def on_exception(request: Request, error: Exception) -> Response:
    """A bug."""
    log.error(json.dumps({"event": "fault", "path": request.url.path}), exc_info=error)
    text = "Something went wrong on our side. Nothing is lost."
    return _respond(request, 500, "broken", text) if _is_api(request) else PlainTextResponse(text, 500)


HANDLERS: Mapping[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
    UserError: on_user_error,
    MatchNotFound: on_match_not_found,
    Unavailable: on_unavailable,
    HTTPException: on_http_error,
    Exception: on_exception,
}
"""The handler of each exception."""


# The server


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
    shared = Services(
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
            stack.push_async_callback(shared.matches.close)
            cleaner = Cleaner(shared.matches, settings.keep_days, settings.keep_unfinished_days)
            background = [cleaner.run()]
            if store.shared:
                background.append(shared.matches.presence.run())
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
            *puzzles.ROUTES,
            *learn.ROUTES,
            *lessons.ROUTES,
            *my_games.ROUTES,
            *previews.ROUTES,
            *site_files.ROUTES,
            *(endpoint[0] if endpoint else ()),
            Route(assets.PREFIX + "{name:path}", assets.asset),
        ],
        lifespan=lifespan,
        exception_handlers=HANDLERS,
    )
    app.state.services = shared
    # Starlette does not compress event streams: each event must leave at once.
    return RequestMiddleware(GZipMiddleware(app, MIN_COMPRESSED, 6), shared)


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
