"""How the games of a run begin: deals, openings and single positions, drawn by a seed and each only once."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from numberduels.arena.judges import JUDGES
from numberduels.core import RandomStart, has_fixed_start
from numberduels.solvers import TooLarge
from numberduels.table import Table

TRIES = 500
"""Draws that may show nothing new before it is believed that there is nothing new."""

DEEPEST = 200
"""Moves after which a random game is not followed any further."""


class Beginning(NamedTuple):
    """Where a game begins."""

    game: Any
    """With its deal made certain."""
    start: Any
    moves: tuple[Any, ...]
    """First moves that nobody chose."""


class Beginnings(ABC):
    """A sequence that depends on the game and the seed alone; as much of it is drawn as is asked for."""

    def __init__(self, game: Any, seed: str) -> None:
        self.game = game
        self.seed = seed
        self._found: list[Beginning] = []
        self._seen: set[Any] = set()
        self._exhausted = False

    def upto(self, most: int) -> list[Beginning]:
        """So many beginnings, or all there are, no two alike."""
        self._draw_up_to(most)
        return self._found[:most]

    def _draw_up_to(self, most: int) -> None:
        while len(self._found) < most and not self._exhausted:
            rng = Random(f"{self.seed} {len(self._found) + 1}")
            for beginning in (self.draw(rng) for _ in range(TRIES)):
                if beginning is not None and self.mark(beginning) not in self._seen:
                    self._seen.add(self.mark(beginning))
                    self._found.append(beginning)
                    break
            else:
                self._exhausted = True

    def deal(self, rng: Random) -> tuple[Any, Any]:
        """A start, and the game with its deal made certain."""
        start = self.game.start(rng)
        dealt = isinstance(self.game, RandomStart) and not has_fixed_start(self.game)
        return (self.game.with_start(start) if dealt else self.game), start

    @abstractmethod
    def draw(self, rng: Random) -> Beginning | None:
        """Some beginning; None where the draw came to nothing."""

    @abstractmethod
    def mark(self, beginning: Beginning) -> Any:
        """What tells a beginning from others."""


class Openings(Beginnings):
    """Beginnings of whole games: a deal, or else some first moves, so that players who never vary do vary."""

    def __init__(self, game: Any, seed: str, plies: int) -> None:
        super().__init__(game, seed)
        self.plies = plies

    def at(self, number: int) -> Beginning:
        """The beginning of this round; where there are too few, they come round again."""
        self._draw_up_to(number)
        return self._found[(number - 1) % len(self._found)]

    def draw(self, rng: Random) -> Beginning:
        game, start = self.deal(rng)
        moves: list[Any] = []
        state = start
        for _ in range(self.plies if game is self.game else 0):
            # What leaves nothing to choose is no opening.
            good = [move for move in game.moves(state) if len(game.moves(game.play(state, move))) > 1]
            if not good:
                break
            moves.append(rng.choice(good))
            state = game.play(state, moves[-1])
        return Beginning(game, start, tuple(moves))

    def mark(self, beginning: Beginning) -> Any:
        return beginning.start, beginning.moves


class Moments(Beginnings):
    """Positions in which some moves keep the value and some lose it."""

    def draw(self, rng: Random) -> Beginning | None:
        game, start = self.deal(rng)
        table: Table[Any, Any] = Table(game, start)
        moments = list(self._risky(table, rng))
        return Beginning(game, start, table.played[: rng.choice(moments)]) if moments else None

    def _risky(self, table: Table[Any, Any], rng: Random) -> Iterator[int]:
        """Play a random game on the table, and find the moments where a choice matters."""
        oracle = JUDGES.of(table.game)
        while not table.outcome and table.ply < DEEPEST:
            try:
                values = {worth.value for worth in oracle.evaluate_moves(table.state).values()}
            except TooLarge:
                values = set()
            if len(values) > 1:
                yield table.ply
            table.play(rng.choice(table.moves))

    def mark(self, beginning: Beginning) -> Any:
        return beginning.game, Table(beginning.game, beginning.start, beginning.moves).state


class _Drawn(threading.local):
    """What a worker has drawn already, each thread for itself."""

    def __init__(self) -> None:
        self.openings: dict[tuple[Any, str, int], Openings] = {}
        self.moments: dict[tuple[Any, str], Moments] = {}


_DRAWN = _Drawn()


def openings(game: Any, seed: str, plies: int) -> Openings:
    """The openings of a run in this game."""
    return _DRAWN.openings.setdefault((game, seed, plies), Openings(game, f"{seed} opening", plies))


def moments(game: Any, seed: str) -> Moments:
    """The single positions of a run in this game."""
    return _DRAWN.moments.setdefault((game, seed), Moments(game, f"{seed} position"))
