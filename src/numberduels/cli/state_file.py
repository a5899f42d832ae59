"""StateFile: the state of a long computation in a file, so that it can go on where it was stopped.

The file is JSON lines: a header with the question and what is known of the current result, the finished
results, the rows of the table of the solver, and a last line with a checksum. docs/long_computations.md
describes it. It is written as a whole or not at all, and read as data.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import Any, Self, TypeVar

from numberduels.cli.console import error_reason
from numberduels.cli.parser import CliError
from numberduels.cli.signals import PostponedInterrupts
from numberduels.game.contract import ProgressCallback
from numberduels.game.file_locks import exclusive_lock
from numberduels.game.files import absolute_path, atomic_writer, check_writable
from numberduels.game.formatting import short
from numberduels.solvers.resumable import BadRows, Checkpoints, Resumable, Row

T = TypeVar("T")

FORMAT = "numberduels state"
VERSION = 1
BEGINS = f'{{"format": "{FORMAT}"'
"""What the first line begins with. A file without it is never replaced."""

MAX_BYTES = 2_000_000_000
"""A larger file is refused; the largest that a search writes is about a tenth of it."""
MAX_LINE = 1_000_000
"""The longest line that is read."""

FIRST = 2.0
"""Seconds before the file is written for the first time."""
SELDOM = 30.0
"""Seconds between two writes later on."""
SHARE = 20
"""Writing takes at most one part in so many of the time."""


class StateFile(Checkpoints):
    """A file that belongs to one question, locked while it is used.

        with StateFile(path, question) as state:
            state.restore(table)
            for each in state.results: ...      # those of earlier runs
            state.begin_result(table.visited)
            ...                                 # state.reached() at every step
            state.add_result(row)

    Ctrl-C is postponed to the next step, so that the state can be written; a second one stops at once.
    """

    def __init__(self, path: str, question: Mapping[str, Any]) -> None:
        self.path = absolute_path(path)
        self.results: list[Row] = []
        """The finished results, those of earlier runs first."""
        self._name = short(path, 200)
        self._question = dict(question)
        self._table: Resumable | None = None
        self._current: dict[str, Any] | None = None
        self._header: dict[str, Any] | None = None
        self.saved = False
        """Whether there is a state in the file."""
        self._stack = ExitStack()
        self._interrupts = PostponedInterrupts()
        self._began = time.monotonic()
        self._pause = FIRST
        self._next = self._began + FIRST

    def __enter__(self) -> Self:
        try:
            check_writable(self.path, force=True)
            self._stack.enter_context(exclusive_lock(f"{self.path}.lock"))
            self._read()
            self._stack.enter_context(self._interrupts)
        except BlockingIOError:
            self._stack.close()
            raise CliError(f"--state {self._name} is used by another process: wait for it") from None
        except OSError as fault:
            self._stack.close()
            raise CliError(f"--state {self._name} cannot be used: {error_reason(fault)}") from None
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    # The computation

    def restore(self, table: Resumable) -> None:
        self._table = table
        if self._header and self._header["table"] is not None:
            if self._header["table"] != table.state_format:
                raise self._refusal(f"its table is of the kind {short(str(self._header['table']))}")
            try:
                table.load(self._saved_rows())
            except (BadRows, OSError) as fault:
                raise self._refusal(f"it is damaged: {fault}") from None

    @property
    def restored(self) -> bool:
        """Whether there is a table, even if nothing of it was in the file."""
        return self._table is not None

    def begin_result(self, visited: int = 0) -> int:
        """A result is computed from here on. Returns `visited` as it was when some run began this result."""
        if self._current is None:
            self._current = {"visited": visited, "seconds": 0.0}
        self._began = time.monotonic()
        return int(self._current["visited"])

    @property
    def seconds(self) -> float:
        """The seconds that the current result has taken, in all runs."""
        earlier = self._current["seconds"] if self._current else 0.0
        return float(earlier + time.monotonic() - self._began)

    def add_result(self, row: Row) -> None:
        """The current result is finished."""
        self.results.append(row)
        self._current = None

    def ticking(self, progress: ProgressCallback) -> ProgressCallback:
        """The callback, which also stops the computation; for one whose state may be saved at every tick."""

        def tick(done: int, total: int) -> None:
            progress(done, total)
            if self._interrupts.received:
                self.reached()

        return tick

    def reached(self) -> None:
        if self._interrupts.received:
            self.save()
            raise self._interrupts.received
        if time.monotonic() >= self._next:
            before = time.monotonic()
            self.save()
            now = time.monotonic()
            self._pause = max(min(2 * self._pause, SELDOM), SHARE * (now - before))
            self._next = now + self._pause

    # The file

    def save(self) -> None:
        """Write the state; CliError if that is not possible."""
        digest, count = sha256(), 0
        try:
            with atomic_writer(self.path, begins=BEGINS) as file:
                for row in self._lines():
                    line = json.dumps(row).encode() + b"\n"
                    digest.update(line)
                    file.write(line)
                    count += 1
                file.write(json.dumps({"end": count, "sha256": digest.hexdigest()}).encode() + b"\n")
        except OSError as fault:
            raise CliError(f"--state {self._name} cannot be written: {error_reason(fault)}") from None
        self.saved = True

    def _lines(self) -> Iterator[Any]:
        current = None if self._current is None else self._current | {"seconds": round(self.seconds, 3)}
        yield {
            "format": FORMAT,
            "version": VERSION,
            "question": self._question,
            "results": len(self.results),
            "current": current,
            "table": self._table and self._table.state_format,
        }
        yield from self.results
        if self._table:
            yield from self._table.dump()

    def _read(self) -> None:
        """Read the header and the results, and check the whole file; CliError if it is of no use."""
        if not os.path.exists(self.path) or not os.path.getsize(self.path):
            return
        lines = self._checked_lines()
        header = next(lines, None)
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise CliError(f"--state {self._name}: that file exists already, and it is not a saved state")
        if header.get("version") != VERSION:
            version = short(str(header.get("version")))
            raise self._refusal(f"it is of format {version}, and this program reads format {VERSION}")
        self._compare(header.get("question"))
        count, current = header.get("results"), header.get("current")
        if current is not None and not (
            isinstance(current, dict)
            and type(current.get("visited")) is int
            and current["visited"] >= 0
            and type(current.get("seconds")) in (int, float)
        ):
            raise self._refusal("it is damaged: the current result")
        if type(count) is not int or not 0 <= count <= 1_000_000 or "table" not in header:
            raise self._refusal("it is damaged: the header")
        for number, row in enumerate(lines):
            if number < count:
                if not isinstance(row, list):
                    raise self._refusal("it is damaged: a result")
                self.results.append(row)
        if len(self.results) < count:
            raise self._refusal("it is damaged: results are missing")
        self._header, self._current, self.saved = header, current, True

    def _compare(self, question: Any) -> None:
        if question == self._question:
            return
        if isinstance(question, dict):
            for key in self._question | question:
                if question.get(key) != self._question.get(key):
                    theirs = f"with {key} {_shown(question[key])}" if key in question else f"without {key}"
                    raise self._refusal(f"it belongs to another question, {theirs}")
        raise self._refusal("it belongs to another question")

    def _saved_rows(self) -> Iterator[Row]:
        """The rows of the table, read again from the file."""
        lines = self._checked_lines()
        assert self._header is not None
        for _ in range(1 + self._header["results"]):
            next(lines)
        for row in lines:
            if not isinstance(row, list):
                raise BadRows("a row of the table")
            yield row

    def _checked_lines(self) -> Iterator[Any]:
        """Every line but the last as JSON data; at the end the checksum is compared."""
        digest, count = sha256(), 0
        if os.path.getsize(self.path) > MAX_BYTES:
            raise self._refusal(f"it is larger than {MAX_BYTES:,} bytes")
        with open(self.path, "rb") as file:
            before = b""
            while line := file.readline(MAX_LINE):
                if before:
                    digest.update(before)
                    count += 1
                    yield self._parsed(before)
                before = line
        end = self._parsed(before) if before.endswith(b"\n") else None
        if end != {"end": count, "sha256": digest.hexdigest()}:
            raise self._refusal("it is damaged or cut off")

    def _parsed(self, line: bytes) -> Any:
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            raise self._refusal("it is damaged or no saved state") from None

    def _refusal(self, why: str) -> CliError:
        return CliError(f"--state {self._name} cannot be used: {why}")

    def results_as(self, kind: type[T]) -> list[T]:
        """The results as named tuples or data classes; CliError if they do not fit."""
        wanted = [each.name for each in fields(kind)] if is_dataclass(kind) else kind._fields  # type: ignore[attr-defined]
        found = []
        for row in self.results:
            numbers = all(each is None or type(each) in (int, float) for each in row)
            if len(row) != len(wanted) or not numbers or type(row[0]) is not int:
                raise self._refusal("it is damaged: a result")
            found.append(kind(*row))
        return found


def _shown(value: Any) -> str:
    return short(value, 60) if isinstance(value, str) else short(json.dumps(value), 60).strip("'")
