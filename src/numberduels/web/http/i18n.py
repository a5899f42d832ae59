"""Translations of the pages: which language a visitor reads, and texts in that language.

English texts are in the code and in the templates. The catalogues of the other languages are in the folder
`locale` of the package and of each game.

>>> translator("en")("Try {move}.", move=3), translator("de")("Try {move}.", move=3)
('Try 3.', 'Versuch 3.')
"""

from __future__ import annotations

import re
from dataclasses import Field
from functools import cache
from importlib.resources import files
from typing import Any

from numberduels.game import registry
from numberduels.game.messages import SHARED, Message, language, mark

ENGLISH = "en"
NO_LANGUAGES = ("disguise",)
"""Catalogues that are no language of a visitor."""

ACCEPTED = re.compile(r"([a-z]+)(?:-[a-z0-9-]*)?(?:\s*;\s*q\s*=\s*([0-9](?:\.[0-9]*)?))?")
"""A language that a browser accepts, and how gladly."""


class Translator:
    """Says texts in one language; `_` in the templates.

    `_(text, **values)` takes an English text of the code, or a message. Game texts are said by
    `_.for_game(name)`, which looks into the catalogue of that game first.
    """

    def __init__(self, code: str, module: str = SHARED) -> None:
        self.code = code
        self._language = language(code, module)

    def __call__(self, text: str, plural: str = "", /, **values: object) -> str:
        if isinstance(text, Message) and not values:
            return self._language.say(text)
        return self._language.say_text(text, plural, values)

    def for_game(self, name: str) -> Translator:
        """The same language with the texts of this game; without it, if there is no such game."""
        try:
            return _translator_of_module(self.code, registry.spec(name).rules.__module__)
        except registry.UnknownGame:
            return self

    def is_english(self, text: str) -> bool:
        """Whether a text stays English on a page in another language, because nobody translated it."""
        return self.code != ENGLISH and self._language.say(text) == str(text)


@cache
def _translator_of_module(code: str, module: str) -> Translator:
    return Translator(code, module)


def translator(code: str) -> Translator:
    """The translator into the language of this code."""
    return _translator_of_module(code, SHARED)


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages there are, English first."""
    names = [each.name for each in (files(SHARED) / "locale").iterdir()]
    found = sorted(name.removesuffix(".mo") for name in names if name.endswith(".mo"))
    return (ENGLISH, *(code for code in found if code not in NO_LANGUAGES))


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


LANGUAGE_NAME = Message("English")
"""The name that a language gives itself: its translation is the name of the other language."""

LEVELS = {
    "random": Message("random"),
    "greedy": Message("greedy"),
    "beginner": Message("beginner"),
    "casual": Message("casual"),
    "skilled": Message("skilled"),
    "expert": Message("expert"),
    "perfect": Message("perfect"),
}

CLOCKS = {
    "none": Message("any time"),
    "minute": Message("1 minute"),
    "day": Message("1 day"),
}
"""The time for each move."""

BEST_OF = {
    1: Message("a single game"),
    3: Message("best of 3"),
    5: Message("best of 5"),
    7: Message("best of 7"),
}

TILES = {
    "open": Message("open"),
    "closed": Message("out of reach"),
    "first": mark("taken by {player}"),
    "second": mark("taken by {player}"),
    "locked": Message("locked"),
    "removed": Message("removed"),
    "empty": Message("empty"),
    "filled": Message("filled"),
}
"""The kinds of tiles."""

VALUES = {"win": Message("win"), "draw": Message("draw"), "loss": Message("loss")}

VERDICTS = {
    "forced": Message("forced"),
    "only move": Message("only move"),
    "kept": Message("kept"),
    "gave points away": Message("gave points away"),
    "threw away a win": Message("threw away a win"),
    "missed a win": Message("missed a win"),
    "threw away a draw": Message("threw away a draw"),
    "not judged": Message("not judged"),
    "pie rule": Message("not judged (pie rule)"),
}
"""What a review says of a move."""

CLAIMS = {
    "true": Message("True"),
    "false": Message("False"),
    "partly": Message("Partly true"),
    "open": Message("Neither proven nor refuted"),
}
"""What came of the check of a claim."""

PUZZLE_LEVELS = {
    1: Message("1: look 3 or 4 moves ahead"),
    2: Message("2: look 5 or 6 moves ahead"),
    3: Message("3: look 7 or 8 moves ahead"),
    4: Message("4: look 9 or 10 moves ahead"),
    5: Message("5: look further ahead"),
}

PUZZLE_STATES = {
    "right": Message("Right"),
    "wrong": Message("Not that one"),
    "solution": Message("The solution"),
}


def option_label(option: Field[Any]) -> Message:
    """What the forms call an option of a game."""
    return Message(option.metadata["label"])


def choice_label(option: Field[Any], value: str) -> Message:
    """What the forms call a choice of an option."""
    return Message(option.metadata["choices"].get(value, value))
