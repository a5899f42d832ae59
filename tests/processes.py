"""Waiting for other processes: for what they say, and for their end."""

from __future__ import annotations

import os
import select
from pathlib import Path
from types import TracebackType

import pytest

PATIENCE = 60.0
"""Seconds before what never happens fails its test; nothing is timed by it."""


class NamedPipe:
    """A pipe that another process opens by its path, to say something here."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._file = os.open(path, os.O_RDWR)  # so that nobody has to wait for the other end

    def __enter__(self) -> NamedPipe:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        os.close(self._file)

    def read(self) -> str:
        """What was said; waits for it."""
        assert select.select([self._file], [], [], PATIENCE)[0], "nothing was said"
        return os.read(self._file, 4_096).decode()


def wait_until_gone(pid: int) -> None:
    """Wait for the end of a process, whoever its parent is."""
    if not hasattr(os, "pidfd_open"):
        pytest.skip("this system cannot wait for the children of others")
    try:
        file = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([file], [], [], PATIENCE)[0], "it never ended"
    finally:
        os.close(file)
