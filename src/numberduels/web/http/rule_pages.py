"""The rules of a game for pages: in short, and section by section without what is for a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from numberduels.game.spec import GameSpec
from numberduels.web.http.i18n import ENGLISH
from numberduels.web.http.markdown import rendered

TERMINAL = ("Options", "At the prompt")
"""Headings of the sections about the command line, in English."""


class Rules(NamedTuple):
    """The rules in one language, as HTML."""

    short: str
    """What the game is about, in a paragraph."""
    sections: Sequence[tuple[str, str]]
    """Every other section: its heading and its text."""
    is_english: bool
    """Whether they are in English because nobody translated them."""

    @property
    def how_to_play(self) -> str:
        """The first section, which is enough to play; empty if there is none."""
        return self.sections[0][1] if self.sections else ""


@cache
def rules_for(spec: GameSpec, language: str) -> Rules:
    """The rules of a game in this language, or in English. A translation has the same sections.

    >>> from numberduels.game import registry
    >>> [heading for heading, _ in rules_for(registry.spec("range-war"), "en").sections]
    ['How to play', 'An example', 'How to win', 'When the stuck player wins', 'Readings']
    """
    translated = None if language == ENGLISH else spec.resource(f"locale/{language}/rules.md")
    english = _sections(spec.rulebook())
    shown = _sections(translated or spec.rulebook())
    kept = [
        (heading, rendered(text))
        for (name, _), (heading, text) in zip(english, shown, strict=False)
        if name not in TERMINAL
    ]
    return Rules(kept[0][1], kept[1:], language != ENGLISH and not translated)


def _sections(book: str) -> list[tuple[str, str]]:
    """The heading and the text of each section; the first one has no heading."""
    first, *others = re.split("^## ", book, flags=re.MULTILINE)
    parts = (each.partition("\n") for each in others)
    return [("", first), *((heading.strip(), text) for heading, _, text in parts)]
