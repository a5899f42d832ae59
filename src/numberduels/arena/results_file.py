"""The folder of a run: the plan, and the file of finished games with one JSON line each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

from numberduels.arena.results import GameResult, read_result

PLAN, GAMES = "run.json", "games.jsonl"
"""The files of a run: its plan, and its finished games."""


def own_file(folder: str, name: str) -> str:
    """The path of a file that a run writes; OSError if it is a symbolic link."""
    path = os.path.join(folder, name)
    if os.path.islink(path):
        raise OSError(f"{name} is a link there, and only files inside the folder are written")
    return path


class LinesFile:
    """Appends lines of JSON. A killed process leaves at most one incomplete line; opening removes it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = open(path, "ab+", buffering=0)  # noqa: SIM115  # it stays open until `close`
        self._end = self._cut_incomplete_line()

    def _cut_incomplete_line(self) -> int:
        """Remove a last line without a line break, and return the size of the file."""
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

    def append(self, lines: Iterable[Any]) -> None:
        """Append JSON data, one line each; OSError leaves the file unchanged."""
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
        """Flush everything to the disk, and close the file."""
        os.fsync(self._file.fileno())
        self._file.close()


class ResultsFile(LinesFile):
    """The file of finished games."""

    def add(self, games: list[GameResult]) -> None:
        """Append games; OSError leaves the file unchanged."""
        self.append(game.to_json() for game in games)


def read_lines(path: str) -> Iterator[dict[str, Any]]:
    """The lines of a file as JSON objects, without an incomplete last line; ValueError names a bad line."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            game = decode_json(line)
            if not isinstance(game, dict):
                raise ValueError(f"line {number} of {os.path.basename(path)} is not a game")
            yield game


def read_results(path: str) -> Iterator[GameResult]:
    """The games of a file; ValueError names a line that is not a game."""
    for number, line in enumerate(read_lines(path), 1):
        yield read_result(number, line)


def has_incomplete_line(path: str) -> bool:
    """Whether the last line of a file has no line break."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        return bool(size) and file.read() != b"\n"


def decode_json(text: bytes) -> Any:
    """The JSON value, or None if the text is not JSON."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")
