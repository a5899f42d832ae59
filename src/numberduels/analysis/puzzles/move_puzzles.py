"""Puzzles whose answer is a move or one of two positions, and the sentences that explain a move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberduels.analysis.puzzles.model import Puzzle
from numberduels.game.contract import M, S, Unreadable
from numberduels.game.formatting import capitalised, short
from numberduels.game.messages import Message
from numberduels.game.text import AnyGameText, player_label
from numberduels.solvers import DRAW, LOSS, WIN, Oracle, Worth
from numberduels.solvers.choose import strongest_moves
from numberduels.solvers.oracle import select_best

if TYPE_CHECKING:
    from numberduels.analysis.puzzles.shortcuts import LimitedSearch

LINE = 16
"""The most moves of an example line."""


def praise(
    oracle: Oracle[Any, Any], game_text: AnyGameText, state: Any, move: Any, why: Message
) -> list[str]:
    """Why a move is right, and how it could lead to the end."""
    told: dict[str, Any] = {"move": capitalised(game_text.spoken(move)), "why": why}
    if oracle.evaluate_move(state, move).value == WIN:
        first = Message("{move} wins. {why}", **told)
    else:
        first = Message("{move} holds the draw. {why}", **told)
    return [first, *continuation(oracle, game_text, state, move)]


def refute(oracle: Oracle[Any, Any], game_text: AnyGameText, state: Any, move: Any) -> list[str]:
    """Why a move is wrong: how it ends the game, or the reply to it and its reason."""
    game = oracle.game
    after = game.play(state, move)
    if outcome := game.outcome(after):
        ends = {"move": capitalised(game_text.spoken(move))}
        if outcome.winner is None:
            return [Message("{move} ends the game in a tie.", **ends)]
        return [
            Message("{move} ends the game, and {player} wins.", player=player_label(outcome.winner), **ends)
        ]
    reply = strongest_moves(oracle, after)[0]
    told: dict[str, Any] = {
        "player": player_label(game.turn(after)),
        "move": game_text.spoken(move),
        "reply": game_text.spoken(reply),
    }
    if oracle.evaluate_move(after, reply).value == WIN:
        first = Message("After {move}, {player} answers {reply} and wins.", **told)
    else:
        first = Message("After {move}, {player} answers {reply} and holds the draw.", **told)
    return [
        first,
        thought(told["player"], oracle.why(after, reply)),
        *continuation(oracle, game_text, after, reply),
    ]


def thought(player: Message, why: Message) -> Message:
    """A reason that speaks to this player, for a reader who may be somebody else."""
    return Message('Why: a hint for {player} would say "{why}"', player=player, why=why)


def continuation(oracle: Oracle[Any, Any], game_text: AnyGameText, state: Any, move: Any) -> list[str]:
    """How a winning move could lead to the end, both sides doing their best; nothing after a draw."""
    game = oracle.game
    if oracle.evaluate_move(state, move).value != WIN:
        return []
    winner, line, state = game.turn(state), [move], game.play(state, move)
    while not game.outcome(state):
        if len(line) == LINE:
            return []
        line.append(strongest_moves(oracle, state)[0])
        state = game.play(state, line[-1])
    if len(line) == 1:
        return []
    moves, player = " ".join(map(game_text.format_move, line)), player_label(winner)
    return [Message("For example: {moves}, and {player} has won.", moves=moves, player=player)]


def best_line(oracle: Oracle[S, M], state: S) -> list[M]:
    """The moves to the end: the winner hurries, the loser delays; in a game of points, for the best margin.

    >>> from numberduels.games.range_war.theory import RangeWarTheory
    >>> from numberduels.games.range_war.rules import RangeWar
    >>> from numberduels.game.table import replay
    >>> game = RangeWar(size=6)
    >>> best_line(RangeWarTheory(game), replay(game, (3, 2)).state)
    [4, 1, 5]
    """
    game, line = oracle.game, []
    while not game.outcome(state):
        choices = oracle.evaluate_moves(state)
        move = max(select_best(choices), key=lambda each: _patience(choices[each]))
        line.append(move)
        state = game.play(state, move)
    return line


def _patience(worth: Worth) -> int:
    """Larger for a shorter win and for a longer loss."""
    plies = worth.remoteness or 0
    return -plies if worth.value == WIN else plies


class MovePuzzle(Puzzle):
    """The answer is a move, written as in records."""

    @property
    def answers(self) -> tuple[str, ...]:
        return tuple(map(self.game_text.format_move, self.table.moves))

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
