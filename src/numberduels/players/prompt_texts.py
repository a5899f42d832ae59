"""The texts that prompts are made of: templates, the rules of a game, the position as JSON, the disguise.

A disguise is the same game under another name and with other numbers, to tell reasoning from recall. The
messages of a game are said with the texts of its catalogue `locale/disguise.mo`. Every number is multiplied
before a model sees it, and every number that it answers is divided again. That keeps order, sums, multiples
and factors as they are, so a disguised game is the same game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from numberduels.game.contract import IllegalMove
from numberduels.game.messages import Language, translator
from numberduels.game.spec import GameSpec


@cache
def prompt(name: str) -> str:
    """A text from the folder of prompts, without its last line end."""
    return files("numberduels.players").joinpath("prompts", name).read_text(encoding="utf-8").rstrip("\n")


def fill_template(text: str, values: Mapping[str, str]) -> str:
    """The template with its fields filled in. An empty field alone on a line takes the line along.

    >>> fill_template("{history}\\n\\nNow: {position}", {"history": "", "position": "1,2"})
    'Now: 1,2'
    """
    empty = "|".join(re.escape(f"{{{name}}}") for name, value in values.items() if not value)
    if empty:
        text = re.sub(rf"^(?:{empty})\n(?:[ \t]*\n)?", "", text, flags=re.MULTILINE)
    return text.format_map(values).strip()


def fill_options(text: str, values: Mapping[str, str]) -> str:
    """The text with options filled in, and of the lines for some choice only those for the one made.

    >>> fill_options("Up to {size}.\\n?how=free: Freely.\\n?how=lower: Lower.", {"size": "4", "how": "free"})
    'Up to 4.\\nFreely.'
    """
    lines = []
    for line in text.strip("\n").split("\n"):
        condition = re.match(r"\?(\w+)=(\w+): ", line)
        if condition is None:
            lines.append(line)
        elif values[condition[1]] == condition[2]:
            lines.append(line[condition.end() :])
    return "\n".join(lines).format_map(values)


def rules_for_prompt(spec: GameSpec) -> str:
    """A game's book without what is for a keyboard, and without advice."""
    try:
        text = spec.rulebook()
    except (OSError, AssertionError):  # a game of somebody else's may come without
        return f"{spec.title}: {spec.summary}"
    sections = re.split("^(?=## )", text, flags=re.MULTILINE)
    unwanted = ("## Options", "## At the prompt", "## How to win")
    return "".join(section for section in sections if not section.startswith(unwanted)).strip()


# The position as JSON: the same words and numbers as the text of the game

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


# Disguise

CODE = "disguise"
FACTOR = 7

NUMBER = re.compile("(?<!Player )(?<![0-9])[0-9]+")
"""A number of the game; the digits of Player 1 and Player 2 are none."""
MAX_DIGITS = 12
"""Longer numbers belong to no game here."""


class Disguise(Language):
    """The language of a disguised game.

    >>> from numberduels.game.registry import spec
    >>> disguise = Disguise(spec("range-war"))
    >>> disguise.number(3), disguise.scale("3@5"), disguise.unscale("21 at 35")
    ('21', '21@35', '3 at 5')
    """

    consecutive = False

    def __init__(self, spec: GameSpec, factor: int = FACTOR) -> None:
        """ValueError if the game has no disguise."""
        if spec.resource("locale/disguise/prompt.txt") is None:
            raise ValueError(f"there is no disguise for {spec.name}")
        super().__init__(translator(CODE, spec.rules.__module__))
        self.factor = factor

    def number(self, number: int) -> str:
        return str(number * self.factor)

    def scale(self, text: str) -> str:
        """A move or the rules with the numbers of the disguise."""
        return NUMBER.sub(lambda found: self.number(int(found[0])), text)

    def unscale(self, text: str) -> str:
        """What a model wrote with the game's own numbers; IllegalMove where a number is none of the disguise.

        >>> from numberduels.game.registry import spec
        >>> Disguise(spec("range-war")).unscale("22")
        Traceback (most recent call last):
        numberduels.game.contract.IllegalMove: There is no label 22 in this game.
        """
        return NUMBER.sub(self._divided, text)

    def _divided(self, found: re.Match[str]) -> str:
        digits = found[0].lstrip("0") or "0"
        if len(digits) > MAX_DIGITS:
            raise IllegalMove(f"There is no label {digits[:MAX_DIGITS]}... in this game.")
        number, rest = divmod(int(digits), self.factor)
        if rest:
            raise IllegalMove(f"There is no label {digits} in this game.")
        return str(number)
