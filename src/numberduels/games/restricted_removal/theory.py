"""Who wins Restricted Removal: node Kayles on the graph of factors and multiples.

Connect two numbers if one divides the other. Removing a number removes it and all its neighbours, and a
player who cannot move loses. That is node Kayles, an impartial game; `solvers/node_kayles.py` solves it and
has the proof, and `solvers/kayles_proof_search.py` reaches larger sizes. This game adds a symmetry.

Interchange. Let p be a prime with p * p > N. Then p divides each of its multiples p, 2p, 3p ... up to N only
once, and no two such primes have a common multiple. So kp is connected to jp if and only if k is to j, to a
number n without such a prime if and only if n divides k, and to nothing else. Which prime it is does not
matter, only which k are left. Families of multiples may therefore be exchanged between such primes wherever
they fit. Sorted, with the largest family at the smallest prime, they always fit: each of the first i families
needs a prime with enough multiples, and the i smallest primes have the most.
"""

from __future__ import annotations

from collections.abc import Callable

from numberduels.game.bits import members
from numberduels.game.formatting import bracket
from numberduels.game.messages import Message
from numberduels.game.work_estimate import WorkEstimate
from numberduels.games.restricted_removal.groups import Groups
from numberduels.games.restricted_removal.reasons import explain
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf, neighbours
from numberduels.games.restricted_removal.work_counts import estimate_winner, estimate_winners
from numberduels.solvers.kayles_proof_search import KaylesProofSearch
from numberduels.solvers.node_kayles import Mask, NodeKayles
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

REACH = "`duel solve --winner` says who wins at every size up to 150"

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

    @property
    def resumable_table(self) -> NodeKayles:
        return self._kayles

    def estimate_work(self, state: Shelf, *, moves: bool = True, nimbers: bool = False) -> WorkEstimate:
        start = state[0].bit_count() == self.game.size - 1
        size = self.game.size if start and not moves and not nimbers else 0
        return estimate_winner(size, self.max_positions)

    def estimate_sweep(self, sizes: range, *, moves: bool = True, nimbers: bool = False) -> WorkEstimate:
        if moves or nimbers:
            return estimate_winner(0, self.max_positions)
        return estimate_winners(sizes, self.max_positions)

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
        return explain(self, self._groups, state, move)

    def nimbers(self, state: Shelf, move: int) -> Message | None:
        """The nimbers of the groups that a move leaves, and their sum; None if there are too many numbers."""
        available, _ = self.game.play(state, move)
        if not available or available.bit_count() > MAX_MOVE_NIMBER_SIZE:
            return super().nimbers(state, move)
        parts = tuple(
            Message("{group} {nimber}", group=bracket(members(part)), nimber=str(self._kayles.nimber(part)))
            for part in self._kayles.components(available)
        )
        return Message(
            "Nimbers: {parts}; the nim-sum is {total}.",
            parts=parts,
            total=str(self._kayles.nimber(available)),
        )


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
