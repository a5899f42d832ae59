"""Bounds on maximal independent sets, against all sets of small graphs."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from numberduels.game.bits import members
from numberduels.solvers import graphs
from numberduels.solvers.graphs import IndependentSets, can_ship
from tables import table

from .kayles_graphs import Graph, graph, random_graph


def all_sizes(neighbours: Graph) -> set[int]:
    """The sizes of all maximal independent sets, by trying every set of vertices."""
    found = set()
    for chosen in range(1 << len(neighbours)):
        near = 0
        for v in members(chosen):
            near |= neighbours[v]
        if not near & chosen and near | chosen == (1 << len(neighbours)) - 1:
            found.add(chosen.bit_count())
    return found


def divisibility(size: int) -> Graph:
    """Vertex v stands for the number v + 2; adjacent if one divides the other."""
    numbers = range(2, size + 1)
    edges = [(a - 2, b - 2) for a in numbers for b in numbers if a < b and b % a == 0]
    return graph(size - 1, *edges)


@table("seed", range(30))
def test_a_small_graph_is_exact(seed: int) -> None:
    neighbours = random_graph(Random(seed), 7)
    sizes = all_sizes(neighbours)
    assert IndependentSets(neighbours).sizes(0b1111111) == (min(sizes), max(sizes))


@table("seed", range(30))
def test_a_large_graph_has_bounds_on_both_sides(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "SMALL", 0)
    neighbours = random_graph(Random(seed), 8)
    sizes, (low, high) = all_sizes(neighbours), IndependentSets(neighbours).sizes(0b11111111)
    assert low <= min(sizes) <= max(sizes) <= high


@table("size", range(2, 15))
def test_the_largest_antichain_of_an_order_is_exact(size: int) -> None:
    everything = (1 << size - 1) - 1
    width = IndependentSets(divisibility(size)).greatest(everything)
    assert width == max(all_sizes(divisibility(size))) == (size + 1) // 2


# Transport


def hall(supplies: list[int], capacities: list[int], ways: list[list[int]]) -> bool:
    """Whether no set of sources has more to ship than its places can take."""
    sources = range(len(supplies))
    for count in range(1, len(supplies) + 1):
        for group in combinations(sources, count):
            places = {place for source in group for place in ways[source]}
            if sum(supplies[source] for source in group) > sum(capacities[place] for place in places):
                return False
    return True


@table("most", [1, 7])
def test_a_plan_exists_exactly_if_no_set_of_sources_has_too_little_room(most: int) -> None:
    answers = set()
    for seed in range(1_500):
        rng = Random(seed)
        supplies = [rng.randint(0, most) for _ in range(rng.randint(1, 7))]
        capacities = [rng.randint(0, most + 2) for _ in range(rng.randint(1, 7))]
        places = range(len(capacities))
        ways = [rng.sample(places, rng.randint(0, len(capacities))) for _ in supplies]
        expected = hall(supplies, capacities, ways)
        assert can_ship(supplies, capacities, ways) == expected, seed
        answers.add(expected)
    assert answers == {True, False}
