"""Searches that can be saved and resumed, with the same result as if they had never been stopped.

A search goes on in steps. At the end of a step it gives up its calls, keeps its table, and asks its question
again, which is cheap: everything found so far is in the table. Steps end at fixed numbers of positions. So it
makes no difference whether the table stays in memory or is written to a file and read by another process: the
same positions are visited in the same order.

    table.step_ends = table.visited + STEP
    solve_in_steps(table, lambda: table.wins(position), checkpoints)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Protocol, TypeVar

Row = list[Any]
"""One entry of a table as JSON data: a list of numbers, texts and lists."""

T = TypeVar("T")


class BadRows(ValueError):
    """The rows do not describe a table of this search."""


class StepEnd(Exception):
    """The step is over; the table is as it should be, and the question is asked again."""


class Resumable(Protocol):
    """Something whose state can be written down and read again."""

    @property
    def state_format(self) -> str:
        """What the rows mean, with a version, such as `kayles parts 1`."""

    def dump(self) -> Iterator[Row]:
        """The state as rows."""

    def load(self, rows: Iterable[Row]) -> None:
        """Restore the state; BadRows if the rows do not fit."""


class SteppedSearch(Resumable, Protocol):
    """A search that raises StepEnd when it has visited `step_ends` positions."""

    visited: int
    step: int
    """Positions of one step."""
    step_ends: int | None
    """The number of positions after which the step is over; None if there are no steps."""

    def begin_step(self) -> None:
        """Forget what is not saved, so that the search goes on as if it had been read from a file."""


class Checkpoints:
    """Called where the state of a computation may be saved. This one saves nothing."""

    def restore(self, table: Resumable) -> None:
        """Restore the saved state of a table that the computation uses from now on."""

    def reached(self) -> None:
        """The state may be saved now. KeyboardInterrupt if the computation is to stop."""


def solve_in_steps(table: SteppedSearch, ask: Callable[[], T], checkpoints: Checkpoints) -> T:
    """Ask a question of a search, step by step; the table may be saved between the steps."""
    while True:
        table.begin_step()
        table.step_ends = (table.visited // table.step + 1) * table.step
        try:
            answer = ask()
        except StepEnd:
            checkpoints.reached()
            continue
        finally:
            table.step_ends = None
        table.begin_step()
        return answer


# Reading rows


def read_integers(row: object, count: int) -> list[int]:
    """A row of so many whole numbers, none negative; BadRows if it is something else."""
    if isinstance(row, list) and len(row) == count and all(type(each) is int and each >= 0 for each in row):
        return row
    raise BadRows("whole numbers")


def read_mask(text: object, size: int) -> int:
    """A set of numbers below `size`, written as a bit mask in hexadecimal; BadRows if it is something else.

    >>> read_mask("1f", 5), read_mask("0", 5)
    (31, 0)
    """
    if isinstance(text, str) and len(text) <= size // 4 + 1 and text.isalnum() and text.isascii():
        with suppress(ValueError):
            found = int(text, 16)
            if found >> size == 0:
                return found
    raise BadRows("a set of numbers")
