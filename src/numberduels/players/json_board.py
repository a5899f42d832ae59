"""A position as JSON for language models: the same words and numbers as the text of the game."""

from __future__ import annotations

import json
import re
from typing import Any

ENTRY = re.compile(r"([^:\[\].]{1,60}):[ \t]*(.*)")
"""A line such as `Total Sum: 18`."""
CELLS = re.compile(r"(?:\[ *[0-9]* *\]){2,}|\[ *\]")
NUMBERS = re.compile(r"\[?((?:[0-9]+(?:-[0-9]+)?(?:, ?)?)*)\]?")
LISTS = re.compile(r"\b(?:numbers|tokens|positions|slots|cells)\b", re.IGNORECASE)
"""Words of a heading above several numbers, even if only one is left."""

LONGEST_RUN = 10_000
"""A longer run, such as 1-50000, stays a text."""


def json_board(text: str) -> str:
    """The text of a position as one JSON object. Sentences become its note.

    >>> print(json_board("Available Numbers: 1,3\\nScores:\\nPlayer 1: 4\\nPlayer 2: 0\\nYou must pick."))
    {"Available Numbers": [1, 3], "Scores": {"Player 1": 4, "Player 2": 0}, "note": "You must pick."}
    """
    data: dict[str, Any] = {}
    notes: list[str] = []
    inside = data
    for line in _entries(text):
        found = ENTRY.fullmatch(line)
        if found is None:
            notes.append(line)
        elif not found[2]:
            inside = data[found[1]] = {}
        elif found[1].startswith("Player ") and found[1][7:].isdigit():
            inside[found[1]] = _value(found[1], found[2])
        else:
            inside = data
            data[found[1]] = _value(found[1], found[2])
    return json.dumps(data | ({"note": " ".join(notes)} if notes else {}), ensure_ascii=False)


def _entries(text: str) -> list[str]:
    """The lines, and the entries of a line that has several: `Numbers: 1-5. Empty Positions: 2.`"""
    lines = []
    for line in text.splitlines():
        parts = re.split(r"(?<=[0-9\]])\. (?=[^:.]+: )", line.strip())
        several = len(parts) > 1
        lines += [part.rstrip(".") if several else part for part in parts if part]
    return lines


def _value(name: str, text: str) -> Any:
    """A number, a list of numbers, the cells of a line (null if empty), or the text."""
    if CELLS.fullmatch(text) and text != "[]":
        return [int(cell) if cell.strip() else None for cell in re.findall(r"\[([^\]]*)\]", text)]
    found = NUMBERS.fullmatch(text)
    if text == "None":
        return []
    if found is None:
        return text
    numbers: list[int] = []
    for each in re.findall("[0-9]+(?:-[0-9]+)?", found[1]):
        low, _, high = each.partition("-")
        run = range(int(low), int(high or low) + 1)
        if len(run) > LONGEST_RUN:
            return text
        numbers += run
    single = len(numbers) == 1 and not text.startswith("[") and not LISTS.search(name)
    return numbers[0] if single else numbers
