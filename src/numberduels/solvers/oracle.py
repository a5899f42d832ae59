"""What every exact method has in common: it knows what a position is worth, and never guesses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, NamedTuple

from numberduels.core import M, ProgressCallback, S
from numberduels.messages import Message

WIN, DRAW, LOSS = 1, 0, -1
MAX_POSITIONS = 300_000
"""Positions that a method looks at before it gives up, unless it is told otherwise."""

MEMORY = 2 << 30
"""Bytes that a table may take: what would need more is refused before it is begun."""


TOO_DEEP = "the game is longer than the search is deep"
"""Why a search that follows one line of play after another gives up."""


class TooLarge(ValueError):
    """The position is beyond the reach of the method, which therefore has no value to give."""

    def __init__(self, message: str, reach: str = "") -> None:
        """What is too large, and a phrase on what would not be, where the method knows."""
        super().__init__(message)
        self.reach = reach


class Worth(NamedTuple):
    """What a position is worth to the player to move, as far as the method tells.

    Remoteness is the number of plies to the end when the winner hurries and the loser delays; a
    draw has no end. Margin is by how many points the player to move will be ahead at the end.
    """

    value: int
    remoteness: int | None = None
    margin: int | None = None
    nimber: int | None = None

    def for_opponent(self) -> Worth:
        """The same seen by the player who has just moved; the nimber is still the position's."""
        value, remoteness, margin, nimber = self
        return Worth(
            -value,
            None if remoteness is None else remoteness + 1,
            None if margin is None else -margin,
            nimber,
        )


class Oracle(ABC, Generic[S, M]):
    """Knows the worth of every position that it is asked about, or says that it does not."""

    method: str
    """How it knows, in a phrase."""

    def __init__(self, game: Any, max_positions: int = MAX_POSITIONS) -> None:
        self.game = game
        self.max_positions = max_positions
        self.positions = 0
        """How many positions it has looked at so far."""
        self.progress: ProgressCallback | None = None
        """Who is told of the progress of long work, if anybody."""

    def count_position(self) -> None:
        """Count a position that is about to be looked at; TooLarge when it is one too many."""
        self.positions += 1
        if self.positions > self.max_positions:
            raise TooLarge(f"there are more than {self.max_positions:,} positions")

    def for_smaller_size(self, game: Any) -> Oracle[S, M]:
        """An oracle for this game at a smaller size, which may share what this one has found out."""
        return type(self)(game, self.max_positions)

    @abstractmethod
    def evaluate(self, state: S) -> Worth:
        """What the state is worth to the player to move; TooLarge where that is beyond reach."""

    def value(self, state: S) -> int:
        """WIN, DRAW or LOSS for the player to move."""
        return self.evaluate(state).value

    def evaluate_move(self, state: S, move: M) -> Worth:
        """What the move is worth to the player who makes it."""
        return self.evaluate(self.game.play(state, move)).for_opponent()

    def evaluate_moves(self, state: S) -> dict[M, Worth]:
        """Every move with its worth to the player who makes it."""
        self.evaluate(state)  # what follows may be solved together with it, rather than once for every move
        return {move: self.evaluate_move(state, move) for move in self.game.moves(state)}

    def best_moves(self, state: S) -> list[M]:
        """The moves that keep the value of the state; in a game of points, its margin."""
        return select_best(self.evaluate_moves(state))

    def why(self, state: S, move: M) -> Message:
        """A sentence that teaches why the move is as good as any."""
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
        """How many moves of a state are best, of how many; 0 of 0 where that tells nothing or takes long."""
        moves = len(self.game.moves(state))
        return (len(self.best_moves(state)), moves) if 1 < moves <= FEW else (0, 0)


FEW = 60
"""Moves up to which it is worth telling how many are right."""


def select_best(choices: dict[M, Worth]) -> list[M]:
    """The best of the choices: by margin where there is one, else by value."""
    ranks = {move: worth.value if worth.margin is None else worth.margin for move, worth in choices.items()}
    top = max(ranks.values(), default=None)
    return [move for move, rank in ranks.items() if rank == top]
