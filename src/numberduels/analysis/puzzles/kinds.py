"""The kinds of puzzles. Each is written once, for all games.

| kind           | the question                                             |
|----------------|----------------------------------------------------------|
| only-move      | the only move that wins                                  |
| only-draw      | the only move that holds the draw                        |
| first-move     | the only first move that wins                            |
| highest-move   | the highest of several moves that win                    |
| lowest-move    | the lowest of several moves that win                     |
| which-position | in which of two positions the player to move wins        |
| winning-moves  | how many of the legal moves win                          |
| length         | how many more moves are made at best play                |
| margin         | by how many points the winner wins at best play          |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numberduels.analysis.puzzles.explanation import best_line, praise, refute, thought
from numberduels.analysis.puzzles.limited_search import LimitedSearch
from numberduels.analysis.puzzles.model import Puzzle, parse_count
from numberduels.core import OTHER, Bounded, Scored, Unreadable
from numberduels.game_text import player_label
from numberduels.messages import Message
from numberduels.oracles import strongest_moves
from numberduels.solvers import DRAW, LOSS, WIN, Oracle
from numberduels.text import capitalised, short

A_AND_B = ("A", "B")


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


class WinningMoves(Puzzle):
    """How many of the legal moves win."""

    kind = "winning-moves"
    asks_for = "number"

    @property
    def task(self) -> Message:
        return Message(
            "{player} can make {count} different moves: how many of them win?",
            player=self.player,
            count=len(self.table.moves),
        )

    @property
    def answers(self) -> tuple[str, ...]:
        return tuple(str(count) for count in range(len(self.table.moves) + 1))

    def parse(self, text: str) -> str:
        return parse_count(text, self.answers)

    def _winning(self, oracle: Oracle[Any, Any]) -> list[Any]:
        state = self.state
        return [move for move in self.table.moves if oracle.evaluate_move(state, move).value == WIN]

    def solve(self, oracle: Oracle[Any, Any]) -> str | None:
        winning = len(self._winning(oracle))
        return str(winning) if 1 < winning < len(self.table.moves) - 1 else None

    def seen_by(self, search: LimitedSearch, plies: int) -> frozenset[str]:
        game, state = self.game, self.state
        seen = [-search.value(game.play(state, move), plies - 1) for move in self.table.moves]
        least, unknown = seen.count(WIN), seen.count(DRAW)
        return frozenset(str(count) for count in range(least, least + unknown + 1))

    def narrowing(self) -> list[Message]:
        right, most = int(self.answer), len(self.table.moves)
        one = self.game_text.spoken(strongest_moves(self.oracle, self.state)[0])
        return [
            Message("{move} is one of them.", move=capitalised(one)),
            Message("It is between {low} and {high}.", low=max(right - 1, 0), high=min(right + 1, most)),
        ]

    def solution_lines(self) -> list[str]:
        winning = self._winning(self.oracle)
        told = Message(
            "{count} move wins: {moves}.",
            "{count} moves win: {moves}.",
            count=len(winning),
            moves=tuple(map(self.game_text.typed, winning)),
        )
        move = strongest_moves(self.oracle, self.state)[0]
        why = self.reason(self.table, move)
        return [told, *praise(self.oracle, self.game_text, self.state, move, why)]

    def refutation_lines(self, answer: str) -> list[str]:
        if int(answer) > int(self.answer):
            return [Message("That is too many: fewer moves win.")]
        return [Message("That is too few: more moves win.")]


class Length(Puzzle):
    """How many more moves are made if the winner hurries and the loser holds out."""

    kind = "length"
    asks_for = "number"

    @property
    def task(self) -> Message:
        return Message(
            "The winner wins as fast as possible, the loser holds out as long as possible:"
            " how many more moves will be made, both players together?"
        )

    @property
    def answers(self) -> tuple[str, ...]:
        longest = self.game.max_plies if isinstance(self.game, Bounded) else 100 + self.table.ply
        return tuple(str(count) for count in range(1, longest - self.table.ply + 1))

    def parse(self, text: str) -> str:
        return parse_count(text, self.answers)

    def solve(self, oracle: Oracle[Any, Any]) -> str | None:
        worth = oracle.evaluate(self.state)
        if worth.value == DRAW or not worth.remoteness:
            return None
        return str(worth.remoteness)

    def seen_by(self, search: LimitedSearch, plies: int) -> frozenset[str]:
        for depth in range(1, plies + 1):
            if search.value(self.state, depth) != DRAW:
                return frozenset([str(depth)])
        return frozenset(each for each in self.answers if int(each) > plies) or frozenset(self.answers)

    def _winner(self) -> Message:
        won = self.oracle.value(self.state) == WIN
        return player_label(self.table.turn if won else OTHER[self.table.turn])

    def distance(self) -> Message | None:
        return None

    def narrowing(self) -> list[Message]:
        low, high = max(int(self.answer) - 2, 1), int(self.answer) + 2
        return [
            Message("{player} wins, and so makes the last move.", player=self._winner()),
            Message("It takes between {low} and {high} moves.", low=low, high=high),
        ]

    def solution_lines(self) -> list[str]:
        line = best_line(self.oracle, self.state)
        moves = " ".join(map(self.game_text.format_move, line))
        return [
            Message("{count} more move is made.", "{count} more moves are made.", count=int(self.answer)),
            Message("For example: {moves}, and {player} has won.", moves=moves, player=self._winner()),
            thought(self.player, self.reason(self.table, line[0])),
        ]

    def refutation_lines(self, answer: str) -> list[str]:
        if int(answer) > int(self.answer):
            return [Message("It is over sooner: {player} can win faster.", player=self._winner())]
        loser = OTHER[self.table.turn] if self.oracle.value(self.state) == WIN else self.table.turn
        return [Message("It takes longer: {player} can hold out longer.", player=player_label(loser))]


class Margin(Puzzle):
    """By how many points the winner wins, if both play for as many points as they can."""

    kind = "margin"
    asks_for = "number"

    @property
    def task(self) -> Message:
        return Message(
            "Both play for as many points as they can: by how many points does {player} win?",
            player=self._winner(),
        )

    def _winner(self) -> Message:
        won = self.oracle.value(self.state) == WIN
        return player_label(self.table.turn if won else OTHER[self.table.turn])

    @property
    def answers(self) -> tuple[str, ...]:
        most = sum(self.game.scores(self.state)) + self.game.points_left(self.state)
        return tuple(str(count) for count in range(1, most + 1))

    def parse(self, text: str) -> str:
        return parse_count(text, self.answers)

    def solve(self, oracle: Oracle[Any, Any]) -> str | None:
        margin = oracle.evaluate(self.state).margin if isinstance(self.game, Scored) else None
        return str(abs(margin)) if margin else None

    def seen_by(self, search: LimitedSearch, plies: int) -> frozenset[str]:
        return frozenset([str(abs(search.margin(self.state, plies)))])

    def narrowing(self) -> list[Message]:
        right = int(self.answer)
        move = self.game_text.spoken(best_line(self.oracle, self.state)[0])
        return [
            Message("The best move for {player} is {move}.", player=self.player, move=move),
            Message("It is between {low} and {high}.", low=max(right - 4, 1), high=right + 4),
        ]

    def solution_lines(self) -> list[str]:
        line = best_line(self.oracle, self.state)
        end = self.state
        for move in line:
            end = self.game.play(end, move)
        first, second = self.game.scores(end)
        moves = " ".join(map(self.game_text.format_move, line))
        return [
            Message(
                "{player} wins by {count} point.",
                "{player} wins by {count} points.",
                player=self._winner(),
                count=int(self.answer),
            ),
            Message(
                "For example: {moves}, and the score is {first} to {second}.",
                moves=moves,
                first=first,
                second=second,
            ),
            thought(self.player, self.reason(self.table, line[0])),
        ]

    def refutation_lines(self, answer: str) -> list[str]:
        winner = self._winner()
        loser = player_label(0) if winner == player_label(1) else player_label(1)
        if int(answer) > int(self.answer):
            return [Message("It is less: {player} can lose by fewer points.", player=loser)]
        return [Message("It is more: {player} can win by more points.", player=winner)]


KINDS: dict[str, type[Puzzle]] = {
    each.kind: each
    for each in (
        OnlyMove,
        OnlyDraw,
        FirstMove,
        HighestMove,
        LowestMove,
        WhichPosition,
        WinningMoves,
        Length,
        Margin,
    )
}
"""Every kind by its name."""
