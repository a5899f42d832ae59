"""GameSpec: one game's rules, text, theory, batch arithmetic, board, claims and files under one name."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numberduels import options
from numberduels.game_text import AnyGameText
from numberduels.loading import load_file, load_object
from numberduels.messages import ENGLISH, Language


@dataclass(frozen=True, slots=True)
class GameSpec:
    """Everything that belongs to one game. Its files lie in the package of its rules.

    >>> from numberduels.registry import spec
    >>> spec("range-war").title
    'Range War'
    >>> spec("range-war").make({"size": "4"})
    RangeWar(size=4, opening='lower')

    `theory`, `batch`, `board` and `claims` name an object of a module in the same package, such as
    `theory:RangeWarTheory`. They are optional, and imported when they are first used. Optional files:

        rules.md              the rules for people, required
        prompt.txt            the rules as told to language models
        prompt_disguised.txt  the same in other words, for the disguise
        picture.svg           a small picture for the pages
        locale/de.mo          the German texts of its messages, compiled from locale/de.po
        locale/de/rules.md    the rules in German
        locale/disguise.mo    its messages in other words, for the disguise
    """

    name: str
    title: str
    summary: str
    rules: type[Any]
    text: type[Any]
    theory: str = ""
    """An `Oracle` that is exact at any size."""
    claims: str = ""
    """The list of the book's claims with their checks."""
    batch: str = ""
    """A `GameBatch`: many positions as arrays."""
    board: str = ""
    """A function that draws a position for pages and pictures."""
    puzzles: Mapping[int, Mapping[str, Sequence[Any]]] = field(default_factory=dict, compare=False)
    """By level, the options at which puzzles are not rare; where any options do, none need be named."""

    def make(self, texts: Mapping[str, str] | None = None) -> Any:
        """The game with these options, given as text; ValueError says what is wrong with them."""
        return options.game_from_texts(self.rules, dict(texts or {}))

    def build(self, values: Mapping[str, Any]) -> Any:
        """The game with these options, given as values; ValueError says what is wrong with them."""
        return options.game_from_values(self.rules, values)

    def text_for(
        self, game: Any, names: tuple[str, str] = ("", ""), language: Language = ENGLISH
    ) -> AnyGameText:
        """What this game says and reads, between players with these names."""
        text: AnyGameText = self.text(game, names, language)
        return text

    def load(self, part: str) -> Any:
        """The object behind one of the optional parts: `theory`, `batch`, `board` or `claims`.

        None if the game does not have it.

        >>> from numberduels.registry import spec
        >>> spec("range-war").load("theory").__name__
        'RangeWarTheory'
        """
        place = getattr(self, part)
        if not place:
            return None
        module = sys.modules[self.rules.__module__]
        package = module.__spec__.parent if module.__spec__ else None
        return load_object(place, package or "")

    def resource(self, name: str) -> str | None:
        """The text of a file in the game's package; None if there is no such file."""
        data = load_file(self.rules.__module__, name)
        return None if data is None else data.decode("utf-8")

    def language(self, code: str) -> Language:
        """The language of this code for this game: its own catalogue first, then the shared one."""
        from numberduels.catalogues import language

        return language(code, self.rules.__module__)

    def rulebook(self) -> str:
        """The rules and the numbered rulings, from `rules.md`; without it, the title and the summary."""
        return self.resource("rules.md") or f"# {self.title}\n\n{self.summary}\n"
