"""Who wins Restricted Removal, by three methods that have little in common."""

from __future__ import annotations

import pytest
from tools.check_restricted_removal import LARGEST_BARE, BareSearch

from numberduels.games.restricted_removal.rules import neighbours
from numberduels.games.restricted_removal.theory import interchange
from numberduels.solvers.node_kayles import KaylesProofSearch, NodeKayles
from tables import table


@table("size", [*range(2, 36), LARGEST_BARE])
def test_a_search_without_reductions_finds_the_same_winner(size: int) -> None:
    whole = (2 << size) - 4
    assert BareSearch(size).wins() == NodeKayles(neighbours(size), interchange(size)).wins(whole)


@pytest.mark.long
@table("size", [75, 80, 99])
def test_proof_numbers_find_the_same_winner_as_the_plain_search(size: int) -> None:
    whole, related, canon = (2 << size) - 4, neighbours(size), interchange(size)
    assert KaylesProofSearch(related, canon).wins(whole) == NodeKayles(related, canon).wins(whole)
