"""The puzzles of Range War.

The rules teach to count both sides and to take the nearest number, so the only move that wins would be no
puzzle: it is the nearest. What they do not teach is how far one may jump, and how long a game lasts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from numberduels.analysis.puzzles.declaration import AnyTable, PuzzlePlan, PuzzleSource
from numberduels.analysis.puzzles.model import Puzzle
from numberduels.game.messages import Message
from numberduels.games.range_war.rules import ANYWHERE, Line, RangeWar

SIZES = {"size": range(8, 25), "opening": ("lower", "free")}


def _sides(table: AnyTable) -> tuple[int, int]:
    """How many free numbers lie below and above the last one."""
    free, last, _ = table.state
    above = (free >> last).bit_count()
    return free.bit_count() - above, above


def _goes_up(table: AnyTable) -> bool:
    """Whether the player to move goes up, or may choose and has more numbers there."""
    below, above = _sides(table)
    side = table.state[2]
    return above > below if side == ANYWHERE else side < 0


def _goes_down(table: AnyTable) -> bool:
    return not _goes_up(table)


def nearest_on_the_longer_side(table: AnyTable) -> int | None:
    """What the rules teach."""
    last = table.state[1]
    up = _goes_up(table)
    ahead = [move for move in table.moves if (move > last) == up]
    return min(ahead, key=lambda move: abs(move - last), default=None)


def next_to_nearest(table: AnyTable) -> int | None:
    """The second number on the longer side, for players who always skip one."""
    last = table.state[1]
    up = _goes_up(table)
    ahead = sorted((move for move in table.moves if (move > last) == up), key=lambda move: abs(move - last))
    return ahead[1] if len(ahead) > 4 else None


def shorter_side(table: AnyTable) -> int:
    """How many numbers lie on the side with fewer."""
    return min(_sides(table))


def longer_side(table: AnyTable) -> int:
    """How many numbers lie on the side with more."""
    return max(_sides(table))


def twin(_: RangeWar) -> Callable[[Line], Hashable]:
    """A key of a position: the free numbers on both sides, which are all that matters (see the theory)."""

    def key(state: Line) -> Hashable:
        free, last, side = state
        if side == ANYWHERE:
            return state
        above = (free >> last).bit_count()
        below = free.bit_count() - above
        return (above, below) if side < 0 else (below, above)

    return key


def hint(puzzle: Puzzle) -> Message:
    """Where to look."""
    if puzzle.kind == "length":
        return Message(
            "Count the free numbers on both sides of the last one. Who will run out of numbers first?"
        )
    return Message(
        "Count the free numbers on both sides of the last one. Every number that you skip is one less for"
        " you and one more for them."
    )


PUZZLES = PuzzlePlan(
    sources=(
        PuzzleSource("highest-move", SIZES, range(1, 20), where=_goes_up),
        PuzzleSource("lowest-move", SIZES, range(1, 20), where=_goes_down),
        PuzzleSource("winning-moves", SIZES, range(1, 20), choices=4, share=0.7),
        PuzzleSource("length", SIZES, range(1, 20), choices=2, share=0.5),
    ),
    move_recipes={
        "nearest on the longer side": nearest_on_the_longer_side,
        "next to nearest": next_to_nearest,
    },
    number_recipes={"the shorter side": shorter_side, "the longer side": longer_side},
    hint=hint,
    twin=twin,
)
