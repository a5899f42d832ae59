"""What every player is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any

from numberduels.core import Game, M, Progress, S


class Player(ABC):
    """Chooses moves. Whatever it keeps in mind changes nothing but its speed."""

    name: str
    progress: Progress | None = None
    """Who is told of the progress of long thoughts, if anybody."""

    def prepare(self, game: Game[Any, Any], start: Any) -> None:  # noqa: B027  # most need not
        """Get ready for a game from this start; ValueError when it cannot be played."""

    @abstractmethod
    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        """A legal move in a position that is not the end; all chance comes from the generator."""
