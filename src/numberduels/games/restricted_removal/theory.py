"""Who wins Restricted Removal: node Kayles on the graph of factors and multiples.

Join two numbers when one divides the other. Removing a number takes it and all its neighbours out of the
game, and who cannot move loses: that is node Kayles, an impartial game, solved by `solve/kayles.py`, where
the reasons stand why it is right. What this game adds is a symmetry.

Interchange. Let p be a prime with p * p > N. Then p divides each of its multiples p, 2p, 3p ... up to N
once only, and no two such primes have a common multiple. So kp is related to jp as k is to j, to a number n
without such a prime just when n divides k, and to nothing else: which prime it is does not matter, only which
k are left. Families of multiples may therefore change places between such primes wherever they fit, and
sorted, the richest family to the smallest prime, they always fit: each of the first i families needs a prime
with room for it, and the i smallest primes have the most room.
"""

from __future__ import annotations

from collections.abc import Callable

from numberduels.bits import members
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf, neighbours
from numberduels.messages import Message
from numberduels.solvers.node_kayles import Mask, NodeKayles
from numberduels.solvers.oracle import LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth
from numberduels.text import bracket

WHOLE = 60
"""Numbers up to which the nimber of a position is worked out, and not only who wins."""

EACH = 30
"""Numbers up to which that is done for what every move leaves, too."""

LINKED = 108
"""Numbers that may hang together, by factors and multiples, in a position that is still tried."""

REACH = "sizes up to 120 are within reach"

FAMILY = 12
"""A prime is interchanged if it has at most so many multiples: its table has 2 to this power of sets."""


class RestrictedRemovalTheory(Oracle[Shelf, int]):
    """Who wins, asking for nimbers only where they are needed.

    >>> from random import Random
    >>> game = RestrictedRemoval(size=10)
    >>> theory = RestrictedRemovalTheory(game)
    >>> theory.best_moves(game.start(Random())), theory.evaluate(game.start(Random())).nimber
    ([6], 3)
    """

    method = "nimbers of independent parts, where they are needed"

    def __init__(self, game: RestrictedRemoval, max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._kayles = NodeKayles(neighbours(game.size), interchange(game.size), max_positions)
        self._before = 0

    def for_smaller_size(self, game: RestrictedRemoval) -> RestrictedRemovalTheory:
        found = type(self)(game, self.max_positions)
        if game.size <= self.game.size:  # the numbers up to a smaller size are a part of ours
            found._kayles, found._before = self._kayles, self._kayles.visited
        return found

    def evaluate(self, state: Shelf) -> Worth:
        return self._worth(state[0], WHOLE)

    def evaluate_move(self, state: Shelf, move: int) -> Worth:
        available, _ = self.game.play(state, move)
        return self._worth(available, EACH).for_opponent()

    def _worth(self, available: Mask, whole: int) -> Worth:
        self._kayles.progress = self.progress
        linked = max((part.bit_count() for part in self._kayles.components(available)), default=0)
        if linked > LINKED:
            # Five more linked numbers double the work, as measured from 89 (size 100) to 106 (size 120).
            positions = 20_000 << (linked - 89) // 5 if linked < 500 else 0
            about = f", about {positions:,} positions" if positions else ""
            raise TooLarge(f"{linked} numbers hang together{about}", REACH)
        try:
            wins = self._kayles.wins(available)
            nimber = self._kayles.nimber(available) if available.bit_count() <= whole else None
        except TooLarge as fault:
            raise TooLarge(str(fault), REACH) from None
        except RecursionError:
            raise TooLarge(TOO_DEEP, REACH) from None
        self.positions = self._kayles.visited - self._before
        return Worth(WIN if wins else LOSS, nimber=nimber)

    def why(self, state: Shelf, move: int) -> Message:
        available, _ = self.game.play(state, move)
        if not available:
            return Message("It leaves nothing to remove.")
        parts = self._kayles.components(available)
        if len(parts) > 6 or available.bit_count() > EACH:
            return self._why_many(len(parts), self._kayles.wins(available))
        told = tuple(
            Message(
                "{numbers} worth {nimber}", numbers=bracket(members(part)), nimber=self._kayles.nimber(part)
            )
            for part in parts
        )
        total = self._kayles.nimber(available)
        if total:
            return Message("It leaves {parts}: the nim-sum is {total}, so they win.", parts=told, total=total)
        return Message("It leaves {parts}: the nim-sum is 0, so they lose.", parts=told)

    def _why_many(self, parts: int, wins: bool) -> Message:
        if wins:
            return Message(
                "It leaves {count} part, whose nimber is not 0, so they win.",
                "It leaves {count} parts that do not touch each other, and their nimbers do not cancel out,"
                " so they win.",
                count=parts,
            )
        return Message(
            "It leaves {count} part, whose nimber is 0, so they lose.",
            "It leaves {count} parts that do not touch each other, and their nimbers cancel out, so they"
            " lose.",
            count=parts,
        )


def interchange(size: int) -> Callable[[Mask], Mask]:
    """A canonical form for sets of numbers 2..size, in which large primes change places.

    A prime p with p * p > size divides each of p, 2p, 3p, ... once, so kp is related to jp as k is to j, and
    to any number n without such a prime just when n divides k. Which prime it is does not matter, only which
    k are left. The richest family of multiples goes to the smallest prime, which has room for it.

    >>> canon = interchange(30)
    >>> canon(1 << 2 | 1 << 11 | 1 << 26) == (1 << 2 | 1 << 11 | 1 << 14)
    True
    """
    families = []  # for each prime, by pattern: the set of k * prime for every bit k - 1 of the pattern
    for prime in range(2, size // 2 + 1):
        if prime * prime > size <= prime * FAMILY and all(prime % factor for factor in range(2, prime)):
            families.append([0])
            for multiple in range(prime, size + 1, prime):
                families[-1] += [mask | 1 << multiple for mask in families[-1]]
    patterns = [({mask: pattern for pattern, mask in enumerate(family)}, family[-1]) for family in families]
    others = ~sum(family[-1] for family in families)

    def canon(mask: Mask) -> Mask:
        found = sorted([pattern[mask & family] for pattern, family in patterns], reverse=True)
        return mask & others | sum([family[k] for family, k in zip(families, found, strict=True)])

    return canon
