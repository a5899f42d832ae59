"""The page of a match, its commands and its record.

They work without JavaScript: real forms, moves by POST.
"""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from numberduels.game.messages import Message
from numberduels.game.record import write
from numberduels.web.errors import UserError
from numberduels.web.http import commands, forms
from numberduels.web.http.match_view import MatchView, earlier_ply, match_view, requested_match
from numberduels.web.http.middleware import FRAGMENT
from numberduels.web.http.rendering import page
from numberduels.web.http.services import services
from numberduels.web.http.sse import version_stream, visitor_stream
from numberduels.web.http.statuses import status_of
from numberduels.web.match import seating
from numberduels.web.match.model import OVER, PLAYING, WAITING
from numberduels.web.match.seats import COMPUTER, HUMAN, OPEN

MOVE_CHECKS, CHECK_INTERVAL = 20, 0.05
"""How often, and in seconds, a page without JavaScript waits for the computer's move before it is shown."""

KEY_BYTES = 1_024
"""Estimated size of the rest of the key of a cached page."""


def _render(request: Request, view: MatchView, status: int = 200) -> Response:
    """The page of a match, or for the script only the part that changes."""
    return page(
        request,
        "match_fragment.html" if FRAGMENT in request.headers else "match.html",
        status,
        url=view.url(view.ply),
        view=view,
        match=view.match,
        HUMAN=HUMAN,
        COMPUTER=COMPUTER,
        OPEN=OPEN,
        OVER=OVER,
        PLAYING=PLAYING,
        WAITING=WAITING,
    )


async def show_match(request: Request) -> Response:
    """The page of a match."""
    match = await requested_match(request)
    if "ply" in request.query_params and earlier_ply(request, match) is None:
        rest = [(name, text) for name, text in request.query_params.multi_items() if name != "ply"]
        return RedirectResponse(f"/g/{match.id}" + (f"?{urlencode(rest)}" if rest else ""), 303)
    cached, matches = services(request).page_cache, services(request).matches
    key = (
        *(match.id, match.version, forms.language(request), forms.theme(request)),
        match.seats_of(forms.key(request)),
        bool(forms.secret(request)),
        *(str(request.base_url), request.url.query, FRAGMENT in request.headers),
        *(request.cookies.get(f"invitation_{match.id}", ""), match.is_late(matches.now())),
        *(matches.online(match), seating.other_devices(match, forms.key(request))),
    )
    page = cached.get(key)
    if page is not None:
        return HTMLResponse(page)
    view = await match_view(request, match)
    response = _render(request, view)
    # A page with an error is not cached: the next request may succeed.
    if not (response.headers.get("set-cookie") or request.query_params.get("hint") or view.error):
        # The query and the name of the host are a part of the key, and may be long.
        cached.put(key, bytes(response.body), len(response.body) + len(str(request.url)) + KEY_BYTES)
    return response


async def execute(request: Request) -> Response:
    """Execute a command from a form."""
    match_id, action = request.path_params["duel"], request.path_params["action"]
    fields: forms.Fields = {}
    try:
        if action == "rematch":
            return RedirectResponse(f"/g/{(await commands.rematch(request)).id}", 303)
        if action == "carry":
            match, token = await commands.lend(request)
            # The link is shown on this page only, because its secret is not stored.
            return _render(request, await match_view(request, match, carry_token=token))
        if action not in commands.ACTIONS:
            return page(request, "error.html", 404, text=Message("There is no such page."))
        fields = await forms.form(request)
        match = await commands.execute(request, action, fields)
    except UserError as error:
        match = await requested_match(request)
        shown_error = forms.error_text(request, error, match.spec)
        view = await match_view(request, match, shown_error, fields.get("number", ""))
        return _render(request, view, status_of(error))
    if FRAGMENT in request.headers:
        return _render(request, await match_view(request, match))
    for _ in range(MOVE_CHECKS):
        if not match.engine_level:
            break
        await asyncio.sleep(CHECK_INTERVAL)
    # Without a script, the number in hand is kept by the address.
    number = forms.number(fields.get("number"))
    return RedirectResponse(f"/g/{match_id}" + (f"?number={number}" if number is not None else ""), 303)


async def back(request: Request) -> Response:
    """The address of a command, opened as a page: after an error the browser shows it."""
    return RedirectResponse(f"/g/{request.path_params['duel']}", 303)


async def record(request: Request) -> Response:
    """The record as a file to download."""
    match = await requested_match(request)
    name = f"{match.spec.name}-{match.id}.duel"
    return PlainTextResponse(
        write(match.record), headers={"content-disposition": f'attachment; filename="{name}"'}
    )


ROUTES = [
    Route("/g/{duel}", show_match),
    Route("/g/{duel}/events", version_stream),
    Route("/me/events", visitor_stream),
    Route("/g/{duel}/record", record),
    Route("/g/{duel}/{action}", execute, methods=["POST"]),
    *(Route(f"/g/{{duel}}/{action}", back) for action in (*commands.ACTIONS, "carry", "rematch")),
]
