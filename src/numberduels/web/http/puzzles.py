"""The pages under /puzzles: a daily puzzle of each game, and any number of random ones.

Puzzles are not stored: the seed in the address makes the puzzle, as in the terminal.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from numberduels.analysis.puzzles import DEEPEST, LEVELS
from numberduels.board import Board, board_of
from numberduels.core import IllegalMove, Unreadable
from numberduels.messages import Message, message_of
from numberduels.spec import GameSpec
from numberduels.table import Table, replay
from numberduels.web.errors import UserError
from numberduels.web.http import forms
from numberduels.web.http.i18n import translator
from numberduels.web.http.learn import ask, explorer_url
from numberduels.web.http.pages import page
from numberduels.web.http.statuses import status_of

SEED = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,39}")
"""Seeds that are allowed in an address."""

WEEK = (1, 1, 2, 2, 3, 3, 4)
"""The level of the daily puzzle, from Monday to Sunday."""

MAX_MOVE = 100
"""Characters of a move."""


def daily(day: date) -> tuple[int, str]:
    """Level and seed of the puzzles of a day.

    >>> daily(date(2026, 1, 4))
    (4, '2026-01-04')
    """
    return WEEK[day.weekday()], day.isoformat()


async def overview(request: Request) -> Response:
    """The puzzles of the day, and forms for random ones."""
    return _overview(request)


def _overview(request: Request, status: int = 200, message: str = "", english: str = "") -> Response:
    level, seed = daily(datetime.now(UTC).date())
    return page(
        request,
        "puzzles.html",
        status,
        url="/puzzles",
        message=message,
        english=english,
        day=seed,
        daily_level=level,
        puzzle_levels=LEVELS,
        chosen=request.query_params.get("game", ""),
    )


async def random_puzzle(request: Request) -> Response:
    """Redirect to a puzzle with a random seed."""
    name, level = request.query_params.get("game", ""), request.query_params.get("level", "1")
    return _redirect(request, name, level, secrets.token_hex(4))


def _redirect(request: Request, name: str, level: str, seed: str, **query: str) -> Response:
    """Redirect to a puzzle, if the address is valid."""
    if error_page := _invalid_address(request, name, level, seed):
        return error_page
    text = f"?{urlencode(query, safe='@')}" if query else ""
    return RedirectResponse(f"/puzzles/{name}/{int(level)}/{seed}{text}", 303)


def _invalid_address(request: Request, name: str, level: str, seed: str) -> Response | None:
    """The error page for an invalid address; None for a valid one."""
    _ = translator(forms.language(request))
    if forms.requested_spec(name) is None:
        return _overview(request, 404, _("There is no such game; choose one of these."))
    if forms.number(level) not in LEVELS:
        return _overview(
            request, 404, _("A level is a number from {low} to {high}.", low=LEVELS[0], high=LEVELS[-1])
        )
    if not SEED.fullmatch(seed):
        return _overview(request, 404, _("That is no address of a puzzle; choose one of these."))
    return None


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """A puzzle as one visitor sees it."""

    spec: GameSpec
    puzzle: dict[str, Any]
    """The puzzle without its solution, from the engine."""
    table: Table[Any, Any]
    board: Board
    move: str
    """The visitor's answer in the notation of records; empty if there is none."""
    result: dict[str, Any] | None
    """Whether the answer is right, and the solution; None without an answer."""
    solution_shown: bool
    """Whether the visitor asked for the solution."""
    message: str
    reason: str
    """Why the answer is no legal move."""

    @property
    def right(self) -> bool:
        """Whether the answer was right."""
        return bool(self.result and self.move and self.result["right"])

    @property
    def solved(self) -> bool:
        """Whether the solution may be shown."""
        return self.right or self.solution_shown

    @property
    def state(self) -> str:
        """asked, right, wrong or solution."""
        if self.result is None:
            return "asked"
        return "right" if self.right else "solution" if self.solution_shown else "wrong"

    @property
    def lines(self) -> list[str]:
        """The text about the answer."""
        if self.result is None:
            return []
        lines: list[str] = self.result["answer" if self.solved else "refutation"]
        return lines

    @property
    def best(self) -> list[str]:
        """The solution, if it may be shown."""
        return [self.result["solution"]] if self.result and self.solved else []

    @property
    def chosen(self) -> str:
        """The number of the answer, in a game whose moves are a number and a place."""
        return self.board.number_of(self.move)

    @property
    def history(self) -> list[tuple[int, str]]:
        """Every move so far: its player and its notation."""
        return [(1 + ply % 2, move) for ply, move in enumerate(self.puzzle["moves"])]

    @property
    def url(self) -> str:
        """The address of the puzzle."""
        return f"/puzzles/{self.spec.name}/{self.puzzle['level']}/{self.puzzle['seed']}"

    @property
    def explorer_url(self) -> str:
        """The address of the same position in the explorer."""
        return explorer_url(self.spec, self.puzzle["options"], self.puzzle["moves"])

    @property
    def distance(self) -> Message:
        """How far one must look ahead."""
        depth = self.puzzle["depth"]
        if depth == 1:
            return Message("Look at this one move: that is all there is to see.")
        if depth == 2:
            return Message("Look at the answers to each of your moves.")
        if depth == DEEPEST:
            return Message("Look {depth} moves ahead or more, yours and theirs together.", depth=depth)
        return Message("Look {depth} moves ahead, yours and theirs together.", depth=depth)


async def show_puzzle(request: Request) -> Response:
    """The page of a puzzle, with the result of an answer."""
    name, level, seed = (request.path_params[part] for part in ("game", "level", "seed"))
    if error_page := _invalid_address(request, name, level, seed):
        return error_page
    spec = forms.requested_spec(name)
    assert spec is not None, "the address is valid"
    _ = translator(forms.language(request))
    try:
        puzzle = await ask(request, "puzzle", spec.name, int(level), seed)
        view = await _view(request, spec, puzzle)
    except UserError as error:
        if error.key == "unanswered":  # there is no such puzzle
            return _overview(request, 404, _("There is no such puzzle."), str(error))
        if error.key == "too_hard":
            text = _("This puzzle would take the computer too long. Choose another.")
        else:
            text = _(error.text)
        return _overview(request, status_of(error), text)
    status = 422 if view.message else 200
    return page(request, "puzzle.html", status, view=view, spec=spec, puzzle_levels=LEVELS)


async def _view(request: Request, spec: GameSpec, puzzle: dict[str, Any]) -> PuzzleView:
    """The puzzle with the result of the answer, if there is one."""
    game = spec.make(puzzle["options"])
    game_text = spec.text_for(game)
    table = replay(game, map(game_text.parse_move, puzzle["moves"]))
    text = request.query_params.get("move", "")[:MAX_MOVE]
    solution = bool(request.query_params.get("solution"))
    move = message = reason = ""
    if text and not solution:
        try:
            read = game_text.parse_move(text)
            game.play(table.state, read)
            move = game_text.format_move(read)
        except (IllegalMove, Unreadable) as error:
            message = translator(forms.language(request))("That move cannot be made here.")
            reason = message_of(error)
    result = None
    if move or solution:
        level, seed = puzzle["level"], puzzle["seed"]
        result = await ask(request, "check_solution", spec.name, level, seed, move or None)
    return PuzzleView(
        spec,
        puzzle,
        table,
        board_of(game, table.state, table.played),
        move,
        result,
        solution,
        message,
        reason,
    )


async def answer(request: Request) -> Response:
    """An answer from a form: redirect to the address with the result."""
    fields = await forms.form(request)
    move = (fields.get("number", "") + fields.get("move", ""))[:MAX_MOVE]
    name, level, seed = (request.path_params[part] for part in ("game", "level", "seed"))
    return _redirect(request, name, level, seed, move=move)


ROUTES = [
    Route("/puzzles", overview),
    Route("/puzzles/new", random_puzzle),
    Route("/puzzles/{game}/{level}/{seed}", show_puzzle),
    Route("/puzzles/{game}/{level}/{seed}", answer, methods=["POST"]),
]
