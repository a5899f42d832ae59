"""The puzzles of Number Snatch.

The largest number, or else the largest multiple of their last one, always gives the best margin, and the
rules teach it. So the best move is no puzzle. What is left: how small a number one may take and still win,
the margin where the alternating sum is not the whole story, and who wins from positions that look alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numberduels.analysis.puzzles.declaration import AnyTable, PuzzlePlan, PuzzleSource
from numberduels.analysis.puzzles.model import Puzzle
from numberduels.game.messages import Message
from numberduels.games.number_snatch.rules import NumberSnatch, Pool
from numberduels.games.number_snatch.theory import alternating, multiples
from numberduels.solvers.margins import lead
from numberduels.solvers.oracle import LOSS, WIN

DEALS = {"size": range(5, 12), "top": range(12, 26)}
LONG_DEALS = {"size": range(12, 14), "top": range(20, 31)}


def snatch_or_largest(table: AnyTable) -> int:
    """The largest multiple of their last number, or else the largest number."""
    left, last, _, _ = table.state
    return int(max(multiples(left, last) or table.moves))


def most_points_now(table: AnyTable) -> int:
    """The number that gains most at once."""
    left, last, _, _ = table.state
    snatching = multiples(left, last)
    return int(max(table.moves, key=lambda move: (move + 2 * last if move in snatching else move, move)))


def smallest_snatch(table: AnyTable) -> int | None:
    """The smallest multiple of their last number."""
    left, last, _, _ = table.state
    return min(multiples(left, last), default=None)


def safest_small_number(table: AnyTable) -> int | None:
    """The smallest number that cannot be snatched."""
    left = table.state[0]
    return min((move for move in table.moves if not multiples(left, move)), default=None)


def lead_now(table: AnyTable) -> int:
    """The points between the scores now."""
    return abs(lead(table.game, table.state))


def lead_by_the_rules(table: AnyTable) -> int:
    """The lead after adding and subtracting the numbers left in turn, as the rules teach."""
    return abs(_by_the_rules(table))


def _by_the_rules(table: AnyTable) -> int:
    return lead(table.game, table.state) + alternating(table.state[0])


def lead_after_a_snatch(table: AnyTable) -> int | None:
    """The same, and twice their last number for a snatch with the largest; None if that is no snatch."""
    left, last, _, _ = table.state
    return abs(_by_the_rules(table) + 2 * last) if max(table.moves) in multiples(left, last) else None


def largest_number(table: AnyTable) -> int:
    """The largest number left."""
    return int(max(table.moves))


def _sign(margin: int) -> int | None:
    return WIN if margin > 0 else LOSS if margin < 0 else None


def leader_wins(table: AnyTable) -> int | None:
    """Who leads now is taken to win."""
    return _sign(lead(table.game, table.state))


def alternating_sum_decides(table: AnyTable) -> int | None:
    """Who leads after adding and subtracting the numbers left is taken to win."""
    return _sign(_by_the_rules(table))


def has_a_snatch(table: AnyTable) -> int | None:
    """Who can snatch is taken to win."""
    left, last, _, _ = table.state
    return WIN if multiples(left, last) else LOSS


def twin(_: NumberSnatch) -> Callable[[Pool], Any]:
    """A key of a position: the last number matters only while a multiple of it is left."""

    def key(state: Pool) -> tuple[int, int]:
        left, last, _, _ = state
        return left, last if multiples(left, last) else 0

    return key


def hint(puzzle: Puzzle) -> Message:
    """Where to look."""
    if puzzle.kind == "lowest-move":
        return Message(
            "Look for the multiples of a small number: they may snatch it. How many points can you afford"
            " to lose?"
        )
    return Message(
        "Compare two ways: take the largest number, or snatch with the largest multiple of their last"
        " number. After that, both always take the largest."
    )


PUZZLES = PuzzlePlan(
    sources=(
        PuzzleSource("lowest-move", DEALS, range(12)),
        PuzzleSource("lowest-move", LONG_DEALS, range(2)),
        PuzzleSource("margin", DEALS, range(1, 12)),
        PuzzleSource("which-position", DEALS, range(1, 12), share=0.5),
    ),
    move_recipes={
        "snatch or largest": snatch_or_largest,
        "most points now": most_points_now,
        "smallest snatch": smallest_snatch,
        "smallest that is safe": safest_small_number,
    },
    value_recipes={
        "the leader": leader_wins,
        "the alternating sum": alternating_sum_decides,
        "who can snatch": has_a_snatch,
    },
    number_recipes={
        "the lead now": lead_now,
        "the alternating sum": lead_by_the_rules,
        "the alternating sum and a snatch": lead_after_a_snatch,
        "the largest number": largest_number,
    },
    hint=hint,
    twin=twin,
)
