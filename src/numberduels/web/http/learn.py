"""Learn: the rules, who wins and why, what the books claim, and a small board with the worth of moves.

The small board is kept nowhere: its sizes and moves stand in the address, so that any position is a link.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from numberduels import options, record
from numberduels.board import Board, shown
from numberduels.core import IllegalMove, Unreadable, has_fixed_start
from numberduels.spec import GameSpec
from numberduels.table import Table
from numberduels.web.engine.service import known
from numberduels.web.http import forms
from numberduels.web.http.game_options import requested_game
from numberduels.web.http.markdown import rendered
from numberduels.web.http.pages import page
from numberduels.web.match.model import Refused

LIVE = 1.0
"""Seconds in which the small board must have its values, for sizes that anybody may choose."""

PATIENCE = 5.0
"""Seconds after which a page is shown without them, thinking or not."""

CHECKING = 20.0
"""Seconds for all the claims of a book: they are checked once, and then kept."""

MOST_MOVES = 200
"""Moves that the small board can hold; some games need not end."""

LONGEST = 2_000
"""Characters of all those moves."""


def _for_pages(book: str) -> str:
    """A book without what is for a command line."""
    parts = re.split("^(?=## )", book, flags=re.MULTILINE)
    return "".join(part for part in parts if not part.startswith(("## Options", "## At the prompt")))


def address(spec: GameSpec, sizes: Mapping[str, str], moves: Sequence[str] = (), **more: str) -> str:
    """Where the small board shows the game of these sizes after these moves.

    >>> from numberduels import registry
    >>> address(registry.spec("range-war"), {"size": "5"}, ["3", "2"])
    '/learn/range-war?options.size=5&m=3,2#board'
    """
    query = {f"options.{name}": text for name, text in sizes.items() if text}
    if moves:
        query["m"] = ",".join(moves)
    asking = urlencode(query | more, safe=",@")
    return f"/learn/{spec.name}{'?' if asking else ''}{asking}#board"


async def games(request: Request) -> Response:
    """The games, and what there is to learn about each."""
    return page(request, "learn.html")


async def game(request: Request) -> Response:
    """All about one game."""
    spec = forms.requested_spec(request.path_params["game"])
    if spec is None:
        return page(request, "error.html", 404, key="error.unknown", detail="")
    live, status = await _live(request, spec)
    book, theory = rendered(_for_pages(spec.rulebook())), await _theory(request, spec)
    return page(
        request, "learn_game.html", status, spec=spec, book=book, theory=theory, live=live, claims=None
    )


async def step(request: Request) -> Response:
    """One move more on the small board: what comes of it has an address."""
    spec = forms.requested_spec(request.path_params["game"])
    if spec is None:
        return page(request, "error.html", 404, key="error.unknown", detail="")
    fields = await forms.form(request)
    move = fields.get("number", "") + fields.get("move", "")
    before = [each for each in fields.get("m", "")[:LONGEST].split(",") if each]
    return RedirectResponse(address(spec, _sizes(spec, fields), [*before, move]), 303)


# Who wins


@dataclass(frozen=True, slots=True)
class Theory:
    """Who wins a game from the start, at the sizes of its book."""

    value: str
    """win, draw or loss, for whoever begins."""
    best: list[str]
    """The first moves that keep it, where others do not."""
    margin: int | None
    move: str
    why: str
    """Why this move is a good one."""
    numbers: str
    """What was dealt, where numbers are dealt."""


async def _theory(request: Request, spec: GameSpec) -> Theory | None:
    """Who wins; None where that cannot be told now."""
    made = _dealt(spec.make())
    texts = options.format_options(made)
    try:
        async with asyncio.timeout(PATIENCE):
            worth = await known(request, "values", spec.name, texts, [])
            hint = await known(request, "hint", spec.name, texts, [])
    except (Refused, TimeoutError):
        return None
    best = [move for move, each in worth["moves"].items() if each["value"] == worth["value"]]
    return Theory(
        worth["value"],
        best if len(best) < len(worth["moves"]) else [],
        worth["margin"],
        hint["move"],
        hint["why"],
        "" if has_fixed_start(spec.make()) else _numbers(made),
    )


def _numbers(made: Any) -> str:
    """The numbers that were dealt."""
    values = (getattr(made, each.name) for each in options.declared(type(made)))
    return "; ".join(", ".join(map(str, value)) for value in values if isinstance(value, tuple))


# The small board


@dataclass(frozen=True, slots=True)
class Live:
    """A position on the small board, with what its moves are worth."""

    spec: GameSpec
    sizes: dict[str, str]
    """The options that the visitor has chosen."""
    filled: dict[str, str]
    """What they have written into the fields for them, which may be no good."""
    error: forms.Told | None
    """What is wrong with that."""
    table: Table[Any, Any]
    moves: list[str]
    board: Board
    values: dict[str, str]
    """Each move's value, as far as it is known."""
    worth: dict[str, Any]
    """The position's own."""
    move: str
    why: str
    message: str
    english: str
    """What the game itself says: about a wrong move, or the last one, or the end."""

    @property
    def number(self) -> int:
        """Who is to move, or would be."""
        return self.table.turn + 1

    @property
    def open(self) -> bool:
        """Whether another move can be made."""
        return not self.table.outcome and len(self.moves) < MOST_MOVES

    @property
    def history(self) -> list[tuple[int, str, str]]:
        """Every move: whose it was, itself, and where it leads back to."""
        return [
            (1 + ply % 2, move, address(self.spec, self.sizes, self.moves[: ply + 1]))
            for ply, move in enumerate(self.moves)
        ]

    @property
    def back(self) -> str:
        """One move back."""
        return address(self.spec, self.sizes, self.moves[:-1])

    @property
    def again(self) -> str:
        """Back to the start."""
        return address(self.spec, self.sizes)

    @property
    def asking(self) -> str:
        """The same position with a good move."""
        return address(self.spec, self.sizes, self.moves, why="1")


async def _live(request: Request, spec: GameSpec) -> tuple[Live, int]:
    """The board that the address asks for, and the status of the answer."""
    sizes = _sizes(spec, request.query_params)
    status, message, english, error = 200, "", "", None
    say = forms.saying(request)
    filled = {f"options.{name}": text for name, text in sizes.items()}
    try:
        made = _dealt(requested_game(spec, filled, request.app.state.settings))
    except Refused as fault:
        error = forms.told(request, fault, spec)
        status, message = fault.status, say("learn.bad_sizes")
        sizes, made = {}, _dealt(spec.make())
    table: Table[Any, Any] = Table(made, made.start(Random(0)))
    if status == 200 and (wrong := _played(spec, table, request.query_params.get("m", ""))):
        status, message, english = 422, say("learn.bad_move", number=table.ply + 1), wrong
    words = spec.text_for(made)
    moves = [words.format_move(move) for move in table.played]
    worth: dict[str, Any] = {"value": "", "moves": {}}
    move = why = ""
    if not table.outcome:
        try:
            worth, move, why = await _worth(request, spec, made, moves)
        except Refused as fault:
            if not message:
                message = say(f"learn.{fault.key}")
                english = str(fault) if fault.key == "unanswered" else ""
    live = Live(
        spec=spec,
        sizes=sizes,
        filled=filled,
        error=error,
        table=table,
        moves=moves,
        board=shown(made, table.state, table.played),
        values={move: each["value"] for move, each in worth["moves"].items()},
        worth=worth,
        move=move,
        why=why,
        message=message,
        english=english or _said(words, table),
    )
    return live, status


async def _worth(
    request: Request, spec: GameSpec, made: Any, moves: list[str]
) -> tuple[dict[str, Any], str, str]:
    """What the position is worth, and a good move and why if that was asked for."""
    texts = options.format_options(made)
    hint = {"move": "", "why": ""}
    try:
        async with asyncio.timeout(PATIENCE):
            worth = await known(request, "values", spec.name, texts, moves, seconds=LIVE)
            if request.query_params.get("why"):
                hint = await known(request, "hint", spec.name, texts, moves, seconds=LIVE)
    except TimeoutError:
        raise Refused("busy", "The computer has too much to think about.", 503) from None
    return worth, hint["move"], hint["why"]


def _sizes(spec: GameSpec, fields: Mapping[str, str]) -> dict[str, str]:
    """What was written for the options, where anything was."""
    names = [each.name for each in options.declared(spec.rules)]
    texts = {name: fields.get(f"options.{name}", "").strip()[:LONGEST] for name in names}
    return {name: text for name, text in texts.items() if text}


def _dealt(made: Any) -> Any:
    """The game with its numbers dealt, to everybody the same."""
    return made if has_fixed_start(made) else made.with_start(made.start(Random(0)))


def _played(spec: GameSpec, table: Table[Any, Any], text: str) -> str:
    """Play the moves of an address as far as they are moves; what is wrong with the first that is none."""
    words = spec.text_for(table.game)
    try:
        for move in [each for each in text[:LONGEST].split(",") if each][:MOST_MOVES]:
            if table.outcome:
                raise IllegalMove("The game is over before it.")
            table.play(words.parse_move(move))
    except (IllegalMove, Unreadable) as fault:
        return str(fault)
    return ""


def _said(words: Any, table: Table[Any, Any]) -> str:
    """What the game says about the last move, and about its end."""
    told = ""
    for told_step in list(table.steps())[-1:]:
        told = words.announce(*told_step)
    if table.outcome:
        told += words.closing(table.state)
    return " ".join(told.split())


# What the books claim


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim of a book, and what came out."""

    number: int
    says: str
    verdict: str
    """true, false, partly or open."""
    finding: str
    game: str
    """Where a game can be seen that shows it; nothing where there is none."""


async def claims(request: Request) -> Response:
    """The claims of a book, checked."""
    spec = forms.requested_spec(request.path_params["game"])
    if spec is None:
        return page(request, "error.html", 404, key="error.unknown", detail="")
    try:
        found = await known(request, "claims", spec.name, seconds=CHECKING)
    except Refused as fault:
        key = f"learn.{fault.key}"
        return page(request, "error.html", fault.status, key=key, detail=str(fault))
    checked = [_checked(spec, each) for each in found]
    return page(request, "learn_game.html", spec=spec, claims=checked)


def _checked(spec: GameSpec, each: Mapping[str, Any]) -> Checked:
    shows = ""
    if each["record"]:
        read = record.read(each["record"])
        words = spec.text_for(read.game)
        shows = address(
            spec, options.format_options(read.game), [words.format_move(move) for move in read.moves]
        )
    return Checked(each["number"], each["says"], each["verdict"], each["finding"], shows)


ROUTES = [
    Route("/learn", games),
    Route("/learn/{game}", game),
    Route("/learn/{game}", step, methods=["POST"]),
    Route("/learn/{game}/claims", claims),
]
