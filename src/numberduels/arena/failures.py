"""Failures: decisions that ended without a legal move. A report counts them as lost, or leaves them out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from numberduels.arena.results import ERROR, FAILED, GameResult

COUNT, LEAVE_OUT = "count", "leave-out"
FAILURES = (COUNT, LEAVE_OUT)
"""How a report treats failures: a forfeit is a loss and its decision a mistake; or neither is counted."""


def has_failure(game: GameResult) -> bool:
    """Whether a player forfeited. A player who could not be reached has not."""
    return game.forfeit is not None and game.forfeit.cause != ERROR


def leave_out_failures(games: Iterable[GameResult]) -> list[GameResult]:
    """The games for a report that leaves failures out.

    A forfeited game is neither won nor lost, and its decision without a move is not judged. The moves before
    it count.
    """
    return [_without_failure(game) if has_failure(game) else game for game in games]


def _without_failure(game: GameResult) -> GameResult:
    moves = tuple(move if move.made else replace(move, verdict=None) for move in game.moves)
    return replace(game, end=FAILED, moves=moves)
