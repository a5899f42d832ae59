"""For bots in any language: the same games as JSON, a stream of states, moves by POST."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from numberduels import options, registry
from numberduels.record import write
from numberduels.store.log import Seated
from numberduels.web.engine.service import hint, review, values
from numberduels.web.http import forms
from numberduels.web.http.game_options import allowed
from numberduels.web.http.openapi import described
from numberduels.web.http.schemas import CURSOR, JOIN_BODY, MOST_DUELS, MOVE_BODY, Json, create_body
from numberduels.web.http.sse import whole
from numberduels.web.match import actions
from numberduels.web.match.model import LEVELS, Duel, Refused
from numberduels.web.match.tokens import hashed

Handler = Callable[[Request], Awaitable[Response]]

KINDS = {int: "integer", str: "word", tuple: "list"}
"""What kinds of options are called."""


async def games(request: Request) -> Response:
    """Every game with its options, and the levels of the computer."""
    largest = request.app.state.settings.largest
    return JSONResponse(
        {
            "games": [
                {
                    "name": spec.name,
                    "title": spec.title,
                    "about": spec.summary,
                    "options": [
                        {
                            "name": each.name,
                            "about": each.metadata["about"],
                            "type": KINDS[type(each.default)],
                            "default": options.json_value(each.default),
                            "choices": list(each.metadata["choices"]),
                            "most": None if isinstance(each.default, str) else allowed(each, largest),
                        }
                        for each in options.declared(spec.rules)
                    ],
                }
                for spec in registry.specs()
            ],
            "levels": list(LEVELS),
        }
    )


async def create(request: Request) -> Response:
    """Make a duel; the answer holds the token of the seat, which is told once and never again."""
    token = forms.token(request)
    largest = request.app.state.settings.largest

    def schema(found: dict[str, Any]) -> Json:
        try:
            return create_body(registry.spec(str(found.get("game", ""))), largest)
        except registry.UnknownGame as fault:
            raise Refused("unknown_game", forms.sentence(fault), 422, "game") from None

    duel, invitation, seat = await actions.create(request, await forms.form(request, schema), token)
    told = {"id": duel.id, "token": token, "seat": seat + 1, "invitation": invitation or None}
    headers = {"location": f"/api/duels/{duel.id}"}
    return JSONResponse(told | {"state": duel.state()}, 201, headers)


async def join(request: Request) -> Response:
    """Take the free seat of a duel."""
    token = forms.token(request)
    duel = await actions.join(request, await forms.form(request, JOIN_BODY), token)
    seat = duel.seats(hashed(token))[-1]
    return JSONResponse({"id": duel.id, "token": token, "seat": seat + 1, "state": duel.state()})


async def state(request: Request) -> Response:
    """The state of a duel."""
    hall = forms.hall(request)
    duel = await hall.duel(request.path_params["duel"])
    return Response(hall.json(duel), media_type="application/json")


def action(name: str) -> Handler:
    """Do something in a duel."""

    async def handler(request: Request) -> Response:
        fields = await forms.form(request, MOVE_BODY) if name == "move" else {}
        duel = await actions.act(request, name, fields)
        return Response(forms.hall(request).json(duel), media_type="application/json")

    return handler


async def rematch(request: Request) -> Response:
    """Another game with the seats swapped."""
    duel = await actions.rematch(request)
    seat = duel.seats(forms.key(request))[0]
    return JSONResponse({"id": duel.id, "seat": seat + 1, "state": duel.state()})


async def mine(request: Request) -> Response:
    """The duels in which whoever asks has a seat."""
    key = forms.key(request)
    if not key:
        text = "Send your token in the header Authorization: Bearer TOKEN."
        raise Refused("no_token", text, 401)
    asking = request.query_params
    most, before = forms.number(asking.get("limit", "20")), asking.get("before")
    if most is None or not 1 <= most <= MOST_DUELS:
        raise Refused("field", f"Limit must be a whole number from 1 to {MOST_DUELS}.", 422, "limit")
    if before is not None and not re.fullmatch(CURSOR, before):
        raise Refused("field", "Before must be the `next` of an earlier answer.", 422, "before")
    at, _, name = (before or "").partition("-")
    hall = forms.hall(request)
    duels, last = await hall.games_of(key, most, Seated(name, int(at) / 1e6) if at else None)
    if not duels and not (await hall.games_of(key, 1))[0]:
        raise Refused("unknown_token", "No seat of any game belongs to this token.", 401)
    told = {
        "duels": [duel.summary(duel.seats(key)) for duel in duels],
        "next": f"{round(last.at * 1e6)}-{last.game}" if last else None,
    }
    return JSONResponse(told)


def thought(about: Callable[[Request, Duel], Awaitable[dict[str, Any]]]) -> Handler:
    """What the computer knows, where that may be told."""

    async def handler(request: Request) -> Response:
        duel = await forms.hall(request).duel(request.path_params["duel"])
        return JSONResponse(await about(request, duel))

    return handler


async def record(request: Request) -> Response:
    """The record of a duel."""
    duel = await forms.hall(request).duel(request.path_params["duel"])
    return PlainTextResponse(write(duel.record))


async def description(request: Request) -> Response:
    """What all of this is, in the words of OpenAPI."""
    return JSONResponse(described(request.app.state.settings.largest))


def fault(refused: Refused, duel: Duel | None) -> Response:
    """A refusal, with the state as it is now."""
    told = {"error": str(refused), "key": refused.key, "state": duel.state() if duel else None}
    return JSONResponse(told, refused.status, HEADERS.get(refused.status))


HEADERS = {401: {"www-authenticate": "Bearer"}, 429: {"retry-after": "1"}, 503: {"retry-after": "2"}}
"""What a refusal says to whoever may ask again."""


ROUTES = [
    Route("/api/games", games),
    Route("/api/openapi.json", description),
    Route("/api/me/duels", mine),
    Route("/api/duels", create, methods=["POST"]),
    Route("/api/duels/{duel}", state),
    Route("/api/duels/{duel}/stream", whole),
    Route("/api/duels/{duel}/join", join, methods=["POST"]),
    *(Route(f"/api/duels/{{duel}}/{name}", action(name), methods=["POST"]) for name in actions.ACTIONS),
    Route("/api/duels/{duel}/rematch", rematch, methods=["POST"]),
    Route("/api/duels/{duel}/hint", thought(hint)),
    Route("/api/duels/{duel}/values", thought(values)),
    Route("/api/duels/{duel}/review", thought(review)),
    Route("/api/duels/{duel}/record", record),
]
