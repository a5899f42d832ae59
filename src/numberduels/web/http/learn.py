"""The pages under /learn: rules, theory, the claims of the books, and a board with the value of every move.

That board, the explorer, has no state on the server: its options and moves are in the address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from numberduels.analysis.lessons import Lesson, exploration_of, lessons_of
from numberduels.game import options, record, registry
from numberduels.game.board import board_of
from numberduels.game.contract import IllegalMove, Unreadable, has_fixed_start
from numberduels.game.messages import Message, message_of
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, deal, replay
from numberduels.game.text import AnyGameText
from numberduels.web.errors import UserError, status_of
from numberduels.web.http import forms
from numberduels.web.http.commands import requested_game
from numberduels.web.http.i18n import translator
from numberduels.web.http.match_pages import LastMove
from numberduels.web.http.middleware import client_address
from numberduels.web.http.rendering import page, rules_for
from numberduels.web.http.services import services

EXPLORER_SECONDS = 1.0
"""Seconds for the values in the explorer, whose sizes any visitor may choose."""

MAX_WAIT = 5.0
"""Seconds after which a page is shown without values."""

CLAIMS_SECONDS = 20.0
"""Seconds to check all claims of a book; the result is cached."""

MOST_MOVES = 200
"""Moves in the explorer: some games need not end."""

MAX_TEXT = 2_000
"""Characters of an option."""


@cache
def _lessons(spec: GameSpec) -> tuple[Lesson, ...]:
    return lessons_of(spec)


async def course(spec: GameSpec) -> tuple[Lesson, ...]:
    """The lessons of a game. For a game that declares none, the first call searches for a good seat."""
    return await asyncio.to_thread(_lessons, spec)


def explorer_url(spec: GameSpec, sizes: Mapping[str, str], moves: Sequence[str] = (), **more: str) -> str:
    """The address of the explorer with these options, after these moves.

    >>> from numberduels.game import registry
    >>> explorer_url(registry.spec("range-war"), {"size": "5"}, ["3", "2"])
    '/learn/range-war?options.size=5&m=3,2#board'
    """
    query = {f"options.{name}": text for name, text in sizes.items() if text}
    if moves:
        query["m"] = ",".join(moves)
    text = urlencode(query | more, safe=",@")
    return f"/learn/{spec.name}{'?' if text else ''}{text}#board"


async def show_games(request: Request) -> Response:
    """The list of games with their courses."""
    courses = {spec.name: await course(spec) for spec in registry.specs()}
    return page(request, "learn.html", courses=courses)


async def show_game(request: Request) -> Response:
    """The page of one game: explorer, theory, rules."""
    spec = forms.path_spec(request)
    explorer, status = await _explorer(request, spec)
    return page(
        request,
        "learn_game.html",
        status,
        spec=spec,
        rules=rules_for(spec, forms.language(request)),
        course=await course(spec),
        exploration=exploration_of(spec),
        theory=await _theory(request, spec),
        explorer=explorer,
    )


async def play_move(request: Request) -> Response:
    """A move in the explorer: redirect to the address of the next position."""
    spec = forms.path_spec(request)
    fields = await forms.form(request)
    moves = [*forms.listed_moves(fields.get("m", ""), MOST_MOVES), forms.sent_move(fields)]
    return RedirectResponse(explorer_url(spec, _sizes(spec, fields), moves), 303)


async def ask(request: Request, task: str, *arguments: Any, seconds: float | None = None) -> Any:
    """Ask the engine on behalf of the visitor; UserError if there is no answer."""
    client = client_address(request.scope)
    return await services(request).engine.ask(client, task, *arguments, seconds=seconds)


async def _theory(request: Request, spec: GameSpec) -> dict[str, Any] | None:
    """Who wins with the default options, and by which first moves; None if that takes too long."""
    game = deal(spec.make(), Random(0))
    texts = options.format_options(game)
    try:
        async with asyncio.timeout(MAX_WAIT):
            worth = await ask(request, "values", spec.name, texts, [])
            hint = await ask(request, "hint", spec.name, texts, [])
    except (UserError, TimeoutError):
        return None
    best = [move for move, each in worth["moves"].items() if each["value"] == worth["value"]]
    return {
        "game": game,
        "best": best if len(best) < len(worth["moves"]) else [],
        "numbers": "" if has_fixed_start(spec.make()) else _numbers(game),
        **hint,
        "value": worth["value"],
        "margin": worth["margin"],
    }


def _numbers(game: Any) -> str:
    """The dealt numbers as text."""
    values = (getattr(game, each.name) for each in options.declared(type(game)))
    return "; ".join(", ".join(map(str, value)) for value in values if isinstance(value, tuple))


VALUES_MISSING = {
    "unanswered": Message("What the moves are worth is not known here."),
    "busy": Message(
        "The computer has too much to think about, and shows no values just now. Try again in a moment."
    ),
    "too_hard": Message("What the moves are worth here would take the computer too long."),
}
"""What the explorer says without values, by the key of the error."""


async def _explorer(request: Request, spec: GameSpec) -> tuple[dict[str, Any], int]:
    """The position of the address with the value of every move, and the status of the response."""
    sizes = _sizes(spec, request.query_params)
    status, message, reason, error = 200, "", "", None
    _ = translator(forms.language(request))
    filled = {f"options.{name}": text for name, text in sizes.items()}
    try:
        game = deal(requested_game(spec, filled, services(request).settings), Random(0))
    except UserError as problem:
        error = forms.error_text(request, problem, spec)
        status, message = status_of(problem), _("That size cannot be played here; this is the usual one.")
        sizes, game = {}, deal(spec.make(), Random(0))
    table = replay(game)
    if status == 200 and (reason := _played(spec, table, request.query_params.get("m", ""))):
        status = 422
        message = _(
            "Move {number} of that address cannot be made; this is the position before it.",
            number=table.ply + 1,
        )
    game_text = spec.text_for(game)
    moves = [game_text.format_move(move) for move in table.played]
    worth: dict[str, Any] = {"value": "", "moves": {}}
    move = why = ""
    if not table.outcome:
        try:
            worth, move, why = await _worth(request, spec, game, moves)
        except UserError as problem:
            if not message:
                message = _(VALUES_MISSING[problem.key])
                reason = problem.text if problem.key == "unanswered" else ""
    explorer = {
        "sizes": sizes,  # the valid ones
        "filled": filled,  # what the visitor has typed for them
        "error": error,
        "table": table,
        "moves": moves,
        "board": board_of(game, table.state, table.played),
        "worth": worth,
        "move_values": {move: each["value"] for move, each in worth["moves"].items()},
        "move": move,
        "why": why,
        "message": message,
        "reason": reason,
        "last": next(iter(last_moves(game_text, table, 1)), None),
        "can_move": not table.outcome and len(moves) < MOST_MOVES,
        "url": partial(explorer_url, spec, sizes),
    }
    return explorer, status


async def _worth(
    request: Request, spec: GameSpec, game: Any, moves: list[str]
) -> tuple[dict[str, Any], str, str]:
    """The worth of the position; if the visitor asked for a hint, also a move and the reason."""
    texts = options.format_options(game)
    hint = {"move": "", "why": ""}
    try:
        async with asyncio.timeout(MAX_WAIT):
            worth = await ask(request, "values", spec.name, texts, moves, seconds=EXPLORER_SECONDS)
            if request.query_params.get("why"):
                hint = await ask(request, "hint", spec.name, texts, moves, seconds=EXPLORER_SECONDS)
    except TimeoutError:
        raise UserError("busy", Message("The computer has too much to think about.")) from None
    return worth, hint["move"], hint["why"]


def _sizes(spec: GameSpec, fields: Mapping[str, str]) -> dict[str, str]:
    """The texts of the options that are not empty."""
    names = [each.name for each in options.declared(spec.rules)]
    texts = {name: fields.get(f"options.{name}", "").strip()[:MAX_TEXT] for name in names}
    return {name: text for name, text in texts.items() if text}


def _played(spec: GameSpec, table: Table[Any, Any], text: str) -> str:
    """Play the moves of an address; stop at the first illegal one, and return what is wrong with it."""
    game_text = spec.text_for(table.game)
    try:
        for move in forms.listed_moves(text, MOST_MOVES):
            if table.outcome:
                raise IllegalMove("The game is over before it.")
            table.play(game_text.parse_move(move))
    except (IllegalMove, Unreadable) as error:
        return message_of(error)
    return ""


def last_moves(game_text: AnyGameText, table: Table[Any, Any], count: int) -> list[LastMove]:
    """The last moves, each with what it did."""
    found = []
    for ply, (before, move, _) in enumerate(table.steps()):
        if ply >= table.ply - count:
            notation = game_text.format_move(move)
            effect = board_of(table.game, before, table.played[:ply]).effects.get(notation)
            found.append(LastMove(table.game.turn(before) + 1, notation, effect))
    return found


async def show_claims(request: Request) -> Response:
    """The page with the claims of a book, and links to games that show them."""
    spec = forms.path_spec(request)
    claims = await ask(request, "claims", spec.name, seconds=CLAIMS_SECONDS)
    return page(
        request, "claims.html", spec=spec, claims=[each | {"game": _shown_in(spec, each)} for each in claims]
    )


def _shown_in(spec: GameSpec, claim: Mapping[str, Any]) -> str:
    """The address of a game that shows a claim; empty if there is none."""
    if not claim["record"]:
        return ""
    read = record.read(claim["record"], installed_only=True)
    notation = spec.text_for(read.game).format_move
    return explorer_url(spec, options.format_options(read.game), [notation(move) for move in read.moves])


ROUTES = [
    Route("/learn", show_games),
    Route("/learn/{game}", show_game),
    Route("/learn/{game}", play_move, methods=["POST"]),
    Route("/learn/{game}/claims", show_claims),
]
