"""Many positions of one game as NumPy arrays, one row each, moved together by one call.

Any game with an `alphabet` has rows: a small one is laid out as tables (`tables`), any other is moved
one by one through its rules (`plain`). A room may have rows of its own that do with arrays what its
rules do with one position; tests hold the two against each other, move by move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numberduels.core import Column, IllegalMove, Outcome, Viewed

RUNNING, FIRST, SECOND, TIE = range(4)
"""How a row stands: the game goes on, seat 0 has won, seat 1 has won, nobody has."""

REWARDS = ((0, 0), (1, -1), (-1, 1), (0, 0))
"""By how a row stands, the rewards of both seats: nothing while the game goes on, nothing for a tie."""

WORD = 64
"""Numbers that a set of them, held in one word, has room for."""

ALL = slice(None)
"""As a choice of rows: every one."""

Which = slice | NDArray[np.intp]
Masks = NDArray[np.uint64]


class Ended(NamedTuple):
    """The games that a move has ended."""

    which: NDArray[np.intp]
    """Their places among the rows that moved."""
    how: NDArray[np.int8]
    """How they stand."""


def standing(outcome: Outcome | None) -> int:
    """How a row stands whose game has come to this.

    >>> standing(Outcome(1, "stuck")) == SECOND
    True
    """
    if outcome is None:
        return RUNNING
    return TIE if outcome.winner is None else FIRST + outcome.winner


def columns(game: Any) -> Sequence[Column]:
    """What the numbers of a view tell; of a game that offers no view, only whose turn it is."""
    return game.columns() if isinstance(game, Viewed) else [Column("turn", 1, 2)]


def viewer(game: Any) -> Callable[[Any], Sequence[int]]:
    """What gives the view of one position: a number for each of the columns."""
    return game.view if isinstance(game, Viewed) else partial(_turn, game)


def _turn(game: Any, state: Any) -> tuple[int]:
    return (game.turn(state) + 1,)


class Rows(ABC):
    """The positions of `n` games. An action is a place in the alphabet; `rows` chooses some of the games.

    They are dealt before anything else; until then they stand nowhere.
    """

    def __init__(self, game: Any, n: int) -> None:
        self.game = game
        self.n = n
        self.letters = tuple(game.alphabet())
        self.actions = len(self.letters)

    @classmethod
    def fits(cls, game: Any) -> bool:
        """Whether the game can be held in these arrays; where not, there are the general ones."""
        return len(game.alphabet()) <= WORD

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
    def view(self, rows: Which = ALL) -> NDArray[np.int32]:
        """The view of each row."""

    @abstractmethod
    def state(self, row: int) -> Any:
        """The position of one row, as the rules know it."""

    def refuse(self, actions: NDArray[np.intp], refused: NDArray[np.bool_], rows: Which) -> None:
        """Raise IllegalMove, in the words of the rules, for the first that is refused, if any is."""
        if not refused.any():
            return
        first = int(refused.argmax())
        row = int(np.arange(self.n)[rows][first])
        try:
            self.game.play(self.state(row), self.letters[int(actions[first])])
        except IllegalMove as fault:
            raise IllegalMove(f"Game {row}: {fault}") from None
        raise AssertionError(f"the rules allow what the rows of {self.game} refuse")


class SetRows(Rows):
    """Rows whose legal actions are a set, in one word for each game."""

    @abstractmethod
    def open(self, rows: Which) -> Masks:
        """The set of legal actions: bit a for action a."""

    def legal(self, rows: Which = ALL) -> NDArray[np.bool_]:
        return unpacked(self.open(rows), self.actions)

    def sample(self, rng: np.random.Generator, rows: Which = ALL) -> NDArray[np.intp]:
        return picked(self.open(rows), self.actions, rng)

    def bits(self, actions: NDArray[np.intp], rows: Which) -> Masks:
        """Each action as a set of one; IllegalMove where it is not open."""
        bits: Masks = np.left_shift(ONE, actions.view(np.uint64))
        self.refuse(actions, (self.open(rows) & bits) == 0, rows)
        return bits


ONE = np.uint64(1)


def ended(over: NDArray[np.bool_], made: NDArray[Any]) -> Ended:
    """The games that are over, each won by who made the last of so many moves: seat 0 makes the odd ones.

    >>> ended(np.array([False, True]), np.array([5, 5]))
    Ended(which=array([1]), how=array([1], dtype=int8))
    """
    which = over.nonzero()[0]
    return Ended(which, np.where(made[which] & 1, np.int8(FIRST), np.int8(SECOND)))


def unpacked(masks: Masks, count: int) -> NDArray[np.bool_]:
    """The sets as rows of flags, for the numbers from 0 to below count.

    >>> unpacked(np.array([5], dtype=np.uint64), 4).astype(int)
    array([[1, 0, 1, 0]])
    """
    width = 8 if count <= 8 else 16 if count <= 16 else 32 if count <= 32 else 64
    flat = np.unpackbits(masks.astype(f"<u{width // 8}").view(np.uint8), bitorder="little")
    return flat.view(np.bool_).reshape(-1, width)[:, :count]


def below(counts: NDArray[Any], rng: np.random.Generator) -> NDArray[np.uint64]:
    """For each count a number from 0 to below it, as likely as any other but for a part in 2**32 / count."""
    half = (len(counts) + 1) // 2
    drawn = rng.bit_generator.random_raw(half).view(np.uint32)[: len(counts)].astype(np.uint64)
    drawn *= counts.view(np.uint64) if counts.itemsize == 8 else counts
    drawn >>= np.uint64(32)
    return drawn


CHUNK = 11
"""Numbers of a set that are looked up at once, in a table that stays close to the processor."""


def _nth() -> NDArray[np.int8]:
    """At [mask * CHUNK + k]: the k-th number of the set, counted from 0."""
    table = np.zeros((1 << CHUNK, CHUNK), dtype=np.int8)
    for mask in range(1 << CHUNK):
        numbers = [number for number in range(CHUNK) if mask >> number & 1]
        table[mask, : len(numbers)] = numbers
    return table.ravel()


NTH = _nth()


def picked(masks: Masks, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """A member of each set, each as likely as the others; of the numbers from 0 to below count.

    >>> picked(np.array([4, 1 << 40], dtype=np.uint64), 64, np.random.default_rng(1))
    array([ 2, 40])
    """
    nth = below(np.bitwise_count(masks), rng)
    passed = np.uint64(0)
    width = CHUNK
    while width < count:
        width *= 2
    while width > CHUNK:  # in which half is it?
        width //= 2
        half = np.uint64((1 << width) - 1)
        lower = np.bitwise_count(masks & half)
        high = nth >= lower
        nth -= lower * high
        skip = high.astype(np.uint64)
        skip *= np.uint64(width)
        masks = (masks >> skip) & half
        passed = passed + skip
    index = masks * np.uint64(CHUNK)
    index += nth
    return NTH.take(index.view(np.intp), mode="clip") + passed.astype(np.intp)
