"""The exact margin of Number Snatch at any size: an alternating sum.

1. Points already made change nothing that can still be won. A snatch moves the last number, which its
   owner has just been given, so it is always there to be taken, and no score ever falls below
   zero. The margin still to come depends only on the set S of numbers left and on the last one taken.
2. Whoever takes the largest number left cannot be snatched: no multiple of it is left.
3. Theorem. Where nothing can be snatched at once, best play is worth the alternating sum of S, largest
   first: 20 - 18 + 17 - 15 ... on the book's list. Proof: let the player to move always take the largest.
   The opponent never snatches, and the k-th number of the player to move is at least the (2k - 1)-th largest
   of all, so the margin is at least the alternating sum. Let the opponent always take the largest instead:
   then the player to move never snatches, and by the same count the margin is at most that. QED
4. Of the multiples of the last number, only the largest, M, need be thought of: it snatches as much as any,
   and cannot be snatched itself. Proof: after a number x the opponent is sure of the alternating sum of the
   rest, so x is worth at most h(x) = x - alternating(S without x), and M is worth just that. And h grows with
   x: between neighbours s > t of S the two rests differ in one place, where one has t and the other s, with
   the same sign; so h(s) - h(t) is s - t plus or minus s - t, which is not below zero. QED

So best play is worth the alternating sum or, if that is more, M + 2 * last - alternating(S without M), at any
size. Player 1 wins every list by always taking the largest, and against best play nothing wins by more.

The pie rule. The second player may swap seats after the first number, so the first player takes the number
whose margin is nearest to zero: the function `gains` has the margins of all numbers. All have the parity of
the sum of the list, so no margin can be nearer to zero than 0 on an even sum, or 1 on an odd one.
5. Theorem. On the list 1..n the number x = n // 2 + 1 comes that near. Proof: x has no multiple left, so its
   margin is h(x) = x - alternating(S without x). Of the n - x larger numbers, if they are even in count, each
   pair adds 1 to the alternating sum, and the x - 1 smaller ones add x // 2: h = x - (n - x) / 2 - x // 2. If
   they are odd in count, h = x - (n - (n - x - 1) / 2) + x // 2. For n = 4k, 4k + 1, 4k + 2, 4k + 3 and
   x = 2k + 1, 2k + 1, 2k + 2, 2k + 2 that is 0, 1, 1, 0. QED
6. A list with gaps may have no fair number: 1, 100 has the margins -101 and 99. And where a number can be
   snatched, a larger one may be worth less: of 1, 2, 4 the first number 2 loses by 5, and 1 only by 3.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from numberduels.game.bits import members
from numberduels.game.messages import Message
from numberduels.games.number_snatch.rules import Pool
from numberduels.solvers.general import lead, worth_of_margin
from numberduels.solvers.oracle import Oracle, Worth


class NumberSnatchTheory(Oracle[Pool, int]):
    """The exact margin at best play.

    >>> from random import Random
    >>> from numberduels.games.number_snatch.rules import NumberSnatch
    >>> game = NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20))
    >>> theory = NumberSnatchTheory(game)
    >>> theory.best_moves(game.start(Random())), theory.evaluate(game.start(Random())).margin
    ([20], 11)
    """

    method = "the alternating sum of the numbers left"

    def evaluate(self, state: Pool) -> Worth:
        self.positions += 1
        left, last, _, _ = state
        return worth_of_margin(self.game, state, lead(self.game, state) + remaining_gain(left, last))

    def iterate_moves(self, state: Pool) -> Iterator[tuple[int, Worth]]:
        left, last, _, _ = state
        so_far, found = lead(self.game, state), gains(left, last)
        self.positions += len(found)
        for move, gain in found.items():
            yield move, worth_of_margin(self.game, state, so_far + gain)

    def why(self, state: Pool, move: int) -> Message:
        from numberduels.games.number_snatch.teaching import explain

        return explain(self, state, move)


def remaining_gain(left: int, last: int) -> int:
    """The points that the player to move still gains at best play.

    >>> remaining_gain(0b100110, last=0), remaining_gain(0b100110, last=1)
    (4, 6)
    """
    plain = alternating(left)
    snatching = multiples(left, last)
    if not snatching:
        return plain
    largest = snatching[-1]
    return max(plain, largest + 2 * last - alternating(left ^ 1 << largest))


def gains(left: int, last: int) -> dict[int, int]:
    """For each number left, the points that the player to move gains by it at best play, in one pass.

    >>> gains(0b10110, last=0)
    {1: -3, 2: -5, 4: 3}
    """
    rising = members(left)
    falling = rising[::-1]
    sums = [0]
    """The alternating sums of the first numbers, largest first."""
    for index, number in enumerate(falling):
        sums.append(sums[-1] + (number if index % 2 == 0 else -number))
    places = {number: index for index, number in enumerate(falling)}
    found = {}
    for move in rising:
        at = places[move]
        reply = sums[at] - sums[-1] + sums[at + 1]  # the alternating sum without the move
        largest = _largest_multiple(places, falling[0], move)
        if largest:
            other = places[largest]
            without_both = sums[other] + sums[other + 1] - sums[at] + sums[-1] - sums[at + 1]
            reply = max(reply, largest + 2 * move - without_both)
        snatched = 2 * last if last and move % last == 0 else 0
        found[move] = move + snatched - reply
    return found


def _largest_multiple(numbers: Container[int], top: int, number: int) -> int:
    """The largest multiple of a number among others, which are `top` at most; 0 if there is none."""
    return next((each for each in range(top - top % number, number, -number) if each in numbers), 0)


def alternating(numbers: int) -> int:
    """The largest of a set, minus the next, plus the one after that, and so on.

    >>> alternating(0b100110)
    4
    """
    rising = members(numbers)
    return sum(rising[-1::-2]) - sum(rising[-2::-2])


def multiples(left: int, number: int) -> list[int]:
    """The numbers left that are multiples of this one; 0 has none.

    >>> multiples(0b1010101000, 3)
    [9]
    """
    end = left.bit_length()
    return [each for each in range(2 * number, end, number) if left >> each & 1] if number else []
