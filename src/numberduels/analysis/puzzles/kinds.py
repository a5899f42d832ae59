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

Questions for a move or a position are in `move_puzzles.py`, questions for a number are here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberduels.analysis.puzzles.model import Puzzle
from numberduels.analysis.puzzles.move_puzzles import (
    FirstMove,
    HighestMove,
    LowestMove,
    OnlyDraw,
    OnlyMove,
    WhichPosition,
    best_line,
    praise,
    thought,
)
from numberduels.game.contract import OTHER, Bounded, IllegalMove, Scored
from numberduels.game.formatting import capitalised, read_number
from numberduels.game.messages import Message
from numberduels.game.text import player_label
from numberduels.solvers import DRAW, WIN, Oracle
from numberduels.solvers.choose import strongest_moves

if TYPE_CHECKING:
    from numberduels.analysis.puzzles.shortcuts import LimitedSearch


class NumberPuzzle(Puzzle):
    """The answer is a whole number."""

    asks_for = "number"

    def parse(self, text: str) -> str:
        number, answers = str(read_number(text)), self.answers
        if number not in answers:
            raise IllegalMove(
                "Choose a number from {first} to {last}.", first=int(answers[0]), last=int(answers[-1])
            )
        return number

    def _winner(self, *, loser: bool = False) -> Message:
        """The player who wins at best play, or else the one who loses."""
        won = (self.oracle.value(self.state) == WIN) != loser
        return player_label(self.table.turn if won else OTHER[self.table.turn])


class WinningMoves(NumberPuzzle):
    """How many of the legal moves win."""

    kind = "winning-moves"

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


class MovesLeft(NumberPuzzle):
    """How many more moves are made if the winner hurries and the loser holds out."""

    kind = "length"

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
        return [Message("It takes longer: {player} can hold out longer.", player=self._winner(loser=True))]


class Margin(NumberPuzzle):
    """By how many points the winner wins, if both play for as many points as they can."""

    kind = "margin"

    @property
    def task(self) -> Message:
        return Message(
            "Both play for as many points as they can: by how many points does {player} win?",
            player=self._winner(),
        )

    @property
    def answers(self) -> tuple[str, ...]:
        most = sum(self.game.scores(self.state)) + self.game.points_left(self.state)
        return tuple(str(count) for count in range(1, most + 1))

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
        if int(answer) > int(self.answer):
            return [
                Message("It is less: {player} can lose by fewer points.", player=self._winner(loser=True))
            ]
        return [Message("It is more: {player} can win by more points.", player=self._winner())]


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
        MovesLeft,
        Margin,
    )
}
"""Every kind by its name."""
