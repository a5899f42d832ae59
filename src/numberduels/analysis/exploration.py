"""Exploration: the theorem of a game as something to try. One number is changed, and the winner with it.

A game declares one in `teaching.py`. Who wins is never written there: `winners` asks the solver.

>>> from numberduels.game import registry
>>> found = exploration_of(registry.spec("range-war"))
>>> winners(found, registry.spec("range-war"))[6], found.values[6]
(1, 7)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numberduels.game.contract import OTHER
from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, replay
from numberduels.solvers import DRAW, WIN, make_oracle

Position = tuple[Mapping[str, Any], tuple[str, ...]]
"""Values for `GameSpec.build`, and moves as in records."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """Positions that differ in one number, and what to count in them."""

    title: Message
    about: Message
    """What to try, and what to look for."""
    label: Message
    """What the number is."""
    values: tuple[int, ...]
    """The numbers to choose from."""
    first: int
    """The number to begin with."""
    position: Callable[[int], Position]
    """The position of a number."""
    count: Callable[[Any, Any], Message]
    """What decides, counted in a position of the game."""

    def table(self, spec: GameSpec, value: int) -> Table[Any, Any]:
        """The position of a number as a game in progress."""
        options, moves = self.position(value)
        game = spec.build(options)
        return replay(game, map(spec.text_for(game).parse_move, moves))


def exploration_of(spec: GameSpec) -> Exploration | None:
    """The exploration that a game declares; None if it has none."""
    found: Exploration | None = spec.load("exploration")
    return found


def winners(exploration: Exploration, spec: GameSpec) -> list[int]:
    """For each number who wins with best play: 1, 2, or 0 for nobody."""
    return [_winner(exploration.table(spec, value)) for value in exploration.values]


def _winner(table: Table[Any, Any]) -> int:
    if table.outcome:
        return 0 if table.outcome.winner is None else table.outcome.winner + 1
    value = make_oracle(table.game).value(table.state)
    if value == DRAW:
        return 0
    return 1 + (table.turn if value == WIN else OTHER[table.turn])
