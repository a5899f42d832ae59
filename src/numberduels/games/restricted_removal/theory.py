"""Who wins Restricted Removal: node Kayles on the graph of factors and multiples.

Connect two numbers if one divides the other. Removing a number removes it and all its neighbours, and a
player who cannot move loses. That is node Kayles, an impartial game; `solvers/node_kayles.py` solves it and
has the proof. This game adds a symmetry.

Interchange. Let p be a prime with p * p > N. Then p divides each of its multiples p, 2p, 3p ... up to N only
once, and no two such primes have a common multiple. So kp is connected to jp if and only if k is to j, to a
number n without such a prime if and only if n divides k, and to nothing else. Which prime it is does not
matter, only which k are left. Families of multiples may therefore be exchanged between such primes wherever
they fit. Sorted, with the largest family at the smallest prime, they always fit: each of the first i families
needs a prime with enough multiples, and the i smallest primes have the most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numberduels.game.bits import members
from numberduels.game.messages import Message
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf, neighbours
from numberduels.solvers.game_length import ConflictGraph
from numberduels.solvers.graphs import Mask, connected_components
from numberduels.solvers.node_kayles import KaylesProofSearch, NodeKayles
from numberduels.solvers.oracle import LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth

MAX_NIMBER_SIZE = 60
"""Up to this many available numbers, `evaluate` computes the nimber, and not only who wins."""

MAX_ASKED_NIMBER_SIZE = 80
"""The same limit where the nimber is asked for."""

MAX_MOVE_NIMBER_SIZE = 30
"""The same limit for the positions after each move."""

MAX_COMPONENT = 144
"""The largest connected component that is tried: that of size 160."""

LARGEST_PLAIN = 100
"""The largest size for which the plain search is the fastest."""

REACH = "sizes up to 150 are within reach of `duel solve --winner`"

MAX_FAMILY = 12
"""A prime is interchanged if it has at most this many multiples: its table has 2**MAX_FAMILY sets."""


class RestrictedRemovalTheory(Oracle[Shelf, int]):
    """Who wins, by node Kayles.

    >>> from random import Random
    >>> game = RestrictedRemoval(size=10)
    >>> theory = RestrictedRemovalTheory(game)
    >>> theory.best_moves(game.start(Random())), theory.evaluate(game.start(Random())).nimber
    ([6], 3)
    """

    method = "a search of each group of numbers that lock each other"

    def __init__(self, game: RestrictedRemoval, max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        related = neighbours(game.size)
        solver = NodeKayles if game.size <= LARGEST_PLAIN else KaylesProofSearch
        self._kayles = solver(related, interchange(game.size), max_positions)
        self._groups = Groups(related)
        self._before = 0

    def for_smaller_size(self, game: RestrictedRemoval) -> RestrictedRemovalTheory:
        found = type(self)(game, self.max_positions)
        if game.size <= self.game.size:  # its graph is a part of ours
            found._kayles, found._before = self._kayles, self._kayles.visited
        return found

    def evaluate(self, state: Shelf) -> Worth:
        return self._worth(state[0], MAX_NIMBER_SIZE)

    def nimber(self, state: Shelf) -> int | None:
        return self._worth(state[0], MAX_ASKED_NIMBER_SIZE).nimber

    def evaluate_move(self, state: Shelf, move: int) -> Worth:
        available, _ = self.game.play(state, move)
        return self._worth(available, MAX_MOVE_NIMBER_SIZE).for_opponent()

    def _worth(self, available: Mask, max_size: int) -> Worth:
        self._kayles.progress = self.progress
        linked = max((part.bit_count() for part in self._kayles.components(available)), default=0)
        if linked > MAX_COMPONENT:
            raise TooLarge(f"{linked} numbers hang together", REACH)
        try:
            wins = self._kayles.wins(available)
            nimber = self._kayles.nimber(available) if available.bit_count() <= max_size else None
        except TooLarge as fault:
            raise TooLarge(str(fault), REACH) from None
        except RecursionError:
            raise TooLarge(TOO_DEEP, REACH) from None
        self.positions = self._kayles.visited - self._before
        return Worth(WIN if wins else LOSS, nimber=nimber)

    def why(self, state: Shelf, move: int) -> Message:
        from numberduels.games.restricted_removal.teaching import explain

        return explain(self, self._groups, state, move)


def interchange(size: int) -> Callable[[Mask], Mask]:
    """A function that maps a set of numbers 2..size to its canonical form under interchange of large primes.

    The largest family of multiples goes to the smallest prime; the docstring of this module has the proof.

    >>> canon = interchange(30)
    >>> canon(1 << 2 | 1 << 11 | 1 << 26) == (1 << 2 | 1 << 11 | 1 << 14)
    True
    """
    families = []  # for each prime, by pattern: the set of k * prime for every bit k - 1 of the pattern
    for prime in range(2, size // 2 + 1):
        if prime * prime > size <= prime * MAX_FAMILY and all(prime % factor for factor in range(2, prime)):
            families.append([0])
            for multiple in range(prime, size + 1, prime):
                families[-1] += [mask | 1 << multiple for mask in families[-1]]
    patterns = [({mask: pattern for pattern, mask in enumerate(family)}, family[-1]) for family in families]
    others = ~sum(family[-1] for family in families)

    def canon(mask: Mask) -> Mask:
        found = sorted([pattern[mask & family] for pattern, family in patterns], reverse=True)
        return mask & others | sum([family[k] for family, k in zip(families, found, strict=True)])

    return canon


def conflict_graph(game: RestrictedRemoval) -> ConflictGraph:
    """The graph on the numbers 2..size: two exclude each other if one divides the other."""
    return ConflictGraph(neighbours(game.size), lambda state: state[0], interchange(game.size))


LARGEST = 10
"""The largest group that is played out to see how long it lasts, and that is compared with others."""


class Groups:
    """The groups on one graph."""

    def __init__(self, neighbours: Sequence[Mask]) -> None:
        self._neighbours = neighbours
        self._lengths: dict[Mask, tuple[int, int, bool]] = {}

    def split(self, available: Mask) -> list[Mask]:
        """The groups of a set of numbers, by their lowest number."""
        return connected_components(self._neighbours, available)

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
