"""Many positions of one game as NumPy arrays, one row each, moved together by one call.

Any game with an `all_moves` has rows: a small one is laid out as tables (`tables`), any other is moved
one by one through its rules (`plain`). A spec may have rows of its own that do with arrays what its
rules do with one position; tests hold the two against each other, move by move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numberduels.core import Feature, IllegalMove, Observable, Outcome

RUNNING, FIRST, SECOND, TIE = range(4)
"""How a row stands: the game goes on, seat 0 has won, seat 1 has won, nobody has."""

REWARDS = ((0, 0), (1, -1), (-1, 1), (0, 0))
"""By how a row stands, the rewards of both seats: nothing while the game goes on, nothing for a tie."""

Which = slice | NDArray[np.intp]
"""A choice of rows."""

ALL = slice(None)
"""Every row."""


class Ended(NamedTuple):
    """The games that a move has ended."""

    which: NDArray[np.intp]
    """Their places among the rows that moved."""
    how: NDArray[np.int8]
    """How they stand."""
    over: NDArray[np.bool_]
    """Of every row that moved, whether it is among them."""


def standing(outcome: Outcome | None) -> int:
    """How a row stands whose game has come to this.

    >>> standing(Outcome(1, "stuck")) == SECOND
    True
    """
    if outcome is None:
        return RUNNING
    return TIE if outcome.winner is None else FIRST + outcome.winner


def columns(game: Any) -> Sequence[Feature]:
    """What the numbers of a view tell; of a game that offers no view, only whose turn it is."""
    return game.features() if isinstance(game, Observable) else [Feature("turn", 1, 2)]


def narrowest(columns: Sequence[Feature]) -> np.dtype[Any]:
    """The type of an array of such numbers: bytes where all of them fit.

    >>> narrowest([Feature("turn", 1, 2)]), narrowest([Feature("points", 0, 300)])
    (dtype('uint8'), dtype('int32'))
    """
    small = all(low >= 0 and high < 256 for _, low, high in columns)
    return np.dtype(np.uint8 if small else np.int32)


def viewer(game: Any) -> Callable[[Any], Sequence[int]]:
    """What gives the view of one position: a number for each of the columns."""
    return game.observe if isinstance(game, Observable) else partial(_turn, game)


def _turn(game: Any, state: Any) -> tuple[int]:
    return (game.turn(state) + 1,)


class GameBatch(ABC):
    """The positions of `n` games. An action is a place in the alphabet; `rows` chooses some of the games.

    They are dealt before anything else; until then they stand nowhere.
    """

    def __init__(self, game: Any, n: int) -> None:
        self.game = game
        self.n = n
        self.letters = tuple(game.all_moves())
        self.actions = len(self.letters)
        self.columns = len(columns(game))
        self.dtype = narrowest(columns(game))
        """The type of the numbers of a view."""

    @classmethod
    @abstractmethod
    def fits(cls, game: Any) -> bool:
        """Whether the game can be held in these arrays; where not, there are the general ones."""

    @abstractmethod
    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        """Put the rows to a start."""

    @abstractmethod
    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        """The seat to move in each row."""

    @abstractmethod
    def legal(self, rows: Which = ALL) -> NDArray[np.bool_]:
        """Which actions the rules allow, a row of them for each game; none where a game is over."""

    @abstractmethod
    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        """Make a move in each of the rows; those whose game is over now stay where they are.

        IllegalMove speaks of the first action that is refused, and then no row has moved.
        """

    @abstractmethod
    def sample(self, rng: np.random.Generator, rows: Which = ALL) -> NDArray[np.intp]:
        """A legal action for each row whose game goes on, each as likely as the others."""

    @abstractmethod
    def observe(self, rows: Which = ALL) -> NDArray[Any]:
        """The view of each row, as numbers of the narrowest type."""

    @abstractmethod
    def state(self, row: int) -> Any:
        """The position of one row, as the rules know it."""

    def refuse(self, actions: NDArray[np.intp], refused: NDArray[np.bool_], rows: Which) -> None:
        """Raise IllegalMove, in the words of the rules, for the first that is refused."""
        first = int(refused.argmax())
        row = int(np.arange(self.n)[rows][first])
        try:
            self.game.play(self.state(row), self.letters[int(actions[first])])
        except IllegalMove as fault:
            raise IllegalMove(f"Game {row}: {fault}") from None
        raise AssertionError(f"the rules allow what the rows of {self.game} refuse")


def ended(over: NDArray[np.bool_], made: NDArray[Any]) -> Ended:
    """The games that are over, each won by who made the last of so many moves: seat 0 makes the odd ones.

    >>> ended(np.array([False, True]), np.array([5, 5]))
    Ended(which=array([1]), how=array([1], dtype=int8), over=array([False,  True]))
    """
    which = over.nonzero()[0]
    return Ended(which, np.where(made[which] & 1, np.int8(FIRST), np.int8(SECOND)), over)
