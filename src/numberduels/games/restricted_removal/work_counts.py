"""How many positions the searches of Restricted Removal visit, counted once: they are the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from numberduels.game.work_estimate import Bound, WorkEstimate

BYTES_EACH = 2_200
"""Memory of one position of the search for the winner, measured at 119, 120 and 129."""

LENGTH_BYTES_EACH = 5_300
"""Memory of one position of the search for the length."""


def _by_size(first: int, counts: str) -> dict[int, int]:
    return dict(enumerate(map(int, counts.split()), first))


WINNER = _by_size(
    61,
    """
    105 105 127 127 53 53 1277 1626 547 654 53 53 234 234 6546 7659 50 50 10047 10675 1150 1150 50
    50 841 841 2415 2485 11299 8050 2170 2417 3590 3590 143 143 1137 1017 31578 20275 224 224 11155
    12770 1949 1948 317 317 1889 3571 20690 21656 317 317 14710 14756 33889 33888 85840 91231 653
    653 653 653 314 314 23939 23939 54864 460904 314 314 32754 32754 64787 72483 176745 271073 65415
    74443 59127 59127 644 644 595630 690669 64088 62726 16091 27287
    """,
)
"""Positions to find out who wins, by size, from nothing; a table shared with smaller sizes needs fewer."""

LENGTH = _by_size(
    60,
    """
    330 333 333 440 455 478 607 593 809 930 972 956 772 791 791 1406 1430 1683 1626 1673 1957 1303
    1303 1284 1402 2085 2085 2622 3488 3410 4226 4427 4642 6409 6409 6809 7305 7117 8234 10152 11669
    11763 13708 13621 15786 17574 17574 17427 19130 19266 21091
    """,
)
"""Positions to find both lengths, by size, from nothing."""

ALL_WINNERS = 1_655_576
"""Positions to find out who wins at 2..150, with one table."""

ALL_LENGTHS = 93_634
"""Positions to find both lengths at 2..110, with one table."""


def estimate_winner(size: int, limit: int) -> WorkEstimate:
    """What it takes to find out who wins at this size.

    >>> estimate_winner(120, 1_000_000).positions
    91231
    """
    if size in WINNER:
        return WorkEstimate(WINNER[size], WINNER[size] * BYTES_EACH, Bound.ABOUT)
    return WorkEstimate(limit, limit * BYTES_EACH)


def estimate_winners(sizes: range, limit: int) -> WorkEstimate:
    """What it takes to find out who wins at all these sizes, with one table."""
    if sizes[-1] > max(WINNER):
        return WorkEstimate(limit, limit * BYTES_EACH)
    most = min(sum(WINNER.get(size, 0) for size in sizes), ALL_WINNERS)
    return WorkEstimate(most, most * BYTES_EACH, Bound.AT_MOST)


def estimate_lengths(starts: Sequence[int], limit: int) -> WorkEstimate:
    """What it takes to find both lengths of these sets of numbers, with one table.

    >>> estimate_lengths([(1 << 101) - 4], 300_000).positions    # 2..100
    11669
    """
    sizes = [start.bit_length() - 1 for start in starts]
    known = all(start == (2 << size) - 4 for start, size in zip(starts, sizes, strict=True))
    if not known or max(sizes) > max(LENGTH):
        return WorkEstimate(limit, limit * LENGTH_BYTES_EACH)
    most = min(sum(LENGTH.get(size, 0) for size in sizes), ALL_LENGTHS)
    return WorkEstimate(most, most * LENGTH_BYTES_EACH, Bound.AT_MOST if len(sizes) > 1 else Bound.ABOUT)
