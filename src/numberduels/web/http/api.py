"""The JSON API for bots: the same matches as on the pages, a stream of states, moves by POST."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import Field
from typing import Any, Literal

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from numberduels.game import options, registry
from numberduels.game.record import write
from numberduels.game.spec import RuleSet
from numberduels.players import LEVELS
from numberduels.web.errors import UserError, sentence
from numberduels.web.http import commands, forms
from numberduels.web.http.commands import largest_value
from numberduels.web.http.match_pages import requested_match
from numberduels.web.http.middleware import client_address
from numberduels.web.http.my_games import read_cursor, write_cursor
from numberduels.web.http.openapi import (
    CURSOR,
    MAX_DUELS,
    Carry,
    Join,
    Move,
    create_type,
    openapi_document,
)
from numberduels.web.http.responses import (
    CarryLink,
    Duels,
    GameInfo,
    Games,
    Joined,
    Made,
    OptionInfo,
    PresenceInfo,
    Rematch,
    RuleSetInfo,
    json_response,
)
from numberduels.web.http.services import services
from numberduels.web.http.sse import state_stream, visitor_stream
from numberduels.web.match import engine_queries
from numberduels.web.match.engine_queries import EngineService
from numberduels.web.match.events import Seats
from numberduels.web.match.model import Match
from numberduels.web.match.seating import DEVICE_LINK_SECONDS, hash_secret
from numberduels.web.match.state import player_number, state_of, summary_of

Handler = Callable[[Request], Awaitable[Response]]

OPTION_TYPES: dict[type, Literal["integer", "word", "list"]] = {int: "integer", str: "word", tuple: "list"}
"""The names of the types of options."""


async def games(request: Request) -> Response:
    """Every game with its options, and the levels of the computer."""
    largest = services(request).settings.largest
    found = [
        GameInfo(
            name=spec.name,
            title=spec.title,
            about=spec.summary,
            rules=[_rule_set_info(each) for each in spec.rule_sets],
            options=[_option_info(each, largest) for each in options.declared(spec.rules)],
        )
        for spec in registry.specs()
    ]
    return json_response(Games(games=found, levels=list(LEVELS)))


def _rule_set_info(rules: RuleSet) -> RuleSetInfo:
    values = {name: options.json_value(value) for name, value in rules.options.items()}
    return RuleSetInfo(
        key=rules.key, about=str(rules.about), options=values, games=2 if rules.games == 2 else 1
    )


def _option_info(option: Field[Any], largest: int) -> OptionInfo:
    return OptionInfo(
        name=option.name,
        about=option.metadata["about"],
        type=OPTION_TYPES[type(option.default)],
        default=options.json_value(option.default),
        choices=list(option.metadata["choices"]),
        most=None if isinstance(option.default, str) else largest_value(option, largest),
    )


def _state_response(request: Request, match: Match) -> Response:
    return json_response(services(request).matches.state_json(match))


async def create(request: Request) -> Response:
    """Create a match. The response contains the token of the seat, which is never sent again."""
    token = forms.bot_token(request)
    largest = services(request).settings.largest

    def body_type(found: dict[str, Any]) -> type[Struct]:
        try:
            return create_type(registry.spec(str(found.get("game", ""))), largest)
        except registry.UnknownGame as error:
            raise UserError("unknown_game", sentence(error), "game") from None

    match, invitation, seat = await commands.create(request, await forms.form(request, body_type), token)
    made = Made(
        id=match.id,
        token=token,
        seat=player_number(seat),
        invitation=invitation or None,
        state=state_of(match),
    )
    return json_response(made, 201, {"location": f"/api/duels/{match.id}"})


async def join(request: Request) -> Response:
    """Take the free seat of a match."""
    token = forms.bot_token(request)
    match = await commands.join(request, await forms.form(request, Join), token)
    seat = match.seats_of(hash_secret(token))[-1]
    return json_response(Joined(id=match.id, token=token, seat=player_number(seat), state=state_of(match)))


async def state(request: Request) -> Response:
    """The state of a match."""
    return _state_response(request, await requested_match(request))


def action(name: str) -> Handler:
    """The handler that executes a command."""

    async def handler(request: Request) -> Response:
        fields = await forms.form(request, Move) if name == "move" else {}
        return _state_response(request, await commands.execute(request, name, fields))

    return handler


async def rematch(request: Request) -> Response:
    """The rematch, with the seats swapped."""
    match = await commands.rematch(request)
    seat = match.seats_of(forms.key(request))[0]
    return json_response(Rematch(id=match.id, seat=player_number(seat), state=state_of(match)))


async def lend(request: Request) -> Response:
    """Make a link that takes the sender's seat along to another device."""
    _, token = await commands.make_device_link(request)
    return json_response(CarryLink(link=token, seconds=int(DEVICE_LINK_SECONDS)))


async def carry(request: Request) -> Response:
    """Take a seat along by a link."""
    token = forms.bot_token(request)
    fields = await forms.form(request, Carry)
    match = await commands.use_device_link(request, fields.get("link", ""), token)
    seat = match.seats_of(hash_secret(token))[0]
    return json_response(Joined(id=match.id, token=token, seat=player_number(seat), state=state_of(match)))


async def my_matches(request: Request) -> Response:
    """One page of the matches in which the sender's token has a seat."""
    key = forms.key(request)
    if not key:
        raise UserError("no_token", "Send your token in the header Authorization: Bearer TOKEN.")
    query = request.query_params
    most, before = forms.number(query.get("limit", "20")), query.get("before")
    if most is None or not 1 <= most <= MAX_DUELS:
        raise UserError("field", f"Limit must be a whole number from 1 to {MAX_DUELS}.", "limit")
    if before is not None and not re.fullmatch(CURSOR, before):
        raise UserError("field", "Before must be the `next` of an earlier answer.", "before")
    matches = services(request).matches
    found, last = await matches.games_of(key, most, read_cursor(before or ""))
    if not found and not (await matches.games_of(key, 1))[0]:
        raise UserError("unknown_token", "No seat of any game belongs to this token.")
    summaries = [summary_of(match, match.seats_of(key), matches.online(match)) for match in found]
    return json_response(Duels(duels=summaries, next=write_cursor(last) or None))


Query = Callable[[EngineService, Match, Seats, str], Awaitable[Any]]


def engine_answer(query: Query) -> Handler:
    """The handler that asks the engine about a match."""

    async def handler(request: Request) -> Response:
        match = await requested_match(request)
        seats = match.seats_of(forms.key(request))
        return JSONResponse(
            await query(services(request).engine, match, seats, client_address(request.scope))
        )

    return handler


async def presence(request: Request) -> Response:
    """Which players of a match are online."""
    match = await requested_match(request)
    return json_response(PresenceInfo(online=list(services(request).matches.online(match))))


async def record(request: Request) -> Response:
    """The record of a match."""
    return PlainTextResponse(write((await requested_match(request)).record()))


async def openapi(request: Request) -> Response:
    """The OpenAPI description of this API."""
    return JSONResponse(openapi_document(services(request).settings.largest))


ROUTES = [
    *(Route(f"/api/duels/{{duel}}/{name}", action(name), methods=["POST"]) for name in commands.ACTIONS),
    Route("/api/games", games),
    Route("/api/openapi.json", openapi),
    Route("/api/me/duels", my_matches),
    Route("/api/me/stream", visitor_stream),
    Route("/api/duels", create, methods=["POST"]),
    Route("/api/carry", carry, methods=["POST"]),
    Route("/api/duels/{duel}", state),
    Route("/api/duels/{duel}/stream", state_stream),
    Route("/api/duels/{duel}/join", join, methods=["POST"]),
    Route("/api/duels/{duel}/rematch", rematch, methods=["POST"]),
    Route("/api/duels/{duel}/carry", lend, methods=["POST"]),
    Route("/api/duels/{duel}/hint", engine_answer(engine_queries.hint)),
    Route("/api/duels/{duel}/values", engine_answer(engine_queries.values)),
    Route("/api/duels/{duel}/review", engine_answer(engine_queries.review)),
    Route("/api/duels/{duel}/record", record),
    Route("/api/duels/{duel}/presence", presence),
]
