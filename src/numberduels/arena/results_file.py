"""The file of finished games: one JSON line each, whole or not there at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

PLAN, GAMES = "run.json", "games.jsonl"
"""What a folder of a run holds: what was asked for, and what has come of it so far."""

ERROR = "error"
"""How a line says that its game was broken off by what is nobody's fault at the table."""


def own_file(folder: str, name: str) -> str:
    """The path of a file that a run writes; OSError where the folder holds a link instead."""
    path = os.path.join(folder, name)
    if os.path.islink(path):
        raise OSError(f"{name} is a link there, and only files inside the folder are written")
    return path


class ResultsFile:
    """Lines in a file. A kill at any moment leaves at most one torn line, which the next opening cuts off."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = open(path, "ab+", buffering=0)  # noqa: SIM115  # it stays open until `close`
        self._end = self._cut()

    def _cut(self) -> int:
        """Cut off what does not end in a line break, and return where the file ends now."""
        size = os.path.getsize(self.path)
        end = size
        while end:
            start = max(0, end - 65_536)
            self._file.seek(start)
            found = self._file.read(end - start).rfind(b"\n")
            end = start
            if found >= 0:
                end = start + found + 1
                break
        if end < size:
            self._file.truncate(end)
        return end

    def add(self, lines: list[dict[str, Any]]) -> None:
        """Write some games at once; OSError leaves the file as it was."""
        data = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:])
        except OSError:
            self._file.truncate(self._end)
            raise
        self._end += len(data)

    def close(self) -> None:
        """See to it that all is on the disk, and let go."""
        os.fsync(self._file.fileno())
        self._file.close()


def lines(path: str) -> Iterator[dict[str, Any]]:
    """The games in a file; ValueError names a line that is none. A torn last one is left out."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            game = parsed(line)
            if not isinstance(game, dict):
                raise ValueError(f"line {number} of {os.path.basename(path)} is not a game")
            yield game


def torn(path: str) -> bool:
    """Whether the last line of a file was not written to its end."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        return bool(size) and file.read() != b"\n"


def parsed(text: bytes) -> Any:
    """The JSON value, or None where it is not one."""
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")
