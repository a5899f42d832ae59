"""Node Kayles, by two searches: against a memo that knows no trick, on all kinds of graphs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from numberduels.games.restricted_removal.rules import neighbours as conflicts
from numberduels.games.restricted_removal.theory import interchange
from numberduels.solvers.node_kayles import SMALL_NIMBERS, KaylesProofSearch, NodeKayles
from numberduels.solvers.oracle import TooLarge
from solvers.kayles_graphs import Graph, Plain, graph, path, random_graph
from tables import table

Engine = Callable[..., NodeKayles]

ENGINES: list[Engine] = [
    NodeKayles,
    partial(KaylesProofSearch, plain_size=0),
    partial(KaylesProofSearch, plain_size=6),
]
every_engine = table("engine", ENGINES)


def check(engine: Engine, neighbours: Graph) -> None:
    whole = (1 << len(neighbours)) - 1
    nimber = Plain(neighbours).nimber(whole)
    assert engine(neighbours).wins(whole) == (nimber > 0)
    assert engine(neighbours).nimber(whole) == nimber
    solver = engine(neighbours)
    for g in (*range(nimber + 3), 0):
        assert solver.has_nimber(whole, g) == (g == nimber)
    assert solver.nimber(whole) == nimber


@every_engine
def test_a_path_is_dawsons_kayles(engine: Engine) -> None:
    # Guy and Smith 1956, the octal game 0.07 with one more heap.
    known = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5]
    assert [engine(path(size)).nimber((1 << size) - 1) for size in range(len(known))] == known


@every_engine
def test_stars_rings_and_random_graphs_with_twins(engine: Engine) -> None:
    for leaves in range(1, 9):
        check(engine, graph(leaves + 1, *((0, v) for v in range(1, leaves + 1))))
    for size in range(3, 12):
        check(engine, graph(size, *((v, (v + 1) % size) for v in range(size))))
    rng = Random(1)
    for _ in range(200):
        check(engine, random_graph(rng, rng.randint(1, 10)))


@every_engine
@table("seed", [100, 200])
def test_one_table_serves_every_subset(engine: Engine, seed: int) -> None:
    rng = Random(seed)
    neighbours = random_graph(rng, 9)
    solver, plain = engine(neighbours), Plain(neighbours)
    for available in rng.sample(range(1 << 9), 1 << 9):
        assert solver.wins(available) == (plain.nimber(available) > 0)
        assert solver.nimber(available) == plain.nimber(available)


def test_small_connected_parts_without_twins_have_the_nimber_of_their_size() -> None:
    for size in range(1, len(SMALL_NIMBERS)):
        pairs = [(i, j) for i in range(size) for j in range(i)]
        for chosen in range(1 << len(pairs)):
            neighbours = graph(size, *(pair for k, pair in enumerate(pairs) if chosen >> k & 1))
            whole = (1 << size) - 1
            plain = Plain(neighbours)
            if plain.component(whole) == whole and NodeKayles(neighbours)._without_twins(whole) == whole:
                assert plain.nimber(whole) == SMALL_NIMBERS[size]


def test_twins_that_are_left_out_change_nothing() -> None:
    rng = Random(1)
    for _ in range(200):
        size = rng.randint(2, 9)
        neighbours = random_graph(rng, size)
        plain = Plain(neighbours)
        part = plain.component((1 << size) - 1)
        fewer = NodeKayles(neighbours)._without_twins(part)
        assert fewer & ~part == 0
        assert plain.component(fewer) == fewer
        assert plain.nimber(fewer) == plain.nimber(part)


@table("size", [*range(2, 41), 52, 60])
def test_restricted_removal_as_the_plain_search_without_interchange_says(size: int) -> None:
    whole = (2 << size) - 4
    plain = NodeKayles(conflicts(size)).wins(whole)
    for plain_size in (0, 20):
        assert (
            KaylesProofSearch(conflicts(size), interchange(size), plain_size=plain_size).wins(whole) == plain
        )


@every_engine
def test_more_positions_than_allowed_are_too_many_and_never_guessed(engine: Engine) -> None:
    neighbours, whole = path(24), (1 << 24) - 1
    needed = engine(neighbours)
    nimber = needed.nimber(whole)
    assert engine(neighbours, max_positions=needed.visited).nimber(whole) == nimber
    limited = engine(neighbours, max_positions=needed.visited - 1)
    for _ in range(3):
        with pytest.raises(TooLarge, match=f"more than {needed.visited - 1} positions"):
            limited.nimber(whole)
    assert limited.nimber(0b1111) == 0
