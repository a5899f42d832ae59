"""PuzzlePlan: what a game declares about its puzzles, in `puzzles.py` of its package.

    PUZZLES = PuzzlePlan(
        sources=(PuzzleSource("only-move", {"size": range(12, 20)}),),
        move_recipes={"pairs": leave_pairs},
        hint=hint,
    )

`GameSpec(puzzles="puzzles:PUZZLES")` names it. All of it is optional.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from numberduels.game.messages import Message

if TYPE_CHECKING:
    from numberduels.analysis.puzzles.model import Puzzle

AnyTable: TypeAlias = Any
"""A `Table`; the game on it has methods of its own."""

MoveRecipe = Callable[[AnyTable], Hashable | None]
"""A way to choose a move without looking ahead; None if it does not apply."""

ValueRecipe = Callable[[AnyTable], int | None]
"""A way to judge a position without looking ahead: WIN or LOSS for the player to move, or None."""

NumberRecipe = Callable[[AnyTable], int | None]
"""A way to guess the number that a puzzle asks for."""


def anywhere(_: AnyTable) -> bool:
    """Any position will do."""
    return True


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """Where puzzles of one kind are found."""

    kind: str
    options: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """The values of each option to draw from; the other options keep their defaults."""
    plies: range = range(100)
    """How many moves may have been made."""
    choices: int = 3
    """The fewest legal moves of a position."""
    where: Callable[[AnyTable], bool] = anywhere
    """Which positions fit the question."""
    share: float = 1.0
    """The weight of this source among those of the game."""


@dataclass(frozen=True, slots=True)
class PuzzlePlan:
    """The sources of puzzles of a game, the recipes that must not solve them, and what to say first."""

    sources: tuple[PuzzleSource, ...]
    move_recipes: Mapping[str, MoveRecipe] = field(default_factory=dict)
    """What the rules teach players to do, and other habits, beyond those of every game."""
    value_recipes: Mapping[str, ValueRecipe] = field(default_factory=dict)
    """What the rules teach about who wins."""
    number_recipes: Mapping[str, NumberRecipe] = field(default_factory=dict)
    """Numbers that are easy to guess."""
    hint: Callable[[Puzzle], Message | None] | None = None
    """The first hint: where to look."""
    note: Callable[[AnyTable], Message | None] | None = None
    """What a player must know about a position and does not see on the board."""
    twin: Callable[[Any], Callable[[Any], Any]] | None = None
    """For a game, a function that maps positions of equal worth to one key; only for speed."""
