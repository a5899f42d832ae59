"""The texts of the pages, in every language that has a file in the folder `texts`.

A text is found by its key; what a language lacks is said in English.

>>> say = speaker("en")
>>> say("home.title"), say("no such key", "a default {n}", n=3)
('Number Duels', 'a default 3')
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

Say = Callable[..., str]

ENGLISH = "en"

ACCEPTED = re.compile(r"([a-z]+)(?:-[a-z0-9-]*)?(?:\s*;\s*q\s*=\s*([0-9](?:\.[0-9]*)?))?")
"""A language that a browser accepts, and how gladly."""


@cache
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language by their keys: the tables of its file, joined by dots."""
    text = (files("numberduels.web.http") / "texts" / f"{language}.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(text)))


def _flat(table: dict[str, Any], before: str = "") -> list[tuple[str, str]]:
    found = []
    for name, value in table.items():
        if isinstance(value, dict):
            found += _flat(value, f"{before}{name}.")
        else:
            found.append((f"{before}{name}", str(value)))
    return found


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    names = [each.name for each in (files("numberduels.web.http") / "texts").iterdir()]
    found = [name.removesuffix(".toml") for name in names if name.endswith(".toml")]
    return tuple(sorted(found, key=lambda name: (name != ENGLISH, name)))


@cache
def speaker(language: str) -> Say:
    """What says a text in this language, with its values filled in."""
    own, english = catalogue(language), catalogue(ENGLISH)

    def say(key: str, default: str = "", /, **values: object) -> str:
        text = own.get(key) or english.get(key) or default or key
        return text.format(**values) if values else text

    return say


def preferred(accepted: str, chosen: str = "") -> str:
    """The language that somebody chose, or else the first of those that the browser accepts.

    >>> preferred("fr, de;q=0.8, en;q=0.5"), preferred("de", "en"), preferred("fr", "xx")
    ('de', 'en', 'en')
    """
    if chosen in languages():
        return chosen
    weighted = []
    for place, part in enumerate(accepted.split(",")[:20]):
        found = ACCEPTED.fullmatch(part.strip().lower())
        if found and float(found[2] or 1) > 0:
            weighted.append((-float(found[2] or 1), place, found[1]))
    return next((name for _, _, name in sorted(weighted) if name in languages()), ENGLISH)
