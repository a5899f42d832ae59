"""The JSON types of API responses, beside the state of a match."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.responses import Response

from numberduels.analysis.judgement import VERDICTS
from numberduels.players import LEVELS
from numberduels.web.errors import ERRORS
from numberduels.web.match.state import (
    Count,
    OnlineState,
    OptionValue,
    PlayerNumber,
    State,
    Summary,
    WireStruct,
)

ValueName = Literal["win", "draw", "loss"]
Token = Annotated[
    str,
    Meta(
        description="Whoever has it plays for you. It is the token that you sent, if it has 16 characters or "
        "more; otherwise a new one, which is sent only once and not stored."
    ),
]
OwnPlayer = Annotated[
    PlayerNumber,
    Meta(description="The player that you are; 1 moves first. If both seats are yours it is 1."),
]


def json_response(
    body: WireStruct | bytes, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """A response with a typed body, or with one that is JSON already."""
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return Response(data, status, headers, "application/json")


class OptionInfo(WireStruct, frozen=True):
    """An option of a game."""

    name: str
    about: str
    type: Literal["integer", "word", "list"]
    default: OptionValue
    choices: Annotated[list[str], Meta(description="The choices, if the option is a word.")]
    most: Annotated[
        int | None, Meta(description="The largest number that this server accepts, if it takes numbers.")
    ]


class RuleSetInfo(WireStruct, frozen=True):
    """A choice of options that players are offered."""

    key: str
    about: Annotated[str, Meta(description="One sentence in English.")]
    options: Annotated[dict[str, OptionValue], Meta(description="The others have their defaults.")]
    games: Annotated[
        Literal[1, 2], Meta(description="2: two games on the same deal, seats swapped, points added.")
    ]


class GameInfo(WireStruct, frozen=True):
    """A game that can be played here."""

    name: str
    title: str
    about: str
    rules: Annotated[list[RuleSetInfo], Meta(description="The book's first.")]
    options: list[OptionInfo]


class Games(WireStruct, frozen=True):
    """All games, and the levels of the computer."""

    games: list[GameInfo]
    levels: Annotated[
        list[Annotated[str, Meta(extra_json_schema={"enum": list(LEVELS)})]],
        Meta(description="Levels of the computer, weakest first."),
    ]


class Made(WireStruct, frozen=True):
    """A new duel, and your seat in it."""

    id: str
    token: Token
    seat: OwnPlayer
    invitation: Annotated[
        str | None,
        Meta(description="The secret that lets one other player join, sent only once; null if none can."),
    ]
    state: State


class Joined(WireStruct, frozen=True):
    """Your seat in a duel."""

    id: str
    token: Token
    seat: OwnPlayer
    state: State


class CarryLink(WireStruct, frozen=True):
    """A link that takes your seat along to one other device, once."""

    link: Annotated[str, Meta(description="Send it to /api/carry, or open /carry/LINK in a browser.")]
    seconds: Annotated[int, Meta(description="How long it can be used.")]


class Rematch(WireStruct, frozen=True):
    """The rematch. Seats are swapped; both players keep their tokens."""

    id: str
    seat: OwnPlayer
    state: State


class Duels(WireStruct, frozen=True):
    """The duels in which your token has a seat; the seat that you took last comes first."""

    duels: list[Summary]
    next: Annotated[str | None, Meta(description="Send it as `before` to get the next page.")]


class PresenceInfo(WireStruct, frozen=True):
    """Who is online."""

    online: OnlineState


class Hint(WireStruct, frozen=True):
    """A good move, and the reason."""

    move: str
    why: Annotated[str, Meta(description="One sentence in English.")]


class WorthInfo(WireStruct, frozen=True):
    """The worth of a position or a move."""

    value: ValueName
    remoteness: Annotated[int | None, Meta(description="Moves until the end, if known.")]
    margin: Annotated[int | None, Meta(description="Difference of points, if points decide.")]
    nimber: int | None


class Values(WorthInfo, frozen=True):
    """The worth of the position and of every move for the player to move."""

    moves: dict[str, WorthInfo]


class MoveReview(WireStruct, frozen=True):
    """The verdict on one move."""

    ply: Count
    player: PlayerNumber
    move: str
    verdict: Annotated[str, Meta(extra_json_schema={"enum": list(VERDICTS)})]
    mistake: bool
    before: ValueName | None
    value: ValueName | None
    margin_before: int | None
    margin: int | None
    margin_given: int | None
    keeping: int | None
    losing: int | None
    better: list[str]
    why: str | None


class AccuracyInfo(WireStruct, frozen=True):
    """How well one player played."""

    player: PlayerNumber
    share: float | None
    percent: int | None
    kept: Count
    chances: Count
    margin_given: float | None


class GameReview(WireStruct, frozen=True):
    """The verdict on every move of a game."""

    game: str
    options: dict[str, OptionValue]
    names: Annotated[list[str], Meta(min_length=2, max_length=2)]
    result: str
    summary: Annotated[str, Meta(description="One sentence: where the game was decided.")]
    resigned: PlayerNumber | None
    method: str
    positions: Count
    moves: list[MoveReview]
    not_judged: Count
    beyond: str | None
    accuracy: list[AccuracyInfo]
    values: list[int | str | None]
    margins: list[int | None] | None


class Fault(WireStruct, frozen=True):
    """An error."""

    error: Annotated[str, Meta(description="One sentence for people.")]
    key: Annotated[
        str,
        Meta(
            description="For programs. " + "; ".join(f"{key}: {kind.about}" for key, kind in ERRORS.items()),
            extra_json_schema={"enum": sorted(ERRORS)},
        ),
    ]
    state: Annotated[State | None, Meta(description="The duel as it is now, if the error is about one.")]


RESPONSES = (
    State,
    Games,
    Made,
    Joined,
    CarryLink,
    Rematch,
    Duels,
    PresenceInfo,
    Hint,
    Values,
    GameReview,
    Fault,
)
"""The types of all responses."""
