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
on the others. With two to five numbers `reply_search.py` goes on to five cells, with three numbers to six.
Who wins from the start is known further, with three numbers or more: `parity_strategy.py` has the proof.
"""

from __future__ import annotations

from numberduels.game.messages import Message
from numberduels.games.number_collision.line_search import FEW_LINES, LineSearch, count_lines
from numberduels.games.number_collision.parity_strategy import (
    ENOUGH,
    covered_by_theorem,
    keeper,
    keeper_has_replies,
    least_classes,
)
from numberduels.games.number_collision.reasons import explain, explain_ending, explain_last_cell
from numberduels.games.number_collision.reply_search import MOST_LINES, ReplySearch
from numberduels.games.number_collision.rules import Line, NumberCollision, Place
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, WIN, Oracle, TooLarge, Worth
from numberduels.solvers.search import DepthFirstSearch

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
