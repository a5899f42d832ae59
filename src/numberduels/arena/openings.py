"""How the games of a run begin: deals, openings and single positions, drawn by a seed and each only once."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from numberduels.arena.oracle_cache import ORACLES
from numberduels.core import RandomStart, has_fixed_start
from numberduels.solvers import TooLarge
from numberduels.table import Table

TRIES = 500
"""Draws that may show nothing new before it is believed that there is nothing new."""

DEEPEST = 200
"""Moves after which a random game is not followed any further."""


class Opening(NamedTuple):
    """Where a game begins."""

    game: Any
    """With its deal made certain."""
    start: Any
    moves: tuple[Any, ...]
    """First moves that nobody chose."""


class OpeningSequence(ABC):
    """A sequence that depends on the game and the seed alone; as much of it is drawn as is asked for."""

    def __init__(self, game: Any, seed: str) -> None:
        self.game = game
        self.seed = seed
        self._found: list[Opening] = []
        self._seen: set[Any] = set()
        self._exhausted = False

    def upto(self, most: int) -> list[Opening]:
        """So many beginnings, or all there are, no two alike."""
        self._draw_up_to(most)
        return self._found[:most]

    def _draw_up_to(self, most: int) -> None:
        while len(self._found) < most and not self._exhausted:
            rng = Random(f"{self.seed} {len(self._found) + 1}")
            for opening in (self.draw(rng) for _ in range(TRIES)):
                if opening is not None and self.mark(opening) not in self._seen:
                    self._seen.add(self.mark(opening))
                    self._found.append(opening)
                    break
            else:
                self._exhausted = True

    def deal(self, rng: Random) -> tuple[Any, Any]:
        """A start, and the game with its deal made certain."""
        start = self.game.start(rng)
        dealt = isinstance(self.game, RandomStart) and not has_fixed_start(self.game)
        return (self.game.with_start(start) if dealt else self.game), start

    @abstractmethod
    def draw(self, rng: Random) -> Opening | None:
        """Some beginning; None where the draw came to nothing."""

    @abstractmethod
    def mark(self, opening: Opening) -> Any:
        """What tells a beginning from others."""


class GameOpenings(OpeningSequence):
    """Beginnings of whole games: a deal, or else some first moves, so that players who never vary do vary."""

    def __init__(self, game: Any, seed: str, plies: int) -> None:
        super().__init__(game, seed)
        self.plies = plies

    def at(self, number: int) -> Opening:
        """The beginning of this round; where there are too few, they come round again."""
        self._draw_up_to(number)
        return self._found[(number - 1) % len(self._found)]

    def draw(self, rng: Random) -> Opening:
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
        return Opening(game, start, tuple(moves))

    def mark(self, opening: Opening) -> Any:
        return opening.start, opening.moves


class SampledPositions(OpeningSequence):
    """Positions in which some moves keep the value and some lose it."""

    def draw(self, rng: Random) -> Opening | None:
        game, start = self.deal(rng)
        table: Table[Any, Any] = Table(game, start)
        moments = list(self._risky(table, rng))
        return Opening(game, start, table.played[: rng.choice(moments)]) if moments else None

    def _risky(self, table: Table[Any, Any], rng: Random) -> Iterator[int]:
        """Play a random game on the table, and find the moments where a choice matters."""
        oracle = ORACLES.of(table.game)
        while not table.outcome and table.ply < DEEPEST:
            try:
                values = {worth.value for worth in oracle.evaluate_moves(table.state).values()}
            except TooLarge:
                values = set()
            if len(values) > 1:
                yield table.ply
            table.play(rng.choice(table.moves))

    def mark(self, opening: Opening) -> Any:
        return opening.game, Table(opening.game, opening.start, opening.moves).state


class _Drawn(threading.local):
    """What a worker has drawn already, each thread for itself."""

    def __init__(self) -> None:
        self.openings: dict[tuple[Any, str, int], GameOpenings] = {}
        self.moments: dict[tuple[Any, str], SampledPositions] = {}


_DRAWN = _Drawn()


def openings(game: Any, seed: str, plies: int) -> GameOpenings:
    """The openings of a run in this game."""
    return _DRAWN.openings.setdefault((game, seed, plies), GameOpenings(game, f"{seed} opening", plies))


def moments(game: Any, seed: str) -> SampledPositions:
    """The single positions of a run in this game."""
    return _DRAWN.moments.setdefault((game, seed), SampledPositions(game, f"{seed} position"))
