"""What can be done in a duel, whether by a form or by a bot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request

from numberduels import registry
from numberduels.core import Seat
from numberduels.web.engine.pool import Busy, Unthought
from numberduels.web.engine.pool import Refused as Unable
from numberduels.web.engine.service import Answers, busy
from numberduels.web.http import forms
from numberduels.web.http.game_options import requested_game
from numberduels.web.http.middleware import address
from numberduels.web.match.model import OPEN, Duel, Refused, Wish, made
from numberduels.web.match.tokens import fresh_secret, hashed

Fields = dict[str, str]
Seats = tuple[Seat, ...]


def _move(duel: Duel, seats: Seats, fields: Fields) -> Wish:
    # Where a move is a number and a place, a form sends them apart.
    text = fields.get("number", "") + fields.get("move", "")
    ply = forms.number(fields.get("ply"))
    if ply is None and fields.get("ply"):
        raise Refused("unreadable", "The ply is a count of moves.", 400)
    return duel.move(seats, text, ply)


ACTIONS: dict[str, Callable[[Duel, Seats, Fields], Wish]] = {
    "move": _move,
    "undo": lambda duel, seats, _: duel.undo(seats),
    "takeback": lambda duel, seats, _: duel.ask(seats),
    "accept": lambda duel, seats, _: duel.answer(seats, True),
    "decline": lambda duel, seats, _: duel.answer(seats, False),
    "resign": lambda duel, seats, _: duel.resign(seats),
}


async def act(request: Request, action: str, fields: Fields) -> Duel:
    """Do it, for whoever asks; Refused says why not."""
    hall = forms.hall(request)
    key = forms.key(request)
    return await hall.act(
        request.path_params["duel"],
        lambda duel: ACTIONS[action](duel, duel.seats(key), fields),
        address(request.scope),
    )


async def join(request: Request, fields: Fields, secret: str) -> Duel:
    """Take the free seat."""
    hall = forms.hall(request)
    invitation = hashed(fields.get("invitation", ""))
    name = forms.name(fields.get("name", ""))
    return await hall.act(
        request.path_params["duel"],
        lambda duel: duel.join(name, hashed(secret), invitation),
        address(request.scope),
    )


async def create(request: Request, fields: Fields, secret: str) -> tuple[Duel, str, int]:
    """A new duel, what an invitation to it must hold (nothing if nobody is awaited), and the asker's seat."""
    state = request.app.state
    try:
        spec = registry.spec(fields.get("game", ""))
    except registry.UnknownGame as fault:
        raise Refused("unknown_game", forms.sentence(fault), 422, "game") from None
    sittings, seat = forms.sittings(fields, hashed(secret))
    invitation = fresh_secret() if any(each.kind == OPEN for each in sittings) else ""
    data = made(requested_game(spec, fields, state.settings), sittings, hashed(invitation))
    if not state.limits.creating.take(address(request.scope)):
        raise _many(state.settings.games)
    for level in (each.level for each in sittings if each.level):
        await _able(request, data, level)
    duel = await state.hall.create(data, address(request.scope))
    state.metrics.games += 1
    return duel, invitation, seat


def _many(most: int) -> Refused:
    text = f"At most {most} games an hour may begin from one address. Wait a while."
    return Refused("many", text, 429, most=most)


async def rematch(request: Request) -> Duel:
    """The game that follows, with the seats swapped."""
    state = request.app.state
    if not state.limits.creating.take(address(request.scope)):
        raise _many(state.settings.games)
    who = address(request.scope)
    found: Duel = await state.hall.rematch(request.path_params["duel"], forms.key(request), who)
    return found


async def _able(request: Request, data: dict[str, Any], level: str) -> None:
    """See that the computer can play the game, before anybody sits down to it.

    That is a question as others are, and takes no time of the processes that play.
    """
    answers: Answers = request.app.state.answers
    try:
        await answers.ask(address(request.scope), "able", data["game"], data["options"], level)
    except Unable as fault:
        raise Refused("unable", forms.sentence(fault), 409, "level") from None
    except Busy as fault:
        raise busy(fault) from None
    except Unthought:
        seconds = f"{request.app.state.settings.seconds:g}"
        text = f"The computer cannot play this size at level {level} within {seconds} seconds."
        raise Refused("too_large", text, 409, "level", seconds=seconds) from None
