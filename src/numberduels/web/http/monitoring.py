"""Addresses for hosts and crawlers: health, metrics, robots.txt."""

from __future__ import annotations

import asyncio

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from numberduels.web.http.services import services
from numberduels.web.store.log import Unavailable

PATIENCE = 2.0
"""Seconds for the store to answer."""

ROBOTS = """\
# Pages of games ask not to be indexed, which a crawler must be allowed to see.
User-agent: *
Disallow: /api/
Disallow: /puzzles/new
Disallow: /puzzles/*?
Disallow: /learn/*?
"""


async def health(request: Request) -> Response:
    """200 if the server can read and write its store, else 503."""
    store = services(request).store
    try:
        async with asyncio.timeout(PATIENCE):
            await store.read("healthz")
            await store.check()
    except (Unavailable, TimeoutError):
        return JSONResponse({"status": "the store cannot be read or written"}, 503)
    return JSONResponse({"status": "well"})


async def metrics(request: Request) -> Response:
    """The metrics of all workers, for Prometheus."""
    return Response(services(request).metrics.text(), media_type=CONTENT_TYPE)


async def robots(_: Request) -> Response:
    """robots.txt: crawlers skip positions and random puzzles, of which there are endlessly many."""
    return PlainTextResponse(ROBOTS)


ROUTES = [Route("/healthz", health), Route("/metrics", metrics), Route("/robots.txt", robots)]
