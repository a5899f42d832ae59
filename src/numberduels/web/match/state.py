"""The public state of a match: typed, ready for JSON, and the source of its schema in the OpenAPI document.

Players are 1 and 2 here, not seats 0 and 1.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from numberduels.game import options
from numberduels.game.board import KINDS, Board, Effect, board_of
from numberduels.game.contract import Seat
from numberduels.web.match.events import BEST_OF, CLOCKS, COMPUTER, HUMAN, OPEN, Seats
from numberduels.web.match.model import OVER, PLAYING, WAITING, Match

PlayerNumber = Literal[1, 2]
OptionValue = str | int | list[int]
Count = Annotated[int, Meta(ge=0)]
Status = Annotated[str, Meta(extra_json_schema={"enum": [WAITING, PLAYING, OVER]})]
Score = Annotated[list[int], Meta(min_length=2, max_length=2)]

ENDINGS = {
    "stuck": "the player to move had no legal move, and lost",
    "misere": "the player to move had no legal move, and won",
    "last": "the player to move found nothing left, and lost",
    "exact": "the target was hit exactly",
    "over": "the target was passed",
    "points": "the points decided",
    "level": "the points were level",
    "resigned": "a player resigned",
    "time": "a player exceeded the time, and the other one claimed the game",
    "agreed": "the players agreed on a draw",
    "cancelled": "the invitation was taken back",
}
"""How our games end. Games of other packages may add more."""


class WireStruct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all types that are sent as JSON."""


class EffectState(WireStruct, frozen=True):
    """The effect of a move, or a note for the player to move."""

    key: Annotated[str, Meta(description="The name of the sentence in its game.")]
    text: Annotated[str, Meta(description="The sentence in English.")]
    values: Annotated[dict[str, OptionValue], Meta(description="The values in the sentence.")]
    touches: Annotated[list[Count], Meta(description="Indexes of the tiles that it is about, from 0.")]


class BarState(WireStruct, frozen=True):
    """A score, or the progress to a target."""

    key: str
    text: str
    value: int
    of: Annotated[int, Meta(description="The end of the bar.")]
    player: Annotated[PlayerNumber | None, Meta(description="The player that it belongs to, if any.")]


class TileState(WireStruct, frozen=True):
    """One tile of a board."""

    label: Annotated[str, Meta(description="The text on the tile; may be empty.")]
    kind: Annotated[str, Meta(extra_json_schema={"enum": list(KINDS)})]
    move: Annotated[
        str,
        Meta(description="The move that takes it; with a hand, the part after the number; empty if neither."),
    ]
    name: Annotated[str, Meta(description="The name of the place, if it is not the label.")]


class BoardState(WireStruct, frozen=True):
    """The position as pages draw it: enough to play without knowing the rules."""

    tiles: list[TileState]
    effects: Annotated[dict[str, EffectState], Meta(description="The effect of each legal move.")]
    hand: Annotated[
        list[str], Meta(description="The numbers to choose from, if a move is a number and a place.")
    ]
    last: Annotated[list[Count], Meta(description="Indexes of the tiles of the last move.")]
    bars: list[BarState]
    note: Annotated[EffectState | None, Meta(description="A note for the player to move.")]


class PlayerState(WireStruct, frozen=True):
    """Who plays."""

    kind: Annotated[str, Meta(extra_json_schema={"enum": [HUMAN, COMPUTER, OPEN]})]
    name: str
    level: Annotated[str, Meta(description="The level of a computer; empty for others.")]


Online = tuple[bool | None, bool | None]
"""Whether players 1 and 2 are online; None for a computer and for a free seat."""

OnlineState = Annotated[
    list[bool | None],
    Meta(
        description="Whether players 1 and 2 have an open stream; null for a computer and for a free seat.",
        min_length=2,
        max_length=2,
    ),
]


class Total(WireStruct, frozen=True):
    """A number that both players add to, and its target."""

    value: int
    of: int


class StandingState(WireStruct, frozen=True):
    """The score over a duel and those that it is a rematch of."""

    games: Annotated[Count, Meta(description="Games that are over; two games on one deal count as one.")]
    wins: Annotated[list[Count], Meta(description="Wins of players 1 and 2.", min_length=2, max_length=2)]


class _Common(WireStruct, frozen=True):
    """What a duel by itself and a duel in a list have."""

    id: str
    version: Annotated[int, Meta(ge=1, description="Grows by one with every event.")]
    game: str
    players: Annotated[list[PlayerState], Meta(min_length=2, max_length=2)]
    status: Status
    turn: Annotated[PlayerNumber | None, Meta(description="The player to move, if any.")]
    ply: Annotated[int, Meta(ge=0, description="The number of moves so far.")]
    winner: Annotated[PlayerNumber | None, Meta(description="Null while the game goes on, and in a tie.")]
    why: Annotated[
        str | None,
        Meta(
            description="How it ended. " + "; ".join(f"{key}: {about}" for key, about in ENDINGS.items()),
            examples=list(ENDINGS),
        ),
    ]
    takeback_asked_by: PlayerNumber | None
    draw_offered_by: PlayerNumber | None
    clock: Annotated[
        str, Meta(description="The time for each move.", extra_json_schema={"enum": list(CLOCKS)})
    ]
    deadline: Annotated[
        str | None,
        Meta(
            description="When the player to move may lose on time; null without a clock, and in a rematch "
            "that this player has not opened yet.",
            extra_json_schema={"format": "date-time"},
        ),
    ]
    best_of: Annotated[
        int,
        Meta(
            description="The games of the series; 1 for a game by itself.",
            extra_json_schema={"enum": list(BEST_OF)},
        ),
    ]
    standing: StandingState
    rematch: Annotated[str | None, Meta(description="The id of the rematch.")]


class State(_Common, frozen=True):
    """Everything public about a duel. Players are 1 and 2; 1 moves first."""

    options: dict[str, OptionValue]
    moves: list[str]
    legal: Annotated[list[str], Meta(description="The legal moves; empty unless somebody is to move.")]
    scores: Annotated[Score | None, Meta(description="The points of both players, if the game has points.")]
    totals: Annotated[dict[str, Total], Meta(description="The totals that both players add to, by key.")]
    board: BoardState
    series_over: Annotated[bool, Meta(description="Whether this duel decided its best-of series.")]


class LastEvent(WireStruct, frozen=True):
    """What happened last in a duel."""

    kind: Annotated[str, Meta(description="created, joined, moved, undone, asked, declined, …")]
    player: Annotated[PlayerNumber | None, Meta(description="Who did it, or to whom it happened, if known.")]


class Summary(_Common, frozen=True):
    """A duel in a list."""

    online: OnlineState
    seats: Annotated[
        list[PlayerNumber], Meta(description="The players that you are.", min_length=1, max_length=2)
    ]
    your_turn: bool
    rematch_of: Annotated[str | None, Meta(description="The id of the duel that this is the rematch of.")]
    last: LastEvent
    updated: Annotated[
        str, Meta(description="Time of the last event.", extra_json_schema={"format": "date-time"})
    ]


def _common(match: Match) -> dict[str, Any]:
    standing, outcome, deadline = match.standing, match.outcome, match.deadline
    why = outcome.why if outcome else None
    return {
        "id": match.id,
        "version": match.version,
        "game": match.spec.name,
        "players": [
            PlayerState(kind=info.kind, name=info.name, level=info.level) for info in match.seat_infos
        ],
        "status": match.status,
        "turn": _player(match.turn),
        "ply": match.table.ply,
        "winner": _player(outcome.winner if outcome else None),
        "why": "cancelled" if match.cancelled else why,
        "takeback_asked_by": _player(match.takeback_asked_by),
        "draw_offered_by": _player(match.draw_offered_by),
        "clock": match.clock,
        "deadline": None if deadline is None else format_time(deadline),
        "best_of": match.best_of,
        "standing": StandingState(games=standing.games, wins=list(standing.wins)),
        "rematch": match.rematch or None,
    }


def state_of(match: Match) -> State:
    """The public state of a match."""
    text, outcome = match.text, match.outcome
    board = board_of(match.game, match.table.state, match.table.played)
    scores = outcome.scores if outcome and outcome.scores else board.scores
    return State(
        **_common(match),
        options={
            each.name: options.json_value(getattr(match.game, each.name))
            for each in options.declared(type(match.game))
        },
        moves=match.moves,
        legal=[text.format_move(move) for move in match.table.moves] if match.turn is not None else [],
        scores=list(scores) if scores else None,
        totals={bar.key: Total(value=bar.value, of=bar.of) for bar in board.bars if bar.seat is None},
        board=_board_state(board),
        series_over=match.is_series_over,
    )


def summary_of(match: Match, seats: Seats, online: Online) -> Summary:
    """The entry in the list of a visitor with these seats."""
    return Summary(
        **_common(match),
        online=list(online),
        seats=[player_number(seat) for seat in seats],
        your_turn=match.turn in seats,
        rematch_of=match.rematch_of or None,
        last=LastEvent(kind=match.last_kind, player=_player(match.last_seat)),
        updated=format_time(match.updated),
    )


def format_time(seconds: float) -> str:
    """A time in seconds since 1970 as the API writes it.

    >>> format_time(1.5)
    '1970-01-01T00:00:01.500+00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def player_number(seat: Seat) -> PlayerNumber:
    """The number of the player in a seat."""
    return 1 if seat == 0 else 2


def _player(seat: Seat | None) -> PlayerNumber | None:
    return None if seat is None else player_number(seat)


def _board_state(board: Board) -> BoardState:
    return BoardState(
        tiles=[
            TileState(label=label, kind=kind, move=move, name=name) for label, kind, move, name in board.tiles
        ],
        effects={move: _effect_state(effect) for move, effect in board.effects.items()},
        hand=list(board.hand),
        last=list(board.last),
        bars=[
            BarState(key=bar.key, text=str(bar.text), value=bar.value, of=bar.of, player=_player(bar.seat))
            for bar in board.bars
        ],
        note=_effect_state(board.note) if board.note else None,
    )


def _effect_state(effect: Effect) -> EffectState:
    key, text, touches = effect
    # msgspec writes tuples as lists.
    return EffectState(key=key, text=str(text), values=text.values, touches=list(touches))
