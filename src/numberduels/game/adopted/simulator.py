"""The interface of other people's games: an `Environment` that starts episodes, and an `Episode` that runs.

An adapter for each library implements both. `adopted.game` makes a game of ours from them, and the audit
examines them. Seat 0 is the player who moves first, whatever the library calls that player.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, TypeVar

from numberduels.game.contract import IllegalMove, Seat
from numberduels.game.formatting import short


class CannotAdopt(ValueError):
    """This game cannot be played here. The message is one sentence that says why."""


class NotChecked(Exception):
    """A property cannot be examined here. The message is a phrase that says why."""


def describe(fault: BaseException) -> str:
    """An exception of somebody else's code in a few words."""
    try:
        said = " ".join(str(fault).split())
    except Exception:
        said = ""
    return short(f"{type(fault).__name__}: {said}", 160)


F = TypeVar("F", bound=Callable[..., Any])


def guarded(method: F) -> F:
    """Let a method of a game or of its text raise CannotAdopt whenever somebody else's code fails in it."""

    @wraps(method)
    def guard(self: Any, *args: Any) -> Any:
        try:
            return method(self, *args)
        except (CannotAdopt, IllegalMove, MemoryError, RecursionError):
            raise
        except (Exception, SystemExit) as fault:
            text = (self if hasattr(self, "environment") else self.game).environment.text
            raise CannotAdopt(f"the code of {short(text, 120)} failed: {describe(fault)}") from None

    return guard  # type: ignore[return-value]


class Episode(ABC):
    """One game in progress. `step` changes it; a copy is independent."""

    history: tuple[int, ...] = ()
    """The actions so far."""

    @property
    @abstractmethod
    def seat(self) -> Seat | None:
        """The seat to move; None when the game is over."""

    @property
    def truncated(self) -> bool:
        """Whether the game was stopped by a limit, without a result."""
        return False

    @abstractmethod
    def actions(self) -> Sequence[int]:
        """The legal actions; empty when the game is over."""

    @abstractmethod
    def returns(self) -> tuple[float, float]:
        """The sum of the rewards of each seat so far."""

    @abstractmethod
    def step(self, action: int) -> None:
        """Play a legal action."""

    def try_illegal(self, action: int) -> str:
        """Play an action that is not legal: what happened, as a phrase; nothing if the action was refused."""
        raise NotChecked("the library has no checked step")

    def try_after_end(self, action: int) -> str:
        """Play an action after the end: what happened, as a phrase; nothing if it was refused."""
        raise NotChecked("the library has no checked step")

    def restarted(self, seed: int) -> Episode:
        """Reset the same object for a new game, which ends this one."""
        raise NotChecked("every game is a new object")

    def declared_winner(self) -> Seat | None:
        """After the end, who won by the environment's own word, apart from its rewards; None for a tie."""
        raise NotChecked("it names no winner besides its rewards")

    @abstractmethod
    def copy(self) -> Episode:
        """An independent copy."""

    def key(self) -> Hashable | None:
        """A complete description of the position; None if only the history is known to be one."""
        return None

    def picture(self) -> str:
        """The position as text."""
        return ""

    def action_name(self, action: int) -> str:
        """What the library calls a legal action."""
        return str(action)

    def observation(self, seat: Seat) -> Any:
        """What the player in this seat observes, without the mask of legal actions."""
        raise NotChecked("it has no observations")

    def space_fault(self) -> str:
        """What is outside of its declared space, as a phrase; nothing if everything is inside."""
        raise NotChecked("it declares no spaces")


class Environment(ABC):
    """A game of another library."""

    text: str
    """The text by which it is named, such as `openspiel:tic_tac_toe`."""
    title: str
    about: str
    """One sentence."""
    num_actions: int
    max_plies: int | None = None
    """The most moves of a game, if the library says so."""
    alternates: bool = False
    """Whether the players are known to move strictly in turn."""
    uses_seeds: bool = True
    """Whether `reset` takes a seed."""
    tells_both_rewards: bool = True
    """Whether the library tells the rewards of both seats, not only of the one that has moved."""
    native: bool = False
    """Whether it is compiled code, which can end the whole process if it is used wrongly."""

    @abstractmethod
    def reset(self, seed: int) -> Episode:
        """A new game. Environments without chance ignore the seed."""

    def move_text(self, action: int) -> str:
        """An action as the command line reads it."""
        return str(action)
