"""Games of several sizes and options that models are asked about."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from numberduels.game import registry
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from ours import OURS
from tables import table

GAMES: list[Any] = [
    RangeWar(9),
    RangeWar(9, "free"),
    NumberSnatch(6, 12),
    NumberSnatch(numbers=(2, 3, 4, 5)),
    RestrictedRemoval(12),
    SummationDuel(7, 20),
    NumberCollision(4, 3),
    NumberCollision(12, 20),
    NumberCollision(3, 2, "forbidden"),
]
every_game = table("game", GAMES)
FIVE = [registry.spec(name) for name in OURS]
every_spec = table("spec", FIVE)


def walk(game: Any, seed: int, plies: int = 40) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The positions of a random game that go on, each with the moves that led to it."""
    rng = Random(seed)
    table: Table[Any, Any] = Table(game, game.start(rng))
    while table.moves and table.ply < plies:
        yield table.state, table.played
        table.play(rng.choice(table.moves))
