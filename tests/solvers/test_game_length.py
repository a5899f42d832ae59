"""The length of a game on a graph of conflicts, against a plain search that knows no trick."""

from __future__ import annotations

from random import Random

import pytest

from numberduels.game.bits import members
from numberduels.solvers import graphs
from numberduels.solvers.game_length import GameLength
from numberduels.solvers.oracle import TooLarge
from tables import table

from .kayles_graphs import Graph, graph, path, random_graph

CYCLE = graph(6, *((v, (v + 1) % 6) for v in range(6)))


class PlainLength:
    """Minimax over all positions, and nothing else."""

    def __init__(self, neighbours: Graph) -> None:
        self.neighbours = neighbours
        self.memo: dict[tuple[int, bool], int] = {}

    def after(self, available: int, long_begins: bool) -> dict[int, int]:
        """For each move the length after it."""
        return {
            v: self.length(available & ~(self.neighbours[v] | 1 << v), not long_begins)
            for v in members(available)
        }

    def length(self, available: int, long_begins: bool) -> int:
        if not available:
            return 0
        key = available, long_begins
        if key not in self.memo:
            lengths = self.after(available, long_begins).values()
            self.memo[key] = 1 + (max(lengths) if long_begins else min(lengths))
        return self.memo[key]


@table("small", [0, 10])
@table("seed", range(25))
def test_it_agrees_with_the_plain_search(seed: int, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "SMALL", small)
    rng = Random(seed)
    neighbours = random_graph(rng, rng.randrange(6, 11))
    everything = (1 << len(neighbours)) - 1
    plain, solver = PlainLength(neighbours), GameLength(neighbours)
    for long_begins in (True, False):
        length = plain.length(everything, long_begins)
        guess = rng.choice([None, 0, 2, 100])
        assert solver.length(everything, long_begins=long_begins, guess=guess) == length
        after = plain.after(everything, long_begins)
        best = [v for v in after if after[v] == length - 1]
        assert solver.best_moves(everything, long_begins=long_begins) == best


@table("seed", range(15))
def test_who_moves_next_matters_in_every_component(seed: int) -> None:
    rng = Random(seed)
    neighbours: Graph = []
    while len(neighbours) < 11:
        part = rng.choice([CYCLE, path(3), path(5), path(6), graph(4, (0, 1), (0, 2), (0, 3)), [0]])
        neighbours += [near << len(neighbours) for near in part]
    everything = (1 << len(neighbours)) - 1
    plain, solver = PlainLength(neighbours), GameLength(neighbours)
    for long_begins in (True, False):
        length = solver.length(everything, long_begins=long_begins)
        assert length == plain.length(everything, long_begins)


def test_symmetric_positions_are_visited_once() -> None:
    neighbours = path(20)
    plain = GameLength(neighbours)
    mirrored = GameLength(neighbours, canon=lambda mask: min(mask, int(f"{mask:020b}"[::-1], 2)))
    lengths = {each.length((1 << 20) - 1, long_begins=True) for each in (plain, mirrored)}
    assert len(lengths) == 1
    assert mirrored.visited < plain.visited


def test_what_is_known_when_there_are_too_many_positions() -> None:
    neighbours, everything = path(20), (1 << 20) - 1
    length = GameLength(neighbours).length(everything, long_begins=True)
    solver = GameLength(neighbours, max_positions=5)
    with pytest.raises(TooLarge, match="more than 5 positions"):
        solver.length(everything, long_begins=True)
    low, high = solver.bounds(everything, long_begins=True)
    assert low <= length <= high and low < high
