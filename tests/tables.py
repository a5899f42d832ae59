"""A table of inputs is one test: `@table` runs the test's body for each row, and a failure names its row."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any


def table(names: str, rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test once for each row, as one test.

    `names` are the parameters that a row fills, with commas between them. A row of one parameter is its
    value, of several a tuple. Several tables on one test run every combination. Each row has a `tmp_path` of
    its own and undoes what it did with `monkeypatch`; all rows share the other fixtures.
    """
    given, all_rows = [name.strip() for name in names.split(",")], list(rows)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def each_row(*args: Any, **fixtures: Any) -> None:
            assert all_rows, f"the table of {names} is empty"
            for number, row in enumerate(all_rows, 1):
                values = dict(zip(given, (row,) if len(given) == 1 else row, strict=True))
                with ExitStack() as stack:
                    own = {}
                    if "monkeypatch" in fixtures:
                        own["monkeypatch"] = stack.enter_context(fixtures["monkeypatch"].context())
                    if "tmp_path" in fixtures:
                        own["tmp_path"] = fixtures["tmp_path"] / str(number)
                        own["tmp_path"].mkdir()
                    try:
                        test(*args, **{**fixtures, **own, **values})
                    except BaseException as fault:
                        fault.add_note(f"row {number} of {names}: {row!r}")
                        raise

        signature = inspect.signature(test)
        others = [each for each in signature.parameters.values() if each.name not in given]
        each_row.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return each_row

    return decorate
