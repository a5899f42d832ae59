"""Proof-number search gives the same nimbers as the plain search, on every kind of graph."""

from __future__ import annotations

from random import Random

import pytest

from numberduels.games.restricted_removal.rules import neighbours
from numberduels.games.restricted_removal.theory import interchange
from numberduels.solvers.kayles_proof_search import KaylesProofSearch
from numberduels.solvers.node_kayles import NodeKayles
from numberduels.solvers.oracle import TooLarge
from solvers.kayles_graphs import Plain, path, random_graph
from tables import table


def test_a_path_is_dawsons_kayles() -> None:
    # Guy and Smith 1956, the octal game 0.07 with one more heap.
    known = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5]
    found = [
        KaylesProofSearch(path(size), plain_size=0).nimber((1 << size) - 1) for size in range(len(known))
    ]
    assert found == known


@table("plain_size", [0, 6])
@table("seed", range(20))
def test_random_graphs_with_twins(seed: int, plain_size: int) -> None:
    rng = Random(seed)
    for _ in range(15):
        size = rng.randint(1, 11)
        neighbours, whole = random_graph(rng, size), (1 << size) - 1
        nimber = Plain(neighbours).nimber(whole)
        assert KaylesProofSearch(neighbours, plain_size=plain_size).nimber(whole) == nimber
        assert KaylesProofSearch(neighbours, plain_size=plain_size).wins(whole) == (nimber > 0)
        solver = KaylesProofSearch(neighbours, plain_size=plain_size)
        for g in (*range(nimber + 3), 0):
            assert solver.has_nimber(whole, g) == (g == nimber)


@table("seed", range(5))
def test_one_table_serves_every_subset(seed: int) -> None:
    rng = Random(200 + seed)
    neighbours = random_graph(rng, 9)
    solver, plain = KaylesProofSearch(neighbours, plain_size=0), Plain(neighbours)
    for available in rng.sample(range(1 << 9), 1 << 9):
        assert solver.wins(available) == (plain.nimber(available) > 0)
        assert solver.nimber(available) == plain.nimber(available)


@table("size", range(2, 61))
def test_restricted_removal_as_the_plain_search_without_interchange_says(size: int) -> None:
    whole = (2 << size) - 4
    plain = NodeKayles(neighbours(size)).wins(whole)
    for plain_size in (0, 20):
        solver = KaylesProofSearch(neighbours(size), interchange(size), plain_size=plain_size)
        assert solver.wins(whole) == plain


def test_positions_are_counted_and_limited() -> None:
    whole = (2 << 60) - 4
    solver = KaylesProofSearch(neighbours(60), interchange(60), plain_size=0)
    assert solver.wins(whole)
    limited = KaylesProofSearch(neighbours(60), interchange(60), solver.visited - 1, plain_size=0)
    with pytest.raises(TooLarge, match="there are more than"):
        limited.wins(whole)
