"""Searches that solve Number Collision without repetition: on the graph of lines, whose edges are placements.

`LineSearch` is for lines that can be filled in few ways. A position is a line and the set of lines that may
still come. Of the lines that were not visited, only those matter that can still be reached, because the
others cannot change what follows. So two positions are worth the same if they agree on the line and on the
lines within reach; a line and its mirror image are, too. A search that compares positions in this way visits
few of them: on seven cells with one number a fifth of what a search of the whole histories visits.

`ReplySearch` goes further. The game is vertex geography on the graph of lines. Most moves change the count of
empty cells by one, so the lines have two colours, by the parity of that count, and one player can often
choose a new reply to each line beforehand: see `numberduels.solvers.vertex_geography`. Where neither player
can, the moves are searched.
"""

from __future__ import annotations

from itertools import permutations

from numberduels.game.bits import span
from numberduels.games.number_collision.rules import NEVER, Line, NumberCollision, Place
from numberduels.solvers.oracle import LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth
from numberduels.solvers.vertex_geography import VertexGeography

FEW_NAMES = 3
"""Up to so many numbers every renaming is listed as a symmetry; with more of them only the reflection."""


class LineGraph:
    """All lines that can be reached from the empty one, which is number 0.

    >>> graph = LineGraph(NumberCollision(size=2, values=1))
    >>> graph.after, graph.empty_cells, graph.symmetries
    ([[1, 2], [0], [0]], [2, 1, 1], [[0, 1, 2], [0, 2, 1]])
    """

    def __init__(self, game: NumberCollision) -> None:
        self._numbers: dict[int, int] = {0: 0}
        """The number of each line, by its filled cells."""
        self.after: list[list[int]] = []
        """For each line, the lines that a placement leads to."""
        lines = [(span(1, game.size), 0)]
        for empty, filled in lines:  # grows while it is read
            found = set()
            for place in game.moves((empty, filled, 0, NEVER)):
                line = game.play((empty, filled, 0, NEVER), place)[:2]
                if line[1] not in self._numbers:
                    self._numbers[line[1]] = len(lines)
                    lines.append(line)
                found.add(self._numbers[line[1]])
            self.after.append(sorted(found))
        self.empty_cells = [empty.bit_count() for empty, _ in lines]
        self.symmetries = self._symmetries(game, [(*line, 0, NEVER) for line in lines])
        """Permutations of the lines: the identity, the reflection, and both with the numbers renamed."""

    def _symmetries(self, game: NumberCollision, lines: list[Line]) -> list[list[int]]:
        cells = [game.cells(line) for line in lines]
        numbers = {each: index for index, each in enumerate(cells)}
        plain = range(1, game.values + 1)
        names = [(0, *each) for each in (permutations(plain) if game.values <= FEW_NAMES else [tuple(plain)])]
        return [
            [numbers[tuple(new[number] for number in each[::step])] for each in cells]
            for new in names
            for step in (1, -1)
        ]

    def numbered(self, state: Line) -> tuple[int, int]:
        """The number of the line, and the set of the lines that were visited."""
        _, filled, _, history = state
        visited = 0
        for line in history or ():
            visited |= 1 << self._numbers[line]
        return self._numbers[filled], visited


FEW_LINES = 64
"""The most lines of a game that this search is meant for."""


class LineSearch(Oracle[Line, Place]):
    """The value of a position where repetition is forbidden; sets of lines are bit masks.

    >>> from random import Random
    >>> game = NumberCollision(size=6, values=1, repetition="forbidden")
    >>> LineSearch(game).evaluate(game.start(Random())).value == WIN
    True
    """

    method = "search of the lines within reach"

    def __init__(self, game: NumberCollision, max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._graph = LineGraph(game)
        self._next = self._graph.after
        self._mirror = self._graph.symmetries[1]
        self._known: dict[tuple[int, int], int] = {}

    def evaluate(self, state: Line) -> Worth:
        return Worth(self._value(*self._graph.numbered(state)))

    def key(self, state: Line) -> tuple[int, int]:
        """The line and the lines within reach: positions with the same key are played on in the same way."""
        return self._position(*self._graph.numbered(state))

    def _value(self, line: int, visited: int) -> int:
        moves = [each for each in self._next[line] if not visited >> each & 1]
        if not moves:
            return LOSS
        position = self._position(line, visited)
        found = self._known.get(position)
        if found is None:
            self.count_position()
            # The move that leaves the fewest replies is the likeliest to win.
            moves.sort(key=lambda each: sum(not visited >> reply & 1 for reply in self._next[each]))
            wins = any(self._value(each, visited | 1 << each) == LOSS for each in moves)
            found = self._known[position] = WIN if wins else LOSS
        return found

    def _position(self, line: int, visited: int) -> tuple[int, int]:
        """The line and the lines within reach, or their mirror images: whichever pair is the smaller."""
        seen, new = visited | 1 << line, [line]
        reach = mirror = 0
        for each in new:  # grows while it is read
            for reply in self._next[each]:
                if not seen >> reply & 1:
                    seen |= 1 << reply
                    reach |= 1 << reply
                    mirror |= 1 << self._mirror[reply]
                    new.append(reply)
        return min((line, reach), (self._mirror[line], mirror))


def count_lines(size: int, values: int) -> int:
    """How many ways there are to fill a line of so many cells, equal numbers never side by side.

    >>> [count_lines(size, 1) for size in range(1, 8)], count_lines(2, 2)
    ([2, 3, 5, 8, 13, 21, 34], 7)
    """
    empty_last, filled_last = 1, 0
    for _ in range(size):
        empty_last, filled_last = (
            empty_last + filled_last,
            values * empty_last + (values - 1) * filled_last,
        )
    return empty_last + filled_last


MOST_LINES = 5_000
"""The most lines of a game that this search is meant for."""

LINES_FOR_A_POSITION = 100
"""The work of a position, in lines: an attempt to find replies looks at all of them. `max_positions` times
this limits all questions together."""


class ReplySearch(Oracle[Line, Place]):
    """The value of a position where repetition is forbidden.

    >>> from random import Random
    >>> game = NumberCollision(size=5, values=2, repetition="forbidden")
    >>> ReplySearch(game).evaluate(game.start(Random())).value == WIN
    True
    """

    method = "a search with replies chosen beforehand"

    def __init__(self, game: NumberCollision, max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._graph = graph = LineGraph(game)
        colours = [count % 2 for count in graph.empty_cells]
        self._geography = VertexGeography(
            graph.after, colours, graph.symmetries, self.count_position, self._count_work
        )
        self._all = (1 << len(graph.after)) - 1
        self.work = 0
        """Lines looked at so far."""

    def _count_work(self) -> None:
        self.work += len(self._graph.after)
        if self.work > self.max_positions * LINES_FOR_A_POSITION:
            raise TooLarge(f"it takes more work than {self.max_positions:,} positions")

    def evaluate(self, state: Line) -> Worth:
        line, visited = self._graph.numbered(state)
        try:
            wins = self._geography.wins(line, self._all & ~visited)
        except RecursionError:
            raise TooLarge(TOO_DEEP) from None
        return Worth(WIN if wins else LOSS)
