"""Oracles: exact solvers that return the value of a position, or refuse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, Generic, NamedTuple

from numberduels.game.contract import M, ProgressCallback, S
from numberduels.game.messages import Message, Value, either

WIN, DRAW, LOSS = 1, 0, -1
VALUE_NAMES = {WIN: "win", DRAW: "draw", LOSS: "loss"}
MAX_POSITIONS = 300_000
"""The default limit on the positions that a solver visits."""

MAX_TABLE_BYTES = 2 << 30
"""The largest table; a solver that needs more refuses at once."""

TOO_DEEP = "the game is longer than the search is deep"
"""The message of a recursive search that exceeds the recursion limit."""


class TooLarge(ValueError):
    """The solver cannot evaluate the position within its limits."""

    def __init__(self, message: str, reach: str = "") -> None:
        """`reach` is a phrase that says which sizes can be solved, if known."""
        super().__init__(message)
        self.reach = reach


class Worth(NamedTuple):
    """The value of a position for the player to move, as far as the solver computes it.

    `remoteness` is the number of plies to the end if the winner hurries and the loser delays; a draw has
    none. `margin` is the final lead of the player to move in points.
    """

    value: int
    remoteness: int | None = None
    margin: int | None = None
    nimber: int | None = None

    @property
    def value_name(self) -> str:
        """win, draw or loss."""
        return VALUE_NAMES[self.value]

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON data."""
        return self._asdict() | {"value": self.value_name}

    def for_opponent(self) -> Worth:
        """The worth for the player who has just moved; the nimber stays that of the position."""
        value, remoteness, margin, nimber = self
        return Worth(
            -value,
            None if remoteness is None else remoteness + 1,
            None if margin is None else -margin,
            nimber,
        )


class Oracle(ABC, Generic[S, M]):
    """An exact solver of one game. It never guesses: TooLarge if a position is too hard."""

    method: str
    """The name of the method, a phrase."""

    def __init__(self, game: Any, max_positions: int = MAX_POSITIONS) -> None:
        self.game = game
        self.max_positions = max_positions
        self.positions = 0
        """Positions visited so far."""
        self.progress: ProgressCallback | None = None
        """Called during long work."""

    def count_position(self) -> None:
        """Count a visited position; TooLarge beyond `max_positions`."""
        self.positions += 1
        if self.positions > self.max_positions:
            raise TooLarge(f"there are more than {self.max_positions:,} positions")
        if self.progress:
            self.progress(self.positions, 0)

    def for_smaller_size(self, game: Any) -> Oracle[S, M]:
        """An oracle for a smaller size of the game, which may reuse the results of this one."""
        return type(self)(game, self.max_positions)

    @abstractmethod
    def evaluate(self, state: S) -> Worth:
        """The worth of a state for the player to move; TooLarge if it cannot be computed."""

    def evaluate_start(self, start: S) -> tuple[Worth, dict[M, Worth]] | None:
        """The worth of the start and of each first move, if that is known though later positions are not.

        None if there is no such knowledge. Players need all positions, so they ask `evaluate`.
        """
        return None

    def value(self, state: S) -> int:
        """WIN, DRAW or LOSS for the player to move."""
        return self.evaluate(state).value

    def nimber(self, state: S) -> int | None:
        """The nimber of a state; None if it has none, or if it is too hard.

        This may take much longer than `evaluate`, which leaves out a nimber that costs more than the value.
        """
        return self.evaluate(state).nimber

    def evaluate_move(self, state: S, move: M) -> Worth:
        """The worth of a move for the player who makes it."""
        return self.evaluate(self.game.play(state, move)).for_opponent()

    def evaluate_moves(self, state: S) -> dict[M, Worth]:
        """Every move with its worth to the player who makes it."""
        return dict(self.iterate_moves(state))

    def iterate_moves(self, state: S) -> Iterator[tuple[M, Worth]]:
        """The same one by one, each as soon as it is known."""
        self.evaluate(state)  # solves what follows together with it, not once for every move
        for move in self.game.moves(state):
            yield move, self.evaluate_move(state, move)

    def best_moves(self, state: S) -> list[M]:
        """The moves that keep the value; in a game of points, the margin."""
        return select_best(self.evaluate_moves(state))

    def why(self, state: S, move: M) -> Message:
        """A sentence to the player to move that explains what the move does. It holds for every move.

        A theory that knows more overrides it: with the numbers of this position, and what happens next.
        """
        value = self.evaluate_move(state, move).value
        if value == LOSS:
            return self.why_it_loses(state, move)
        if self.evaluate_move(state, move).margin is not None:
            return self.result_message(state, move)
        after = self.game.play(state, move)
        if not self.game.moves(after):
            if value == DRAW:
                return Message("It ends the game in a tie.")
            return Message("It ends the game, and you win.")
        if value == WIN:
            return self._win_reason(after)
        if self.value(state) == WIN:
            return Message("It gives the win away: then nobody can force one.")
        return Message("It holds the draw: neither of you can force a win.")

    def move_value(self, move: M) -> Value:
        """The move as a value of a message. Override it if `str` is not how people say the move."""
        return move if type(move) is int else str(move)

    def why_it_loses(self, state: S, move: M) -> Message:
        """Why a losing move loses. In a lost position every move does, and the sentence says so."""
        if self.evaluate_move(state, move).margin is not None:
            return self.result_message(state, move)
        after = self.game.play(state, move)
        replies, every = self.game.moves(after), self.value(state) == LOSS
        winning = self.winning_moves(after)
        if not winning:
            return Message("Every move loses here.") if every else Message("It loses.")
        told: dict[str, Value] = {"move": self.move_value(move), "answer": self.move_value(winning[0])}
        if len(self.game.moves(state)) == 1:
            return Message("It is your only move, and then they win with {answer}.", answer=told["answer"])
        ending = next((each for each in winning if not self.game.moves(self.game.play(after, each))), None)
        if not every:
            if ending is None:
                return Message("It loses: they answer {answer}.", answer=told["answer"])
            return Message(
                "It loses: they answer {answer}, and the game is over.", answer=self.move_value(ending)
            )
        if len(replies) == 1:
            return Message("Every move loses here; {move} at least leaves them only {answer}.", **told)
        if ending is not None:
            told["answer"] = self.move_value(ending)
            return Message(
                "Every move loses here; after {move} they answer {answer}, and the game is over.", **told
            )
        if len(winning) == 1:
            return Message(
                "Every move loses here; after {move} they at least have to find {answer}, the only answer"
                " that wins.",
                **told,
            )
        return Message(
            "Every move loses here; after {move} they can win with {answers}.",
            move=told["move"],
            answers=either([self.move_value(each) for each in winning[:SHOWN]]),
        )

    def result_message(self, state: S, move: M) -> Message:
        """By how much a move wins or loses a game of points."""
        value, _, margin, _ = self.evaluate_move(state, move)
        assert margin is not None, "only a game of points has a margin"
        if value == LOSS and self.value(state) == LOSS:
            return self._least_loss(state, move, margin)
        if not margin:
            return {
                WIN: Message("If you both play your best from here, the points end level, and then you win."),
                DRAW: Message("If you both play your best from here, the points end level."),
                LOSS: Message(
                    "If you both play your best from here, the points end level, and then they win."
                ),
            }[value]
        if margin > 0:
            return Message(
                "If you both play your best from here, you win by {count} point.",
                "If you both play your best from here, you win by {count} points.",
                count=margin,
            )
        return Message(
            "If you both play your best from here, you lose by {count} point.",
            "If you both play your best from here, you lose by {count} points.",
            count=-margin,
        )

    def _least_loss(self, state: S, move: M, margin: int) -> Message:
        """By how much a move loses where every move does."""
        told = {"move": self.move_value(move)}
        if not margin:
            return Message("Every move loses here; after {move} the points at least end level.", **told)
        if margin == self.evaluate(state).margin:
            return Message(
                "Every move loses here; {move} at least keeps it down to {count} point.",
                "Every move loses here; {move} at least keeps it down to {count} points.",
                count=-margin,
                **told,
            )
        return Message(
            "Every move loses here; {move} loses by {count} point.",
            "Every move loses here; {move} loses by {count} points.",
            count=-margin,
            **told,
        )

    def _win_reason(self, after: S) -> Message:
        replies = self.game.moves(after)
        if len(replies) <= SHOWN:
            answers = tuple(
                Message(
                    "after {reply} you play {answer}",
                    reply=self.move_value(reply),
                    answer=self.move_value(self.best_moves(self.game.play(after, reply))[0]),
                )
                for reply in replies
                if self.game.moves(self.game.play(after, reply))
            )
            if len(answers) == len(replies):
                return Message("You have an answer to everything: {answers}.", answers=answers)
        return Message("It wins, whatever they answer.")

    def winning_moves(self, state: S) -> list[M]:
        """The moves that win; none if there are too many moves to try."""
        if len(self.game.moves(state)) > FEW:
            return []
        return [move for move, worth in self.evaluate_moves(state).items() if worth.value == WIN]


SHOWN = 3
"""The most answers that are listed."""

FEW = 60
"""With more moves, explanations do not look for all that win."""


def select_best(choices: Mapping[M, Worth]) -> list[M]:
    """The best moves: by margin if there is one, else by value."""
    ranks = {move: worth.value if worth.margin is None else worth.margin for move, worth in choices.items()}
    top = max(ranks.values(), default=None)
    return [move for move, rank in ranks.items() if rank == top]
