"""The puzzles of Summation Duel: numbers at sizes and targets where few moves win.

The rules teach to count backwards from the target. What that finds within two moves is no puzzle, nor what
the book's rule of multiples finds.
"""

from __future__ import annotations

from numberduels.analysis.puzzles.declaration import AnyTable, PuzzlePlan, PuzzleSource
from numberduels.analysis.puzzles.model import Puzzle
from numberduels.game.messages import Message

SIZES = {"size": range(8, 15), "target": range(18, 76)}
LARGE = {"size": (14,), "target": (70, 75, 80, 84, 88, 92, 96, 100)}


def _fitting(table: AnyTable, state: tuple[int, int]) -> list[int]:
    """The numbers that do not pass the target."""
    return [move for move in table.game.moves(state) if state[1] + move <= table.game.target]


def one_answer(table: AnyTable) -> int | None:
    """What the rules teach: leave a single number that fits, after which you can finish."""
    game = table.game
    for move in _fitting(table, table.state):
        after = game.play(table.state, move)
        replies = _fitting(table, after)
        if len(replies) > 1:
            continue
        if not replies:
            return move
        then = game.play(after, replies[0])
        if any(not _fitting(table, game.play(then, last)) for last in _fitting(table, then)):
            return move
    return None


def to_a_multiple(table: AnyTable) -> int | None:
    """The book's rule: make what is missing a multiple of the largest number plus one."""
    missing = table.game.target - table.state[1]
    rest = missing % (table.game.size + 1)
    return rest if rest in table.moves else None


def largest_that_fits(table: AnyTable) -> int | None:
    """The largest number that does not pass the target."""
    return max(_fitting(table, table.state), default=None)


def hint(puzzle: Puzzle) -> Message:
    """Where to look."""
    if puzzle.kind == "which-position":
        return Message(
            "Count what is missing to {target}. Which numbers still fit, and how many of them can be added"
            " before nothing fits?",
            target=puzzle.game.target,
        )
    if puzzle.kind == "length":
        return Message(
            "Who wants the game to be short? Large numbers end it sooner, small ones make it longer."
        )
    return Message(
        "Count backwards from {target}: look for a total where you have an answer to each of their numbers.",
        target=puzzle.game.target,
    )


PUZZLES = PuzzlePlan(
    sources=(
        PuzzleSource("only-move", SIZES, range(1, 14), choices=4, share=2),
        PuzzleSource("first-move", SIZES, range(1), choices=4),
        PuzzleSource("highest-move", SIZES, range(14), choices=4),
        PuzzleSource("only-move", LARGE, range(1, 4), choices=4),
        PuzzleSource("first-move", LARGE, range(1), choices=4, share=0.3),
        PuzzleSource("highest-move", LARGE, range(4), choices=4, share=0.5),
        PuzzleSource("winning-moves", LARGE, range(4), choices=4, share=0.5),
        PuzzleSource("which-position", LARGE, range(4), choices=4, share=0.5),
        PuzzleSource("which-position", SIZES, range(1, 14), choices=4, share=0.5),
        PuzzleSource("winning-moves", SIZES, range(1, 14), choices=4, share=0.5),
        PuzzleSource("length", {"size": range(6, 13), "target": range(15, 56)}, range(12), share=0.3),
    ),
    move_recipes={
        "one answer": one_answer,
        "multiples": to_a_multiple,
        "largest that fits": largest_that_fits,
    },
    hint=hint,
)
