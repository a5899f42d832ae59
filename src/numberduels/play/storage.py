"""Small files that several processes may read and write at once: locks and logs of JSON lines."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from numberduels.game.files import lock_file

LONGEST_LINE = 2_000
"""The most bytes of one line of a log."""

LONGEST_LOG = 8_000_000
"""The most bytes of a log that are read: the newest ones."""

_reported: set[str] = set()
"""What could not be written and was reported, in this process."""


def failure_note(what: str, fault: OSError) -> str:
    """A sentence that something cannot be written."""
    return f"Note: {what} cannot be saved ({fault.strerror or fault})."


def first_failure_note(what: str, fault: OSError) -> str:
    """A sentence that something cannot be written; empty if it was said before in this process."""
    if what in _reported:
        return ""
    _reported.add(what)
    return failure_note(what, fault)


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold the lock file at this path, so that no other process holds it; OSError if it cannot be made."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | _OPEN_FLAGS, 0o666)
    try:
        _lock(handle)
        yield
    finally:
        os.close(handle)  # which releases the lock


def append_line(path: str, value: Any) -> None:
    """Append a value to a log as one line of JSON; OSError leaves the log as it was."""
    data = json.dumps(value, separators=(",", ":")).encode() + b"\n"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _OPEN_FLAGS, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("that is not a file")
        _lock(handle)
        size = os.lseek(handle, 0, os.SEEK_END)
        if size:
            os.lseek(handle, size - 1, os.SEEK_SET)
            if os.read(handle, 1) != b"\n":  # a line that a crash has cut short
                data = b"\n" + data
        written = 0
        try:
            while written < len(data):
                written += os.write(handle, data[written:])
            os.fsync(handle)
        except OSError:
            with suppress(OSError):
                os.ftruncate(handle, size)
            raise
    finally:
        os.close(handle)


def read_lines(path: str, notes: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """The objects of a log, oldest first. Lines that are no objects are left out and noted."""
    try:
        data = read_bytes(path, LONGEST_LOG)
    except FileNotFoundError:
        return
    except OSError as fault:
        _note(notes, f"{path} cannot be read ({fault.strerror or fault}).")
        return
    bad = 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        value = None if len(line) > LONGEST_LINE else _object(line)
        if value is None:
            bad += 1
        else:
            yield value
    if bad:
        _note(notes, f"{path}: {bad} {'line is' if bad == 1 else 'lines are'} damaged and left out.")


def read_bytes(path: str, most: int) -> bytes:
    """The last `most` bytes of a regular file; OSError if it is none. It never waits for a pipe."""
    handle = os.open(path, os.O_RDONLY | _OPEN_FLAGS)
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("that is not a file")
        if found.st_size > most:
            file.seek(found.st_size - most)
        return file.read(most)


def parse_json(data: bytes) -> Any:
    """The value that JSON text means; None if it is no JSON."""
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _object(line: bytes) -> dict[str, Any] | None:
    value = parse_json(line)
    return value if isinstance(value, dict) else None


def _note(notes: list[str] | None, text: str) -> None:
    if notes is not None:
        notes.append(f"Note: {text}")


_OPEN_FLAGS: int = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Opening a named pipe must not wait for its other end. Windows must not change line ends."""


def _lock(handle: int) -> None:
    """Wait for the lock of an open file. Some network folders have no locks; then there is none."""
    with suppress(OSError):
        lock_file(handle)
