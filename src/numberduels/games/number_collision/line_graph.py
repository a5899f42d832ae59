"""The lines of a game of Number Collision as a graph: each line has a number, and placements are edges."""

from __future__ import annotations

from itertools import permutations

from numberduels.game.bits import span
from numberduels.games.number_collision.rules import NEVER, Line, NumberCollision

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
