"""The sequences of Juniper Green: who wins at each size, by maximum matchings."""

from __future__ import annotations

from juniper_green.rules import JuniperGreen
from numberduels.analysis.sequences import (
    IntegerSequence,
    ProofStatus,
    from_starts,
    indices_with,
    winner,
    winning_first_moves,
)

METHOD = "a maximum matching of the graph of factors and multiples, by Edmonds' algorithm"
NUMBERS = "Juniper Green with the numbers 1 to n and an even first number"

_winners = from_starts(lambda n: JuniperGreen(size=n), winner)

SEQUENCES = (
    IntegerSequence(
        "juniper-green-winner",
        f"the player, 1 or 2, who wins {NUMBERS}",
        range(2, 101),
        _winners,
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "juniper-green-lost-sizes",
        "the n-th size N for which Player 2 wins Juniper Green with the numbers 1 to N and an even first"
        " number",
        range(1, 15),
        indices_with(_winners, 2, range(2, 201)),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "juniper-green-winning-first-moves",
        f"the number of first moves that win {NUMBERS}",
        range(2, 101),
        from_starts(lambda n: JuniperGreen(size=n), winning_first_moves),
        METHOD,
        ProofStatus.COMPUTED,
    ),
)
