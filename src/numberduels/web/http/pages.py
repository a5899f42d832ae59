"""The HTML pages of matches. They work without JavaScript: real forms, moves by POST."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from numberduels import options, registry
from numberduels.board import Board, Effect, board_of, say_move
from numberduels.messages import Message
from numberduels.record import write
from numberduels.web.engine.levels import LEVELS
from numberduels.web.errors import UserError
from numberduels.web.http import assets, commands, forms, labels
from numberduels.web.http.board_layout import tile_grid
from numberduels.web.http.choices import keep_choices, last_choices
from numberduels.web.http.i18n import languages, translator
from numberduels.web.http.middleware import FRAGMENT, client_address
from numberduels.web.http.next_game import new_game_fields, next_level
from numberduels.web.http.qr import qr_code
from numberduels.web.http.rule_pages import rules_for
from numberduels.web.http.services import services
from numberduels.web.http.sse import version_stream, visitor_stream
from numberduels.web.http.statuses import status_of
from numberduels.web.match import engine_queries, seating
from numberduels.web.match.commands import COMMANDS
from numberduels.web.match.model import OVER, PLAYING, WAITING, Match
from numberduels.web.match.seating import UNUSABLE_LINK
from numberduels.web.match.seats import COMPUTER, HUMAN, OPEN, Seats
from numberduels.web.match.service import MatchNotFound
from numberduels.web.match.state import Online, format_time
from numberduels.web.match.tokens import hash_secret, read_carry_token

MOVE_CHECKS, CHECK_INTERVAL = 20, 0.05
"""How often, and in seconds, a page without JavaScript waits for the computer's move before it is shown."""

MAX_CACHED_PAGES = 300
"""Rendered pages of matches in the cache."""

MAX_QUERY = 1000
"""Characters of a query that links to the same page in other languages and colours repeat."""

WEEK = 7 * 24 * 3600


@cache
def environment() -> Environment:
    """The Jinja environment: everything is escaped, and an undefined name is an error."""
    found = Environment(
        loader=PackageLoader("numberduels.web.http"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {
        "static": assets.asset_url,
        "labels": labels,
        "languages": {code: translator(code)(labels.LANGUAGE_NAME) for code in languages()},
        "specs": registry.specs,
        "levels": LEVELS,
        "declared": lambda spec: options.declared(spec.rules),
        "option_text": options.format_value,
        "tile_grid": tile_grid,
        "say_move": say_move,
        "rules_for": rules_for,
        "next_level": next_level,
        "new_game_fields": new_game_fields,
        "qr_code": qr_code,
    }
    return found


def page(request: Request, template: str, status: int = 200, url: str = "", **values: Any) -> Response:
    """Render a template in the language and the colours of the visitor.

    `url` is the address of the page, if it is not the address of the request.
    """
    language, theme = forms.language(request), forms.theme(request)
    own = url or _own_url(request, status)
    text = (
        environment()
        .get_template(template)
        .render(
            _=translator(language),
            language=language,
            language_urls=_urls_with(own, forms.LANGUAGE, languages()),
            theme=theme,
            theme_urls=_urls_with(own, forms.THEME, forms.THEMES),
            status=status,
            site=str(request.base_url).rstrip("/"),
            known=bool(forms.secret(request)),
            **values,
        )
    )
    response = HTMLResponse(text, status)
    for name, chosen in ((forms.LANGUAGE, language), (forms.THEME, theme)):
        if request.query_params.get(name) == chosen:
            forms.set_cookie(request, response, name, chosen, forms.YEAR)
    return response


def _own_url(request: Request, status: int) -> str:
    """The address of the requested page; the home page if there is no such page."""
    if request.method not in ("GET", "HEAD") or status in (404, 405):
        return "/"
    settings = (forms.LANGUAGE, forms.THEME)
    query = [(name, text) for name, text in request.query_params.multi_items() if name not in settings]
    text = urlencode(query)
    return request.url.path + (f"?{text}" if 0 < len(text) <= MAX_QUERY else "")


def _urls_with(url: str, name: str, choices: Iterable[str]) -> dict[str, str]:
    """The address of the same page with each choice of a setting.

    >>> _urls_with("/learn?m=3", "language", ["de"])
    {'de': '/learn?m=3&language=de'}
    """
    joint = "&" if "?" in url else "?"
    return {choice: f"{url}{joint}{name}={choice}" for choice in choices}


# The page of a match


class LastMove(NamedTuple):
    """The move that led to the position on the page."""

    player: int
    move: str
    effect: Effect | None
    number: str = ""
    """The number that it placed, if moves are a number and a place."""


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match at one ply, as one visitor sees it."""

    match: Match
    seats: Seats
    """The seats of the visitor."""
    ply: int
    board: Board
    last_move: LastMove | None
    values: dict[str, Any]
    """The value of each move, if the visitor asked for values."""
    best: str
    """The move of a hint, if the visitor asked for one."""
    why: str
    """The reason for that move."""
    decided: str
    """Where the game was decided, if the visitor asked for that."""
    chosen: str
    """The selected number, in a game whose moves are a number and a place."""
    error: forms.ErrorText | None
    invitation_url: str
    """The link that invites a friend; empty for all visitors but the creator."""
    watch_url: str
    """The link for spectators."""
    carry_url: str
    """A link that takes the visitor's seat along to another device, if they have just made one."""
    other_devices: int
    """The number of other devices that the visitor may take their seat back from."""
    presence: Online
    """Whether each player is online; None for a computer and for a free seat."""
    can_claim: bool
    """Whether the visitor may claim the game, because the opponent has exceeded the time."""

    @property
    def is_current(self) -> bool:
        """Whether the view shows the present, not an earlier ply."""
        return self.ply == self.match.table.ply

    @property
    def my_turn(self) -> bool:
        """Whether the visitor is to move."""
        return self.is_current and self.match.turn is not None and self.match.turn in self.seats

    @property
    def deadline(self) -> str:
        """When the player to move may lose on time, as a time element has it; empty without a clock."""
        deadline = self.match.deadline
        return "" if deadline is None else format_time(deadline)

    @property
    def can_offer_draw(self) -> bool:
        """Whether the visitor may offer a draw, and has not been offered one."""
        return not self.draw_offered and self.allows("offer")

    @property
    def draw_offered(self) -> bool:
        """Whether the opponent offers the visitor a draw."""
        by = self.match.draw_offered_by
        return by is not None and bool(self.seats) and by not in self.seats

    @property
    def takeback_requested(self) -> bool:
        """Whether the opponent asks the visitor for a takeback."""
        asker = self.match.takeback_asked_by
        return asker is not None and bool(self.seats) and asker not in self.seats

    @property
    def takeback_move(self) -> int:
        """The number of the first move that the takeback would undo."""
        asker = self.match.takeback_asked_by
        return self.match.undo_ply((asker,)) + 1 if asker is not None else 0

    @property
    def history(self) -> list[tuple[int, int, str]]:
        """Every move: its number, its player, its notation."""
        return [(number, 1 + (number - 1) % 2, move) for number, move in enumerate(self.match.moves, 1)]

    def url(self, ply: int | None = None, *, values: bool | None = None, hint: bool = False) -> str:
        """The address of this match at a ply; with values if they are shown now, unless stated otherwise.

        The present has no ply in its address, so that its page follows the game.
        """
        query = []
        if ply is not None and ply < self.match.table.ply:
            query.append(f"ply={ply}")
        if bool(self.values) if values is None else values:
            query.append("values=1")
        if hint:
            query.append("hint=1")
        return f"/g/{self.match.id}" + (f"?{'&'.join(query)}" if query else "")

    def allows(self, command: str) -> bool:
        """Whether the visitor may use this command now."""
        try:
            COMMANDS[command](self.match, self.seats)
        except UserError:
            return False
        return True


async def _match(request: Request) -> Match:
    return await services(request).matches.get(request.path_params["duel"])


def _earlier_ply(request: Request, match: Match) -> int | None:
    """The earlier ply that the request asks for; None for the present."""
    ply = forms.number(request.query_params.get("ply")) if request.method in ("GET", "HEAD") else None
    return None if ply is None or ply >= match.table.ply else ply


async def match_view(
    request: Request,
    match: Match,
    error: forms.ErrorText | None = None,
    chosen: str = "",
    carry_token: str = "",
) -> MatchView:
    """The match as this visitor sees it."""
    query = request.query_params if request.method == "GET" else {}
    seats = match.seats_of(forms.key(request))
    earlier = _earlier_ply(request, match)
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
    base = f"{str(request.base_url).rstrip('/')}/g/{match.id}"
    invitation = request.cookies.get(f"invitation_{match.id}", "") if match.status == WAITING else ""
    board = board_of(match.game, state, played[:ply])
    if match.status == OVER and earlier is None and not match.table.outcome and not values:  # resigned
        board = board.finished()
    return MatchView(
        match,
        seats,
        ply,
        board,
        last_move,
        values,
        best,
        why,
        decided,
        board.number_of(best) or chosen or query.get("number", ""),
        error,
        f"{base}/join?key={quote(invitation)}" if invitation else "",
        base,
        f"{str(request.base_url).rstrip('/')}/carry/{carry_token}" if carry_token else "",
        seating.other_devices(match, forms.key(request)),
        services(request).matches.online(match),
        match.is_late(services(request).matches.now()) and bool(seats) and match.turn not in seats,
    )


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
    match = await _match(request)
    if "ply" in request.query_params and _earlier_ply(request, match) is None:
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
    if key in cached:
        cached.move_to_end(key)
        return HTMLResponse(cached[key])
    view = await match_view(request, match)
    response = _render(request, view)
    # A page with an error is not cached: the next request may succeed.
    if not (response.headers.get("set-cookie") or request.query_params.get("hint") or view.error):
        cached[key] = bytes(response.body)
        if len(cached) > MAX_CACHED_PAGES:
            cached.popitem(last=False)
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
        match = await _match(request)
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


# Invitations


async def show_invitation(request: Request) -> Response:
    """The page that an invitation link leads to."""
    match = await _match(request)
    if match.seats_of(forms.key(request)):
        return RedirectResponse(f"/g/{match.id}", 303)
    name = last_choices(request).get("name", "")
    return _invitation_page(request, match, request.query_params.get("key", ""), name)


def _invitation_page(
    request: Request, match: Match, key: str, name: str = "", error: UserError | None = None
) -> Response:
    """The form to accept an invitation, or the reason why it cannot be accepted."""
    usable = True
    try:
        seating.join(match, "", "", hash_secret(key))
    except UserError as reason:
        usable, error = False, reason
    return page(
        request,
        "join.html",
        status_of(error) if error else 200,
        url=f"/g/{match.id}/join?{urlencode({'key': key})}",
        match=match,
        key=key,
        name=name,
        usable=usable,
        error=forms.error_text(request, error) if error else None,
    )


async def join(request: Request) -> Response:
    """Take the free seat."""
    fields = await forms.form(request)
    secret = forms.browser_secret(request)
    try:
        match = await commands.join(request, fields, secret)
    except UserError as error:
        match = await _match(request)
        return _invitation_page(request, match, fields.get("invitation", ""), fields.get("name", ""), error)
    response = RedirectResponse(f"/g/{match.id}", 303)
    forms.set_secret_cookie(request, response, secret)
    keep_choices(request, response, {"name": fields.get("name", "")})
    return response


# Other devices


async def show_carry_link(request: Request) -> Response:
    """The page that a link to another device leads to; it needs a click, because previews open links, too."""
    token = request.path_params["token"]
    match_id, secret = read_carry_token(token)
    try:
        match = await services(request).matches.get(match_id)
        if match.seats_of(forms.key(request)):
            return RedirectResponse(f"/g/{match.id}", 303)
        seating.carry(match, hash_secret(secret), "", services(request).matches.now())
    except MatchNotFound:
        return _carry_page(request, token, None, UserError("no_link", UNUSABLE_LINK))
    except UserError as error:
        return _carry_page(request, token, match, error)
    return _carry_page(request, token, match)


def _carry_page(
    request: Request, token: str, match: Match | None, error: UserError | None = None
) -> Response:
    return page(
        request,
        "carry.html",
        status_of(error) if error else 200,
        url=f"/carry/{quote(token)}",
        token=token,
        match=match,
        error=forms.error_text(request, error) if error else None,
    )


async def carry(request: Request) -> Response:
    """Take a seat along to this device."""
    token, secret = request.path_params["token"], forms.browser_secret(request)
    try:
        match = await commands.carry(request, token, secret)
    except UserError as error:
        return _carry_page(request, token, None, error)
    response = RedirectResponse(f"/g/{match.id}", 303)
    forms.set_secret_cookie(request, response, secret)
    return response


# After the game


async def record(request: Request) -> Response:
    """The record as a file to download."""
    match = await _match(request)
    name = f"{match.spec.name}-{match.id}.duel"
    return PlainTextResponse(
        write(match.record), headers={"content-disposition": f'attachment; filename="{name}"'}
    )


ROUTES = [
    Route("/g/{duel}", show_match),
    Route("/g/{duel}/events", version_stream),
    Route("/me/events", visitor_stream),
    Route("/g/{duel}/join", show_invitation),
    Route("/g/{duel}/join", join, methods=["POST"]),
    Route("/g/{duel}/record", record),
    Route("/g/{duel}/{action}", execute, methods=["POST"]),
    Route("/carry/{token}", show_carry_link),
    Route("/carry/{token}", carry, methods=["POST"]),
]
