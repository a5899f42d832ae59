"""Who wins Summation Duel by a law: what is proven, what is only seen, and guesses that fail.

docs/summation_duel.md has the proofs, under the same names. Every statement is checked on the whole table by

    duel sweep summation-duel --size 1..22 --target all

In what follows the numbers are 1 to N, S is their sum, T the target and S - T the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from numberduels.analysis.winner_table import Cell, Kind, Statement, Winners, WinnerTable
from numberduels.game.contract import ProgressCallback
from numberduels.games.summation_duel.all_targets import iterate_lost_targets
from numberduels.solvers.resumable import Checkpoints


def sum_to(size: int) -> int:
    """The sum of the numbers 1 to size."""
    return size * (size + 1) // 2


def exponent_of_two(number: int) -> int:
    """How often a number can be halved.

    >>> [exponent_of_two(number) for number in (1, 2, 12)]
    [0, 1, 2]
    """
    return (number & -number).bit_length() - 1


# Theorems


def at_once(size: int, target: int) -> int | None:
    """A target among the numbers is met with the first move."""
    return 1 if target <= size else None


def halving(size: int, target: int) -> int | None:
    """Just above the numbers, only halving what is missing does not lose at once."""
    if target not in (size + 1, size + 2):
        return None
    return 1 if exponent_of_two(target) % 2 else 2


def least_lost_target(size: int) -> int:
    """The least target with which Player 2 wins: the theorem of halving, for sizes from 2 on.

    >>> [least_lost_target(size) for size in range(2, 12)]
    [3, 4, 5, 7, 7, 9, 9, 11, 11, 12]
    """
    return size + 1 if exponent_of_two(size + 1) % 2 == 0 else size + 2


def begin_with_one(size: int, target: int) -> int | None:
    """A little further up, begin with 1 and leave 1 or 2 missing when it is used."""
    return 1 if size + 3 <= target <= size + 5 else None


def all_numbers(size: int, target: int) -> int | None:
    """If the target is the sum, every number is used."""
    return 1 + (size + 1) % 2 if target == sum_to(size) else None


def small_rest(size: int, target: int) -> int | None:
    """If the rest is small, pairs that add up to one less than the rest keep the parity."""
    rest, odd = sum_to(size) - target, size % 2
    return 1 + odd if 1 <= rest <= size - odd else None


def pairs(size: int, target: int) -> int | None:
    """An even size is pairs that add up to size + 1."""
    return 2 if size % 2 == 0 and target % (size + 1) == 0 else None


def one_and_pairs(size: int, target: int) -> int | None:
    """An odd size is one number and pairs: without 1, without the middle number or without the last."""
    first = ((1, size + 2), ((size + 1) // 2, size + 1), (size, size))
    if size % 2 and any((target - number) % pair == 0 for number, pair in first):
        return 1
    return None


# Seen, not proven


def second_band_even(size: int, target: int) -> int | None:
    """The rest is above the size, at most twice as large and one more: Player 1 at even sizes."""
    rest = sum_to(size) - target
    return 1 if size % 2 == 0 and size + 2 <= rest <= 2 * size + 1 else None


def second_band_odd(size: int, target: int) -> int | None:
    """The rest is well above the size and less than twice as large: Player 2 at odd sizes."""
    rest = sum_to(size) - target
    return 2 if size % 2 and size >= 11 and size + 7 <= rest <= 2 * size - 1 else None


def between_the_bands(size: int, target: int) -> int | None:
    """Between the two bands of odd sizes, the winners alternate."""
    if size % 2 == 0 or size < 9:
        return None
    return {3: 2, 4: 1, 5: 2, 6: 1}.get(sum_to(size) - target - size)


# Guesses


def complements(cell: Cell, winners: Winners) -> int | None:
    """Adding to T or leaving T looks like the same game."""
    size, target = cell
    return winners.get((size, sum_to(size) - target)) if size % 2 == 0 else None


def only_pairs(size: int, target: int) -> int | None:
    """Without an answer in pairs, Player 2 seems lost."""
    return None if size % 2 else 1 if target % (size + 1) else 2


def pairs_at_odd_sizes(size: int, target: int) -> int | None:
    """The middle number has no partner, which seems a detail."""
    return 2 if size % 2 and target % (size + 1) == 0 else None


def more_numbers_help(cell: Cell, winners: Winners) -> int | None:
    """More numbers look like more choice for Player 1."""
    size, target = cell
    return 1 if winners.get((size - 1, target)) == 1 else None


def _statement(kind: Kind, text: str, law: Callable[[int, int], int | None]) -> Statement:
    return Statement(kind, text, lambda cell, _: law(*cell))


STATEMENTS = (
    _statement(Kind.THEOREM, "At once: if T <= N, Player 1 wins.", at_once),
    _statement(
        Kind.THEOREM,
        "Halving: if T is N + 1 or N + 2, Player 1 wins if and only if T can be halved an odd number of times"
        " before it is odd.",
        halving,
    ),
    _statement(Kind.THEOREM, "Begin with 1: if N + 3 <= T <= N + 5, Player 1 wins with 1.", begin_with_one),
    _statement(Kind.THEOREM, "All numbers: if T = S, Player 1 wins if and only if N is odd.", all_numbers),
    _statement(
        Kind.THEOREM,
        "Small rest: for even N and 1 <= S - T <= N Player 1 wins, for odd N and 1 <= S - T < N Player 2.",
        small_rest,
    ),
    _statement(Kind.THEOREM, "Pairs: for even N and T a multiple of N + 1 Player 2 wins.", pairs),
    _statement(
        Kind.THEOREM,
        "One and pairs: for odd N Player 1 wins if T is 1 + q (N + 2), (N + 1) / 2 + q (N + 1) or N + q N.",
        one_and_pairs,
    ),
    _statement(Kind.SEEN, "For even N and N + 2 <= S - T <= 2 N + 1 Player 1 wins.", second_band_even),
    _statement(Kind.SEEN, "For odd N >= 11 and N + 7 <= S - T <= 2 N - 1 Player 2 wins.", second_band_odd),
    _statement(
        Kind.SEEN,
        "For odd N >= 9 Player 2 wins if S - T is N + 3 or N + 5, and Player 1 if it is N + 4 or N + 6.",
        between_the_bands,
    ),
    Statement(Kind.GUESS, "For even N the targets T and S - T have the same winner.", complements),
    _statement(Kind.GUESS, "For even N Player 2 wins only if T is a multiple of N + 1.", only_pairs),
    _statement(Kind.GUESS, "For odd N, too, Player 2 wins if T is a multiple of N + 1.", pairs_at_odd_sizes),
    Statement(
        Kind.GUESS, "If Player 1 wins with the numbers 1 to N - 1, then also with 1 to N.", more_numbers_help
    ),
)


def _compute(
    sizes: range, progress: ProgressCallback | None, checkpoints: Checkpoints | None = None
) -> Iterator[tuple[int, list[int]]]:
    for size, targets in iterate_lost_targets(max(sizes, default=0), progress, checkpoints):
        if size in sizes:
            lost = set(targets)
            yield size, [2 if target in lost else 1 for target in range(1, sum_to(size) + 1)]


WINNER_TABLE = WinnerTable(
    "target",
    "a table of all sets of numbers left and all targets",
    _compute,
    STATEMENTS,
    "N is the size, T the target and S the sum of the numbers 1 to N.",
    resumable=True,
)
