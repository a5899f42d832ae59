"""Groups of numbers that lock each other: how many moves they take, and which are built alike.

A group is a connected part of the graph of factors and multiples. How long it lasts may depend on how it is
played, or not: a group in which every number locks every other takes one move. Of two groups that are built
alike, one answers the other. These facts explain many positions without nimbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from numberduels.game.bits import members
from numberduels.solvers.node_kayles import Mask

LARGEST = 10
"""The largest group that is played out to see how long it lasts, and that is compared with others."""


class Groups:
    """The groups on one graph."""

    def __init__(self, neighbours: Sequence[Mask]) -> None:
        self._neighbours = neighbours
        self._lengths: dict[Mask, tuple[int, int, bool]] = {}

    def split(self, available: Mask) -> list[Mask]:
        """The groups of a set of numbers, by their lowest number."""
        found = []
        while available:
            part = grown = available & -available
            while grown:
                near = 0
                for number in members(grown):
                    near |= self._neighbours[number]
                grown = near & available & ~part
                part |= grown
            found.append(part)
            available ^= part
        return found

    def length(self, available: Mask) -> tuple[int, int, bool]:
        """The fewest and the most moves until nothing is left, and whether only one of even and odd occurs.

        >>> from numberduels.games.restricted_removal.rules import neighbours
        >>> Groups(neighbours(10)).length(1 << 4 | 1 << 8 | 1 << 7)
        (2, 2, True)
        """
        least = most = 0
        steady = True
        for group in self.split(available):
            one, other, even_or_odd = self._group_length(group)
            least, most, steady = least + one, most + other, steady and even_or_odd
        return least, most, steady

    def _group_length(self, group: Mask) -> tuple[int, int, bool]:
        found = self._lengths.get(group)
        if found is None:
            after = [self.length(group & ~(self._neighbours[each] | 1 << each)) for each in members(group)]
            steady = all(each[2] for each in after) and len({each[0] % 2 for each in after}) == 1
            found = min(each[0] for each in after) + 1, max(each[1] for each in after) + 1, steady
            self._lengths[group] = found
        return found

    def is_steady(self, group: Mask) -> bool:
        """Whether the group takes an even number of moves however it is played, or always an odd one."""
        return group.bit_count() <= LARGEST and self._group_length(group)[2]

    def alike(self, one: Mask, other: Mask) -> bool:
        """Whether two groups are built alike: matched in some way, the same numbers lock each other.

        >>> from numberduels.games.restricted_removal.rules import neighbours
        >>> groups = Groups(neighbours(30))
        >>> groups.alike(1 << 5 | 1 << 10 | 1 << 15, 1 << 7 | 1 << 14 | 1 << 21)
        True
        """
        if one.bit_count() != other.bit_count() or one.bit_count() > LARGEST:
            return False
        return self._matches(list(members(one)), [], members(other))

    def _matches(self, numbers: list[int], chosen: list[int], others: Sequence[int]) -> bool:
        """Whether the numbers chosen for the first ones can be completed by others."""
        if len(chosen) == len(numbers):
            return True
        near = self._neighbours
        number = numbers[len(chosen)]
        return any(
            self._matches(numbers, [*chosen, each], [other for other in others if other != each])
            for each in others
            if all(
                near[number] >> earlier & 1 == near[each] >> twin & 1
                for earlier, twin in zip(numbers, chosen, strict=False)
            )
        )

    def pairs(self, groups: Sequence[Mask]) -> list[tuple[Mask, Mask]] | None:
        """The groups in pairs that are built alike; None if some group has no twin."""
        if not groups:
            return []
        one, *rest = groups
        twin = next((each for each in rest if self.alike(one, each)), None)
        if twin is None:
            return None
        rest.remove(twin)
        others = self.pairs(rest)
        return None if others is None else [(one, twin), *others]
