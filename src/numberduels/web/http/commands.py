"""Commands in requests, from forms and from bots: parsed here, executed by the match service."""

from __future__ import annotations

from starlette.requests import Request

from numberduels import registry
from numberduels.core import Seat
from numberduels.messages import Message
from numberduels.web.errors import UserError, sentence
from numberduels.web.http import forms
from numberduels.web.http.game_options import requested_game
from numberduels.web.http.middleware import client_address
from numberduels.web.http.services import services
from numberduels.web.match.engine_queries import require_playable
from numberduels.web.match.model import COMMANDS, OPEN, Match, NewEvent, Seats, created_data
from numberduels.web.match.tokens import hash_secret, new_secret

ACTIONS = ("move", *COMMANDS)
"""The commands of players, as addresses name them."""


async def execute(request: Request, action: str, fields: forms.Fields) -> Match:
    """Execute a command of whoever sends the request; UserError if it is rejected."""
    key = forms.key(request)

    def command(match: Match) -> NewEvent:
        seats = match.seats_of(key)
        return _move(match, seats, fields) if action == "move" else COMMANDS[action](match, seats)

    return await services(request).matches.execute(
        request.path_params["duel"], command, client_address(request.scope)
    )


def _move(match: Match, seats: Seats, fields: forms.Fields) -> NewEvent:
    # If a move is a number and a place, a form sends the two apart.
    text = fields.get("number", "") + fields.get("move", "")
    ply = forms.number(fields.get("ply"))
    if ply is None and fields.get("ply"):
        raise UserError("unreadable", "The ply is a count of moves.")
    return match.move(seats, text, ply)


async def join(request: Request, fields: forms.Fields, secret: str) -> Match:
    """Take the free seat."""
    invitation = hash_secret(fields.get("invitation", ""))
    name = forms.player_name(fields.get("name", ""))
    return await services(request).matches.execute(
        request.path_params["duel"],
        lambda match: match.join(name, hash_secret(secret), invitation),
        client_address(request.scope),
    )


async def create(request: Request, fields: forms.Fields, secret: str) -> tuple[Match, str, Seat]:
    """Create a match; return it, the invitation secret (or an empty text), and the seat of the creator."""
    shared, client = services(request), client_address(request.scope)
    try:
        spec = registry.spec(fields.get("game", ""))
    except registry.UnknownGame as error:
        raise UserError("unknown_game", sentence(error), "game") from None
    seat_infos, seat = forms.seat_infos(fields, hash_secret(secret))
    invitation = new_secret() if any(info.kind == OPEN for info in seat_infos) else ""
    game = requested_game(spec, fields, shared.settings)
    data = created_data(game, seat_infos, hash_secret(invitation))
    _count_new_game(request)
    for level in (info.level for info in seat_infos if info.level):
        await require_playable(shared.engine, data, level, client)
    match = await shared.matches.create(data, client)
    shared.metrics.games.inc()
    return match, invitation, seat


async def rematch(request: Request) -> Match:
    """The rematch, with the seats swapped."""
    _count_new_game(request)
    return await services(request).matches.rematch(
        request.path_params["duel"], forms.key(request), client_address(request.scope)
    )


def _count_new_game(request: Request) -> None:
    shared = services(request)
    if not shared.limits.new_games.take(client_address(request.scope)):
        most = shared.settings.games
        text = Message("At most {most} games an hour may begin from one address. Wait a while.", most=most)
        raise UserError("many", text)
