"""The review of a match that is over: as a page, and its chart as a picture to keep."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from numberduels.web.http.middleware import client_address
from numberduels.web.http.rendering import page
from numberduels.web.http.review_chart import chart_of
from numberduels.web.http.services import services
from numberduels.web.match import engine_queries
from numberduels.web.match.model import Match


async def _review(request: Request) -> tuple[Match, engine_queries.Answer]:
    running = services(request)
    match = await running.matches.get(request.path_params["duel"])
    return match, await engine_queries.review(running.engine, match, (), client_address(request.scope))


async def review(request: Request) -> Response:
    """The review: one sentence, the chart, and the moves that changed the result."""
    match, found = await _review(request)
    address = f"{str(request.base_url).rstrip('/')}/g/{match.id}/review"
    return page(request, "review.html", match=match, review=found, chart=chart_of(found), address=address)


async def review_picture(request: Request) -> Response:
    """The chart as a self-contained SVG file."""
    _, found = await _review(request)
    # The SVG contains its own style, and needs nothing else.
    policy = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(found["svg"], media_type="image/svg+xml", headers=policy)


ROUTES = [
    Route("/g/{duel}/review", review),
    Route("/g/{duel}/review.svg", review_picture),
]
