"""The sequences of Range War: winning first moves and winners by size."""

from __future__ import annotations

from numberduels.analysis.sequences import (
    IntegerSequence,
    ProofStatus,
    from_starts,
    winner,
    winning_first_moves,
)
from numberduels.games.range_war.rules import RangeWar

METHOD = "the count of free numbers on each side"

SEQUENCES = (
    IntegerSequence(
        "range-war-winning-first-moves",
        "the number of first moves that win Range War with the numbers 1 to n, if the second number must be"
        " lower than the first",
        range(1, 51),
        from_starts(lambda n: RangeWar(size=n), winning_first_moves),
        METHOD,
        ProofStatus.THEOREM,
        "ceiling(n / 2); docs/sequences.md",
    ),
    IntegerSequence(
        "range-war-free-winning-first-moves",
        "the number of first moves that win Range War with the numbers 1 to n, if the second number may be"
        " lower or higher",
        range(1, 51),
        from_starts(lambda n: RangeWar(size=n, opening="free"), winning_first_moves),
        METHOD,
        ProofStatus.THEOREM,
        "n mod 2; docs/sequences.md",
    ),
    IntegerSequence(
        "range-war-misere-winner",
        "the player, 1 or 2, who wins Range War with the numbers 1 to n if a stuck player wins",
        range(1, 51),
        from_starts(lambda n: RangeWar(size=n, ending="misere"), winner),
        "the parity of the count of free numbers",
        ProofStatus.THEOREM,
        "1 for even n and 2 for odd n; docs/theorems.md",
    ),
)
