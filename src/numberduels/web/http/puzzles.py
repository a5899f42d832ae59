"""The pages under /puzzles: a daily puzzle of each game, and any number of random ones.

Puzzles are not stored: the seed in the address makes the puzzle, as in the terminal.
"""

from __future__ import annotations

import re
import secrets
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from numberduels.analysis.puzzles import LEVELS, next_seed, puzzle_levels
from numberduels.analysis.puzzles.kinds import KINDS
from numberduels.analysis.puzzles.selection import daily_level, day_of
from numberduels.game.board import board_of
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.messages import message_of
from numberduels.game.spec import GameSpec
from numberduels.game.table import replay
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
    return page(
        request,
        "puzzle.html",
        422 if view["message"] else 200,
        view=view,
        spec=spec,
        puzzle_levels=puzzle_levels(spec),
        day=today().isoformat(),
    )


async def _view(request: Request, spec: GameSpec, puzzle: dict[str, Any]) -> dict[str, Any]:
    """What the page shows of the puzzle, with the result of the answer if there is one."""
    game, level, seed = spec.make(puzzle["options"]), puzzle["level"], puzzle["seed"]
    game_text = spec.text_for(game)
    positions = [tuple(map(game_text.parse_move, moves)) for moves in puzzle["positions"]]
    boards = [board_of(game, replay(game, moves).state, moves) for moves in positions]
    asks_move = puzzle["asks_for"] == "move"
    text = request.query_params.get("move", "")[:MAX_MOVE]
    solution = bool(request.query_params.get("solution"))
    move = message = reason = ""
    if text and not solution:
        try:
            move = KINDS[puzzle["kind"]](spec, game, tuple(positions)).parse(text)
        except (IllegalMove, Unreadable) as error:
            _ = translator(forms.language(request))
            illegal, unreadable = (
                _("That move cannot be made here."),
                _("That is no answer to this question."),
            )
            message, reason = illegal if asks_move else unreadable, message_of(error)
    result: dict[str, Any] = {}
    if move or solution:
        result = await ask(request, "check_solution", spec.name, level, seed, move or None)
    right = bool(move and result["right"])
    solved = right or solution
    day = day_of(seed)
    query = {"game": spec.name, "level": level, "after": seed}
    return {
        "puzzle": puzzle,
        "game": game,
        "state": "right" if right else "solution" if solution else "wrong" if move else "asked",
        "right": right,
        "solved": solved,  # then the solution may be shown
        "answered": bool(result),
        "move": move,
        "lines": result["answer" if solved else "refutation"] if result else [],
        "best": [result["solution"]] if solved and asks_move else [],
        "chosen": boards[0].number_of(move) if asks_move else "",
        "message": message,
        "reason": reason,
        "positions": list(
            zip(("A", "B") if len(boards) == 2 else ("",), boards, puzzle["positions"], strict=True)
        ),
        "day": day.isoformat() if day and daily_level(spec, day) == level else "",
        "url": f"/puzzles/{spec.name}/{level}/{seed}",
        "next_url": f"/puzzles/new?{urlencode(query)}",
        "explorer_urls": [explorer_url(spec, puzzle["options"], moves) for moves in puzzle["positions"]],
    }


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
