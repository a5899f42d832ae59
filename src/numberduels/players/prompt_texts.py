"""The texts that prompts are made of: fields, lines for some options only, and the rules of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from numberduels.game.spec import GameSpec

FIELDS = ("player", "opponent", "rules", "limits", "history", "position", "legal", "form")
"""The fields of the templates of both messages."""

_BRACES = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|[{}]")


@cache
def prompt(name: str) -> str:
    """A text from the folder of prompts, without its last line end."""
    return files("numberduels.players").joinpath("prompts", name).read_text(encoding="utf-8").rstrip("\n")


def check_template(text: str, fields: Iterable[str] = FIELDS) -> None:
    """ValueError names a field that does not exist, or a brace that stands alone.

    >>> check_template("Board: {bord}", ["player", "position"])
    Traceback (most recent call last):
    ValueError: there is no field {bord}; there are player, position
    """
    known = tuple(fields)
    for found in _BRACES.finditer(text):
        if found[0] in ("{{", "}}"):
            continue
        if found[1] is None:
            raise ValueError(
                f"a {found[0]} alone means nothing: write {found[0] * 2} for the character itself"
            )
        if found[1] not in known:
            raise ValueError(f"there is no field {{{found[1][:40]}}}; there are {', '.join(known)}")


def fill_template(text: str, values: Mapping[str, str]) -> str:
    """The template with its fields filled in. An empty field alone on a line takes the line along.

    >>> fill_template("{history}\\n\\nNow: {position} {{x}}", {"history": "", "position": "1,2"})
    'Now: 1,2 {x}'
    """
    empty = "|".join(re.escape(f"{{{name}}}") for name, value in values.items() if not value)
    if empty:
        text = re.sub(rf"^(?:{empty})\n(?:[ \t]*\n)?", "", text, flags=re.MULTILINE)

    def value(found: re.Match[str]) -> str:
        return found[0][0] if found[1] is None else values[found[1]]

    return _BRACES.sub(value, text).strip()


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
