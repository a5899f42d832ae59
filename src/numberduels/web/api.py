"""For bots in any language: the same games as JSON, a stream of states, moves by POST."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from numberduels import options, registry
from numberduels.record import write
from numberduels.web import actions, asked
from numberduels.web.duel import LEVELS, Duel, Refused
from numberduels.web.live import stream
from numberduels.web.openapi import described
from numberduels.web.secrets import hashed
from numberduels.web.thoughts import hint, review, values

Handler = Callable[[Request], Awaitable[Response]]


async def games(_: Request) -> Response:
    """Every game with its options, and the levels of the computer."""
    return JSONResponse(
        {
            "games": [
                {
                    "name": room.name,
                    "title": room.title,
                    "about": room.about,
                    "options": [
                        {
                            "name": each.name,
                            "about": each.metadata["about"],
                            "default": options.shown(each.default),
                            "choices": list(each.metadata["choices"]),
                        }
                        for each in options.declared(room.game)
                    ],
                }
                for room in registry.rooms()
            ],
            "levels": list(LEVELS),
        }
    )


async def create(request: Request) -> Response:
    """Make a duel; the answer holds the token of the seat, which is told once and never again."""
    token = asked.token(request)
    duel, invitation, seat = await actions.create(request, await asked.form(request), token)
    told = {"id": duel.id, "token": token, "seat": seat + 1, "invitation": invitation or None}
    return JSONResponse(told | {"state": duel.state()}, 201)


async def join(request: Request) -> Response:
    """Take the free seat of a duel."""
    token = asked.token(request)
    duel = await actions.join(request, await asked.form(request), token)
    seat = duel.seats(hashed(token))[-1]
    return JSONResponse({"id": duel.id, "token": token, "seat": seat + 1, "state": duel.state()})


async def state(request: Request) -> Response:
    """The state of a duel."""
    duel = await asked.hall(request).duel(request.path_params["duel"])
    return JSONResponse(duel.state())


def action(name: str) -> Handler:
    """Do something in a duel."""

    async def handler(request: Request) -> Response:
        duel = await actions.act(request, name, await asked.form(request))
        return Response(asked.hall(request).json(duel), media_type="application/json")

    return handler


async def rematch(request: Request) -> Response:
    """Another game with the seats swapped."""
    duel = await actions.rematch(request)
    return JSONResponse({"id": duel.id, "state": duel.state()})


def thought(about: Callable[[Request, Duel], Awaitable[dict[str, Any]]]) -> Handler:
    """What the computer knows, where that may be told."""

    async def handler(request: Request) -> Response:
        duel = await asked.hall(request).duel(request.path_params["duel"])
        return JSONResponse(await about(request, duel))

    return handler


async def record(request: Request) -> Response:
    """The record of a duel."""
    duel = await asked.hall(request).duel(request.path_params["duel"])
    return PlainTextResponse(write(duel.record))


async def description(_: Request) -> Response:
    """What all of this is, in the words of OpenAPI."""
    return JSONResponse(described())


def fault(refused: Refused, duel: Duel | None) -> Response:
    """A refusal, with the state as it is now."""
    told = {"error": str(refused), "key": refused.key, "state": duel.state() if duel else None}
    return JSONResponse(told, refused.status)


ROUTES = [
    Route("/api/games", games),
    Route("/api/openapi.json", description),
    Route("/api/duels", create, methods=["POST"]),
    Route("/api/duels/{duel}", state),
    Route("/api/duels/{duel}/stream", stream),
    Route("/api/duels/{duel}/join", join, methods=["POST"]),
    *(Route(f"/api/duels/{{duel}}/{name}", action(name), methods=["POST"]) for name in actions.ACTIONS),
    Route("/api/duels/{duel}/rematch", rematch, methods=["POST"]),
    Route("/api/duels/{duel}/hint", thought(hint)),
    Route("/api/duels/{duel}/values", thought(values)),
    Route("/api/duels/{duel}/review", thought(review)),
    Route("/api/duels/{duel}/record", record),
]
