"""The exact solver of a game, and the moves that it recommends.

>>> from numberduels.games.range_war.rules import RangeWar
>>> from random import Random
>>> game = RangeWar(size=5)
>>> strongest_moves(make_oracle(game), game.start(Random(0)))
[1]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numberduels import registry
from numberduels.core import M, S
from numberduels.solvers import MAX_POSITIONS, WIN, Oracle, general_oracle
from numberduels.solvers.oracle import select_best

UNKNOWN = 1 << 30
"""Stands for a distance that is not known: a win whose end is known is preferred."""

PATIENCE = 5_000
"""Replies that are counted to choose among moves that do not win; beyond that, all of them are equal."""


def make_oracle(game: Any, max_positions: int = MAX_POSITIONS) -> Oracle[Any, Any]:
    """The strongest exact solver for this game; it visits no more than `max_positions` positions."""
    try:
        theory = registry.spec_of(game).load("theory")
    except registry.UnknownGame:
        theory = None
    found: Oracle[Any, Any] = theory(game, max_positions) if theory else general_oracle(game, max_positions)
    return found


def strongest_moves(oracle: Oracle[S, M], state: S) -> list[M]:
    """The moves that a perfect player chooses from.

    All keep the value. A win is taken the shortest way. Otherwise the opponent is left the fewest
    replies that keep it for them, and among those the longest way.
    """
    choices = oracle.evaluate_moves(state)
    moves = select_best(choices)
    if choices[moves[0]].value == WIN:
        return _least(moves, {move: (choices[move].remoteness or UNKNOWN,) for move in moves})
    replies: dict[M, S] = {}
    patience = PATIENCE
    for move in moves:
        replies[move] = oracle.game.play(state, move)
        patience -= len(oracle.game.moves(replies[move]))
        if patience < 0:
            return moves
    ranks = {
        move: (len(oracle.best_moves(after)), -(choices[move].remoteness or 0))
        for move, after in replies.items()
    }
    return _least(moves, ranks)


def _least(moves: list[M], ranks: Mapping[M, tuple[int, ...]]) -> list[M]:
    least = min(ranks.values())
    return [move for move in moves if ranks[move] == least]
