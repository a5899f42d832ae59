"""What the tools return: typed data, which clients get as structured content with a schema; and the board.

The classes have no slots: the package `mcp` would take a slot for the default of a field.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files


@dataclass(frozen=True)
class GameOption:
    """One option of a game."""

    name: str
    default: str
    about: str
    choices: list[str]


@dataclass(frozen=True)
class OfferedGame:
    """A game that can be played."""

    name: str
    title: str
    summary: str
    options: list[GameOption]


@dataclass(frozen=True)
class GameList:
    """All games and opponents."""

    games: list[OfferedGame]
    opponents: list[str]
    how_to_write_options: str


@dataclass(frozen=True)
class BoardTile:
    """One number or place of the board."""

    label: str
    kind: str
    move: str


@dataclass(frozen=True)
class ShownPosition:
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
class PlayedMove:
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
    position: ShownPosition


@dataclass(frozen=True)
class HintedMove:
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
class PositionValues:
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
class ReviewedGame:
    """A reviewed game."""

    game: str
    result: str
    summary: str
    accuracy: list[int | None]
    """In percent, of Player 1 and Player 2; null if no move could lose anything."""
    moves: list[ReviewedMove]


@dataclass(frozen=True)
class AskedPuzzle:
    """A puzzle; with an answer, whether it is right and why."""

    game: str
    level: int
    seed: str
    question: str
    answers: list[str]
    right: bool | None
    explanation: list[str]


@cache
def board_page() -> str:
    """The board as an MCP App: one HTML document that loads nothing and runs only its own script.

    The hashes of its script and style are in its content security policy.
    """
    page = files("numberduels.harness.mcp").joinpath("board.html").read_text(encoding="utf-8")
    for tag, name in (("script", "SCRIPT_HASH"), ("style", "STYLE_HASH")):
        found = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert found is not None, tag
        page = page.replace(name, b64encode(sha256(found[1].encode()).digest()).decode())
    return page
