"""A table of winners for all values of one option at every size, and statements that are checked on it.

A game declares one in `claims.py`. A statement predicts the winner of some games, its cells; the
table is computed, and the first cell that disagrees is its counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from numberduels.game.contract import ProgressCallback
from numberduels.game.spec import GameSpec

Cell = tuple[int, int]
"""A size and a value of the option."""

Winners = Mapping[Cell, int]
"""The winner, 1 or 2, of each cell that was computed."""


class Kind(Enum):
    """What is known about a statement."""

    THEOREM = "proven"
    SEEN = "seen, not proven"
    GUESS = "guess"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about the winner of some cells."""

    kind: Kind
    text: str
    predict: Callable[[Cell, Winners], int | None]
    """The winner of a cell; None if the statement says nothing about it. It may look at other cells."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement and what the table says about it."""

    statement: Statement
    cells: int
    """The cells that it says something about."""
    exception: Cell | None
    """The first of them, by size and value, with another winner."""


@dataclass(frozen=True, slots=True)
class WinnerTable:
    """How to compute who wins for all values of an option."""

    option: str
    """The name of the option; its values are 1, 2, 3, ..."""
    method: str
    compute: Callable[..., Iterator[tuple[int, list[int]]]]
    """For each size of a range, in order and as soon as it is known: the size, and the winners for the values
    1, 2, 3, ... The arguments are the range and a callback for the progress."""
    statements: tuple[Statement, ...] = ()
    notation: str = ""
    """A sentence that explains the letters of the statements."""

    def winners(self, sizes: range, progress: ProgressCallback | None = None) -> dict[Cell, int]:
        """The winner of every cell of these sizes."""
        found: dict[Cell, int] = {}
        self.fill(found, sizes, progress)
        return found

    def fill(self, winners: dict[Cell, int], sizes: range, progress: ProgressCallback | None = None) -> None:
        """Add the winner of every cell of these sizes; an interrupt leaves whole sizes."""
        for size, row in self.compute(sizes, progress):
            winners.update({(size, value): winner for value, winner in enumerate(row, 1)})

    def proven(self, cell: Cell, winners: Winners) -> bool:
        """Whether a theorem decides this cell."""
        return any(
            each.predict(cell, winners) is not None for each in self.statements if each.kind is Kind.THEOREM
        )


def winner_table_of(spec: GameSpec) -> WinnerTable | None:
    """The table that a game declares; None if it has none."""
    found: WinnerTable | None = spec.load("winner_table")
    return found


def check_statements(statements: Iterable[Statement], winners: Winners) -> list[Finding]:
    """Compare each statement with the table.

    >>> even = Statement(Kind.GUESS, "Player 2 wins even sizes.", lambda cell, _: None if cell[0] % 2 else 2)
    >>> check_statements([even], {(1, 1): 1, (2, 1): 2, (4, 1): 1, (4, 2): 2})[0].exception
    (4, 1)
    """
    findings = []
    for statement in statements:
        said = {cell: statement.predict(cell, winners) for cell in sorted(winners)}
        wrong = [cell for cell, winner in said.items() if winner not in (None, winners[cell])]
        cells = sum(winner is not None for winner in said.values())
        findings.append(Finding(statement, cells, wrong[0] if wrong else None))
    return findings
