"""Who wins Summation Duel for every size and every target, from one table.

Let the *rest* of a game be the sum of all its numbers less the target. The target is not passed exactly while
the numbers left add up to at least the rest. So a position is a set of numbers left and a rest, whatever the
size was:

    loses(left, rest) = sum(left) >= rest, and there is no n in left with loses(left without n, rest)

For a set of numbers left, all rests are solved together, as the bits of one whole number. The games of all
sizes n are the sets 1..n of the same table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from numberduels.game.contract import ProgressCallback
from numberduels.solvers.oracle import MAX_TABLE_BYTES, TooLarge
from numberduels.solvers.resumable import Checkpoints

PLAIN_SIZE = 16
"""Up to this size plain Python is fast enough."""

MAX_PLAIN_SIZE = 20
"""The largest size that is solved without NumPy."""

OFTEN = 1 << 12
"""Sets between two reports of the progress."""


def lost_targets(size: int, progress: ProgressCallback | None = None) -> list[list[int]]:
    """For each n from 0 to size, the targets with which Player 2 wins the numbers 1..n, in order.

    >>> lost_targets(6)
    [[], [], [3], [4, 5], [5, 10], [7, 11, 12, 13, 14], [7, 14, 21]]
    """
    return [lost for _, lost in iterate_lost_targets(size, progress)]


def iterate_lost_targets(
    size: int, progress: ProgressCallback | None = None, checkpoints: Checkpoints | None = None
) -> Iterator[tuple[int, list[int]]]:
    """The same one by one with n, each as soon as all its targets are solved."""
    for n, lost in _lost_rests(size, progress, checkpoints):
        most = n * (n + 1) // 2
        yield n, [target for target in range(1, most + 1) if lost >> most - target & 1]


def _lost_rests(
    size: int, progress: ProgressCallback | None, checkpoints: Checkpoints | None
) -> Iterable[tuple[int, int]]:
    if size <= PLAIN_SIZE:
        return enumerate(lost_rests(size, progress))
    try:
        from numberduels.games.summation_duel import rest_table
    except ImportError:
        if size <= MAX_PLAIN_SIZE:
            return enumerate(lost_rests(size, progress))
        raise TooLarge(
            f"a table of 2**{size} sets needs NumPy, an extra called fast",
            f"without it, all targets are within reach up to size {MAX_PLAIN_SIZE}",
        ) from None
    needed = rest_table.estimate_bytes(size)
    if needed > MAX_TABLE_BYTES:
        raise TooLarge(
            f"a table of all targets would take about {needed >> 30:,} GB",
            f"all targets are within reach up to size {max_size()}",
        )
    return rest_table.iterate_lost_rests(size, progress, checkpoints)


def max_size() -> int:
    """The largest size whose targets are all within reach, with NumPy."""
    from numberduels.games.summation_duel.rest_table import estimate_bytes

    return max(size for size in range(MAX_PLAIN_SIZE, 64) if estimate_bytes(size) <= MAX_TABLE_BYTES)


def lost_rests(size: int, progress: ProgressCallback | None = None) -> list[int]:
    """For each n from 0 to size, the rests with which the player to move loses the numbers 1..n, as bits.

    >>> [bin(lost) for lost in lost_rests(4)]
    ['0b1', '0b10', '0b1001', '0b1000110', '0b10000100001']
    """
    loses = [0] * (1 << size)
    for left in range(1 << size):
        wins = total = 0
        for i in range(left.bit_length()):
            if left >> i & 1:
                wins |= loses[left ^ 1 << i]
                total += i + 1
        loses[left] = (2 << total) - 1 & ~wins
        if progress and left % OFTEN == 0:
            progress(left, 1 << size)
    return [loses[(1 << n) - 1] for n in range(size + 1)]
