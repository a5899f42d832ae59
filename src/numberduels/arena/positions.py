"""Single decisions: positions in which a wrong move exists, drawn once and for all by a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from numberduels.arena.bout import WORKER, Bout
from numberduels.solve import TooLarge
from numberduels.table import Table

TRIES = 500
"""Random games that are looked through for a position."""

DEEPEST = 200
"""Moves after which such a game is not followed any further."""


class Decision(Bout):
    """A game that begins in a position to be judged, and ends after one move; one player has both seats."""

    def open(self) -> None:
        """Play at random up to a moment where some moves keep the value and some lose it."""
        for number in range(TRIES):
            rng = Random(f"{self.fixture.seed} position {number}")
            self.table = Table(self.game, self.table.start)
            moments = list(self._moments(rng))
            if moments:
                moves = self.table.played[: rng.choice(moments)]
                self.table = Table(self.game, self.table.start, moves)
                self.told = [self.drew(ply, move) for ply, move in enumerate(moves)]
                self.limit = len(moves) + 1
                return
        raise ValueError(f"no position of {self.fixture.game} was found in which a wrong move exists")

    def _moments(self, rng: Random) -> Iterator[int]:
        """Play a random game on the table, and find the moments where a choice matters."""
        table, seer = self.table, WORKER.judge(self.game)
        while not table.outcome and table.ply < DEEPEST:
            try:
                values = {worth.value for worth in seer.choices(table.state).values()}
            except TooLarge:
                values = set()
            if len(values) > 1:
                yield table.ply
            table.play(rng.choice(table.moves))
