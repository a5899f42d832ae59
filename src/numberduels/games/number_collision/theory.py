"""Who wins Number Collision at any size, if repetition is allowed: almost always nobody.

Call an empty cell open when some number fits it, that is, differs from both neighbours.

Theorem, for lines of three cells or more. A full line is lost for the player to move. A line whose
only empty cell is open is won in one move. Every other line is a draw.

Proof. The first two are the rules. In any other line the player to move can avoid leaving a line
of the second kind, for ever. With three or more empty cells every move leaves at least two. With
two, some empty cell has a filled neighbour (the line is longer than two): placing the neighbour's
number there removes both, and three or more cells are empty. With one empty cell that is not
open, every placement collides and leaves two or three. So neither player can be forced to lose. QED

One cell is won by filling it. On two cells the first placement leaves one empty cell: open, if there
are two numbers to choose from, so that the first player loses; and if there is only one number,
nothing ever fits and nobody wins.

If repetition is forbidden, the theorem does not apply and the game is searched. Up to four cells the search
ends: the first player wins on one and on three cells, the second on two (with two numbers or more) and on
four. With one number only it ends up to seven cells: the second player wins on four and on seven, the first
on the others. With two to five numbers `ReplySearch` goes on to five cells, with three numbers to six.
Who wins from the start is known further, with three numbers or more: mostly the player with the parity.

A placement that removes one number, or none, changes the count of empty cells by one. So as long as nobody
removes two (three vanish), one player always finds an odd count and the other an even one. Call the first
the keeper: on an odd line that is Player 1, on an even line Player 2. One empty cell is for the keeper, who
fills it and wins.

Call a line calm if no two equal numbers stand with an odd count of empty cells, and nothing else, between
them. On a calm line nobody can remove two: that needs such a pair with one cell between.

Theorem. With K numbers, 3 or more, and at most K + 1 cells, the keeper wins, whatever the first move is.

Proof. The keeper will leave calm lines only.
1. After any move on a calm line there is at most one pair as above. A number placed divides one gap in two.
   If both had equal ends and an odd count, the ends of the whole gap would be equal, and its count odd: the
   line was not calm. A number removed makes one new gap.
2. So where the keeper is to move, there are K - 1 or more numbers to place that make the line calm. If there
   is a bad pair x, x: any other number in any cell between them; it ends both gaps with unequal numbers.
   If there is none: in each empty cell all numbers but at most two, one for the nearest number on
   each side; and three or more cells are empty, or the keeper fills the last one. 3 (K - 2) >= K - 1.
3. A calm line with two empty cells or more comes from at most L - 2 lines in this way, as many as it
   has numbers. Each line of the keeper has K - 1 >= L - 2 calm lines to choose from. By Hall's theorem the
   keeper can choose beforehand one reply for each line, no reply twice.
4. With these replies no line comes back: only the keeper makes lines with an even count of empty cells, and
   the opponent makes no line twice. The reply has more numbers than the line that the keeper began
   with: the empty line, or one with one number. So the keeper always has a move, and every game ends. QED

With fewer numbers the count of step 3 is too coarse, but the replies may exist all the same, and they may
remove numbers, too. Whether they exist is a question of matching, which the program answers by search. Lines
that differ by renaming the numbers or by a reflection are taken as one class, with its size as supply or
capacity: if replies exist for the lines, their average over all renamings is a plan for the classes, and a
plan for the classes spreads evenly over the lines, so that Hall's condition holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import perm

from numberduels.game.contract import Seat
from numberduels.game.messages import Message
from numberduels.games.number_collision.line_search import (
    FEW_LINES,
    MOST_LINES,
    LineSearch,
    ReplySearch,
    count_lines,
)
from numberduels.games.number_collision.rules import Line, NumberCollision, Place
from numberduels.solvers.general import DepthFirstSearch
from numberduels.solvers.graphs import can_ship
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, WIN, Oracle, TooLarge, Worth

MAX_SEARCHED = 30_000
"""Positions of a plain search if repetition is forbidden."""

SEARCHED_CELLS = 4
"""Lines up to this length are searched to the end, whatever the numbers are."""

MIDGAME_CELLS = {1: 7, 2: 5, 3: 6, 4: 5, 5: 5}
"""By the highest number, the longest line that is solved in the middle of a game, too; others: 4."""

START_CELLS = {3: 7, 4: 9}
"""By the highest number, the longest line for which the keeper has replies, as far as known; others: 10."""


class NumberCollisionTheory(Oracle[Line, Place]):
    """Who wins, by the number of empty cells.

    >>> from random import Random
    >>> game = NumberCollision(size=64)
    >>> NumberCollisionTheory(game).evaluate(game.start(Random())).value == DRAW
    True
    """

    method = "the count of empty cells"

    def __init__(self, game: NumberCollision, max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._search: Oracle[Line, Place] | None = None
        if game.repetition == "forbidden":
            self._search = _search(game, max_positions)
            self.method = self._search.method

    def evaluate(self, state: Line) -> Worth:
        if self._search:
            self._search.progress = self.progress
            try:
                return self._search.evaluate(state)
            except TooLarge as fault:
                raise TooLarge(str(fault), _reach(self.game.values)) from None
            finally:
                self.positions = self._search.positions
        self.positions += 1
        empty = state[0].bit_count()
        if not empty:
            return Worth(LOSS, 0)
        if empty == 1 and self.open(state):
            return Worth(WIN, 1)
        if empty == 2 == self.game.size and self.game.values > 1:
            return Worth(LOSS, 2)
        return Worth(DRAW)

    def evaluate_start(self, start: Line) -> tuple[Worth, dict[Place, Worth]] | None:
        game: NumberCollision = self.game
        history = start[3]
        if not history or any(history) or game.size <= SEARCHED_CELLS or game.values < ENOUGH:
            return None
        if covered_by_theorem(game.size, game.values):
            self.method = "the strategy of the player with the parity"
        else:
            if least_classes(game.size, game.values) > self.max_positions:
                return None
            if not keeper_has_replies(game.size, game.values, self.count_position):
                return None
            self.method = "a matching of lines and replies"
        first = keeper(game.size) == 0
        worth = Worth(WIN if first else LOSS)
        return worth, dict.fromkeys(game.moves(start), worth)

    def why(self, state: Line, move: Place) -> Message:
        from numberduels.games.number_collision.teaching import explain, explain_ending, explain_last_cell

        if self._search:
            return (
                explain_ending(self, state, move)
                or explain_last_cell(self, state, move)
                or super().why(state, move)
            )
        return explain(self, state, move)

    def move_value(self, move: Place) -> Message:
        return Message(
            "{number} on cell {cell}", number=str(move.number), cell=str(move.position)
        )  # texts: the disguise changes numbers

    def open(self, state: Line) -> bool:
        """Whether some number fits the only empty cell."""
        return any(self.game.play(state, place)[0] == 0 for place in self.game.moves(state))


def _search(game: NumberCollision, max_positions: int) -> Oracle[Line, Place]:
    """The search that goes furthest, if repetition is forbidden."""
    lines = count_lines(game.size, game.values)
    if lines <= FEW_LINES:
        return LineSearch(game, max_positions)
    if game.size > SEARCHED_CELLS and game.values > 1 and lines <= MOST_LINES:
        return ReplySearch(game, max_positions)
    return DepthFirstSearch(game, min(max_positions, MAX_SEARCHED))


def _reach(values: int) -> str:
    """The sizes that can be solved if repetition is forbidden."""
    reach = f"sizes up to {MIDGAME_CELLS.get(values, SEARCHED_CELLS)} are within reach"
    if values < ENOUGH:
        return reach
    return f"{reach}, and from the start sizes up to {max(START_CELLS.get(values, 10), values + 1)}"


Cells = tuple[int, ...]
"""The numbers along a line, 0 for an empty cell."""

ENOUGH = 3
"""With so many numbers some number fits any single empty cell."""


def keeper(size: int) -> Seat:
    """The player who meets an odd count of empty cells at the start of the turn.

    >>> keeper(5), keeper(10)
    (0, 1)
    """
    return 0 if size % 2 else 1


def covered_by_theorem(size: int, values: int) -> bool:
    """Whether the theorem says that the keeper wins."""
    return values >= ENOUGH and 3 <= size <= values + 1


def is_calm(cells: Cells) -> bool:
    """Whether no two equal numbers stand with just an odd count of empty cells between them.

    >>> is_calm((1, 0, 0, 1)), is_calm((1, 0, 1, 0))
    (True, False)
    """
    last = gap = 0
    for number in cells:
        if not number:
            gap += 1
        elif number == last and gap % 2:
            return False
        else:
            last, gap = number, 0
    return True


def keeper_has_replies(size: int, values: int, visit: Callable[[], None] = lambda: None) -> bool:
    """Whether the keeper can choose beforehand a calm reply for each line, no reply twice; 3 values or more.

    `visit` is called for each class of lines, and may raise an error to stop.

    >>> keeper_has_replies(7, 3), keeper_has_replies(8, 3)
    (True, False)
    """
    if size < 3 or values < ENOUGH:
        raise ValueError("the strategy needs three cells and three numbers")
    calm = []
    for cells in line_classes(size, values):
        visit()
        if cells.count(0) % 2 == 0 and cells.count(0) > 1 and is_calm(cells):
            calm.append(cells)
    met: dict[Cells, None] = {}
    for cells in calm:
        for line in moves(cells, values):
            if 1 < line.count(0) < size:  # the keeper fills a last cell; the empty line was the start
                met[line] = None
    # The line that the keeper began with has one number or none, so it is no reply.
    replies = {cells: place for place, cells in enumerate(c for c in calm if size - c.count(0) > 1)}
    ways = []
    for line in met:
        visit()
        ways.append([replies[reply] for reply in moves(line, values) if reply in replies])
    supplies = [class_size(line, values) for line in met]
    capacities = [class_size(line, values) for line in replies]
    return can_ship(supplies, capacities, ways)


def line_classes(size: int, values: int) -> Iterator[Cells]:
    """One line of each class, equal numbers never side by side.

    >>> list(line_classes(2, 2))
    [(0, 0), (0, 1), (1, 2)]
    """

    def extended(cells: Cells, used: int) -> Iterator[Cells]:
        if len(cells) == size:
            if cells <= renamed(cells[::-1]):
                yield cells
            return
        for number in range(min(used + 1, values) + 1):
            if not number or not cells or number != cells[-1]:
                yield from extended((*cells, number), max(used, number))

    return extended((), 0)


def least_classes(size: int, values: int) -> int:
    """A bound: there are at least so many classes of lines, because none is larger than all renamings.

    >>> least_classes(6, 3), sum(1 for _ in line_classes(6, 3))
    (129, 144)
    """
    return count_lines(size, values) // (2 * perm(values, min(values, size)))


def renamed(cells: Cells) -> Cells:
    """The line with its numbers renamed in order: the first becomes 1, the next new one 2, and so on.

    >>> renamed((0, 4, 2, 0, 4))
    (0, 1, 2, 0, 1)
    """
    names = {0: 0}
    return tuple(names.setdefault(number, len(names)) for number in cells)


def class_size(cells: Cells, values: int) -> int:
    """How many lines become this one by renaming numbers or by a reflection."""
    return perm(values, len(set(cells) - {0})) * (1 if renamed(cells[::-1]) == renamed(cells) else 2)


def moves(cells: Cells, values: int) -> set[Cells]:
    """The classes of the lines after each placement, without those that make three numbers vanish."""
    found = set()
    numbers = range(1, min(max(cells) + 1, values) + 1)  # all new numbers lead to one class
    last = len(cells) - 1
    for cell, filled in enumerate(cells):
        if filled:
            continue
        left, right = cells[cell - 1] if cell else 0, cells[cell + 1] if cell < last else 0
        for number in numbers:
            after = list(cells)
            if number == left == right:
                continue
            if number == left:
                after[cell - 1] = 0
            elif number == right:
                after[cell + 1] = 0
            else:
                after[cell] = number
            one = renamed(tuple(after))
            found.add(min(one, renamed(one[::-1])))
    return found
