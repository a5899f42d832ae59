"""What every game is: seats, outcomes, the Game contract and what a game may offer beyond it.

A game is one rule book at one size: a frozen dataclass whose fields are the sizes. It knows the
rules and nothing else. Text, history, players and solvers are built on the five methods of
`Game`; the small protocols below it are optional, and each is asked for by `isinstance`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from numberduels.messages import MessageError

Seat = Literal[0, 1]
"""Who moves first sits in seat 0. "Player 1" exists only in words."""

OTHER: dict[Seat, Seat] = {0: 1, 1: 0}
"""The seat across the table."""

ProgressCallback = Callable[[int, int], None]
"""Is told how much of some long work is done, and of how much."""

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)


class IllegalMove(MessageError):
    """A move that the rules refuse. The message is one sentence for the player."""


class Unreadable(MessageError):
    """A text that is no move at all. The message is one sentence for the player."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won (None for a tie), in which way, and the scores if it has any."""

    winner: Seat | None
    why: str
    scores: tuple[int, int] | None = None


class Game(Protocol[S, M]):
    """One rule book at one size. Every method is pure; chance enters only through `start`."""

    def start(self, rng: Random) -> S:
        """The position before the first move."""

    def turn(self, state: S) -> Seat:
        """The seat to move. Turns alternate strictly, and seat 0 begins."""

    def moves(self, state: S) -> Sequence[M]:
        """The legal moves in a fixed order; empty exactly when the game is over."""

    def play(self, state: S, move: M) -> S:
        """The position after the move; raises IllegalMove where the rules refuse it."""

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""


@runtime_checkable
class RandomStart(Protocol[S]):
    """A game whose start is dealt at random."""

    def with_start(self, start: S) -> Game[S, Hashable]:
        """The same game with this deal made certain: every `start` now gives this position."""


def has_fixed_start(game: Any) -> bool:
    """Whether every start of the game is the same, so that a record or a solution can speak of it."""
    if not hasattr(game, "with_start"):
        return True
    return bool(game.with_start(game.start(Random(0))) == game)


@runtime_checkable
class Bounded(Protocol):
    """A game that must end."""

    @property
    def max_plies(self) -> int:
        """More moves than this cannot be made in one game."""


@runtime_checkable
class FiniteMoves(Protocol):
    """A game with a known stock of moves."""

    def all_moves(self) -> Sequence[Hashable]:
        """Every move there can ever be, in a fixed order."""


class Feature(NamedTuple):
    """One number of a view: what it tells, and the bounds that it never leaves."""

    name: str
    low: int
    high: int


@runtime_checkable
class Observable(Protocol):
    """A game whose positions can be told as a row of whole numbers, for those who learn from them."""

    def features(self) -> Sequence[Feature]:
        """What each number of a view tells, in order."""

    def observe(self, state: Any) -> Sequence[int]:
        """All that there is to know about the position, whose turn it is included."""


@runtime_checkable
class HistoryDependent(Protocol):
    """A game whose views may not tell all, because positions that are gone forbid later moves."""

    @property
    def history_matters(self) -> bool:
        """Whether that is so at these options."""


@runtime_checkable
class Symmetric(Protocol[S]):
    """A game with positions that are alike."""

    def canonical(self, state: S) -> S:
        """A canonical twin: the same moves' worth for the player to move, whoever that is."""


@runtime_checkable
class Scored(Protocol[S]):
    """A game decided by points: more is better, and points already made change no later choice."""

    def scores(self, state: S) -> tuple[int, int]:
        """The points of both seats so far."""

    def without_scores(self, state: S) -> S:
        """A canonical twin with the past points forgotten: what is still to be won is the same."""

    def tie_winner(self) -> Seat | None:
        """Who wins when the points are level; None for a tie."""


@runtime_checkable
class PointsLeft(Protocol):
    """A game of points that can say how much of them is still at stake."""

    def points_left(self, state: Any) -> int:
        """The most by which the player not to move can still gain on the player to move.

        Who gives up a game of a match loses that much on top of the margin so far.
        """


@runtime_checkable
class Decomposable(Protocol[S]):
    """An impartial game, lost by who cannot move, whose positions fall apart into independent ones."""

    def components(self, state: S) -> Sequence[S]:
        """Positions that do not touch each other and together are the state, each in canonical form."""
