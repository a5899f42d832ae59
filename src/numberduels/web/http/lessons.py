"""The pages under /learn/GAME/LESSON, and /learn/GAME/theorem: change one number, and see who wins.

In a lesson a mistake is stopped, explained and taken back. It has no state on the server: the moves of the
learner are in the address, and the engine answers the same moves in the same way. Without moves the page
tells the idea; with `m` the learner plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from numberduels.analysis.lessons import Lesson, exploration_of
from numberduels.game import options
from numberduels.game.board import board_of
from numberduels.game.spec import GameSpec
from numberduels.game.table import replay
from numberduels.web.http import forms
from numberduels.web.http.learn import ask, course, explorer_url, last_moves
from numberduels.web.http.rendering import page

MAX_MOVES = 60
"""Moves of the learner in an address: some games need not end."""

MAX_STOPS = 999
"""Stopped moves that are counted."""


def lesson_url(spec: GameSpec, lesson: Lesson, moves: Sequence[str] | None = None, stops: int = 0) -> str:
    """The address of a lesson; with the moves of the learner, of the game in it.

    >>> from numberduels.game import registry
    >>> from numberduels.analysis.lessons import lessons_of
    >>> spec = registry.spec("range-war")
    >>> lesson_url(spec, lessons_of(spec)[1]), lesson_url(spec, lessons_of(spec)[1], ["6", "7"])
    ('/learn/range-war/nearest', '/learn/range-war/nearest?m=6,7')
    """
    query: dict[str, str | int] = {} if moves is None else {"m": ",".join(moves)}
    if stops:
        query["stops"] = min(stops, MAX_STOPS)
    text = urlencode(query, safe=",@")
    return f"/learn/{spec.name}/{lesson.key}{'?' if text else ''}{text}"


async def show_lesson(request: Request) -> Response:
    """One step of a lesson."""
    spec, lesson = await _requested(request)
    view = await _view(request, spec, lesson)
    return page(request, "lesson.html", 422 if view["refused"] else 200, view=view, spec=spec, lesson=lesson)


async def play_move(request: Request) -> Response:
    """A move of the learner: redirect to the address with it, which judges it."""
    found = await _requested(request)
    fields = await forms.form(request)
    move = forms.sent_move(fields).replace(",", "")
    moves = [*forms.listed_moves(fields.get("m", ""), MAX_MOVES), move]
    return RedirectResponse(lesson_url(*found, moves, forms.number(fields.get("stops")) or 0), 303)


async def _requested(request: Request) -> tuple[GameSpec, Lesson]:
    spec = forms.path_spec(request)
    for lesson in await course(spec):
        if lesson.key == request.path_params["lesson"]:
            return spec, lesson
    raise HTTPException(404)


async def _view(request: Request, spec: GameSpec, lesson: Lesson) -> dict[str, Any]:
    """What the page shows of the lesson after the moves of the address."""
    query, lessons = request.query_params, await course(spec)
    playing = "m" in query  # before that the idea is told
    own_moves = forms.listed_moves(query.get("m", ""), MAX_MOVES)
    taught = await ask(request, "lesson", spec.name, lesson.key, own_moves)
    stop = taught["stop"] if playing else None
    game = lesson.game(spec)
    game_text = spec.text_for(game)
    moves = taught["moves"] if playing or not lesson.example else list(lesson.shown)
    table = replay(game, map(game_text.parse_move, moves))
    board = board_of(game, table.state, table.played)
    hint: dict[str, str] = {}
    if query.get("hint") and playing and not table.outcome:
        hint = await ask(request, "hint", spec.name, options.format_options(game), moves)
    stops = min(forms.number(query.get("stops")) or 0, MAX_STOPS) + bool(taught["stop"])
    is_turn = not table.outcome and table.turn == lesson.seat
    return {
        "course": lessons,
        "following": next(iter(lessons[lessons.index(lesson) + 1 :]), None),
        "table": table,  # before the game starts, the worked position if there is one
        "board": board,
        "playing": playing,
        "own": taught["own"],
        "stop": stop,
        "refused": (taught["refused"] or "") if playing else "",
        "won": playing and taught["won"],
        "stops": stops,
        "recent": last_moves(game_text, table, min(2, table.ply - len(lesson.moves))) if playing else [],
        "hint": hint,
        "can_move": (playing or not lesson.example) and is_turn and len(taught["own"]) < MAX_MOVES,
        "chosen": board.number_of(stop["move"]) if stop else "",  # the number of a stopped move
        "url": lambda moves: lesson_url(spec, lesson, moves, stops),
    }


async def show_exploration(request: Request) -> Response:
    """The page of an exploration; `at` is the place of the number, from 0."""
    spec = forms.path_spec(request)
    found = exploration_of(spec)
    if found is None:
        raise HTTPException(404)
    place = forms.number(request.query_params.get("at"))
    if place is None or place >= len(found.values):
        place = found.values.index(found.first)
    table = found.table(spec, found.values[place])
    notation = spec.text_for(table.game).format_move
    texts, moves = options.format_options(table.game), [notation(move) for move in table.played]
    worth = await ask(request, "values", spec.name, texts, moves)
    return page(
        request,
        "exploration.html",
        spec=spec,
        found=found,
        place=place,
        winners=await ask(request, "exploration", spec.name),
        counted=found.count(table.game, table.state),
        board=board_of(table.game, table.state, table.played),
        worth=worth,
        move_values={move: each["value"] for move, each in worth["moves"].items()},
        explorer_url=explorer_url(spec, texts, moves),
    )


ROUTES = [
    Route("/learn/{game}/theorem", show_exploration),
    Route("/learn/{game}/{lesson}", show_lesson),
    Route("/learn/{game}/{lesson}", play_move, methods=["POST"]),
]
