"""The sequences of Restricted Removal: nimbers, winners, winning first moves and lengths by size."""

from __future__ import annotations

from numberduels.analysis.game_length import length_terms
from numberduels.analysis.sequences import (
    IntegerSequence,
    ProofStatus,
    from_starts,
    indices_with,
    nimber,
    winner,
    winning_first_moves,
)
from numberduels.games.restricted_removal.rules import RestrictedRemoval

METHOD = "node Kayles on the graph of factors and multiples, a search of each connected component"
NUMBERS = "Restricted Removal with the numbers 2 to n"

_winners = from_starts(RestrictedRemoval, winner)

SEQUENCES = (
    IntegerSequence(
        "restricted-removal-nimbers",
        f"the nimber of {NUMBERS}",
        range(2, 61),
        from_starts(RestrictedRemoval, nimber),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "restricted-removal-winner",
        f"the player, 1 or 2, who wins {NUMBERS}",
        range(2, 81),
        _winners,
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "restricted-removal-lost-sizes",
        "the n-th size N for which Player 2 wins Restricted Removal with the numbers 2 to N",
        range(1, 14),
        indices_with(_winners, 2, range(2, 101)),
        METHOD,
        ProofStatus.COMPUTED,
        "all sizes up to 100: docs/games/restricted_removal.md",
    ),
    IntegerSequence(
        "restricted-removal-winning-first-moves",
        f"the number of first moves that win {NUMBERS}",
        range(2, 61),
        from_starts(RestrictedRemoval, winning_first_moves),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    *(
        IntegerSequence(
            f"restricted-removal-length-{wish}-first",
            f"the number of moves of {NUMBERS} if one player wants a long game and the other one a short"
            f" game, and the one who wants a {wish} game begins",
            range(2, 71),
            length_terms(RestrictedRemoval, long_begins=wish == "long"),
            "null windows on the graph of factors and multiples",
            ProofStatus.COMPUTED,
            "docs/erdos_872.md",
        )
        for wish in ("long", "short")
    ),
)
