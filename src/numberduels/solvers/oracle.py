"""Oracles: exact solvers that return the value of a position, or refuse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, NamedTuple

from numberduels.core import M, ProgressCallback, S
from numberduels.messages import Message

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

    def for_smaller_size(self, game: Any) -> Oracle[S, M]:
        """An oracle for a smaller size of the game, which may reuse the results of this one."""
        return type(self)(game, self.max_positions)

    @abstractmethod
    def evaluate(self, state: S) -> Worth:
        """The worth of a state for the player to move; TooLarge if it cannot be computed."""

    def value(self, state: S) -> int:
        """WIN, DRAW or LOSS for the player to move."""
        return self.evaluate(state).value

    def evaluate_move(self, state: S, move: M) -> Worth:
        """The worth of a move for the player who makes it."""
        return self.evaluate(self.game.play(state, move)).for_opponent()

    def evaluate_moves(self, state: S) -> dict[M, Worth]:
        """Every move with its worth to the player who makes it."""
        self.evaluate(state)  # solves what follows together with it, not once for every move
        return {move: self.evaluate_move(state, move) for move in self.game.moves(state)}

    def best_moves(self, state: S) -> list[M]:
        """The moves that keep the value; in a game of points, the margin."""
        return select_best(self.evaluate_moves(state))

    def why(self, state: S, move: M) -> Message:
        """A sentence that explains why the move is one of the best."""
        value = self.evaluate_move(state, move).value
        if value == LOSS:
            best, moves = self._count_best(self.game.play(state, move))
            if not moves:
                return Message("Every move loses against best play.")
            return Message(
                "Every move loses against best play; after this one {best} of {moves} answers win.",
                best=best,
                moves=moves,
            )
        best, moves = self._count_best(state)
        if value == DRAW:
            if not moves:
                return Message("It holds the draw; nothing wins by force.")
            return Message(
                "It holds the draw, as {best} of {moves} moves here do; nothing wins by force.",
                best=best,
                moves=moves,
            )
        if not moves:
            return Message("It wins against any defence.")
        return Message(
            "It wins against any defence, as {best} of {moves} moves here do.", best=best, moves=moves
        )

    def _count_best(self, state: S) -> tuple[int, int]:
        """The number of best moves and of all moves; (0, 0) if there is one move, or too many to count."""
        moves = len(self.game.moves(state))
        return (len(self.best_moves(state)), moves) if 1 < moves <= FEW else (0, 0)


FEW = 60
"""With more moves, explanations do not count the best ones."""


def select_best(choices: dict[M, Worth]) -> list[M]:
    """The best moves: by margin if there is one, else by value."""
    ranks = {move: worth.value if worth.margin is None else worth.margin for move, worth in choices.items()}
    top = max(ranks.values(), default=None)
    return [move for move, rank in ranks.items() if rank == top]
