"""Winner tables: statements are checked on every cell, and the first exception is named."""

from __future__ import annotations

from collections.abc import Iterator

from numberduels.analysis.sequences import (
    Cell,
    CheckedStatement,
    Kind,
    Statement,
    Winners,
    WinnerTable,
    check_statements,
)
from numberduels.game.contract import ProgressCallback


def compute(sizes: range, _progress: ProgressCallback | None) -> Iterator[tuple[int, list[int]]]:
    """Player 2 wins the value 3."""
    for size in sizes:
        yield size, [2 if value == 3 else 1 for value in range(1, size + 1)]


def small(cell: Cell, _winners: Winners) -> int | None:
    return 1 if cell[1] <= 2 else None


def always(_cell: Cell, _winners: Winners) -> int | None:
    return 1


def like_the_size_before(cell: Cell, winners: Winners) -> int | None:
    return winners.get((cell[0] - 1, cell[1]))


SMALL = Statement(Kind.THEOREM, "small values", small)
ALWAYS = Statement(Kind.GUESS, "always", always)
SAME = Statement(Kind.SEEN, "like the size before", like_the_size_before)
TABLE = WinnerTable("value", "a rule", compute, (SMALL, ALWAYS, SAME))


def test_the_first_exception_is_the_smallest() -> None:
    found = check_statements(TABLE.statements, TABLE.winners(range(2, 6)))
    assert found == [
        CheckedStatement(SMALL, 8, None),
        CheckedStatement(ALWAYS, 14, (3, 3)),
        CheckedStatement(SAME, 9, None),
    ]


def test_only_a_theorem_proves_a_cell() -> None:
    winners = TABLE.winners(range(2, 6))
    assert TABLE.proven((5, 2), winners) and not TABLE.proven((5, 3), winners)
