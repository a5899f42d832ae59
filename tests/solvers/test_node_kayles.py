"""Node Kayles: against a plain memo that knows no trick, on all kinds of graphs."""

from __future__ import annotations

from random import Random

import pytest

from numberduels.solvers.node_kayles import SMALL_NIMBERS, NodeKayles
from numberduels.solvers.oracle import TooLarge
from solvers.kayles_graphs import Graph, Plain, graph, path, random_graph
from tables import table


def check(neighbours: Graph, available: int) -> None:
    nimber = Plain(neighbours).nimber(available)
    assert NodeKayles(neighbours).wins(available) == (nimber > 0)
    assert NodeKayles(neighbours).nimber(available) == nimber
    engine = NodeKayles(neighbours)
    for g in range(nimber + 3):
        assert engine.has_nimber(available, g) == (g == nimber)
    assert engine.nimber(available) == nimber


def test_a_path_is_dawsons_kayles() -> None:
    known = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5]
    assert [NodeKayles(path(size)).nimber((1 << size) - 1) for size in range(len(known))] == known


@table("size", range(1, 12))
def test_complete_and_empty_graphs(size: int) -> None:
    whole = (1 << size) - 1
    assert NodeKayles([whole ^ 1 << v for v in range(size)]).nimber(whole) == 1
    assert NodeKayles([0] * size).nimber(whole) == size % 2


@table("leaves", range(1, 9))
def test_a_star(leaves: int) -> None:
    check(graph(leaves + 1, *((0, v) for v in range(1, leaves + 1))), (2 << leaves) - 1)


@table("size", range(3, 12))
def test_a_ring(size: int) -> None:
    check(graph(size, *((v, (v + 1) % size) for v in range(size))), (1 << size) - 1)


@table("seed", range(20))
def test_random_graphs_with_twins(seed: int) -> None:
    rng = Random(seed)
    for _ in range(25):
        size = rng.randint(1, 10)
        check(random_graph(rng, size), (1 << size) - 1)


@table("seed", range(5))
def test_one_table_serves_every_subset(seed: int) -> None:
    rng = Random(100 + seed)
    neighbours = random_graph(rng, 9)
    engine, plain = NodeKayles(neighbours), Plain(neighbours)
    for available in rng.sample(range(1 << 9), 1 << 9):
        assert engine.wins(available) == (plain.nimber(available) > 0)
        assert engine.nimber(available) == plain.nimber(available)


def test_two_copies_cancel_unvisited() -> None:
    neighbours = path(9)
    twice = [*neighbours, *(near << 9 for near in neighbours)]
    engine = NodeKayles(twice, canon=lambda mask: mask if mask < 1 << 9 else mask >> 9)
    assert engine.nimber((1 << 18) - 1) == 0
    assert engine.visited == 0


def test_small_connected_parts_without_twins_have_the_nimber_of_their_size() -> None:
    for size in range(1, len(SMALL_NIMBERS)):
        pairs = [(i, j) for i in range(size) for j in range(i)]
        for chosen in range(1 << len(pairs)):
            neighbours = graph(size, *(pair for k, pair in enumerate(pairs) if chosen >> k & 1))
            whole = (1 << size) - 1
            plain = Plain(neighbours)
            if plain.component(whole) == whole and NodeKayles(neighbours)._without_twins(whole) == whole:
                assert plain.nimber(whole) == SMALL_NIMBERS[size]


@table("seed", range(10))
def test_twins_that_are_left_out_change_nothing(seed: int) -> None:
    rng = Random(seed)
    for _ in range(30):
        size = rng.randint(2, 9)
        neighbours = random_graph(rng, size)
        plain = Plain(neighbours)
        part = plain.component((1 << size) - 1)
        fewer = NodeKayles(neighbours)._without_twins(part)
        assert fewer & ~part == 0
        assert plain.component(fewer) == fewer
        assert plain.nimber(fewer) == plain.nimber(part)


def test_parts_are_the_components() -> None:
    assert NodeKayles(path(7)).components(0b1101011) == [0b11, 0b1000, 0b1100000]
    assert NodeKayles(path(3)).components(0) == []


def test_the_empty_graph_is_lost() -> None:
    engine = NodeKayles(path(5))
    assert not engine.wins(0)
    assert engine.nimber(0) == engine.visited == 0


def test_more_parts_than_allowed_are_too_many() -> None:
    neighbours = path(40)
    needed = NodeKayles(neighbours)
    needed.nimber((1 << 40) - 1)
    assert NodeKayles(neighbours, max_positions=needed.visited).nimber((1 << 40) - 1) == needed.nimber(
        (1 << 40) - 1
    )
    with pytest.raises(TooLarge, match=f"more than {needed.visited - 1} positions"):
        NodeKayles(neighbours, max_positions=needed.visited - 1).nimber((1 << 40) - 1)


def test_what_was_too_large_stays_so_and_is_never_guessed() -> None:
    neighbours = path(40)
    engine = NodeKayles(neighbours, max_positions=5)
    for _ in range(3):
        with pytest.raises(TooLarge):
            engine.nimber((1 << 40) - 1)
    assert engine.nimber(0b1111) == 0


def test_progress_is_told_of_every_visit() -> None:
    seen: list[tuple[int, int]] = []
    engine = NodeKayles(path(20), max_positions=1_000)
    engine.progress = lambda done, total: seen.append((done, total))
    engine.nimber((1 << 20) - 1)
    assert seen == [(n, 0) for n in range(1, engine.visited + 1)]  # how many there will be is not known
