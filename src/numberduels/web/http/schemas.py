"""What bots send and are told, as JSON schemas; requests are checked against them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field
from functools import cache
from typing import Any

from numberduels import registry
from numberduels.analysis.review import VERDICTS
from numberduels.board import KINDS
from numberduels.options import LARGEST, BadOption, declared
from numberduels.spec import GameSpec
from numberduels.web.engine.levels import LEVELS
from numberduels.web.http.forms import MAX_NAME, MODES
from numberduels.web.http.game_options import largest_value
from numberduels.web.http.statuses import ERRORS
from numberduels.web.match.model import COMPUTER, HUMAN, OPEN, OVER, PLAYING, WAITING

Json = dict[str, Any]

MOST_DUELS = 50
"""Duels that one answer lists."""

WHY = {
    "stuck": "who was to move had no legal move, and lost",
    "last": "who was to move found nothing left, and lost",
    "exact": "the target was hit exactly",
    "over": "the target was passed",
    "points": "the points decided",
    "level": "the points were level",
    "resigned": "a player resigned",
}
"""How our games end."""


def _object(required: Json, optional: Json | None = None, about: str = "", **more: Any) -> Json:
    """The schema of an object with these properties and no others."""
    told: Json = {"type": "object", "properties": required | (optional or {}), "additionalProperties": False}
    if required:
        told["required"] = list(required)
    return told | ({"description": about} if about else {}) | more


def _list(items: Json, about: str = "", **more: Any) -> Json:
    return {"type": "array", "items": items} | ({"description": about} if about else {}) | more


def said(schema: Json, about: str) -> Json:
    """The schema with a description."""
    return schema | {"description": about}


def _or_null(schema: Json, about: str = "") -> Json:
    told = {"anyOf": [schema, {"type": "null"}]}
    return said(told, about) if about else told


def ref(name: str) -> Json:
    """The schema of this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def _words(words: Mapping[str, str]) -> str:
    return "; ".join(f"{word}: {about}" for word, about in words.items())


TEXT: Json = {"type": "string"}
COUNT: Json = {"type": "integer", "minimum": 0}
NUMBER: Json = {"type": "integer"}
PLAYER: Json = {"type": "integer", "enum": [1, 2]}
NAME: Json = {"type": "string"}
MOVES = _list(TEXT)
SETTING: Json = {"type": ["string", "integer", "array"], "items": NUMBER}
OPTIONS: Json = {"type": "object", "additionalProperties": SETTING}
STATUS: Json = {"type": "string", "enum": [WAITING, PLAYING, OVER]}
VALUE: Json = {"type": "string", "enum": ["win", "draw", "loss"]}
WHEN: Json = {"type": "string", "format": "date-time"}

GAMES = _object(
    {
        "games": _list(
            _object(
                {
                    "name": TEXT,
                    "title": TEXT,
                    "about": TEXT,
                    "options": _list(
                        _object(
                            {
                                "name": TEXT,
                                "about": TEXT,
                                "type": {"type": "string", "enum": ["integer", "word", "list"]},
                                "default": SETTING,
                                "choices": _list(TEXT, "The words of an option that is one."),
                                "most": said(
                                    {"type": ["integer", "null"]},
                                    "The largest number that this server accepts, if it is about numbers.",
                                ),
                            }
                        )
                    ),
                }
            )
        ),
        "levels": _list({"type": "string", "enum": list(LEVELS)}, "Of the computer, the weakest first."),
    }
)

EFFECT = _object(
    {
        "key": said(TEXT, "The name of the sentence in its game."),
        "text": said(TEXT, "The sentence in English."),
        "values": {
            "type": "object",
            "additionalProperties": SETTING,
            "description": "What is filled into it.",
        },
        "touches": _list(COUNT, "The places of the tiles that it is about, counted from 0."),
    },
    about="What a move would do, or what holds for whoever is to move.",
)

BAR = _object(
    {
        "key": TEXT,
        "text": TEXT,
        "value": NUMBER,
        "of": said(NUMBER, "Where it ends."),
        "player": _or_null(PLAYER, "Whose it is, if it is anybody's."),
    },
    about="A score, or the way to a target.",
)

BOARD = _object(
    {
        "tiles": _list(
            _object(
                {
                    "label": said(TEXT, "What stands on it, if anything."),
                    "kind": {"type": "string", "enum": list(KINDS)},
                    "move": said(
                        TEXT,
                        "The move that takes it; with a hand, what follows the number in it. Or nothing.",
                    ),
                    "name": said(TEXT, "What the place is called, where the label is not its name."),
                }
            )
        ),
        "effects": {
            "type": "object",
            "additionalProperties": ref("Effect"),
            "description": "For each move that the position allows, what it would do.",
        },
        "hand": _list(TEXT, "Where a move is a number and a place: the numbers to choose from."),
        "last": _list(COUNT, "The places of the tiles that the last move was about."),
        "bars": _list(ref("Bar")),
        "note": _or_null(ref("Effect"), "What holds for whoever is to move."),
    },
    about="The position as pages draw it: enough to play without knowing the rules.",
)


def _state() -> Json:
    return _object(
        {
            "id": TEXT,
            "version": said({"type": "integer", "minimum": 1}, "Grows by one with everything that happens."),
            "game": TEXT,
            "options": OPTIONS,
            "players": _list(
                _object(
                    {
                        "kind": {"type": "string", "enum": [HUMAN, COMPUTER, OPEN]},
                        "name": TEXT,
                        "level": said(TEXT, "Of a computer; empty for all others."),
                    }
                ),
                minItems=2,
                maxItems=2,
            ),
            "status": STATUS,
            "turn": _or_null(PLAYER, "Who is to move, if anybody is."),
            "ply": said(COUNT, "How many moves have been made."),
            "moves": MOVES,
            "legal": said(MOVES, "What may be played now; empty unless somebody is to move."),
            "winner": _or_null(PLAYER, "Nobody while the game goes on, and in a tie."),
            "why": _or_null(_why(), f"How it ended. {_words(WHY)}."),
            "scores": _or_null(
                _list(NUMBER, minItems=2, maxItems=2), "The points of both players now, where there are any."
            ),
            "totals": {
                "type": "object",
                "additionalProperties": _object({"value": NUMBER, "of": NUMBER}),
                "description": "What both players add to, and how far it may go, by its key.",
            },
            "board": ref("Board"),
            "takeback_asked_by": _or_null(PLAYER),
            "rematch": _or_null(TEXT, "The id of the game that follows this one."),
        },
        about="All that anybody may know about a duel. Players are 1 and 2; 1 moves first.",
    )


def _why() -> Json:
    """The ways to end; games of other packages may have ways of their own."""
    ours = all(spec.rules.__module__.startswith("numberduels.games.") for spec in registry.specs())
    return TEXT | ({"enum": list(WHY)} if ours else {"examples": list(WHY)})


SEAT: Json = said(
    PLAYER, "The player that you are; 1 moves first. Where both seats are yours it is 1: you play for both."
)
TOKEN: Json = said(
    TEXT,
    "Whoever has it plays for you. It is the token that you sent, if you sent one of 16 characters or more; "
    "otherwise a new one, told once and kept nowhere.",
)

MADE = _object(
    {
        "id": TEXT,
        "token": TOKEN,
        "seat": SEAT,
        "invitation": _or_null(TEXT, "What lets one other join; null if nobody is awaited. Told once."),
        "state": ref("State"),
    },
    about="A new duel, and your seat in it.",
)

JOINED = _object(
    {"id": TEXT, "token": TOKEN, "seat": SEAT, "state": ref("State")}, about="Your seat in a duel."
)

REMATCH = _object(
    {"id": TEXT, "seat": SEAT, "state": ref("State")},
    about="The duel that follows. Seats are swapped; both players keep their tokens, so that none is told.",
)

LISTED = _object(
    {
        "duels": _list(
            _object(
                {
                    "id": TEXT,
                    "game": TEXT,
                    "seats": _list(PLAYER, "The players that you are.", minItems=1, maxItems=2),
                    "status": STATUS,
                    "turn": _or_null(PLAYER),
                    "your_turn": {"type": "boolean"},
                    "ply": COUNT,
                    "winner": _or_null(PLAYER),
                    "updated": said(WHEN, "When the last thing happened."),
                }
            )
        ),
        "next": _or_null(TEXT, "Send it as `before` to get the next page; null after the last."),
    },
    about="The duels in which your token has a seat; the seat that you took last comes first.",
)

EVENT = _object(
    {
        "event": TEXT | {"enum": ["state", "bye"]},
        "data": said(TEXT | {"contentMediaType": "application/json"}, "A State as JSON; of `bye`, {}."),
    },
    {
        "id": said(TEXT, "The version of the state."),
        "retry": said(TEXT, "How long to wait before coming back, in milliseconds."),
    },
    about="One event of a stream.",
)

HINT = _object({"move": TEXT, "why": said(TEXT, "One sentence in English.")})

WORTH: Json = {
    "value": VALUE,
    "remoteness": said({"type": ["integer", "null"]}, "Moves until the end, if the method tells."),
    "margin": said({"type": ["integer", "null"]}, "Points of difference, where points decide."),
    "nimber": {"type": ["integer", "null"]},
}
VALUES = _object(
    WORTH | {"moves": {"type": "object", "additionalProperties": _object(WORTH)}},
    about="What the position and every move are worth to whoever is to move.",
)

REVIEW = _object(
    {
        "game": TEXT,
        "options": OPTIONS,
        "names": _list(TEXT, minItems=2, maxItems=2),
        "result": TEXT,
        "resigned": _or_null(PLAYER),
        "method": TEXT,
        "positions": COUNT,
        "moves": _list(
            _object(
                {
                    "ply": COUNT,
                    "player": PLAYER,
                    "move": TEXT,
                    "verdict": {"type": "string", "enum": list(VERDICTS)},
                    "mistake": {"type": "boolean"},
                    "before": _or_null(VALUE),
                    "value": _or_null(VALUE),
                    "margin_before": {"type": ["integer", "null"]},
                    "margin": {"type": ["integer", "null"]},
                    "margin_given": {"type": ["integer", "null"]},
                    "keeping": {"type": ["integer", "null"]},
                    "losing": {"type": ["integer", "null"]},
                    "better": MOVES,
                    "why": {"type": ["string", "null"]},
                }
            )
        ),
        "not_judged": COUNT,
        "beyond": {"type": ["string", "null"]},
        "accuracy": _list(
            _object(
                {
                    "player": PLAYER,
                    "share": {"type": ["number", "null"]},
                    "percent": {"type": ["integer", "null"]},
                    "kept": COUNT,
                    "chances": COUNT,
                    "margin_given": {"type": ["number", "null"]},
                }
            )
        ),
        "values": _list({"type": ["integer", "string", "null"]}),
        "margins": _or_null(_list({"type": ["integer", "null"]})),
        "svg": said(TEXT, "A picture of it."),
    },
    about="The verdict on every move.",
)

ABOUT = {key: kind.about for key, kind in ERRORS.items()}

FAULT = _object(
    {
        "error": said(TEXT, "One sentence for people."),
        "key": TEXT | {"enum": sorted(ERRORS), "description": f"For programs. {_words(ABOUT)}."},
        "state": _or_null(ref("State"), "The duel as it is now, if it is about one."),
    }
)


def create_body(spec: GameSpec, largest: int) -> Json:
    """What a request for a new duel of this game may hold, where a size may be as large as this."""
    return _object(
        {"game": TEXT | {"enum": [spec.name]}},
        {
            "mode": TEXT | {"enum": list(MODES), "default": "computer"},
            "level": TEXT | {"enum": list(LEVELS), "default": "casual", "description": "Of the computer."},
            "seat": {"enum": [1, 2, "1", "2", "random"], "default": 1},
            "name": said(NAME, f"Yours; cut to {MAX_NAME} characters."),
            "other": said(NAME, "Of the second player, where both are here."),
            "options": _object(
                {}, {each.name: _option(spec, each, largest) for each in declared(spec.rules)}
            ),
        },
        about=f"A game of {spec.title}.",
    )


def _option(spec: GameSpec, each: Field[Any], largest: int) -> Json:
    """What may be given for an option of a game."""
    told = {"description": each.metadata["about"]}
    if isinstance(each.default, str):
        return TEXT | {"enum": list(each.metadata["choices"]), "default": each.default} | told
    low, high = _bounds(spec, each.name)
    number: Json = {"type": "integer", "minimum": low, "maximum": min(high, largest_value(each, largest))}
    if isinstance(each.default, int):
        return number | {"default": each.default} | told
    return _list(number, maxItems=largest, uniqueItems=True) | told


@cache
def _bounds(spec: GameSpec, option: str) -> tuple[int, int]:
    """The least and the greatest number that a game accepts for an option, as it says itself when asked."""
    (each,) = (each for each in declared(spec.rules) if each.name == option)
    found = []
    for number in (-1, LARGEST + 1):
        try:
            spec.rules(**{option: (number,) if isinstance(each.default, tuple) else number})
        except BadOption as fault:
            found.append(fault.bounds or (0, LARGEST))
        except Exception:  # it depends on other options, or a game of another package fails in its own way
            found.append((0, LARGEST))
        else:
            found.append((0, LARGEST))
    return found[0][0], found[1][1]


JOIN_BODY = _object({"invitation": TEXT}, {"name": NAME})
MOVE_BODY = _object(
    {"move": said({"type": ["string", "integer"]}, "One of the legal moves.")},
    {
        "ply": said(
            {"type": ["integer", "null"], "minimum": 0, "maximum": 99_999},
            "The count of moves at which it was chosen: if the game has gone on since, it is refused.",
        )
    },
)

CURSOR = "^[0-9]{1,19}-[0-9a-z]{1,100}$"
"""Where a page of duels ends: when the seat was taken, in microseconds, and the id."""


def schemas(largest: int) -> Json:
    """Every schema by its name."""
    return {
        "Games": GAMES,
        "Effect": EFFECT,
        "Bar": BAR,
        "Board": BOARD,
        "State": _state(),
        "Made": MADE,
        "Joined": JOINED,
        "Rematch": REMATCH,
        "Duels": LISTED,
        "Event": EVENT,
        "Hint": HINT,
        "Values": VALUES,
        "Review": REVIEW,
        "Fault": FAULT,
        "Create": {"oneOf": [create_body(spec, largest) for spec in registry.specs()]},
        "Join": JOIN_BODY,
        "Move": MOVE_BODY,
    }
