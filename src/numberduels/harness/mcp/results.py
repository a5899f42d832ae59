"""What the tools return: typed data, which clients get as structured content with a schema.

The classes have no slots: the package `mcp` would take a slot for the default of a field.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GameOption:
    """One option of a game."""

    name: str
    default: str
    about: str
    choices: list[str]


@dataclass(frozen=True)
class GameInfo:
    """A game that can be played."""

    name: str
    title: str
    summary: str
    options: list[GameOption]


@dataclass(frozen=True)
class GameList:
    """All games and opponents."""

    games: list[GameInfo]
    opponents: list[str]
    how_to_write_options: str


@dataclass(frozen=True)
class BoardTile:
    """One number or place of the board."""

    label: str
    kind: str
    move: str


@dataclass(frozen=True)
class Position:
    """A game in progress as a player sees it. It tells no values."""

    game_id: str
    game: str
    title: str
    you: str
    """Player 1, Player 2, or both."""
    to_move: str
    position: str
    legal_moves: list[str]
    moves: list[str]
    done: bool
    outcome: str | None
    """At the end: win, tie, loss or unfinished, for you; for Player 1 if you play both seats."""
    board: list[BoardTile]
    hand: list[str]
    """Where a move is a number and a place: the numbers to choose from."""


@dataclass(frozen=True)
class LegalMoves:
    """The legal moves of a position."""

    game_id: str
    moves: list[str]


@dataclass(frozen=True)
class Judgement:
    """The exact judgement of a move."""

    verdict: str
    before: str | None
    after: str | None
    kept: bool | None
    keeping: int
    losing: int
    margin_given: int | None
    remoteness: int | None


@dataclass(frozen=True)
class MoveResult:
    """What a move did."""

    move: str | None
    """None if it could not be played."""
    fault: str
    cause: str
    attempts_left: int
    reply: str | None
    judgement: Judgement | None
    """Only if you asked for it."""
    reward: float | None
    """Only if you asked for the judgement."""
    position: Position


@dataclass(frozen=True)
class Hint:
    """A good move, and why."""

    game_id: str
    move: str
    why: str


@dataclass(frozen=True)
class MoveValue:
    """The exact value of one legal move for the player who makes it."""

    move: str
    value: str
    remoteness: int | None
    margin: int | None


@dataclass(frozen=True)
class Values:
    """The exact value of a position for the player to move, and of all its moves, best first."""

    game_id: str
    value: str
    remoteness: int | None
    margin: int | None
    moves: list[MoveValue]


@dataclass(frozen=True)
class ReviewedMove:
    """One move of a reviewed game."""

    ply: int
    player: int
    move: str
    verdict: str
    mistake: bool
    better: list[str]
    why: str | None


@dataclass(frozen=True)
class GameReview:
    """A reviewed game."""

    game: str
    result: str
    summary: str
    accuracy: list[int | None]
    """In percent, of Player 1 and Player 2; null if no move could lose anything."""
    moves: list[ReviewedMove]


@dataclass(frozen=True)
class PuzzleResult:
    """A puzzle; with an answer, whether it is right and why."""

    game: str
    level: int
    seed: str
    question: str
    answers: list[str]
    right: bool | None
    explanation: list[str]
