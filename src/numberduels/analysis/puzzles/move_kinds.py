"""Puzzles whose answer is a move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numberduels.analysis.puzzles.explanation import praise, refute
from numberduels.analysis.puzzles.limited_search import LimitedSearch
from numberduels.analysis.puzzles.model import Puzzle
from numberduels.game.messages import Message
from numberduels.solvers import DRAW, WIN, Oracle


class MovePuzzle(Puzzle):
    """The answer is a move, written as in records."""

    @property
    def answers(self) -> tuple[str, ...]:
        return self._formatted(self.table.moves)

    def _formatted(self, moves: Iterable[Any]) -> tuple[str, ...]:
        format_move = self.game_text.format_move
        return tuple(format_move(move) for move in moves)

    def parse(self, text: str) -> str:
        move = self.game_text.parse_move(text)
        self.game.play(self.state, move)
        return self.game_text.format_move(move)

    @property
    def solution(self) -> Any:
        """The right move."""
        return self.game_text.parse_move(self.answer)

    def narrowing(self) -> list[Message]:
        found = []
        for count in (2, 1):
            left = {self.answer, *self.some_wrong(count)}
            typed = tuple(
                self.game_text.spoken(move)
                for move in self.table.moves
                if self.game_text.format_move(move) in left
            )
            if len(left) < count + 1:
                continue
            if count == 2 and len(self.answers) > 3:
                found.append(Message("It is one of these: {moves}.", moves=typed))
            elif count == 1:
                found.append(Message("It is {one} or {other}.", one=typed[0], other=typed[1]))
        return found

    def solution_lines(self) -> list[str]:
        why = self.reason(self.table, self.solution)
        return praise(self.oracle, self.game_text, self.state, self.solution, why)

    def refutation_lines(self, answer: str) -> list[str]:
        return refute(self.oracle, self.game_text, self.state, self.game_text.parse_move(answer))


class OnlyMove(MovePuzzle):
    """One move wins, all others do not."""

    kind = "only-move"
    keeps = WIN

    @property
    def task(self) -> Message:
        return Message("Find the only move that wins.")

    def solve(self, oracle: Oracle[Any, Any]) -> str | None:
        if oracle.value(self.state) != self.keeps:
            return None
        found = None
        for move in self.table.moves:
            if oracle.evaluate_move(self.state, move).value == self.keeps:
                if found is not None:
                    return None
                found = self.game_text.format_move(move)
        return found

    def seen_by(self, search: LimitedSearch, plies: int) -> frozenset[str]:
        seen = _values(self, search, plies)
        best = max(seen.values())
        return frozenset(move for move, value in seen.items() if value == best)


class OnlyDraw(OnlyMove):
    """One move holds the draw, all others lose."""

    kind = "only-draw"
    keeps = DRAW

    @property
    def task(self) -> Message:
        return Message("Find the only move that holds the draw.")


class FirstMove(OnlyMove):
    """One first move of a game wins."""

    kind = "first-move"

    @property
    def task(self) -> Message:
        return Message("Find the only first move that wins.")


class HighestMove(MovePuzzle):
    """Several moves win, and the highest of them is asked for. Moves are numbers."""

    kind = "highest-move"
    sign = 1

    @property
    def task(self) -> Message:
        return Message("Several numbers win here. Which is the highest of them?")

    def solve(self, oracle: Oracle[Any, Any]) -> str | None:
        if oracle.value(self.state) != WIN:
            return None
        moves = self.table.moves
        winning = [move for move in moves if oracle.evaluate_move(self.state, move).value == WIN]
        if len(winning) < 2 or len(winning) == len(moves):
            return None
        return self.game_text.format_move(max(winning, key=self._rank))

    def _rank(self, move: Any) -> int:
        return self.sign * int(move)

    def seen_by(self, search: LimitedSearch, plies: int) -> frozenset[str]:
        seen = _values(self, search, plies)
        winning = [int(move) for move, value in seen.items() if value == WIN]
        best = max(winning, key=self._rank, default=None)
        return frozenset(
            move
            for move, value in seen.items()
            if int(move) == best or (value == DRAW and (best is None or self._rank(move) > self._rank(best)))
        ) or frozenset(seen)

    def solution_lines(self) -> list[str]:
        beyond = [move for move in self.table.moves if self._rank(move) > self._rank(self.solution)]
        lines = super().solution_lines()
        if beyond:
            next_one = min(beyond, key=self._rank)
            lines += refute(self.oracle, self.game_text, self.state, next_one)[:2]
        return lines

    def refutation_lines(self, answer: str) -> list[str]:
        move = self.game_text.parse_move(answer)
        if self.oracle.evaluate_move(self.state, move).value != WIN:
            return super().refutation_lines(answer)
        return [self._not_the_end(self.game_text.spoken(move))]

    def _not_the_end(self, move: str) -> Message:
        return Message("{move} wins, but a higher number wins, too.", move=move)


class LowestMove(HighestMove):
    """Several moves win, and the lowest of them is asked for."""

    kind = "lowest-move"
    sign = -1

    @property
    def task(self) -> Message:
        return Message("Several numbers win here. Which is the lowest of them?")

    def _not_the_end(self, move: str) -> Message:
        return Message("{move} wins, but a lower number wins, too.", move=move)


def _values(puzzle: MovePuzzle, search: LimitedSearch, plies: int) -> dict[str, int]:
    """For each move, as it is formatted, what the search sees after it."""
    game, state = puzzle.game, puzzle.state
    format_move = puzzle.game_text.format_move
    return {format_move(move): -search.value(game.play(state, move), plies - 1) for move in game.moves(state)}
