"""Puzzles: one for every game and day, and as many more as anybody likes.

Nothing is kept: the seed in the address makes the puzzle, and the same seed makes it in the terminal, too.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, date, datetime
from random import Random
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from numberduels.analysis.puzzles import DEEPEST, LEVELS
from numberduels.board import Board, shown
from numberduels.core import IllegalMove, Unreadable
from numberduels.spec import GameSpec
from numberduels.table import Table
from numberduels.web.engine.service import known
from numberduels.web.http import forms
from numberduels.web.http.learn import address
from numberduels.web.http.pages import page
from numberduels.web.match.model import Refused

SEED = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,39}")
"""What can be a seed in an address."""

WEEK = (1, 1, 2, 2, 3, 3, 4)
"""The level of the daily puzzle, from Monday to Sunday."""

LONGEST_MOVE = 100
"""Characters of a move that anybody would read."""


def daily(day: date) -> tuple[int, str]:
    """The level and the seed of the puzzles of a day.

    >>> daily(date(2026, 1, 4))
    (4, '2026-01-04')
    """
    return WEEK[day.weekday()], day.isoformat()


async def choice(request: Request) -> Response:
    """The puzzles of the day, and where to find more."""
    return _choice(request)


def _choice(request: Request, status: int = 200, message: str = "", english: str = "") -> Response:
    level, seed = daily(datetime.now(UTC).date())
    return page(
        request,
        "puzzles.html",
        status,
        at="/puzzles",
        message=message,
        english=english,
        day=seed,
        daily_level=level,
        puzzle_levels=LEVELS,
        chosen=request.query_params.get("game", ""),
    )


async def another(request: Request) -> Response:
    """A puzzle that nobody has chosen, at an address of its own."""
    name, level = request.query_params.get("game", ""), request.query_params.get("level", "1")
    return _to(request, name, level, secrets.token_hex(4))


def _to(request: Request, name: str, level: str, seed: str, **asking: str) -> Response:
    """Send the visitor to a puzzle, where there is one."""
    if refusal := _refusal(request, name, level, seed):
        return refusal
    query = f"?{urlencode(asking, safe='@')}" if asking else ""
    return RedirectResponse(f"/puzzles/{name}/{int(level)}/{seed}{query}", 303)


def _refusal(request: Request, name: str, level: str, seed: str) -> Response | None:
    """What is said to whoever asks for a puzzle that cannot be."""
    say = forms.saying(request)
    if forms.requested_spec(name) is None:
        return _choice(request, 404, say("puzzle.no_game"))
    if forms.number(level) not in LEVELS:
        return _choice(request, 404, say("puzzle.no_level", low=LEVELS[0], high=LEVELS[-1]))
    if not SEED.fullmatch(seed):
        return _choice(request, 404, say("puzzle.no_seed"))
    return None


@dataclass(frozen=True, slots=True)
class Riddle:
    """A puzzle as one visitor sees it."""

    spec: GameSpec
    told: dict[str, Any]
    """The puzzle as the computer tells it."""
    table: Table[Any, Any]
    board: Board
    move: str
    """The answer that was given, as records write it; nothing before one is."""
    found: dict[str, Any] | None
    """What came of it."""
    shown: bool
    """Whether the solution was asked for."""
    message: str
    english: str

    @property
    def right(self) -> bool:
        """Whether the answer was right."""
        return bool(self.found and self.move and self.found["right"])

    @property
    def solved(self) -> bool:
        """Whether the solution may be shown."""
        return self.right or self.shown

    @property
    def state(self) -> str:
        """Where the visitor is with it: asked, right, wrong or solution."""
        if self.found is None:
            return "asked"
        return "right" if self.right else "solution" if self.shown else "wrong"

    @property
    def lines(self) -> list[str]:
        """What is to be said about the answer."""
        if self.found is None:
            return []
        text: str = self.found["answer" if self.solved else "verdict"]
        return text.splitlines()

    @property
    def best(self) -> list[str]:
        """The solution, where it may be shown."""
        return [self.found["solution"]] if self.found and self.solved else []

    @property
    def hand(self) -> str:
        """The number that was placed, so that it is in hand again."""
        places = [tile.move for tile in self.board.tiles if tile.move]
        return next((each for each in self.board.hand for place in places if each + place == self.move), "")

    @property
    def history(self) -> list[tuple[int, str]]:
        """Every move so far: whose it was, and itself."""
        return [(1 + ply % 2, move) for ply, move in enumerate(self.told["moves"])]

    @property
    def path(self) -> str:
        """Its address, which never changes."""
        return f"/puzzles/{self.spec.name}/{self.told['level']}/{self.told['seed']}"

    @property
    def explored(self) -> str:
        """The same position on the small board, where every move has its value."""
        return address(self.spec, self.told["options"], self.told["moves"])

    @property
    def far(self) -> str:
        """Which sentence says how far one must look."""
        depth = self.told["depth"]
        return {1: "one", 2: "two", DEEPEST: "deepest"}.get(depth, "more")


async def look(request: Request) -> Response:
    """A puzzle, or what came of an answer to it."""
    name, level, seed = (request.path_params[part] for part in ("game", "level", "seed"))
    if refusal := _refusal(request, name, level, seed):
        return refusal
    spec = forms.requested_spec(name)
    assert spec is not None, "a puzzle that may be asked for has a game"
    say = forms.saying(request)
    try:
        told = await known(request, "puzzle", spec.name, int(level), seed)
        riddle = await _riddle(request, spec, told)
    except Refused as fault:
        if fault.key == "unanswered":  # there is no such puzzle
            return _choice(request, 404, say("puzzle.none"), str(fault))
        return _choice(request, fault.status, say(f"puzzle.{fault.key}", str(fault)))
    status = 422 if riddle.message else 200
    return page(request, "puzzle.html", status, riddle=riddle, spec=spec, puzzle_levels=LEVELS)


async def _riddle(request: Request, spec: GameSpec, told: dict[str, Any]) -> Riddle:
    """The puzzle with what came of the answer, if there is one."""
    game = spec.make(told["options"])
    words = spec.text_for(game)
    table: Table[Any, Any] = Table(game, game.start(Random(0)), map(words.parse_move, told["moves"]))
    text = request.query_params.get("move", "")[:LONGEST_MOVE]
    solution = bool(request.query_params.get("solution"))
    move = message = english = ""
    if text and not solution:
        try:
            read = words.parse_move(text)
            game.play(table.state, read)
            move = words.format_move(read)
        except (IllegalMove, Unreadable) as fault:
            message, english = forms.saying(request)("puzzle.no_move"), str(fault)
    found = None
    if move or solution:
        found = await known(request, "solved", spec.name, told["level"], told["seed"], move or None)
    return Riddle(
        spec, told, table, shown(game, table.state, table.played), move, found, solution, message, english
    )


async def answer(request: Request) -> Response:
    """An answer from a form: what came of it has an address, too."""
    fields = await forms.form(request)
    move = (fields.get("number", "") + fields.get("move", ""))[:LONGEST_MOVE]
    name, level, seed = (request.path_params[part] for part in ("game", "level", "seed"))
    return _to(request, name, level, seed, move=move)


ROUTES = [
    Route("/puzzles", choice),
    Route("/puzzles/new", another),
    Route("/puzzles/{game}/{level}/{seed}", look),
    Route("/puzzles/{game}/{level}/{seed}", answer, methods=["POST"]),
]
