"""Addresses for hosts and crawlers: health, metrics, robots.txt."""

from __future__ import annotations

import asyncio

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from numberduels.store.log import Unavailable
from numberduels.web.http.services import services

ROBOTS = """\
# Pages of games ask not to be indexed, which a crawler must be allowed to see.
User-agent: *
Disallow: /api/
Disallow: /puzzles/new
Disallow: /puzzles/*?
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
    """The metrics of all workers, for Prometheus."""
    return Response(services(request).metrics.text(), media_type=CONTENT_TYPE)


async def robots(_: Request) -> Response:
    """robots.txt: crawlers skip positions and random puzzles, of which there are endlessly many."""
    return PlainTextResponse(ROBOTS)


ROUTES = [Route("/healthz", health), Route("/metrics", metrics), Route("/robots.txt", robots)]
