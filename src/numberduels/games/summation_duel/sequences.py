"""The sequences of Summation Duel: with which targets each player wins, by size."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from numberduels.analysis.sequences import Compute, IntegerSequence, ProofStatus
from numberduels.game.contract import ProgressCallback
from numberduels.games.summation_duel.all_targets import lost_targets
from numberduels.games.summation_duel.laws import least_lost_target

METHOD = "a table of all sets of numbers left and all targets"
NUMBERS = "Summation Duel with the numbers 1 to n"


def _from_lost_targets(pick: Callable[[int, list[int]], int]) -> Compute:
    """The terms that `pick` computes from n and the targets with which Player 2 wins the numbers 1..n."""

    def compute(indices: range, progress: ProgressCallback | None) -> Iterator[int]:
        lists = lost_targets(max(indices, default=0), progress)
        return (pick(n, lists[n]) for n in indices)

    return compute


SEQUENCES = (
    IntegerSequence(
        "summation-duel-winning-targets",
        f"the number of targets with which Player 1 wins {NUMBERS}",
        range(1, 23),
        _from_lost_targets(lambda n, lost: n * (n + 1) // 2 - len(lost)),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "summation-duel-lost-targets",
        f"the number of targets with which Player 2 wins {NUMBERS}",
        range(1, 23),
        _from_lost_targets(lambda _, lost: len(lost)),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "summation-duel-least-lost-target",
        f"the least target with which Player 2 wins {NUMBERS}",
        range(2, 101),
        lambda indices, _: map(least_lost_target, indices),
        "the theorem of halving",
        ProofStatus.THEOREM,
        "the least number above n whose exponent of 2 is even; docs/summation_duel.md",
    ),
)
