"""The sequences of Number Collision: who wins with one number, and how many lines there are."""

from __future__ import annotations

from collections.abc import Iterator

from numberduels.analysis.sequences import IntegerSequence, ProofStatus, from_starts, winner
from numberduels.game.contract import ProgressCallback
from numberduels.games.number_collision.line_search import count_lines
from numberduels.games.number_collision.parity_strategy import least_classes, line_classes
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.solvers.oracle import TooLarge

BOOK_VALUES = 5
"""The highest number of the book."""


MOST_CELLS = 1_000
"""The longest line of the rules."""

MOST_CLASSES = 1_000_000
"""The most classes that are listed."""


def _lines(indices: range, _progress: ProgressCallback | None) -> Iterator[int]:
    for n in indices:
        if n > MOST_CELLS:
            raise TooLarge(f"a line has at most {MOST_CELLS} cells")
        yield count_lines(n, BOOK_VALUES)


def _classes(indices: range, progress: ProgressCallback | None) -> Iterator[int]:
    for n in indices:
        if n > MOST_CELLS or least_classes(n, BOOK_VALUES) > MOST_CLASSES:
            raise TooLarge(f"there are more than {MOST_CLASSES:,} classes")
        count = 0
        for _ in line_classes(n, BOOK_VALUES):
            count += 1
            if progress and not count % 10_000:
                progress(count, 0)
        yield count


SEQUENCES = (
    IntegerSequence(
        "number-collision-one-number-winner",
        "the player, 1 or 2, who wins Number Collision on n cells with one number, if no line may come back",
        range(1, 8),
        from_starts(lambda n: NumberCollision(n, 1, "forbidden"), winner),
        "a search of the lines within reach",
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "number-collision-lines",
        "the number of lines of n cells that can come up in Number Collision with the numbers 1 to 5",
        range(1, 31),
        _lines,
        "the recurrence a(n) = 5 a(n - 1) + a(n - 2)",
        ProofStatus.THEOREM,
        "docs/sequences.md",
    ),
    IntegerSequence(
        "number-collision-line-classes",
        "the number of lines of n cells that can come up in Number Collision with the numbers 1 to 5, where"
        " lines that differ by a reflection or by renaming the numbers count once",
        range(1, 10),
        _classes,
        "a list of the classes",
        ProofStatus.COMPUTED,
    ),
)
