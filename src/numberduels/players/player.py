"""What every player is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, NamedTuple

from numberduels.core import Game, M, ProgressCallback, S


class Attempt(NamedTuple):
    """One answer of a player from outside: a program or a model."""

    answer: str
    """What it said, word for word."""
    fault: str = ""
    """Why that could not be played; nothing if it was."""
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    """What it cost, if the server or the prices tell."""


class Forfeit(Exception):
    """A player cannot go on. The message is one sentence; the cause is one of CAUSES."""

    CAUSES = ("crash", "timeout", "illegal", "error")
    """It died or hung up; it was late; it gave nothing legal; it could not be reached, which is no loss."""

    def __init__(self, cause: str, message: str) -> None:
        super().__init__(message)
        self.cause = cause

    def __reduce__(self) -> tuple[type[Forfeit], tuple[str, str]]:
        return Forfeit, (self.cause, str(self))


class Player(ABC):
    """Chooses moves. Whatever it keeps in mind changes nothing but its speed."""

    name: str
    progress: ProgressCallback | None = None
    """Who is told of the progress of long thoughts, if anybody."""
    attempts: Sequence[Attempt] = ()
    """How the last choice came about, where that is worth telling; also when it ended in a forfeit."""
    opening_plies: int = 0
    """First moves of the game that were drawn and chosen by nobody."""

    def prepare(self, game: Game[Any, Any], start: Any) -> None:  # noqa: B027  # most need not
        """Get ready for a game from this start; ValueError when it cannot be played."""

    def set_history(self, played: Sequence[Hashable]) -> None:  # noqa: B027  # most see all they need in the position
        """Be told all moves so far, before each choice."""

    @property
    def uses_history(self) -> bool:
        """Whether it makes use of what it hears, and can therefore play only one game at a time."""
        return type(self).set_history is not Player.set_history

    @abstractmethod
    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        """A legal move in a position that is not the end; all chance comes from the generator.

        A player from outside may raise Forfeit.
        """

    def close(self) -> None:  # noqa: B027  # most have nothing to end
        """Leave the table, and end whatever was started for the game."""
