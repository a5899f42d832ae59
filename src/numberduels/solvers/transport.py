"""Transport: whether supplies can be shipped along the given ways to places of limited capacity.

With all supplies and capacities equal to one this is the question whether every source can be matched to a
place of its own, as in Hall's theorem. It is answered by a maximum flow: first greedily, then along shortest
augmenting paths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise


def can_ship(supplies: Sequence[int], capacities: Sequence[int], ways: Sequence[Sequence[int]]) -> bool:
    """Whether a plan ships all supplies; `ways[i]` lists the places that source `i` reaches.

    >>> can_ship([1, 1], [1, 1], [[0, 1], [0]]), can_ship([2, 2], [3], [[0], [0]])
    (True, False)
    """
    if sum(supplies) > sum(capacities):
        return False
    left, room = list(supplies), list(capacities)
    shipped: list[dict[int, int]] = [{} for _ in capacities]
    """For each place, how much each source ships to it."""
    order = sorted(range(len(left)), key=lambda source: len(ways[source]))
    for source in order:
        for place in sorted(ways[source], key=room.__getitem__, reverse=True):
            amount = min(left[source], room[place])
            _ship(shipped, source, place, amount)
            left[source] -= amount
            room[place] -= amount
    for source in order:
        while left[source]:
            path = _augmenting_path(source, ways, room, shipped)
            if not path:
                return False
            end = path[-1][1]
            rerouted = [(place, later) for (_, place), (later, _) in pairwise(path)]
            amount = min(left[source], room[end], *(shipped[place][later] for place, later in rerouted))
            left[source] -= amount
            room[end] -= amount
            for by, place in path:
                _ship(shipped, by, place, amount)
            for place, later in rerouted:
                _ship(shipped, later, place, -amount)
    return True


def _ship(shipped: list[dict[int, int]], source: int, place: int, amount: int) -> None:
    if amount:
        total = shipped[place].get(source, 0) + amount
        shipped[place][source] = total
        if not total:
            del shipped[place][source]


def _augmenting_path(
    start: int, ways: Sequence[Sequence[int]], room: list[int], shipped: list[dict[int, int]]
) -> list[tuple[int, int]]:
    """A shortest way to free room: pairs (source, place); each next source leaves the place before it."""
    came_from: dict[int, int] = {start: -1}
    reached_by: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        source = waiting.popleft()
        for place in ways[source]:
            if place in reached_by:
                continue
            reached_by[place] = source
            if room[place]:
                return _trace(place, came_from, reached_by)
            for other in shipped[place]:
                if other not in came_from:
                    came_from[other] = place
                    waiting.append(other)
    return []


def _trace(place: int, came_from: dict[int, int], reached_by: dict[int, int]) -> list[tuple[int, int]]:
    path = []
    while place >= 0:
        source = reached_by[place]
        path.append((source, place))
        place = came_from[source]
    return path[::-1]
