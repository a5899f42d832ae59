"""Commands in requests, from forms and from bots: parsed here, executed by the match service."""

from __future__ import annotations

from starlette.requests import Request

from numberduels.engine.levels import is_offered
from numberduels.game import registry
from numberduels.game.contract import Seat
from numberduels.game.messages import Message
from numberduels.web.errors import UserError, sentence
from numberduels.web.http import forms
from numberduels.web.http.game_options import requested_game, requested_rules
from numberduels.web.http.middleware import client_address
from numberduels.web.http.services import services
from numberduels.web.match import commands as match_commands
from numberduels.web.match import seating
from numberduels.web.match.creation import created_data
from numberduels.web.match.engine_queries import accepts_draw, require_playable
from numberduels.web.match.events import NewEvent
from numberduels.web.match.model import Match
from numberduels.web.match.seating import UNUSABLE_LINK
from numberduels.web.match.seats import COMPUTER, OPEN, Seats
from numberduels.web.match.service import MatchNotFound
from numberduels.web.match.tokens import carry_token, hash_secret, new_secret, read_carry_token

ACTIONS = ("move", "claim", "reclaim", *match_commands.COMMANDS)
"""The commands of players, as addresses name them."""


async def execute(request: Request, action: str, fields: forms.Fields) -> Match:
    """Execute a command of whoever sends the request; UserError if it is rejected."""
    key, matches, client = forms.key(request), services(request).matches, client_address(request.scope)

    def command(match: Match) -> NewEvent:
        seats = match.seats_of(key)
        if action == "move":
            return _move(match, seats, fields)
        if action == "reclaim":
            return seating.reclaim(match, key)
        if action == "claim":
            return match_commands.claim(match, seats, matches.now())
        return match_commands.COMMANDS[action](match, seats)

    match = await matches.execute(request.path_params["duel"], command, client)
    if action == "offer" and match.has_computer:
        return await _answer_as_computer(request, match)
    return match


async def _answer_as_computer(request: Request, match: Match) -> Match:
    """Let the computer accept or decline the draw that was just offered to it."""
    shared, client = services(request), client_address(request.scope)
    accepts = await accepts_draw(shared.engine, match, client)
    computer: Seats = (0,) if match.seat_infos[0].kind == COMPUTER else (1,)
    return await shared.matches.execute(
        match.id, lambda match: match_commands.answer_draw(match, computer, accepts), client
    )


def _move(match: Match, seats: Seats, fields: forms.Fields) -> NewEvent:
    # If a move is a number and a place, a form sends the two apart.
    text = fields.get("number", "") + fields.get("move", "")
    ply = forms.number(fields.get("ply"))
    if ply is None and fields.get("ply"):
        raise UserError("unreadable", "The ply is a count of moves.")
    return match_commands.move(match, seats, text, ply)


async def join(request: Request, fields: forms.Fields, secret: str) -> Match:
    """Take the free seat."""
    invitation = hash_secret(fields.get("invitation", ""))
    name = forms.player_name(fields.get("name", ""))
    return await services(request).matches.execute(
        request.path_params["duel"],
        lambda match: seating.join(match, name, hash_secret(secret), invitation),
        client_address(request.scope),
    )


async def lend(request: Request) -> tuple[Match, str]:
    """Make a link to another device; return the match and the token of the link, which is sent only once."""
    key, secret = forms.key(request), new_secret()
    match = await services(request).matches.execute(
        request.path_params["duel"],
        lambda match: seating.lend(match, match.seats_of(key), hash_secret(secret)),
    )
    return match, carry_token(match.id, secret)


async def carry(request: Request, token: str, secret: str) -> Match:
    """Take the seats of a link along to the device with this secret."""
    matches, (match_id, link) = services(request).matches, read_carry_token(token)
    try:
        return await matches.execute(
            match_id,
            lambda match: seating.carry(match, hash_secret(link), hash_secret(secret), matches.now()),
        )
    except MatchNotFound:
        raise UserError("no_link", UNUSABLE_LINK) from None


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
    games = requested_rules(spec, fields).games
    clock, best_of = forms.clock(fields), forms.best_of(fields)
    data = created_data(game, seat_infos, hash_secret(invitation), games, clock, best_of)
    _count_new_game(request)
    for level in (info.level for info in seat_infos if info.level and not is_offered(game)):
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
