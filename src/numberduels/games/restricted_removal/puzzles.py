"""The puzzles of Restricted Removal: numbers that fall apart into groups larger than the rules explain.

The rules teach that equal groups cancel, and what one, two, three or four numbers in a row are worth. A
position that this knowledge solves is no puzzle.
"""

from __future__ import annotations

from numberduels.analysis.puzzles.declaration import AnyTable, PuzzlePlan, PuzzleSource
from numberduels.analysis.puzzles.model import Puzzle
from numberduels.game.bits import members
from numberduels.game.messages import Message
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf
from numberduels.solvers.oracle import LOSS, WIN

ROWS = {1: 1, 2: 1, 3: 2, 4: 0}
"""What the rules teach: the nimber of so many numbers in a row."""


def leave_pairs(table: AnyTable) -> int | None:
    """What the rules teach: leave equal groups in pairs, and rows whose nimbers cancel."""
    game, state = table.game, table.state
    return next((move for move in table.moves if taught_nimber(game, game.play(state, move)) == 0), None)


def taught_value(table: AnyTable) -> int | None:
    """Who wins, if the rules' knowledge of groups is enough."""
    nimber = taught_nimber(table.game, table.state)
    return None if nimber is None else WIN if nimber else LOSS


def taught_nimber(game: RestrictedRemoval, state: Shelf) -> int | None:
    """The nimber of a position by what the rules teach; None if that is not enough.

    >>> taught_nimber(RestrictedRemoval(10), (1 << 4 | 1 << 8 | 1 << 5 | 1 << 10 | 1 << 7 | 1 << 9, 0))
    0
    """
    total = 0
    others: set[tuple[int, ...]] = set()
    for part, _ in game.components(state):
        degrees = tuple(sorted(game.locks((part, 0), number).bit_count() for number in members(part)))
        if max(degrees) <= 2 and sum(degrees) == 2 * len(degrees) - 2 and len(degrees) in ROWS:
            total ^= ROWS[len(degrees)]
        else:
            others ^= {degrees}  # two groups that look alike cancel
    return None if others else total


def locks_most(table: AnyTable) -> int:
    """The number that locks most."""
    return int(max(table.moves, key=lambda move: table.game.locks(table.state, move).bit_count()))


def locks_fewest(table: AnyTable) -> int:
    """The number that locks fewest."""
    return int(min(table.moves, key=lambda move: table.game.locks(table.state, move).bit_count()))


def _few_numbers(table: AnyTable) -> bool:
    """Whether a person can still draw the groups."""
    return len(table.moves) <= 16


def _some_numbers(table: AnyTable) -> bool:
    """The same for experts."""
    return len(table.moves) <= 22


def hint(puzzle: Puzzle) -> Message:
    """Where to look."""
    if puzzle.kind in ("which-position", "winning-moves"):
        return Message(
            "Draw the groups of numbers that lock each other. Groups that look alike cancel: cover them up"
            " and look at the rest."
        )
    return Message(
        "Draw the groups of numbers that lock each other. Which number splits them so that whatever they do"
        " in one group, you can answer in another?"
    )


PUZZLES = PuzzlePlan(
    sources=(
        PuzzleSource(
            "only-move", {"size": range(12, 31)}, range(1, 31), choices=4, where=_few_numbers, share=3
        ),
        PuzzleSource("only-move", {"size": range(24, 41)}, choices=14, where=_some_numbers, share=0.5),
        PuzzleSource("winning-moves", {"size": range(11, 25)}, choices=4, where=_few_numbers),
        PuzzleSource("which-position", {"size": range(11, 25)}, choices=4, where=_few_numbers),
    ),
    move_recipes={"pairs of groups": leave_pairs, "locks most": locks_most, "locks fewest": locks_fewest},
    value_recipes={"pairs of groups": taught_value},
    hint=hint,
)
