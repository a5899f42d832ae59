"""The interface for bots, described as OpenAPI has it."""

from __future__ import annotations

from numberduels import __version__
from numberduels.web.http.schemas import CURSOR, MAX_DUELS, TEXT, Json, ref, schemas

ACTIONS = {
    "move": "Make a move",
    "undo": "Take one's last move back, against the computer or where both seats are yours",
    "takeback": "Ask the opponent to take one's last move back",
    "accept": "Let the opponent take a move back",
    "decline": "Do not let them",
    "resign": "Give the game up",
}
"""What can be done in a duel."""

REFUSALS = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "Not for whoever asks: key says why",
    404: "There is no such duel",
    408: "The request took too long to arrive",
    409: "It cannot be done, as the duel is now or by the rules; `state` tells how it is",
    413: "The request has too many bytes",
    422: "The request does not fit this description",
    429: "Too much at once from one address",
    500: "A fault of the server",
    503: "The store or the computer cannot be reached; try again",
}
ALWAYS = (400, 413, 429, 500)
READING = (*ALWAYS, 404, 503)
WRITING = (*READING, 403, 408, 409, 422)
RETRY = {"retry-after": {"description": "Seconds to wait.", "schema": {"type": "string"}}}


def openapi_document(largest: int = 100) -> Json:
    """The whole description of a server where a size may be as large as this."""
    match = "/api/duels/{duel}"
    paths: Json = {
        "/api/games": {"get": _operation("listGames", "Every game with its options", "Games", ALWAYS)},
        "/api/me/duels": {"get": _mine()},
        "/api/duels": {"post": _creation()},
        match: {"get": _operation("getDuel", "The state of a duel", "State", READING)},
        f"{match}/stream": {"get": _stream()},
        f"{match}/join": {
            "post": _operation(
                "join", "Take the free seat", "Joined", WRITING, body=ref("Join"), security=MAYBE_TOKEN
            )
        },
        f"{match}/rematch": {
            "post": _operation(
                "rematch", "Another game, seats swapped", "Rematch", WRITING, security=BY_TOKEN
            )
        },
        f"{match}/hint": {
            "get": _operation("getHint", "A good move, and why", "Hint", THINKING, security=BY_TOKEN)
        },
        f"{match}/values": {
            "get": _operation(
                "getValues", "What every move is worth", "Values", THINKING, security=MAYBE_TOKEN
            )
        },
        f"{match}/review": {
            "get": _operation(
                "getReview", "The verdict on every move of a game", "GameReview", (*THINKING, 409)
            )
        },
        f"{match}/record": {
            "get": _operation("getRecord", "The game as text", "", READING) | {"responses": _record()}
        },
    }
    for name, about in ACTIONS.items():
        body = ref("Move") if name == "move" else None
        paths[f"{match}/{name}"] = {
            "post": _operation(name, about, "State", WRITING, body=body, security=BY_TOKEN)
        }
    parameter = {"name": "duel", "in": "path", "required": True, "description": "Its id.", "schema": TEXT}
    for path, methods in paths.items():
        if "{duel}" in path:
            methods["parameters"] = [parameter]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Number Duels", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": schemas(largest),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token that came with a seat. It stays yours in every rematch.",
                }
            },
        },
    }


ABOUT = (
    "Bodies are JSON objects. A token belongs to whoever has it, not to a game: send one with every request "
    "to create or join, and it is the token of all these seats, which /api/me/duels lists. In a rematch the "
    "seats are swapped and the tokens stay: who was player 1 is player 2 with the same token."
)
BY_TOKEN: list[Json] = [{"token": []}]
MAYBE_TOKEN: list[Json] = [{}, {"token": []}]
THINKING = (*READING, 403, 422)


def _content(schema: Json, kind: str = "application/json") -> Json:
    return {"content": {kind: {"schema": schema}}}


def _refusals(statuses: tuple[int, ...]) -> Json:
    told = {}
    for status in sorted(statuses):
        headers = {"headers": RETRY} if status in (429, 503) else {}
        told[str(status)] = {"description": REFUSALS[status]} | headers | _content(ref("Fault"))
    return told


def _operation(
    name: str,
    about: str,
    schema: str,
    refusals: tuple[int, ...],
    *,
    body: Json | None = None,
    security: list[Json] | None = None,
) -> Json:
    told: Json = {"operationId": name, "summary": about}
    if body:
        told["requestBody"] = {"required": True} | _content(body)
    told["responses"] = {"200": {"description": "Done"} | _content(ref(schema))} | _refusals(refusals)
    return told | ({"security": security} if security else {})


def _creation() -> Json:
    told = _operation(
        "createDuel",
        "Make a duel",
        "Made",
        (*ALWAYS, 403, 408, 409, 422, 503),
        body=ref("Create"),
        security=MAYBE_TOKEN,
    )
    made = told["responses"].pop("200") | {
        "headers": {"location": {"description": "The address of its state.", "schema": TEXT}},
        "links": {
            name: {"operationId": name, "parameters": {"duel": "$response.body#/id"}}
            for name in ("getDuel", "join", "rematch", "getHint", "getValues", *ACTIONS)
        },
    }
    return told | {"responses": {"201": made} | told["responses"]}


def _mine() -> Json:
    told = _operation(
        "listMyDuels",
        "The duels in which your token has a seat",
        "Duels",
        (*ALWAYS, 401, 422, 503),
        security=BY_TOKEN,
    )
    limit = {"type": "integer", "minimum": 1, "maximum": MAX_DUELS, "default": 20}
    told["parameters"] = [
        {"name": "limit", "in": "query", "description": "How many at most.", "schema": limit},
        {
            "name": "before",
            "in": "query",
            "description": "The `next` of the page before.",
            "schema": {"type": "string", "pattern": CURSOR},
        },
    ]
    return told


def _record() -> Json:
    return {"200": {"description": "The record"} | _content(TEXT, "text/plain")} | _refusals(READING)


def _stream() -> Json:
    return {
        "operationId": "streamDuel",
        "summary": "Server-sent events: one `state` for each change, numbered by the version",
        "description": "`bye` comes last when the server is about to stop: come back.",
        "parameters": [
            {
                "name": "Last-Event-ID",
                "in": "header",
                "description": "The number of the last event that you saw.",
                "schema": TEXT,
            }
        ],
        "responses": {
            "200": {"description": "A stream of events"} | _content(ref("Event"), "text/event-stream")
        }
        | _refusals(READING),
    }
