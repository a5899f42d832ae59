"""A table of inputs is one test: `@table` runs the test's body for each row, and a failure names its row."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

HANGING = 180.0
"""Seconds after which an asynchronous test hangs."""


def finish(test: Coroutine[Any, Any, None] | None) -> None:
    """Run what an asynchronous test returns; a plain one returns nothing."""
    if test is not None:
        asyncio.run(asyncio.wait_for(test, HANGING))


def table(names: str, rows: Iterable[Any]) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Run a test once for each row, as one test.

    `names` are the parameters that a row fills, with commas between them. A row of one parameter is its
    value, of several a tuple. Several tables on one test run every combination. Each row has a
    `tmp_path` and a data folder of its own, and what it does by `monkeypatch` is undone; all share the other
    fixtures.
    """
    given, all_rows = [name.strip() for name in names.split(",")], list(rows)

    def decorate(test: Callable[..., Any]) -> Callable[..., None]:
        @functools.wraps(test)
        def each_row(*args: Any, **fixtures: Any) -> None:
            assert all_rows, f"the table of {names} is empty"
            for number, row in enumerate(all_rows, 1):
                values = (row,) if len(given) == 1 else row
                try:
                    with _own(fixtures, number) as own:
                        finish(test(*args, **own, **dict(zip(given, values, strict=True))))
                except BaseException as fault:
                    fault.add_note(f"row {number} of {names}: {row!r}")
                    raise

        signature = inspect.signature(test)
        others = [each for each in signature.parameters.values() if each.name not in given]
        each_row.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return each_row

    return decorate


@contextmanager
def _own(fixtures: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """The fixtures of a row, of which folders and changes of the environment must not meet the next row."""
    own = dict(fixtures)
    with pytest.MonkeyPatch.context() as changes:
        if "tmp_path" in own:
            own["tmp_path"] = own["tmp_path"] / str(number)
            own["tmp_path"].mkdir()
        if home := os.environ.get("NUMBERDUELS_HOME"):
            changes.setenv("NUMBERDUELS_HOME", f"{home} {number}")
            own |= {name: Path(f"{home} {number}") for name in ("home", "own_home") if name in own}
        if "monkeypatch" in own:
            own["monkeypatch"] = changes
        yield own
