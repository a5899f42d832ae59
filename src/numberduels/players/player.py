"""Player: the base class of all computer players. Forfeit: a player cannot go on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from numberduels.game.contract import Game, M, ProgressCallback, S

if TYPE_CHECKING:
    from numberduels.players.chat import RequestControl

CRASH, TIMEOUT, ILLEGAL, ERROR = "crash", "timeout", "illegal", "error"
TRUNCATED, REFUSED, FILTERED = "truncated", "refused", "filtered"
TOOL_CALL, UNREADABLE = "tool call", "unreadable"
"""Why there is no legal move. A program crashed; the time was over; the move is against the rules; the player
could not be reached. An answer was cut off; the model declined; a filter held the answer back; it called a
tool; it states no move."""


class Attempt(NamedTuple):
    """One answer of a program or a model."""

    answer: str
    """The answer, word for word."""
    fault: str = ""
    """Why it is not a legal move; empty if it is."""
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    """The cost, if the server or the prices say it."""
    cause: str = ""
    """Why it is not a legal move, in a word; empty if it is."""
    finish: str = ""
    """The finish reason of the server."""
    reasoning: str = ""
    """The reasoning that came beside the answer; only its two ends if it is long."""
    tokens_reasoning: int | None = None
    tokens_cached: int | None = None
    """How many of the tokens were reasoning, and cached, if the server says it."""
    prompt: tuple[tuple[str, str], ...] = ()
    """The messages that it answers: the role and the text of each."""
    cached: bool = False
    """Whether it was taken from a cache of answers; the tokens and seconds are those of the first time."""


class Forfeit(Exception):
    """A player cannot go on. The message is one sentence; the cause is one of CAUSES."""

    CAUSES = (CRASH, TIMEOUT, ILLEGAL, UNREADABLE, TRUNCATED, REFUSED, FILTERED, TOOL_CALL, ERROR)
    """All causes; ERROR is no loss, because the player could not be reached."""

    def __init__(self, cause: str, message: str) -> None:
        super().__init__(message)
        self.cause = cause

    def __reduce__(self) -> tuple[type[Forfeit], tuple[str, str]]:
        return Forfeit, (self.cause, str(self))


class Player(ABC):
    """Chooses moves. Its choices depend only on the arguments; caches change only the speed."""

    name: str
    progress: ProgressCallback | None = None
    """Called with the progress of long computations, if set."""
    attempts: Sequence[Attempt] = ()
    """The answers of a program or a model for the last move, also after a forfeit."""
    requests: RequestControl | None = None
    """The cache and the budget for the requests of a model, if set."""
    opening_plies: int = 0
    """How many first moves of the game were random and chosen by no player."""

    def prepare(self, game: Game[Any, Any], start: Any) -> None:  # noqa: B027  # most players need no preparation
        """Prepare for a game from this start; ValueError if the player cannot play it."""

    def set_history(self, played: Sequence[Hashable]) -> None:  # noqa: B027  # most players need only the position
        """Receive all moves so far. Called before each choice."""

    @property
    def uses_history(self) -> bool:
        """Whether it uses the history, and so can play only one game at a time."""
        return type(self).set_history is not Player.set_history

    @abstractmethod
    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        """A legal move in a position that is not over; all chance comes from the generator.

        An external player may raise Forfeit.
        """

    def end_game(self, result: str, reason: str) -> None:
        """Receive the result of the game (1-0, 0-1, 1/2-1/2, or * without one) and its reason in a word.

        What was started for the game is released. What serves more games may stay until `close`.
        """
        self.close()

    def close(self) -> None:  # noqa: B027  # most players hold no resources
        """Release everything that was started for the game."""
