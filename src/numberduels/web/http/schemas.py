"""The JSON schemas of the API. Requests are checked against theirs; responses have them from their types."""

from __future__ import annotations

from dataclasses import Field
from functools import cache
from typing import Any

import msgspec

from numberduels.engine.levels import LEVELS
from numberduels.game import registry
from numberduels.game.options import LARGEST, BadOption, declared
from numberduels.game.spec import GameSpec
from numberduels.web.http.forms import MAX_NAME, MODES
from numberduels.web.http.game_options import largest_value
from numberduels.web.http.responses import RESPONSES
from numberduels.web.match.creation import BEST_OF, CLOCKS, NO_CLOCK

Json = dict[str, Any]

MAX_DUELS = 50
"""Duels in one page of a list."""

CURSOR = "^[0-9]{1,19}-[0-9a-z]{1,100}$"
"""The end of a page of duels: when the seat was taken, in microseconds, and the id."""

TEXT: Json = {"type": "string"}


def ref(name: str) -> Json:
    """The reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def _object(required: Json, optional: Json, about: str = "") -> Json:
    """The schema of an object with these properties and no others."""
    schema: Json = {"type": "object", "properties": required | optional, "additionalProperties": False}
    if required:
        schema["required"] = list(required)
    return schema | ({"description": about} if about else {})


JOIN_BODY = _object({"invitation": TEXT}, {"name": TEXT})
CARRY_BODY = _object({"link": TEXT | {"description": "The token of a link to another device."}}, {})
MOVE_BODY = _object(
    {"move": {"type": ["string", "integer"], "description": "One of the legal moves."}},
    {
        "ply": {
            "type": ["integer", "null"],
            "minimum": 0,
            "maximum": 99_999,
            "description": "The ply that the move was chosen for; if the game has gone on, it is refused.",
        }
    },
)

EVENT = _object(
    {
        "event": TEXT | {"enum": ["state", "bye"]},
        "data": TEXT | {"contentMediaType": "application/json", "description": "A State; of `bye`, {}."},
    },
    {
        "id": TEXT | {"description": "The version of the state."},
        "retry": TEXT | {"description": "Milliseconds to wait before reconnecting."},
    },
    about="One event of a stream.",
)


VISITOR_EVENT = _object(
    {
        "event": TEXT | {"enum": ["time", "games", "version", "presence", "late", "bye"]},
        "data": TEXT
        | {
            "contentMediaType": "application/json",
            "description": "Of `games`, a list of Summary; of `version`, a Summary; of `time`, a number; of "
            "`presence`, the `match`, the `player` and `online`; of `late`, the `match` and the `player`; of "
            "`bye`, {}.",
        },
    },
    {"retry": TEXT | {"description": "Milliseconds to wait before reconnecting."}},
    about="One event of the stream of all your duels.",
)


def create_body(spec: GameSpec, largest: int) -> Json:
    """The schema of a request for a new duel of this game, with sizes up to `largest`."""
    return _object(
        {"game": TEXT | {"enum": [spec.name]}},
        {
            "mode": TEXT | {"enum": list(MODES), "default": "computer"},
            "level": TEXT
            | {"enum": list(LEVELS), "default": "casual", "description": "Level of the computer."},
            "seat": {"enum": [1, 2, "1", "2", "random"], "default": 1},
            "name": TEXT | {"description": f"Your name, cut to {MAX_NAME} characters."},
            "other": TEXT | {"description": "Name of the second player in mode `here`."},
            "clock": TEXT
            | {
                "enum": list(CLOCKS),
                "default": NO_CLOCK,
                "description": "The time for each move, in mode `friend`; other modes have no clock.",
            },
            "best_of": {
                "type": "integer",
                "enum": list(BEST_OF),
                "default": 1,
                "description": "How many games the series has at most; rematches belong to it.",
            },
            "rules": TEXT | {"enum": [each.key for each in spec.rule_sets], "default": spec.rule_sets[0].key},
            "options": _object(
                {}, {each.name: _option(spec, each, largest) for each in declared(spec.rules)}
            ),
        },
        about=f"A game of {spec.title}.",
    )


def _option(spec: GameSpec, each: Field[Any], largest: int) -> Json:
    """The schema of an option."""
    about = {"description": each.metadata["about"]}
    if isinstance(each.default, str):
        return TEXT | {"enum": list(each.metadata["choices"]), "default": each.default} | about
    low, high = _bounds(spec, each.name)
    number: Json = {"type": "integer", "minimum": low, "maximum": min(high, largest_value(each, largest))}
    if isinstance(each.default, int):
        return number | {"default": each.default} | about
    return {"type": "array", "items": number, "maxItems": largest, "uniqueItems": True} | about


@cache
def _bounds(spec: GameSpec, option: str) -> tuple[int, int]:
    """The smallest and largest number that a game accepts for an option; its errors name them."""
    (each,) = (each for each in declared(spec.rules) if each.name == option)
    found = []
    for number in (-1, LARGEST + 1):
        try:
            spec.rules(**{option: (number,) if isinstance(each.default, tuple) else number})
        except BadOption as error:
            found.append(error.bounds or (0, LARGEST))
        except Exception:  # it depends on other options, or the game has an error of its own
            found.append((0, LARGEST))
        else:
            found.append((0, LARGEST))
    return found[0][0], found[1][1]


@cache
def schemas(largest: int) -> Json:
    """Every schema by its name."""
    _, components = msgspec.json.schema_components(RESPONSES, ref_template=ref("{name}")["$ref"])
    return components | {
        "Event": EVENT,
        "VisitorEvent": VISITOR_EVENT,
        "Create": {"oneOf": [create_body(spec, largest) for spec in registry.specs()]},
        "Join": JOIN_BODY,
        "Carry": CARRY_BODY,
        "Move": MOVE_BODY,
    }
