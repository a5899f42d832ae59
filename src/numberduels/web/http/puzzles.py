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

from numberduels.analysis.puzzles import LEVELS, next_seed, puzzle_levels
from numberduels.analysis.puzzles.kinds import KINDS
from numberduels.analysis.puzzles.selection import daily_level, day_of
from numberduels.game.board import Board, board_of
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.messages import message_of
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, replay
from numberduels.web.errors import UserError, status_of
from numberduels.web.http import forms
from numberduels.web.http.i18n import translator
from numberduels.web.http.learn import ask, explorer_url
from numberduels.web.http.rendering import page

SEED = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,39}")
"""Seeds that are allowed in an address."""

MAX_MOVE = 100
"""Characters of a move."""


def today() -> date:
    """The day of the daily puzzles, the same all over the world."""
    return datetime.now(UTC).date()


async def overview(request: Request) -> Response:
    """The puzzles of the day, and forms for random ones."""
    return _overview(request)


def _overview(request: Request, status: int = 200, message: str = "", english: str = "") -> Response:
    day = today()
    return page(
        request,
        "puzzles.html",
        status,
        url="/puzzles",
        message=message,
        english=english,
        day=day.isoformat(),
        daily_level=lambda spec: daily_level(spec, day),
        puzzle_levels=puzzle_levels,
        chosen=request.query_params.get("game", ""),
    )


async def random_puzzle(request: Request) -> Response:
    """Redirect to a puzzle: the one after the seed `after`, or else a random one.

    A game has not all levels: the nearest one is taken.
    """
    name, level = request.query_params.get("game", ""), request.query_params.get("level", "1")
    spec, wanted = forms.requested_spec(name), forms.number(level) or 0
    if spec and wanted in LEVELS:
        level = str(min(puzzle_levels(spec), key=lambda each: abs(each - wanted)))
    seed = request.query_params.get("after", "")
    follows = SEED.fullmatch(seed) and not day_of(seed)
    return _redirect(request, name, level, next_seed(seed) if follows else secrets.token_hex(4))


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
    day = day_of(seed)
    if day and day > today():
        return _overview(
            request, 404, _("That puzzle of the day is still to come: today is {day}.", day=today())
        )
    return None


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """A puzzle as one visitor sees it."""

    spec: GameSpec
    puzzle: dict[str, Any]
    """The puzzle without its solution, from the engine."""
    tables: list[Table[Any, Any]]
    """One position, or two that are called A and B."""
    boards: list[Board]
    move: str
    """The visitor's answer as the puzzle formats it; empty if there is none."""
    result: dict[str, Any] | None
    """Whether the answer is right, and the solution; None without an answer."""
    solution_shown: bool
    """Whether the visitor asked for the solution."""
    message: str
    reason: str
    """Why the answer is none."""

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
        """The move that is the solution, if it may be shown."""
        asked = self.result is not None and self.solved and self.puzzle["asks_for"] == "move"
        return [self.result["solution"]] if self.result and asked else []

    @property
    def chosen(self) -> str:
        """The number of the answer, in a game whose moves are a number and a place."""
        return self.boards[0].number_of(self.move) if self.puzzle["asks_for"] == "move" else ""

    @property
    def positions(self) -> list[tuple[str, Board, list[tuple[int, str]]]]:
        """Every position: its name if there are two, its board, and its moves with their players."""
        names = ["A", "B"] if len(self.boards) == 2 else [""]
        histories = [[(1 + ply % 2, move) for ply, move in enumerate(moves)] for moves in self.moves]
        return list(zip(names, self.boards, histories, strict=True))

    @property
    def moves(self) -> list[list[str]]:
        """The moves to each position."""
        found: list[list[str]] = self.puzzle["positions"]
        return found

    @property
    def day(self) -> str:
        """The day whose puzzle it is; empty for any other puzzle."""
        day = day_of(self.puzzle["seed"])
        return day.isoformat() if day and daily_level(self.spec, day) == self.puzzle["level"] else ""

    @property
    def next_url(self) -> str:
        """The address that leads to the next puzzle of this level."""
        query = {"game": self.spec.name, "level": self.puzzle["level"], "after": self.puzzle["seed"]}
        return f"/puzzles/new?{urlencode(query)}"

    @property
    def url(self) -> str:
        """The address of the puzzle."""
        return f"/puzzles/{self.spec.name}/{self.puzzle['level']}/{self.puzzle['seed']}"

    @property
    def explorer_urls(self) -> list[str]:
        """The address of each position in the explorer."""
        return [explorer_url(self.spec, self.puzzle["options"], moves) for moves in self.moves]


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
    return page(
        request,
        "puzzle.html",
        status,
        view=view,
        spec=spec,
        puzzle_levels=puzzle_levels(spec),
        day=today().isoformat(),
    )


async def _view(request: Request, spec: GameSpec, puzzle: dict[str, Any]) -> PuzzleView:
    """The puzzle with the result of the answer, if there is one."""
    game = spec.make(puzzle["options"])
    game_text = spec.text_for(game)
    positions = [tuple(map(game_text.parse_move, moves)) for moves in puzzle["positions"]]
    tables = [replay(game, moves) for moves in positions]
    text = request.query_params.get("move", "")[:MAX_MOVE]
    solution = bool(request.query_params.get("solution"))
    move = message = reason = ""
    if text and not solution:
        asked = KINDS[puzzle["kind"]](spec, game, tuple(positions))
        try:
            move = asked.parse(text)
        except (IllegalMove, Unreadable) as error:
            moves = puzzle["asks_for"] == "move"
            _ = translator(forms.language(request))
            message = (
                _("That move cannot be made here.") if moves else _("That is no answer to this question.")
            )
            reason = message_of(error)
    result = None
    if move or solution:
        level, seed = puzzle["level"], puzzle["seed"]
        result = await ask(request, "check_solution", spec.name, level, seed, move or None)
    boards = [board_of(game, table.state, table.played) for table in tables]
    return PuzzleView(spec, puzzle, tables, boards, move, result, solution, message, reason)


async def answer(request: Request) -> Response:
    """An answer from a form: redirect to the address with the result."""
    fields = await forms.form(request)
    move = forms.sent_move(fields)[:MAX_MOVE]
    name, level, seed = (request.path_params[part] for part in ("game", "level", "seed"))
    return _redirect(request, name, level, seed, move=move)


ROUTES = [
    Route("/puzzles", overview),
    Route("/puzzles/new", random_puzzle),
    Route("/puzzles/{game}/{level}/{seed}", show_puzzle),
    Route("/puzzles/{game}/{level}/{seed}", answer, methods=["POST"]),
]
