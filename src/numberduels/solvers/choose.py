"""Moves chosen by an exact solver: the strongest, the liveliest of these, and tempting mistakes.

>>> from numberduels.games.range_war.rules import RangeWar
>>> from numberduels.solvers import make_oracle
>>> from random import Random
>>> game = RangeWar(size=5)
>>> strongest_moves(make_oracle(game), game.start(Random(0)))
[1]
>>> engaging_moves(make_oracle(game), game.start(Random(0)))
[3]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numberduels.game.contract import M, S, always_ends
from numberduels.solvers.oracle import LOSS, WIN, Oracle, Worth, select_best

UNKNOWN = 1 << 30
"""Stands for a distance that is not known: a win whose end is known is preferred."""

PATIENCE = 5_000
"""Replies that are counted to choose among moves that do not win; beyond that, all of them are equal."""

LIVELY = 5
"""Plies to the end from which on a won game is still worth playing: the opponent has two more moves."""


def strongest_moves(oracle: Oracle[S, M], state: S) -> list[M]:
    """The moves to advise, because they are the simplest way to the best result.

    All keep the value. A win is taken the shortest way. Otherwise the opponent is left the fewest
    replies that keep it for them, and among those the longest way.
    """
    choices = oracle.evaluate_moves(state)
    moves = select_best(choices)
    if choices[moves[0]].value == WIN:
        return _shortest(moves, choices)
    return _hardest(oracle, state, moves, choices)


def engaging_moves(oracle: Oracle[S, M], state: S) -> list[M]:
    """The moves that a perfect player chooses from: the strongest, but a win keeps the game going.

    All keep the value. In a game that must end, a win that lasts LIVELY plies or more is preferred to a
    shorter one, if it leaves the opponent a choice: at least two replies, and at least half as many as any
    other such win. Where there is none, and in a game that need not end, the win is taken the shortest way.
    """
    choices = oracle.evaluate_moves(state)
    moves = select_best(choices)
    if choices[moves[0]].value != WIN:
        return _hardest(oracle, state, moves, choices)
    game = oracle.game
    if not always_ends(game):
        return _shortest(moves, choices)
    after = _positions_after(game, state, moves)
    replies = {move: len(game.moves(position)) for move, position in after.items()} if after else {}
    lively = [
        move for move in moves if replies.get(move, 2) > 1 and (choices[move].remoteness or UNKNOWN) >= LIVELY
    ]
    if not lively:
        return _shortest(moves, choices)
    most = max(replies.get(move, 0) for move in lively)
    return [move for move in lively if 2 * replies.get(move, 0) >= most]


def tempting_moves(oracle: Oracle[S, M], state: S, moves: Sequence[M]) -> list[M]:
    """Of these moves, the mistakes that are the hardest to punish; all of the moves, if none is a mistake.

    A mistake gives some of the value away, or points. The harder third is returned, and what is equal to it:
    mistakes that give little away, then those that leave the fewest good replies and last the longest.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> from numberduels.solvers import make_oracle
    >>> from random import Random
    >>> game = RangeWar(size=10)
    >>> tempting_moves(make_oracle(game), game.start(Random(0)), range(1, 11))  # 1 to 5 win
    [6, 7]
    """
    choices = oracle.evaluate_moves(state)
    worths = {move: _points(choices[move]) for move in moves}
    best = max(map(_points, choices.values()))
    mistakes = [move for move, worth in worths.items() if worth < best]
    if not mistakes:
        return list(moves)
    after = _positions_after(oracle.game, state, mistakes) or {}
    ranks = {
        move: (
            -worths[move],
            (len(oracle.best_moves(after[move])) or UNKNOWN) if move in after else 0,
            -(choices[move].remoteness or 0),
        )
        for move in mistakes
    }
    worst = sorted(ranks.values())[(len(ranks) - 1) // 3]
    return [move for move in mistakes if ranks[move] <= worst]


def _points(worth: Worth) -> int:
    return worth.value if worth.margin is None else worth.margin


def _shortest(moves: list[M], choices: Mapping[M, Worth]) -> list[M]:
    return _least(moves, {move: (choices[move].remoteness or UNKNOWN,) for move in moves})


def _hardest(oracle: Oracle[S, M], state: S, moves: list[M], choices: Mapping[M, Worth]) -> list[M]:
    """The moves that leave the fewest good replies, then the longest way; all, if that is too much work.

    A move that loses at once comes last: no reply is needed to win against it.
    """
    after = _positions_after(oracle.game, state, moves)
    if after is None:
        return moves
    lost = choices[moves[0]].value == LOSS
    ranks = {
        move: (
            lost and not oracle.game.moves(position),
            len(oracle.best_moves(position)),
            -(choices[move].remoteness or 0),
        )
        for move, position in after.items()
    }
    return _least(moves, ranks)


def _positions_after(game: Any, state: S, moves: list[M]) -> dict[M, S] | None:
    """The position after each move; None if they have more replies in all than PATIENCE allows."""
    found: dict[M, S] = {}
    patience = PATIENCE
    for move in moves:
        found[move] = game.play(state, move)
        patience -= len(game.moves(found[move]))
        if patience < 0:
            return None
    return found


def _least(moves: list[M], ranks: Mapping[M, tuple[int, ...]]) -> list[M]:
    least = min(ranks.values())
    return [move for move in moves if ranks[move] == least]
