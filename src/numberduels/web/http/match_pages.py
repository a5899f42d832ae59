"""The page of a match, its commands, its record, its review.

They work without JavaScript: real forms, moves by POST.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from numberduels.game.board import Effect, board_of
from numberduels.game.record import write
from numberduels.web.errors import UserError, status_of
from numberduels.web.http import commands, forms
from numberduels.web.http.middleware import FRAGMENT, client_address
from numberduels.web.http.rendering import page
from numberduels.web.http.services import services
from numberduels.web.http.sse import version_stream, visitor_stream
from numberduels.web.match import engine_queries, seating
from numberduels.web.match.commands import COMMANDS, require_room
from numberduels.web.match.events import COMPUTER, HUMAN, OPEN, Seats
from numberduels.web.match.model import OVER, PLAYING, WAITING, Match
from numberduels.web.match.state import format_time


class LastMove(NamedTuple):
    """The move that led to the position on the page."""

    player: int
    move: str
    effect: Effect | None
    number: str = ""
    """The number that it placed, if moves are a number and a place."""


def match_url(match: Match, ply: int | None = None, *, values: bool = False, hint: bool = False) -> str:
    """The address of a match at a ply. The present has no ply in it, so that its page follows the game."""
    query = []
    if ply is not None and ply < match.table.ply:
        query.append(f"ply={ply}")
    if values:
        query.append("values=1")
    if hint:
        query.append("hint=1")
    return f"/g/{match.id}" + (f"?{'&'.join(query)}" if query else "")


def allows(match: Match, seats: Seats, command: str) -> bool:
    """Whether the player of these seats may use this command now."""
    try:
        require_room(match, COMMANDS[command](match, seats)[0])
    except UserError:
        return False
    return True


async def requested_match(request: Request) -> Match:
    """The match that the address of the request names, which the visitor sees by that."""
    matches = services(request).matches
    match = await matches.get(request.path_params["duel"])
    await matches.visit(match, forms.key(request))
    return match


def earlier_ply(request: Request, match: Match) -> int | None:
    """The earlier ply that the request asks for; None for the present."""
    ply = forms.number(request.query_params.get("ply")) if request.method in ("GET", "HEAD") else None
    return None if ply is None or ply >= match.table.ply else ply


async def _view(
    request: Request,
    match: Match,
    error: forms.ErrorText | None = None,
    chosen: str = "",
    carry_token: str = "",
) -> dict[str, Any]:
    """The match at one ply, as this visitor sees it."""
    query = request.query_params if request.method == "GET" else {}
    seats = match.seats_of(forms.key(request))
    earlier = earlier_ply(request, match)
    ply = match.table.ply if earlier is None else earlier
    played, moves = match.table.played, match.moves
    state, last_move = match.table.start, None
    if ply:
        before, _, state = list(match.table.steps())[ply - 1]
        earlier_board, move = board_of(match.game, before, played[: ply - 1]), moves[ply - 1]
        effect, number = earlier_board.effects.get(move), earlier_board.number_of(move)
        last_move = LastMove(2 - ply % 2, move, effect, number)
    engine, client = services(request).engine, client_address(request.scope)
    values: dict[str, Any] = {}
    best = why = decided = ""
    try:
        if query.get("hint"):
            hint = await engine_queries.hint(engine, match, seats, client)
            best, why = hint["move"], hint["why"]
        if query.get("better"):
            better = await engine_queries.better_move(engine, match, ply, client)
            best, why = better["move"], better["why"]
        if query.get("values"):
            worth = await engine_queries.values(engine, match, seats, client, ply)
            values = {move: each["value"] for move, each in worth["moves"].items()}
        if query.get("decided"):
            decided = (await engine_queries.review(engine, match, seats, client))["summary"]
    except UserError as problem:
        error = forms.error_text(request, problem, match.spec)
    site, matches = str(request.base_url).rstrip("/"), services(request).matches
    url = f"{site}/g/{match.id}"
    invitation = request.cookies.get(f"invitation_{match.id}", "") if match.status == WAITING else ""
    board = board_of(match.game, state, played[:ply])
    if match.status == OVER and earlier is None and not match.table.outcome and not values:  # resigned
        board = board.finished()
    asker, offerer = match.takeback_asked_by, match.draw_offered_by
    is_current = ply == match.table.ply
    return {
        "seats": seats,  # those of the visitor
        "ply": ply,
        "is_current": is_current,
        "my_turn": is_current and match.turn in seats,
        "board": board,
        "last_move": last_move,
        "move_values": values,
        "best": best,
        "why": why,
        "decided": decided,
        "chosen": board.number_of(best) or chosen or query.get("number", ""),  # the number in hand
        "error": error,
        "invitation_url": f"{url}/join?key={quote(invitation)}" if invitation else "",  # for the creator only
        "watch_url": url,
        "carry_url": f"{site}/carry/{carry_token}" if carry_token else "",
        "other_devices": seating.other_devices(match, forms.key(request)),
        "presence": matches.online(match),
        "deadline": "" if match.deadline is None else format_time(match.deadline),
        "can_claim": match.is_late(matches.now()) and bool(seats) and match.turn not in seats,
        "draw_offered": offerer is not None and bool(seats) and offerer not in seats,
        "takeback_requested": asker is not None and bool(seats) and asker not in seats,
        "takeback_move": 0 if asker is None else match.undo_ply((asker,)) + 1,
        "url": partial(match_url, match, values=bool(values)),
        "allows": partial(allows, match, seats),
    }


MOVE_CHECKS, CHECK_INTERVAL = 20, 0.05
"""How often, and in seconds, a page without JavaScript waits for the computer's move before it is shown."""

KEY_BYTES = 1_024
"""Estimated size of the rest of the key of a cached page."""


def _render(request: Request, match: Match, view: dict[str, Any], status: int = 200) -> Response:
    """The page of a match, or for the script only the part that changes."""
    return page(
        request,
        "match_fragment.html" if FRAGMENT in request.headers else "match.html",
        status,
        url=view["url"](view["ply"]),
        view=view,
        match=match,
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
    view = await _view(request, match)
    response = _render(request, match, view)
    # A page with an error is not cached: the next request may succeed.
    if not (response.headers.get("set-cookie") or request.query_params.get("hint") or view["error"]):
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
            match, token = await commands.make_device_link(request)
            # The link is shown on this page only, because its secret is not stored.
            return _render(request, match, await _view(request, match, carry_token=token))
        if action not in commands.ACTIONS:
            raise HTTPException(404)
        fields = await forms.form(request)
        match = await commands.execute(request, action, fields)
    except UserError as error:
        match = await requested_match(request)
        shown_error = forms.error_text(request, error, match.spec)
        view = await _view(request, match, shown_error, fields.get("number", ""))
        return _render(request, match, view, status_of(error))
    if FRAGMENT in request.headers:
        return _render(request, match, await _view(request, match))
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
        write(match.record()), headers={"content-disposition": f'attachment; filename="{name}"'}
    )


# The review

CHART_HEIGHT = 168
"""Pixels of the plot. Widths are percentages, so that it fills any screen and its texts keep their size."""

AXIS = CHART_HEIGHT // 2
"""Bars above it are for Player 1, bars below it for Player 2."""

REACH = AXIS - 18
"""Pixels of the longest bar; above it is room for the sign of a mistake."""

THIN = 3
"""Pixels of the bar of an even position."""

PHONE = 320
"""Pixels of the narrowest screen, on which the move numbers must not overlap."""

DIGIT = 8
"""Pixels of a digit below the chart."""


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """The value of the game at one moment: before the first move, or after a move."""

    ply: int
    """Moves made so far."""
    x: float
    """The middle of the column, in percent of the width."""
    top: float
    height: float
    side: str
    """Who wins at best play: first, second, even, or unknown."""
    margin: int | None
    """The points by which they win, in a game of points."""
    judged: Mapping[str, Any] | None
    """The verdict on the move; None before the first move."""
    label: str
    """The number below the chart; empty where there is no room."""

    @property
    def sign_y(self) -> float:
        """Where the sign of a mistake stands: beyond the end of the bar."""
        return self.top - 6 if self.top < AXIS - THIN else self.top + self.height + 14


def chart_of(review: Mapping[str, Any]) -> list[ChartColumn]:
    """The columns of the chart of a review, given as `Review.report` returns it.

    >>> columns = chart_of({"values": [1, -1], "margins": None, "moves": [{"ply": 1}]})
    >>> [(column.side, column.height) for column in columns]
    [('first', 66), ('second', 66)]
    """
    values: Sequence[int | None] = review["values"]
    margins: Sequence[int | None] = review["margins"] or values
    reach = max([1, *(abs(each) for each in margins if each is not None)])
    width = 100 / len(values)
    digits = len(str(len(values))) + 1
    every = max(1, ceil(digits * DIGIT * len(values) / PHONE))
    columns = []
    for ply, (value, margin) in enumerate(zip(values, margins, strict=True)):
        height = max(round(REACH * abs(margin or 0) / reach), THIN)
        side = "unknown" if value is None else ("even", "first", "second")[value]
        top = AXIS - height if side == "first" else AXIS if side == "second" else AXIS - THIN / 2
        columns.append(
            ChartColumn(
                ply,
                (ply + 0.5) * width,
                top,
                THIN if side in ("even", "unknown") else height,
                side,
                abs(margin) if review["margins"] and margin is not None else None,
                review["moves"][ply - 1] if ply else None,
                str(ply) if ply and ply % every == 0 else "",
            )
        )
    return columns


async def review(request: Request) -> Response:
    """The review: one sentence, the chart, and the moves that changed the result."""
    running = services(request)
    match = await running.matches.get(request.path_params["duel"])
    found = await engine_queries.review(running.engine, match, (), client_address(request.scope))
    address = f"{str(request.base_url).rstrip('/')}/g/{match.id}/review"
    return page(
        request, "review.html", match=match, review=found, columns=chart_of(found), axis=AXIS, address=address
    )


ROUTES = [
    Route("/g/{duel}", show_match),
    Route("/g/{duel}/events", version_stream),
    Route("/me/events", visitor_stream),
    Route("/g/{duel}/record", record),
    Route("/g/{duel}/review", review),
    Route("/g/{duel}/{action}", execute, methods=["POST"]),
    *(Route(f"/g/{{duel}}/{action}", back) for action in (*commands.ACTIONS, "carry", "rematch")),
]
