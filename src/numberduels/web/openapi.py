"""The interface for bots, described as OpenAPI has it."""

from __future__ import annotations

from typing import Any

from numberduels import __version__
from numberduels.web.duel import LEVELS

STATE = {
    "type": "object",
    "description": "All that anybody may know about a duel. Players are 1 and 2; 1 moves first.",
    "properties": {
        "id": {"type": "string"},
        "version": {"type": "integer", "description": "Grows with everything that happens."},
        "game": {"type": "string"},
        "options": {"type": "object", "additionalProperties": {"type": "string"}},
        "players": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "kind": {"enum": ["human", "computer", "open"]},
                    "name": {"type": "string"},
                    "level": {"type": "string"},
                },
            },
        },
        "status": {"enum": ["waiting", "playing", "over"]},
        "turn": {"type": ["integer", "null"], "description": "Who is to move."},
        "ply": {"type": "integer", "description": "How many moves have been made."},
        "moves": {"type": "array", "items": {"type": "string"}},
        "legal": {"type": "array", "items": {"type": "string"}, "description": "What may be played now."},
        "winner": {"type": ["integer", "null"]},
        "why": {"type": ["string", "null"]},
        "scores": {"type": ["array", "null"], "items": {"type": "integer"}},
        "takeback_asked_by": {"type": ["integer", "null"]},
        "rematch": {"type": ["string", "null"]},
    },
}

SEAT = {
    "type": "object",
    "description": "A duel and your place in it. A rematch tells the id and the state alone.",
    "properties": {
        "id": {"type": "string"},
        "token": {"type": "string", "description": "Told once: whoever has it plays for you."},
        "seat": {"type": "integer"},
        "invitation": {"type": ["string", "null"]},
        "state": {"$ref": "#/components/schemas/State"},
    },
}

FAULT = {
    "type": "object",
    "properties": {
        "error": {"type": "string", "description": "One sentence for people."},
        "key": {"type": "string", "description": "One word for programs."},
        "state": {"oneOf": [{"$ref": "#/components/schemas/State"}, {"type": "null"}]},
    },
}

CREATE = {
    "game": "such as range-war; /api/games has all",
    "mode": "computer (the default), friend or here",
    "level": f"of the computer: {', '.join(LEVELS)}",
    "seat": "1, 2 or random",
    "name": "yours, up to 30 letters",
    "options": "an object, such as {'size': 12}",
}
JOIN = {"invitation": "what the invitation holds", "name": "yours, up to 30 letters"}
MOVE = {"move": "one of the legal moves", "ply": "the count of moves at which it was chosen, if you like"}

DONE = {
    "move": ("Make a move", MOVE),
    "undo": ("Take one's last move back, against the computer", {}),
    "takeback": ("Ask the opponent to take one's last move back", {}),
    "accept": ("Let the opponent take a move back", {}),
    "decline": ("Do not let them", {}),
    "resign": ("Give the game up", {}),
}


def described() -> dict[str, Any]:
    """The whole description."""
    duel = "/api/duels/{duel}"
    paths: dict[str, Any] = {
        "/api/games": {"get": _told("Every game with its options", "Games")},
        "/api/duels": {
            "post": _asked("Make a duel; the answer holds the token of your seat", CREATE, "Seat", 201)
        },
        duel: {"get": _told("The state of a duel", "State")},
        f"{duel}/stream": {"get": _streamed()},
        f"{duel}/join": {"post": _asked("Take the free seat; the answer holds its token", JOIN, "Seat")},
        f"{duel}/rematch": {"post": _asked("Another game, seats swapped", {}, "Seat", secured=True)},
        f"{duel}/hint": {"get": _told("A good move, and why", "Thought", secured=True)},
        f"{duel}/values": {"get": _told("What every move is worth", "Thought", secured=True)},
        f"{duel}/review": {"get": _told("The verdict on every move of a game that is over", "Thought")},
        f"{duel}/record": {"get": {"summary": "The record", "responses": {"200": {"description": "Text"}}}},
    }
    for name, (about, fields) in DONE.items():
        paths[f"{duel}/{name}"] = {"post": _asked(about, fields, secured=True)}
    for path, methods in paths.items():
        if "{duel}" in path:
            methods["parameters"] = [
                {"name": "duel", "in": "path", "required": True, "schema": {"type": "string"}}
            ]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Number Duels", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": {
                "State": STATE,
                "Seat": SEAT,
                "Fault": FAULT,
                "Games": {"type": "object"},
                "Thought": {"type": "object"},
            },
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _answers(schema: str, status: int = 200) -> dict[str, Any]:
    def content(name: str) -> dict[str, Any]:
        return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}

    return {
        str(status): {"description": "Done", "content": content(schema)},
        "default": {"description": "Refused; 409 when the game has gone on", "content": content("Fault")},
    }


def _told(about: str, schema: str, *, secured: bool = False) -> dict[str, Any]:
    told: dict[str, Any] = {"summary": about, "responses": _answers(schema)}
    return told | ({"security": [{"token": []}]} if secured else {})


def _asked(
    about: str, fields: dict[str, str], schema: str = "State", status: int = 200, *, secured: bool = False
) -> dict[str, Any]:
    told = _told(about, schema, secured=secured) | {"responses": _answers(schema, status)}
    if fields:
        properties = {name: {"description": text} for name, text in fields.items()}
        content = {"schema": {"type": "object", "properties": properties}}
        told["requestBody"] = {"content": {"application/json": content}}
    return told


def _streamed() -> dict[str, Any]:
    return {
        "summary": "Server-sent events: one `state` for each change, numbered by the version",
        "parameters": [
            {"name": "Last-Event-ID", "in": "header", "schema": {"type": "integer"}, "required": False}
        ],
        "responses": {"200": {"description": "A stream", "content": {"text/event-stream": {}}}},
    }
