"""Finished games for other sites: /embed/ID is the only page that may be shown in a frame.

It has no forms and shows nothing of the visitor: a site that frames it gains nothing.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from numberduels.game.board import board_of
from numberduels.game.messages import Message
from numberduels.web.errors import UserError
from numberduels.web.http import forms
from numberduels.web.http.middleware import POLICY
from numberduels.web.http.rendering import page
from numberduels.web.http.services import services
from numberduels.web.match.model import OVER

FRAMED = {
    "content-security-policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").replace(
        "form-action 'self'", "form-action 'none'"
    ),
    "cross-origin-resource-policy": "cross-origin",
}
"""Headers of a page that any site may frame; the middleware leaves X-Frame-Options out."""


async def show(request: Request) -> Response:
    """A finished game at one ply; links lead from ply to ply."""
    match = await services(request).matches.get(request.path_params["duel"])
    if match.status != OVER or match.cancelled:
        raise UserError("not_over", Message("A game can be embedded when it is over."))
    last = match.table.ply
    asked = forms.number(request.query_params.get("ply"))
    ply = last if asked is None else min(asked, last)
    state = list(match.table.steps())[ply - 1][2] if ply else match.table.start
    board = board_of(match.game, state, match.table.played[:ply])
    if ply == last:
        board = board.finished()  # a game can end before its last number is taken
    response = page(request, "embed.html", match=match, board=board, ply=ply, last=last)
    response.headers.update(FRAMED)
    return response


ROUTES = [Route("/embed/{duel}", show)]
