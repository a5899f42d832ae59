"""The server, put together."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from multiprocessing import parent_process
from time import monotonic, thread_time
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from numberduels.files import data_folder
from numberduels.store.factory import opened
from numberduels.store.log import Store, Unavailable
from numberduels.web.engine.pool import Thinker
from numberduels.web.engine.service import Answers
from numberduels.web.http import api, assets, learn, pages, puzzles
from numberduels.web.http.metrics import Metrics
from numberduels.web.http.middleware import App, Guard
from numberduels.web.http.rate_limits import Clock, Limits
from numberduels.web.match.cleanup import Cleaner
from numberduels.web.match.model import Refused
from numberduels.web.match.service import Hall, Unknown
from numberduels.web.match.subscriptions import Streams
from numberduels.web.settings import Settings

log = logging.getLogger("numberduels.web")

SMALLEST = 500
"""Bytes below which an answer is not compressed."""


def create() -> App:
    """The server with the settings that were handed over: what a worker runs."""
    _mourn()
    return make(Settings.handed_over())


def _thinker(settings: Settings) -> Thinker:
    memory = settings.memory << 20
    return Thinker(settings.thinkers, settings.seconds, memory, each=settings.questions)


def make(
    settings: Settings,
    *,
    clock: Clock = monotonic,
    processor: Clock = thread_time,
    thinker: Callable[[Settings], Thinker] = _thinker,
) -> App:
    """The server with these settings.

    By the clock addresses are allowed more as time passes, and by the processor's what they use is measured.
    """
    metrics = Metrics()
    limits = Limits(settings, clock)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        store = opened(settings.store or os.path.join(data_folder(), "duels.sqlite"))
        streams = Streams(settings.streams, settings.streams_each)
        # Who plays is not kept waiting by who asks: each has thinkers of its own.
        player, teacher = thinker(settings), thinker(settings)
        hall = Hall(store, player, streams)
        app.state.hall, app.state.answers = hall, Answers(teacher)
        async with AsyncExitStack() as leaving:
            leaving.enter_context(_Farewell(streams))
            leaving.push_async_callback(store.close)
            await _open(store, streams)
            for each in (player, teacher):
                leaving.push_async_callback(each.close)
                await each.open()
            leaving.push_async_callback(hall.close)
            cleaning = asyncio.create_task(
                Cleaner(hall, settings.keep_days, settings.keep_unfinished_days).run()
            )
            leaving.callback(cleaning.cancel)
            yield

    static = StaticFiles(directory=assets.FOLDER)
    app = Starlette(
        routes=[
            *pages.ROUTES,
            *puzzles.ROUTES,
            *learn.ROUTES,
            *api.ROUTES,
            Route("/healthz", health),
            Route("/metrics", counts),
            Route("/robots.txt", robots),
            Route(assets.PREFIX + assets.PICTURES, assets.picture),
            Mount("/static", static, name="static"),
        ],
        lifespan=life,
        exception_handlers={
            Refused: refused,
            Unknown: unknown,
            Unavailable: unavailable,
            HTTPException: missing,
            Exception: broken,
        },
    )
    app.state.settings = settings
    app.state.metrics = metrics
    app.state.looks = OrderedDict()
    app.state.limits = limits
    # Streams are not compressed: each of their events must leave at once.
    return Guard(GZipMiddleware(app, SMALLEST, 6), settings, metrics, limits, processor)


async def _open(store: Store, streams: Streams) -> None:
    """Open the store, however long it is away: a worker that cannot start would end all others."""
    while True:
        try:
            return await store.open()
        except Unavailable as fault:
            if streams.closing:
                raise
            log.error(json.dumps({"event": "store away", "fault": str(fault)}))
            await asyncio.sleep(1)


def _mourn() -> None:
    """End when the process that looks after the workers is gone: its successor needs the port."""
    if parent := parent_process():

        def watch() -> None:
            parent.join()
            os.kill(os.getpid(), signal.SIGTERM)

        threading.Thread(target=watch, daemon=True).start()


class _Farewell:
    """While it lasts, a signal to end also asks all streams to end; the server waits for them otherwise."""

    def __init__(self, streams: Streams) -> None:
        self.streams = streams
        self.before: dict[int, Any] = {}

    def __enter__(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            before = self.before[number] = signal.getsignal(number)

            def end(number: int, frame: Any, before: Any = before) -> None:
                loop.call_soon_threadsafe(self.streams.close)
                if callable(before):
                    before(number, frame)

            try:
                signal.signal(number, end)
            except ValueError:  # not in the main thread: then signals are somebody else's business
                self.before.clear()
                return

    def __exit__(self, *_: object) -> None:
        for number, before in self.before.items():
            signal.signal(number, before)


# When something is not as it should be


def _wants_json(request: Request) -> bool:
    return request.url.path.startswith("/api/")


async def refused(request: Request, fault: Exception) -> Response:
    """A wish that cannot be granted."""
    assert isinstance(fault, Refused)
    if _wants_json(request):
        duel = None
        if "duel" in request.path_params:
            duel = await request.app.state.hall.duel(request.path_params["duel"])
        return api.fault(fault, duel)
    return pages.page(request, "error.html", fault.status, key=f"refused.{fault.key}", detail=str(fault))


async def unknown(request: Request, _: Exception) -> Response:
    """A duel that does not exist."""
    if _wants_json(request):
        return JSONResponse({"error": "There is no such game.", "key": "missing", "state": None}, 404)
    return pages.page(request, "error.html", 404, key="error.unknown", detail="")


async def unavailable(request: Request, fault: Exception) -> Response:
    """The store is away: nothing was written, and it will come back."""
    log.error(json.dumps({"event": "store away", "path": request.url.path, "fault": str(fault)}))
    text = "The games cannot be reached just now. Nothing is lost; try again in a moment."
    if _wants_json(request):
        return JSONResponse({"error": text, "key": "away", "state": None}, 503, headers={"retry-after": "2"})
    response = pages.page(request, "error.html", 503, key="error.away", detail="")
    response.headers["retry-after"] = "2"
    return response


async def missing(request: Request, fault: Exception) -> Response:
    """No such page, or not in this way."""
    assert isinstance(fault, HTTPException)
    if _wants_json(request):
        key = "method" if fault.status_code == 405 else "missing"
        told = {"error": fault.detail, "key": key, "state": None}
        return JSONResponse(told, fault.status_code, fault.headers)
    response = pages.page(request, "error.html", fault.status_code, key="error.missing", detail="")
    response.headers.update(fault.headers or {})
    return response


async def broken(request: Request, fault: Exception) -> Response:
    """A fault of ours."""
    log.error(json.dumps({"event": "fault", "path": request.url.path}), exc_info=fault)
    text = "Something went wrong on our side. Nothing is lost."
    if _wants_json(request):
        return JSONResponse({"error": text, "key": "broken", "state": None}, 500)
    return PlainTextResponse(text, 500)


# For hosts


async def health(request: Request) -> Response:
    """Whether the server and its store are well."""
    try:
        await asyncio.wait_for(request.app.state.hall.store.read("healthz"), 2)
    except (Unavailable, TimeoutError):
        return JSONResponse({"status": "the store is away"}, 503)
    return JSONResponse({"status": "well"})


ROBOTS = """\
# Pages of games ask not to be indexed, which a crawler must be allowed to see.
User-agent: *
Disallow: /api/
Disallow: /puzzles/
Disallow: /learn/*?
"""


async def robots(_: Request) -> Response:
    """What crawlers may leave out: there are as many puzzles and positions as numbers."""
    return PlainTextResponse(ROBOTS)


async def counts(request: Request) -> Response:
    """What Prometheus wants to know."""
    hall: Hall = request.app.state.hall
    counted = {"moves": hall.moves, "streams": hall.streams.count, "duels": hall.count}
    text = request.app.state.metrics.text(**counted)
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")
