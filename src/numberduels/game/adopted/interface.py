"""The interface of other people's games: an `Environment` that starts episodes, and an `Episode` that runs.

An adapter for each library implements both. `adopted.game` makes a game of ours from them, and the audit
examines them. Seat 0 is the player who moves first, whatever the library calls that player.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from random import Random
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


# Copies of environments, and keys of their positions

PLIES = 30
"""Moves of the game in which copies are compared with their originals."""


def copied(env: Any) -> Any:
    """An independent copy; CannotAdopt if the environment cannot be copied.

    Environments are copied attribute by attribute: many of them inherit from EzPickle, which makes a new
    environment from the arguments instead of a copy.
    """
    try:
        return _clone(env, {})
    except Exception as fault:
        raise CannotAdopt(f"{type(env).__name__} cannot be copied: {describe(fault)}") from None


def _is_env(value: Any) -> bool:
    """Whether this is an environment, or a wrapper around one."""
    kind = type(value)
    return hasattr(kind, "step") and hasattr(kind, "reset") and hasattr(value, "__dict__")


def _clone(env: Any, memo: dict[int, Any]) -> Any:
    from copy import deepcopy

    if id(env) in memo:
        return memo[id(env)]
    made = memo[id(env)] = object.__new__(type(env))
    for name, value in vars(env).items():
        made.__dict__[name] = _clone(value, memo) if _is_env(value) else deepcopy(value, memo)
    return made


def key_of(env: Any) -> bytes | None:
    """A digest of everything that the environment holds; None if that cannot be written down.

    Equal digests mean equal objects, which are linked in the same way, so they behave alike. Equal positions
    may have different digests, if an environment keeps its history; then they count as different.
    """
    from hashlib import blake2b
    from pickle import dumps

    try:
        return blake2b(dumps(_content(env, []), protocol=5), digest_size=16).digest()
    except Exception:  # an object that cannot be pickled can fail in any way
        return None


def _content(env: Any, seen: list[int]) -> Any:
    """The attributes of an environment and of those inside of it."""
    if id(env) in seen:
        return seen.index(id(env))
    seen.append(id(env))
    return [
        (name, _content(value, seen) if _is_env(value) else value)
        for name, value in sorted(vars(env).items())
    ]


def check_copies(environment: Environment) -> bool:
    """Whether equal digests mean equal positions; CannotAdopt if copies do not behave like the original.

    A random game is played: every copy must look like its original, and every move must change the digest.
    """
    rng = Random("copies")
    episode = environment.reset(0)
    keys = set()
    for _ in range(PLIES):
        actions = list(episode.actions())
        twin = episode.copy()
        if list(twin.actions()) != actions or twin.seat != episode.seat:
            raise CannotAdopt(f"{environment.text} cannot be copied: a copy has other legal actions")
        keys.add(episode.key())
        if not actions:
            break
        try:
            episode.step(rng.choice(actions))
        except (Exception, SystemExit):  # whether legal actions fail is not the question here
            return False
    return None not in keys and len(keys) == len(episode.history) + (episode.seat is None)


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Hide what libraries log when something is tried that is not allowed."""
    import logging

    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def plain(value: Any) -> Any:
    """An observation as hashable data: arrays become their shape and bytes."""
    if isinstance(value, dict):
        return tuple(
            (str(name), plain(each)) for name, each in sorted(value.items(), key=lambda i: str(i[0]))
        )
    if isinstance(value, (list, tuple)):
        return tuple(map(plain, value))
    if hasattr(value, "tobytes") and hasattr(value, "shape"):
        return tuple(value.shape), str(value.dtype), value.tobytes()
    return value if value is None or isinstance(value, (str, int, float, bool, bytes)) else repr(value)
