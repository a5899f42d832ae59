"""Graphs for the tests of node Kayles, and a plain memo that knows no trick."""

from __future__ import annotations

from random import Random

from numberduels.game.bits import members

Graph = list[int]


class Plain:
    """Components, the smallest number that no option has, and nothing else."""

    def __init__(self, neighbours: Graph) -> None:
        self.neighbours = neighbours
        self.memo: dict[int, int] = {0: 0}

    def nimber(self, available: int) -> int:
        if available not in self.memo:
            part = self.component(available)
            if part != available:
                self.memo[available] = self.nimber(part) ^ self.nimber(available & ~part)
            else:
                options = {self.nimber(part & ~(self.neighbours[v] | 1 << v)) for v in members(part)}
                self.memo[available] = next(g for g in range(len(options) + 1) if g not in options)
        return self.memo[available]

    def component(self, available: int) -> int:
        part, grown = 0, available & -available
        while part != grown:
            part = grown
            for v in members(part):
                grown |= self.neighbours[v] & available
        return part


def graph(size: int, *edges: tuple[int, int]) -> Graph:
    neighbours = [0] * size
    for one, other in edges:
        neighbours[one] |= 1 << other
        neighbours[other] |= 1 << one
    return neighbours


def path(size: int) -> Graph:
    return graph(size, *((v, v + 1) for v in range(size - 1)))


def random_graph(rng: Random, size: int) -> Graph:
    density = rng.random()
    neighbours = graph(size, *((i, j) for i in range(size) for j in range(i) if rng.random() < density))
    if rng.random() < 0.5:  # some vertices become twins of others, adjacent or not
        for twin in range(2, size):
            if rng.random() < 0.5:
                model, adjacent = rng.randrange(twin), rng.random() < 0.5
                neighbours = [near & ~(1 << twin) for near in neighbours]
                neighbours[twin] = neighbours[model] & ~(1 << twin) | adjacent << model
                for v in members(neighbours[twin]):
                    neighbours[v] |= 1 << twin
    return neighbours
