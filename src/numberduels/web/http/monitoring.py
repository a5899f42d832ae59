"""Addresses for hosts and crawlers: health, metrics, robots.txt."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from numberduels.store.log import Unavailable
from numberduels.web.http.services import services

ROBOTS = """\
# Pages of games ask not to be indexed, which a crawler must be allowed to see.
User-agent: *
Disallow: /api/
Disallow: /puzzles/
Disallow: /learn/*?
"""


async def health(request: Request) -> Response:
    """200 if the server and its store work, else 503."""
    try:
        await asyncio.wait_for(services(request).store.read("healthz"), 2)
    except (Unavailable, TimeoutError):
        return JSONResponse({"status": "the store is away"}, 503)
    return JSONResponse({"status": "well"})


async def metrics(request: Request) -> Response:
    """The metrics of this worker, for Prometheus."""
    shared = services(request)
    text = shared.metrics.text(
        moves=shared.matches.moves, streams=shared.subscriptions.count, duels=shared.matches.count
    )
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


async def robots(_: Request) -> Response:
    """robots.txt: crawlers skip puzzles and positions, of which there are endlessly many."""
    return PlainTextResponse(ROBOTS)


ROUTES = [Route("/healthz", health), Route("/metrics", metrics), Route("/robots.txt", robots)]
