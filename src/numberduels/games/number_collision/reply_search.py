"""Reply search: who wins Number Collision without repetition, also in the middle of a game.

The game is vertex geography on the graph of lines. Most moves change the count of empty cells by one, so the
lines have two colours, by the parity of that count, and one player can often choose a new reply to each line
beforehand: see `numberduels.solvers.vertex_geography`. Where neither player can, the moves are searched.
"""

from __future__ import annotations

from numberduels.games.number_collision.line_graph import LineGraph
from numberduels.games.number_collision.rules import Line, NumberCollision, Place
from numberduels.solvers.oracle import LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth
from numberduels.solvers.vertex_geography import VertexGeography

MOST_LINES = 5_000
"""The most lines of a game that this search is meant for."""

MAX_WORK = 10**10
"""The limit of one question: positions times the third power of the lines, as the time grows with both."""

FEWEST_POSITIONS = 20
"""So many positions are searched with any number of lines."""


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
        self._geography = VertexGeography(graph.after, colours, graph.symmetries, self._count)
        self._all = (1 << len(graph.after)) - 1
        self._most = min(max_positions, max(FEWEST_POSITIONS, MAX_WORK // len(graph.after) ** 3))
        self._begun = 0
        """Positions that had been visited when the question was asked."""

    def _count(self) -> None:
        self.positions += 1
        if self.positions - self._begun > self._most:
            raise TooLarge(f"there are more than {self._most:,} positions")

    def evaluate(self, state: Line) -> Worth:
        self._begun = self.positions
        line, visited = self._graph.numbered(state)
        try:
            wins = self._geography.wins(line, self._all & ~visited)
        except RecursionError:
            raise TooLarge(TOO_DEEP) from None
        return Worth(WIN if wins else LOSS)
