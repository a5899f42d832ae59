"""The moves of the perfect player for whole arrays, beside general solvers, which know no theorem."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from numberduels.game.batch import ALL, GameBatch
from numberduels.game.batch.lookup import LookupBatch
from numberduels.games.number_collision.batch import NumberCollisionBatch
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch import batch as snatch
from numberduels.games.number_snatch.batch import NumberSnatchBatch
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.number_snatch.theory import gains
from numberduels.solvers import Oracle, general_oracle, make_oracle
from numberduels.solvers.choose import PATIENCE, engaging_moves
from tables import table


def agree(batch: GameBatch, oracle: Oracle[Any, Any]) -> int:
    """Compare the moves in every game that is not over; how many were compared."""
    action_of = {move: action for action, move in enumerate(batch.moves)}
    (going,) = np.nonzero(batch.legal().any(axis=1))
    found = batch.perfect_moves(going, PATIENCE)
    assert found is not None
    for row, index in enumerate(going.tolist()):
        state = batch.state(index)
        expected = sorted(action_of[move] for move in engaging_moves(oracle, state))
        assert found[row].nonzero()[0].tolist() == expected, state
    return len(going)


def played(batch: GameBatch, oracle: Oracle[Any, Any], steps: int) -> int:
    """Compare along random games."""
    rng = np.random.default_rng(1)
    batch.reset(ALL, rng)
    compared = 0
    for _ in range(steps):
        compared += agree(batch, oracle)
        finished = batch.play(batch.sample(rng))
        batch.reset(finished.indices, rng)
    return compared


@table(
    "game",
    [
        NumberSnatch(size=1, top=1),
        NumberSnatch(size=4, top=8),
        NumberSnatch(size=7, top=20),
        NumberSnatch(numbers=(1, 2, 3)),  # level at best play, and then the second player has won
        NumberSnatch(numbers=(3, 5, 6, 12, 24, 30)),
    ],
)
def test_number_snatch_is_played_as_the_search_of_margins_plays_it(game: NumberSnatch) -> None:
    assert played(NumberSnatchBatch(game, 40), general_oracle(game), 8) == 320


def test_the_hardest_moves_leave_the_fewest_best_replies() -> None:
    def best_replies(left: int, move: int) -> int:
        replies = gains(left & ~(1 << move), move).values()
        return sum(reply == max(replies) for reply in replies)

    sets = [left for left in range(1 << 9) if left.bit_count() > 1]
    flags = np.array([[left >> column & 1 for column in range(9)] for left in sets], dtype=np.bool_)
    narrowed = 0
    for row, left in zip(snatch.hardest_to_answer(flags, flags), sets, strict=True):
        counts = {move: best_replies(left << 1, move) for move in gains(left << 1, 0)}
        fewest = [move for move, count in counts.items() if count == min(counts.values())]
        assert [column + 1 for column in np.flatnonzero(row)] == fewest
        narrowed += len(fewest) < len(counts)
    assert narrowed > 10


def test_number_snatch_is_played_by_the_theorem_at_sizes_that_no_search_reaches() -> None:
    game = NumberSnatch(size=30, top=64)
    assert played(NumberSnatchBatch(game, 3), make_oracle(game), 30) == 90


@table("size, values", [(3, 1), (3, 2), (3, 5), (4, 1), (4, 2), (4, 3), (5, 2)])
def test_number_collision_is_played_right_on_every_line(size: int, values: int) -> None:
    game = NumberCollision(size=size, values=values)
    lines = np.array([(*cells, turn) for cells in product(range(values + 1), repeat=size) for turn in (1, 2)])
    batch = NumberCollisionBatch(game, len(lines))
    batch.reset(ALL, np.random.default_rng(1))
    batch.rows.array[:, : size + 1] = lines
    batch.empty[:] = ((lines[:, :size] == 0) << np.arange(size)).sum(axis=1)
    assert agree(batch, general_oracle(game)) == len(lines) - 2 * values**size


def test_number_collision_at_the_size_of_the_book_and_beyond_what_is_counted() -> None:
    for size, steps in ((10, 25), (20, 4)):  # at 20, the moves have more replies than patience has
        game = NumberCollision(size=size)
        assert played(NumberCollisionBatch(game, 2), make_oracle(game), steps)


@table(
    "batch",
    [
        NumberCollisionBatch(NumberCollision(size=1), 1),
        NumberCollisionBatch(NumberCollision(size=2), 1),
        LookupBatch(NumberSnatch(numbers=(3, 6)), 1),
    ],
)
def test_short_lines_and_other_batches_are_left_to_the_solver(batch: GameBatch) -> None:
    assert batch.perfect_moves(ALL, PATIENCE) is None
