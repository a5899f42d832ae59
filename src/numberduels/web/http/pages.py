"""The pages: complete without a script, with real forms and moves by POST."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from numberduels import options, registry
from numberduels.board import Board, Effect, shown
from numberduels.core import Seat
from numberduels.record import write
from numberduels.web.engine import service
from numberduels.web.http import assets, forms
from numberduels.web.http.i18n import languages, speaker
from numberduels.web.http.middleware import FRAGMENT
from numberduels.web.http.sse import brief
from numberduels.web.match import actions
from numberduels.web.match.model import COMPUTER, HUMAN, LEVELS, OPEN, OVER, PLAYING, WAITING, Duel, Refused
from numberduels.web.match.tokens import hashed


@cache
def environment() -> Environment:
    """Where the templates are: everything is escaped, and nothing may be missing."""
    found = Environment(
        loader=PackageLoader("numberduels.web.http"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {
        "static": assets.address,
        "languages": {name: speaker(name)("language") for name in languages()},
        "specs": registry.specs,
        "levels": LEVELS,
        "declared": lambda spec: options.declared(spec.rules),
        "shown": options.format_value,
    }
    return found


def page(request: Request, template: str, status: int = 200, at: str = "", **values: Any) -> Response:
    """A page in the language of whoever asks.

    `at` is where it can be found, where that is not the address that was asked for.
    """
    language = forms.language(request)
    elsewhere = _elsewhere(at or _address(request, status))
    text = (
        environment()
        .get_template(template)
        .render(say=speaker(language), language=language, elsewhere=elsewhere, **values)
    )
    response = HTMLResponse(text, status)
    if request.query_params.get(forms.LANGUAGE) == language:
        forms.set_cookie(request, response, forms.LANGUAGE, language, forms.YEAR)
    return response


def _address(request: Request, status: int) -> str:
    """Where the page that is asked for can be found; where there is none, the home page."""
    if request.method not in ("GET", "HEAD") or status in (404, 405):
        return "/"
    asks = [(name, text) for name, text in request.query_params.multi_items() if name != forms.LANGUAGE]
    return request.url.path + (f"?{urlencode(asks)}" if asks else "")


def _elsewhere(address: str) -> dict[str, str]:
    """The same page in each language.

    >>> _elsewhere("/learn?m=3")["de"]
    '/learn?m=3&language=de'
    """
    joint = "&" if "?" in address else "?"
    return {name: f"{address}{joint}{forms.LANGUAGE}={name}" for name in languages()}


async def home(request: Request) -> Response:
    """All games to choose from."""
    return page(request, "home.html", error=None, filled={})


async def new(request: Request) -> Response:
    """Begin a game, as the form asks."""
    fields = await forms.form(request)
    secret = forms.own_secret(request)
    try:
        duel, invitation, _ = await actions.create(request, fields, secret)
    except Refused as fault:
        error = forms.told(request, fault, forms.requested_spec(fields.get("game", "")))
        return page(request, "home.html", fault.status, at="/", error=error, filled=fields)
    answer = RedirectResponse(f"/g/{duel.id}", 303)
    forms.remember(request, answer, secret)
    if invitation:
        # The invitation is shown to whoever sent for it, and kept nowhere but in their browser.
        place = f"/g/{duel.id}"
        forms.set_cookie(request, answer, f"invitation_{duel.id}", invitation, 7 * 24 * 3600, place)
    return answer


class Last(NamedTuple):
    """The move that led to what is seen."""

    player: int
    move: str
    effect: Effect | None


@dataclass(frozen=True, slots=True)
class Seen:
    """A duel as one visitor sees it at one moment of its history."""

    duel: Duel
    seats: tuple[Seat, ...]
    ply: int
    board: Board
    last: Last | None
    values: dict[str, Any]
    best: str
    why: str
    hand: str
    """The number that is chosen to be placed, where numbers are placed."""
    message: forms.Told | None
    invitation: str
    """The link that invites a friend; nothing for all others."""
    watching: str
    """The link that anybody may have."""

    @property
    def now(self) -> bool:
        """Whether it is seen as it is now."""
        return self.ply == self.duel.table.ply

    def address(self, ply: int | None = None, *, values: bool | None = None, hint: bool = False) -> str:
        """The address of this duel at that ply, with values as they are shown now unless told otherwise.

        The present has no ply in its address, so that whoever is there sees the game go on.
        """
        query = []
        if ply is not None and ply < self.duel.table.ply:
            query.append(f"ply={ply}")
        if bool(self.values) if values is None else values:
            query.append("values=1")
        if hint:
            query.append("hint=1")
        return f"/g/{self.duel.id}" + (f"?{'&'.join(query)}" if query else "")

    @property
    def mine(self) -> bool:
        """Whether the visitor is to move."""
        return self.now and self.duel.turn is not None and self.duel.turn in self.seats

    def offers(self, action: str) -> bool:
        """Whether the visitor may do this now."""
        try:
            actions.ACTIONS[action](self.duel, self.seats, {})
        except Refused:
            return False
        return True

    @property
    def asked(self) -> bool:
        """Whether the visitor is asked to let a move be taken back."""
        return self.duel.asked is not None and bool(self.seats) and self.duel.asked not in self.seats

    @property
    def undone(self) -> int:
        """The number of the move that would be taken back, with all after it."""
        return self.duel.back((self.duel.asked,)) + 1 if self.duel.asked is not None else 0

    @property
    def history(self) -> list[tuple[int, int, str]]:
        """Every move: its number, whose it was, and itself."""
        return [(number, 1 + (number - 1) % 2, move) for number, move in enumerate(self.duel.moves, 1)]


def _earlier(request: Request, duel: Duel) -> int | None:
    """The earlier ply that the request asks for; None for the present."""
    ply = forms.number(request.query_params.get("ply")) if request.method in ("GET", "HEAD") else None
    return None if ply is None or ply >= duel.table.ply else ply


async def seen(request: Request, duel: Duel, message: forms.Told | None = None, hand: str = "") -> Seen:
    """The duel as this visitor sees it."""
    asking = request.query_params if request.method == "GET" else {}
    earlier = _earlier(request, duel)
    ply = duel.table.ply if earlier is None else earlier
    played, moves = duel.table.played, duel.moves
    state, last = duel.table.start, None
    if ply:
        before, _, state = list(duel.table.steps())[ply - 1]
        effects = shown(duel.game, before, played[: ply - 1]).effects
        last = Last(2 - ply % 2, moves[ply - 1], effects.get(moves[ply - 1]))
    found: dict[str, Any] = {}
    best = why = ""
    try:
        if asking.get("hint"):
            told = await service.hint(request, duel)
            best, why = told["move"], told["why"]
        if asking.get("values"):
            worth = await service.values(request, duel, ply)
            found = {move: each["value"] for move, each in worth["moves"].items()}
    except Refused as fault:
        message = forms.told(request, fault)
    base = str(request.base_url).rstrip("/")
    invitation = request.cookies.get(f"invitation_{duel.id}", "") if duel.status == WAITING else ""
    return Seen(
        duel,
        duel.seats(forms.key(request)),
        ply,
        shown(duel.game, state, played[:ply]),
        last,
        found,
        best,
        why,
        hand or best.partition("@")[0],
        message,
        f"{base}/g/{duel.id}/join?key={quote(invitation)}" if invitation else "",
        f"{base}/g/{duel.id}",
    )


async def duel_page(
    request: Request, duel: Duel, status: int = 200, message: forms.Told | None = None, hand: str = ""
) -> Response:
    """The page of a duel, or its table alone."""
    return _drawn(request, await seen(request, duel, message, hand), status)


def _drawn(request: Request, found: Seen, status: int = 200) -> Response:
    template = "table.html" if FRAGMENT in request.headers else "duel.html"
    constants = {
        "HUMAN": HUMAN,
        "COMPUTER": COMPUTER,
        "OPEN": OPEN,
        "OVER": OVER,
        "PLAYING": PLAYING,
        "WAITING": WAITING,
    }
    at = found.address(found.ply)
    return page(request, template, status, at=at, seen=found, duel=found.duel, **constants)


SOON = 20
"""Looks whether the computer has moved, before a page is shown."""

LOOKS = 300
"""Tables that are kept as they were drawn: of one position there may be many who look at it."""


async def look(request: Request) -> Response:
    """Look at a duel."""
    duel = await forms.hall(request).duel(request.path_params["duel"])
    if "ply" in request.query_params and _earlier(request, duel) is None:
        rest = [(name, text) for name, text in request.query_params.multi_items() if name != "ply"]
        return RedirectResponse(f"/g/{duel.id}" + (f"?{urlencode(rest)}" if rest else ""), 303)
    looks: OrderedDict[Any, bytes] = request.app.state.looks
    key = (
        *(duel.id, duel.version, forms.language(request), duel.seats(forms.key(request))),
        *(str(request.base_url), request.url.query, FRAGMENT in request.headers),
        request.cookies.get(f"invitation_{duel.id}", ""),
    )
    if key in looks:
        looks.move_to_end(key)
        return HTMLResponse(looks[key])
    found = await seen(request, duel)
    answer = _drawn(request, found)
    # What could not be told just now may be told to the next who looks.
    if not (answer.headers.get("set-cookie") or request.query_params.get("hint") or found.message):
        looks[key] = bytes(answer.body)
        if len(looks) > LOOKS:
            looks.popitem(last=False)
    return answer


async def act(request: Request) -> Response:
    """Do something in a duel, by a form."""
    name, action = request.path_params["duel"], request.path_params["action"]
    fields: actions.Fields = {}
    try:
        if action == "rematch":
            return RedirectResponse(f"/g/{(await actions.rematch(request)).id}", 303)
        if action not in actions.ACTIONS:
            return page(request, "error.html", 404, key="error.missing", detail="")
        fields = await forms.form(request)
        duel = await actions.act(request, action, fields)
    except Refused as fault:
        duel = await forms.hall(request).duel(name)
        return await duel_page(
            request, duel, fault.status, forms.told(request, fault), fields.get("number", "")
        )
    if FRAGMENT in request.headers:
        return await duel_page(request, duel)
    for _ in range(SOON):  # a page without a script would otherwise be old at once
        if not duel.thinker:
            break
        await asyncio.sleep(0.05)
    return RedirectResponse(f"/g/{name}", 303)


async def invited(request: Request) -> Response:
    """The page that an invitation leads to."""
    duel = await forms.hall(request).duel(request.path_params["duel"])
    if duel.seats(forms.key(request)):
        return RedirectResponse(f"/g/{duel.id}", 303)
    return _invitation(request, duel, request.query_params.get("key", ""))


def _invitation(
    request: Request, duel: Duel, key: str, name: str = "", fault: Refused | None = None
) -> Response:
    """An invitation: the form to accept it, or why it cannot be accepted."""
    unusable = None
    try:
        duel.join("", "", hashed(key))
    except Refused as why:
        unusable = fault = why
    return page(
        request,
        "join.html",
        fault.status if fault else 200,
        at=f"/g/{duel.id}/join?{urlencode({'key': key})}",
        duel=duel,
        key=key,
        name=name,
        usable=unusable is None,
        error=forms.told(request, fault) if fault else None,
    )


async def join(request: Request) -> Response:
    """Take the free seat."""
    fields = await forms.form(request)
    secret = forms.own_secret(request)
    try:
        duel = await actions.join(request, fields, secret)
    except Refused as fault:
        duel = await forms.hall(request).duel(request.path_params["duel"])
        return _invitation(request, duel, fields.get("invitation", ""), fields.get("name", ""), fault)
    answer = RedirectResponse(f"/g/{duel.id}", 303)
    forms.remember(request, answer, secret)
    return answer


async def review(request: Request) -> Response:
    """What each move of a game that is over was worth."""
    duel = await forms.hall(request).duel(request.path_params["duel"])
    found = await service.review(request, duel)
    return page(request, "review.html", duel=duel, review=found, base=str(request.base_url).rstrip("/"))


async def chart(request: Request) -> Response:
    """The value over the game, as a picture."""
    duel = await forms.hall(request).duel(request.path_params["duel"])
    found = await service.review(request, duel)
    # A picture has a style of its own, and may have nothing else.
    policy = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(found["svg"], media_type="image/svg+xml", headers=policy)


async def record(request: Request) -> Response:
    """The record, to be kept."""
    duel = await forms.hall(request).duel(request.path_params["duel"])
    name = f"{duel.spec.name}-{duel.id}.duel"
    return PlainTextResponse(
        write(duel.record), headers={"content-disposition": f'attachment; filename="{name}"'}
    )


ROUTES = [
    Route("/", home),
    Route("/new", new, methods=["POST"]),
    Route("/g/{duel}", look),
    Route("/g/{duel}/events", brief),
    Route("/g/{duel}/join", invited),
    Route("/g/{duel}/join", join, methods=["POST"]),
    Route("/g/{duel}/review", review),
    Route("/g/{duel}/review.svg", chart),
    Route("/g/{duel}/record", record),
    Route("/g/{duel}/{action}", act, methods=["POST"]),
]
