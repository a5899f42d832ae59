"""WhichPosition: the puzzle whose answer is one of two positions."""

from __future__ import annotations

from typing import Any

from numberduels.analysis.puzzles.explanation import praise, refute
from numberduels.analysis.puzzles.limited_search import LimitedSearch
from numberduels.analysis.puzzles.model import Puzzle
from numberduels.game.contract import Unreadable
from numberduels.game.formatting import short
from numberduels.game.messages import Message
from numberduels.game.text import player_label
from numberduels.solvers import LOSS, WIN, Oracle
from numberduels.solvers.oracles import strongest_moves

A_AND_B = ("A", "B")


class WhichPosition(Puzzle):
    """Two positions: in one of them the player to move wins, in the other one not."""

    kind = "which-position"
    asks_for = "choice"

    @property
    def task(self) -> Message:
        return Message("In one of these two positions the player to move can win for sure. Is it A or B?")

    @property
    def answers(self) -> tuple[str, ...]:
        return A_AND_B

    def parse(self, text: str) -> str:
        letter = text.strip().upper()
        if letter not in A_AND_B:
            raise Unreadable("{text} is no answer: type A or B.", text=short(text.strip()))
        return letter

    def solve(self, oracle: Oracle[Any, Any]) -> str | None:
        values = [oracle.value(table.state) for table in self.tables]
        return A_AND_B[values.index(WIN)] if sorted(values) == [LOSS, WIN] else None

    def seen_by(self, search: LimitedSearch, plies: int) -> frozenset[str]:
        one, other = (search.value(table.state, plies) for table in self.tables)
        return frozenset(A_AND_B if one == other else "A" if one > other else "B")

    def narrowing(self) -> list[Message]:
        move = strongest_moves(self.oracle, self._table(self.answer).state)[0]
        return [Message("In the position that is won, {move} wins.", move=self.game_text.spoken(move))]

    def _table(self, letter: str) -> Any:
        return self.tables[A_AND_B.index(letter)]

    def solution_lines(self) -> list[str]:
        won, lost = self.answer, "B" if self.answer == "A" else "A"
        state = self._table(won).state
        move = strongest_moves(self.oracle, state)[0]
        player = player_label(self._table(won).turn)
        return [
            Message("It is {letter}: there {player} can win.", letter=won, player=player),
            *praise(self.oracle, self.game_text, state, move, self.reason(self._table(won), move)),
            *self._lost(lost),
        ]

    def _lost(self, letter: str) -> list[str]:
        state = self._table(letter).state
        move = strongest_moves(self.oracle, state)[0]
        first = Message("In {letter} every move loses.", letter=letter)
        return [first, *refute(self.oracle, self.game_text, state, move)]

    def refutation_lines(self, answer: str) -> list[str]:
        return self._lost(answer)
