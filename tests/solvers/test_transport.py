"""can_ship answers as Hall's condition does, checked on every set of sources."""

from __future__ import annotations

from itertools import combinations
from random import Random

from numberduels.solvers.transport import can_ship
from tables import table


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
    for seed in range(300):
        rng = Random(seed)
        supplies = [rng.randint(0, most) for _ in range(rng.randint(1, 7))]
        capacities = [rng.randint(0, most + 2) for _ in range(rng.randint(1, 7))]
        places = range(len(capacities))
        ways = [rng.sample(places, rng.randint(0, len(capacities))) for _ in supplies]
        expected = hall(supplies, capacities, ways)
        assert can_ship(supplies, capacities, ways) == expected, seed
        answers.add(expected)
    assert answers == {True, False}
