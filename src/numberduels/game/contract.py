"""The Game protocol, seats, outcomes, errors, and the optional capabilities of a game.

A game is a frozen dataclass whose fields are its options, such as the size. It implements the rules
and nothing else. Text, history, players and solvers use the five methods of `Game`. The protocols
below it are optional; callers test for them with `isinstance`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from numberduels.game.messages import MessageError

Seat = Literal[0, 1]
"""Seat 0 moves first. Texts for people say Player 1 for it."""

OTHER: dict[Seat, Seat] = {0: 1, 1: 0}
"""The other seat."""

HUMAN = "human"
"""The kind of player of a seat where a person sits; the other kinds are the names of computer players."""

ProgressCallback = Callable[[int, int], None]
"""Called during long work with how much is done and how much there is in all; 0 if that is not known."""

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)


class IllegalMove(MessageError):
    """A move that the rules refuse. The message is one sentence for the player."""


class Unreadable(MessageError):
    """A text that is no move at all. The message is one sentence for the player."""


class Outcome(NamedTuple):
    """How a game ended: the winner (None for a tie), a word for how, and the scores if there are any."""

    winner: Seat | None
    why: str
    scores: tuple[int, int] | None = None


class Game(Protocol[S, M]):
    """The rules of one game with its options. Every method is pure; only `start` may use chance."""

    def start(self, rng: Random) -> S:
        """The position before the first move."""

    def turn(self, state: S) -> Seat:
        """The seat to move. Turns alternate strictly, and seat 0 begins."""

    def moves(self, state: S) -> Sequence[M]:
        """The legal moves in a fixed order; empty if and only if the game is over."""

    def play(self, state: S, move: M) -> S:
        """The position after the move; raises IllegalMove if the rules refuse it."""

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""


@runtime_checkable
class RandomStart(Protocol[S]):
    """A game whose start is drawn at random."""

    def with_start(self, start: S) -> Game[S, Hashable]:
        """The same game with a fixed start: `start` always returns this position."""


def has_fixed_start(game: Any) -> bool:
    """Whether the game always starts with the same position. Records and solutions need that."""
    if not hasattr(game, "with_start"):
        return True
    return bool(game.with_start(game.start(Random(0))) == game)


@runtime_checkable
class Bounded(Protocol):
    """A game that always ends."""

    @property
    def max_plies(self) -> int:
        """The most moves that one game can have."""


@runtime_checkable
class FiniteMoves(Protocol):
    """A game whose moves can all be listed."""

    def all_moves(self) -> Sequence[Hashable]:
        """Every move that can be legal in some position, in a fixed order."""


class Feature(NamedTuple):
    """One number of an observation: its name, its lowest and its highest value."""

    name: str
    low: int
    high: int


@runtime_checkable
class Observable(Protocol):
    """A game whose positions can be given as a list of whole numbers, for learning agents.

    It may also have `update_observation(observation, mask, before, move, after)`, which changes the
    observation and the mask of `before` into those of `after`, in place. Both are memory views; the mask has
    a byte for each of `all_moves`, 1 if it is legal. That is worth it where hardly any position comes twice;
    environments remember the others. It is not called if `history_matters`.
    """

    def features(self) -> Sequence[Feature]:
        """The numbers of an observation, in order."""

    def observe(self, state: Any) -> Sequence[int]:
        """The complete position as numbers, including whose turn it is."""


def history_matters(game: Any) -> bool:
    """Whether earlier positions forbid moves, so that an observation of the position is incomplete.

    A game says so with a property of this name. Such a game always ends.
    """
    return bool(getattr(game, "history_matters", False))


def always_ends(game: Any) -> bool:
    """Whether every game comes to an end: it is bounded, or no position may come back."""
    return isinstance(game, Bounded) or history_matters(game)


@runtime_checkable
class Symmetric(Protocol[S]):
    """A game with equivalent positions."""

    def canonical(self, state: S) -> S:
        """A representative of all equivalent positions: for the player to move, each is worth the same."""


@runtime_checkable
class Scored(Protocol[S]):
    """A game decided by points. Points made so far do not change which moves are legal."""

    def scores(self, state: S) -> tuple[int, int]:
        """The points of both seats so far."""

    def without_scores(self, state: S) -> S:
        """The same position with both scores at zero."""

    def tie_winner(self) -> Seat | None:
        """Who wins if the points are equal; None for a tie."""

    def points_left(self, state: S) -> int:
        """The most points that the player not to move can still gain on the player to move.

        A player who resigns a game of a match loses that many on top of the margin so far.
        """


@runtime_checkable
class Decomposable(Protocol[S]):
    """An impartial game under normal play whose positions split into independent components."""

    def components(self, state: S) -> Sequence[S]:
        """The independent components of the state, each in canonical form."""
