"""Commands in requests, from forms and from bots: parsed here, executed by the match service."""

from __future__ import annotations

from dataclasses import Field
from random import SystemRandom
from typing import Any

from starlette.requests import Request

from numberduels.game import options, registry
from numberduels.game.contract import Seat
from numberduels.game.formatting import short
from numberduels.game.messages import Message, mark, message_of
from numberduels.game.spec import GameSpec, RuleSet
from numberduels.play.setup import is_offered
from numberduels.web.errors import UserError, sentence
from numberduels.web.http import forms
from numberduels.web.http.middleware import client_address
from numberduels.web.http.services import services
from numberduels.web.match import commands as match_commands
from numberduels.web.match import seating
from numberduels.web.match.engine_queries import accepts_draw, require_playable
from numberduels.web.match.events import COMPUTER, OPEN, NewEvent, Seats, created_data
from numberduels.web.match.model import Match
from numberduels.web.match.seating import (
    UNUSABLE_LINK,
    device_token,
    hash_secret,
    new_secret,
    read_device_token,
)
from numberduels.web.match.service import MatchNotFound
from numberduels.web.settings import ServerSettings

MAX_TEXT = 2_000
"""Characters of the text of one option."""


def requested_rules(spec: GameSpec, fields: dict[str, str]) -> RuleSet:
    """The rule set that a form names; the book's if it names none."""
    key = fields.get("rules") or spec.rule_sets[0].key
    for each in spec.rule_sets:
        if each.key == key:
            return each
    keys = " or ".join(each.key for each in spec.rule_sets)
    raise UserError(
        "rules",
        Message("{game} has no rules {rules}; choose {all}.", game=spec.title, rules=short(key), all=keys),
        "rules",
    )


def requested_game(spec: GameSpec, fields: dict[str, str], settings: ServerSettings) -> Any:
    """The game with the rules and options of a form; UserError names the option that exceeds its limit."""
    declared = {each.name: each for each in options.declared(spec.rules)}
    for given in fields:
        if given.startswith("options.") and given.removeprefix("options.") not in declared:
            raise UserError(
                "option", Message("{game} has no option {option}.", game=spec.title, option=short(given[8:]))
            )
    texts = {name: fields.get(f"options.{name}", "").strip() for name in declared}
    rules = requested_rules(spec, fields).options
    texts = {name: options.format_value(value) for name, value in rules.items()} | {
        name: text for name, text in texts.items() if text
    }
    too_large: list[UserError] = []
    try:
        for name in texts:
            texts[name] = _limited(declared[name], texts[name], settings.largest, too_large)
        game = spec.make(texts)
    except options.BadOption as error:
        name = error.name if error.name in declared else next(reversed(texts), "")
        if error.bounds and name:
            low, high = error.bounds
            high = min(high, largest_value(declared[name], settings.largest))
            raise _bounds_error(declared[name], low, high) from None
        alone = not name or declared[name].metadata["choices"]
        field = f"options.{name}" if name else ""
        raise UserError("option" if alone else "option.together", sentence(error), field) from None
    except ValueError as error:  # about several options together
        field = f"options.{next(reversed(texts), '')}" if texts else ""
        raise UserError("option.together", sentence(error), field, message_of(error)) from None
    if too_large:
        raise too_large[0]
    moves = len(game.moves(game.start(SystemRandom())))
    most = settings.legal_moves
    if moves > most:
        text = mark("A game here may begin with at most {most} possible moves, and this one has {moves}.")
        raise _option_error("option.moves", text, next(reversed(texts), ""), most=most, moves=moves)
    return game


def largest_value(option: Field[Any], most: int) -> int:
    """The largest value of an option, or of each number in a list, if a size may be at most `most`.

    An option with a large default, such as a target, may be larger in proportion.
    """
    return most * max(1, option.default // 10) if isinstance(option.default, int) else 10 * most


def _option_error(code: str, template: str, name: str, **values: Any) -> UserError:
    """An error about one option. Bots know it by its name, and `forms.error_text` puts in its label."""
    message = Message(template, option=name.capitalize(), name=name, **values)
    return UserError(code, message, f"options.{name}" if name else "")


def _bounds_error(option: Field[Any], low: int, high: int) -> UserError:
    text = mark("Each of the {name} must be a whole number from {low} to {high}, with commas between them.")
    if isinstance(option.default, int):
        text = mark("{option} must be a whole number from {low} to {high}.")
    return _option_error("option", text, option.name, low=low, high=high)


def _limited(option: Field[Any], text: str, most: int, too_large: list[UserError]) -> str:
    """The text of an option, or the largest allowed value: nothing larger is ever made.

    The error for a value that is too large comes last, because the game itself may have a lower limit.
    """
    name, top = option.name, largest_value(option, most)
    if len(text) > MAX_TEXT:
        raise _option_error(
            "option", mark("{option} may have at most {most} characters."), name, most=MAX_TEXT
        )
    try:
        value = options.read(option, text)
    except options.BadOption:  # the game has a better message for this
        return text
    if isinstance(value, int) and value > top:
        too_large.append(_option_error("option", mark("{option} may be at most {most}."), name, most=top))
        return str(top)
    if isinstance(value, tuple) and len(value) > most:
        raise _option_error("option", mark("{option} may be at most {most} numbers."), name, most=most)
    if isinstance(value, tuple) and max(value, default=0) > top:
        raise _option_error("option", mark("Each of the {name} may be at most {most}."), name, most=top)
    return text


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
            return seating.remove_devices(match, key)
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
    ply = forms.number(fields.get("ply"))
    if ply is None and fields.get("ply"):
        raise UserError("unreadable", "The ply is a count of moves.")
    return match_commands.move(match, seats, forms.sent_move(fields), ply)


async def join(request: Request, fields: forms.Fields, secret: str) -> Match:
    """Take the free seat."""
    invitation = hash_secret(fields.get("invitation", ""))
    name = forms.player_name(fields.get("name", ""))
    return await services(request).matches.execute(
        request.path_params["duel"],
        lambda match: seating.join(match, name, hash_secret(secret), invitation),
        client_address(request.scope),
    )


async def make_device_link(request: Request) -> tuple[Match, str]:
    """Make a link to another device; return the match and the token of the link, which is sent only once."""
    key, secret = forms.key(request), new_secret()
    match = await services(request).matches.execute(
        request.path_params["duel"],
        lambda match: seating.make_device_link(match, match.seats_of(key), hash_secret(secret)),
    )
    return match, device_token(match.id, secret)


async def use_device_link(request: Request, token: str, secret: str) -> Match:
    """Take the seats of a link along to the device with this secret."""
    matches, (match_id, link) = services(request).matches, read_device_token(token)
    link_key, key = hash_secret(link), hash_secret(secret)
    try:
        return await matches.execute(
            match_id,
            lambda match: seating.use_device_link(match, link_key, key, matches.now()),
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
