"""The file of prompts of a run: every message that was sent to a model, once, under the hash of its content.

The attempts of games.jsonl name the messages of their conversation by these ids.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from hashlib import sha256

from numberduels.arena.results import GameResult
from numberduels.arena.results_file import LinesFile, own_file, read_lines

PROMPTS = "prompts.jsonl"


def message_id(role: str, content: str) -> str:
    """The id of a message: the same content always has the same id.

    >>> message_id("user", "Hello")
    '08662b432edb1e3f'
    """
    return sha256(f"{role}\n{content}".encode()).hexdigest()[:16]


def message_json(role: str, content: str) -> str:
    """A message as a line of the file has it, without the id."""
    return json.dumps({"role": role, "content": content})


class PromptsFile:
    """Appends messages that the file does not hold yet. A run without models has no such file."""

    def __init__(self, folder: str) -> None:
        self.path = own_file(folder, PROMPTS)
        self._file: LinesFile | None = None
        self._ids: set[str] = set()

    def add(self, games: Iterable[GameResult]) -> None:
        """Append the messages of these games; OSError leaves the file unchanged."""
        messages = {name: text for game in games for name, text in game.prompts.items()}
        if messages and self._file is None:
            self._file = LinesFile(self.path)
            self._ids = {str(line.get("id")) for line in read_lines(self.path)}
        new = {name: text for name, text in messages.items() if name not in self._ids}
        if new and self._file is not None:
            self._file.append({"id": name, **json.loads(text)} for name, text in new.items())
            self._ids |= set(new)

    def close(self) -> None:
        """Flush everything to the disk, and close the file."""
        if self._file is not None:
            self._file.close()


def read_prompts(folder: str) -> dict[str, dict[str, str]]:
    """The messages of a run by id; none if the run has no such file. ValueError names a bad line."""
    path = os.path.join(folder, PROMPTS)
    if not os.path.exists(path):
        return {}
    found = {}
    for number, line in enumerate(read_lines(path), 1):
        role, content = line.get("role"), line.get("content")
        if (
            not isinstance(role, str)
            or not isinstance(content, str)
            or line.get("id") != message_id(role, content)
        ):
            raise ValueError(f"line {number} of {PROMPTS} is not a message under its own id")
        found[message_id(role, content)] = {"role": role, "content": content}
    return found
