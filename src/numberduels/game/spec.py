"""GameSpec: the rules, the text, the optional parts and the files of one game under one name."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from numberduels.game import options
from numberduels.game.formatting import short
from numberduels.game.messages import ENGLISH, Language, Message, language, load_file
from numberduels.game.text import AnyGameText


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A named choice of options that players are offered, with a sentence that explains it."""

    key: str
    title: Message
    about: Message
    """One sentence for players."""
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Values for `GameSpec.build`; the other options keep their defaults."""
    games: int = 1
    """2: two games on the same deal with the seats swapped, and their points are added."""


def by_the_book(about: Message) -> RuleSet:
    """The rule set with the options that the book prints, which are the defaults."""
    return RuleSet("book", Message("by the book"), about)


def balanced(about: Message, games: int = 1, **options: Any) -> RuleSet:
    """The rule set whose options make many decisions matter; docs/opponents.md has the measurements."""
    return RuleSet("balanced", Message("balanced"), about, options, games)


BOOK_ONLY = (by_the_book(Message("The rules and sizes that the game was made with.")),)
"""The rule sets of a game that declares none."""


PARTS = {
    "theory": "theory:{rules}Theory",  # an `Oracle` that is exact at any size
    "conflicts": "theory:conflict_graph",  # makes a `ConflictGraph`, if moves do nothing but exclude others
    "batch": "batch:{rules}Batch",  # a `GameBatch`: many positions as arrays
    "board": "board:board",  # a function that draws a position for pages and pictures
    "exploration": "teaching:EXPLORATION",  # an `Exploration`: the theorem of the game, to try out
    "puzzles": "teaching:PUZZLES",  # a `PuzzlePlan`: where puzzles are found, and what must not solve them
    "claims": "claims:CLAIMS",  # the claims of the book with their checks
    "sequences": "claims:SEQUENCES",  # `IntegerSequence`s of the game
    "winner_table": "claims:WINNER_TABLE",  # a `WinnerTable`: who wins for all values of an option
}
"""The optional parts of a game: the module, and the name in it. {rules} is the name of the class `rules`."""


@cache
def load_object(name: str, package: str = "") -> Any:
    """Import the module and return its attribute; the module is looked for inside `package`, if one is given.

    ImportError and AttributeError say what is missing.

    >>> load_object("rules:RangeWar", "numberduels.games.range_war")
    <class 'numberduels.games.range_war.rules.RangeWar'>
    """
    module, _, attribute = name.partition(":")
    found = import_module(f"{package}.{module}" if package else module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return found


@cache
def _load_part(rules: Any, part: str) -> Any:
    module, _, name = PARTS[part].format(rules=rules.__name__).partition(":")
    home = sys.modules[rules.__module__]
    package = home.__spec__.parent if home.__spec__ else ""
    if package:
        try:
            home = import_module(f"{package}.{module}")
        except ModuleNotFoundError as fault:
            if fault.name != f"{package}.{module}":
                raise
    return getattr(home, name, None)


@dataclass(frozen=True, slots=True)
class GameSpec:
    """Everything that belongs to one game. Its files lie in the package of its rules.

    >>> from numberduels.game.registry import spec
    >>> spec("range-war").title
    'Range War'
    >>> spec("range-war").make({"size": "4"})
    RangeWar(size=4, opening='lower')

    The optional parts are modules in the same package, and imported when first used. `PARTS` says what each
    one defines. A game in a single module may define them beside its rules. Its files:

        rules.md                     the rules for people, required
        prompt.txt                   the rules as told to language models
        picture.svg                  a small picture for the pages
        lessons.toml                 lessons; a game without them has the guided first game
        puzzles.jsonl                puzzles that were made and checked before the release
        locale/de.mo                 the German texts of its messages, compiled from locale/de.po
        locale/de/rules.md           the rules in German
        locale/disguise.mo           its messages in other words, for the disguise
        locale/disguise/prompt.txt   the rules as told to language models, in other words
    """

    name: str
    title: str
    summary: str
    rules: type[Any]
    text: type[Any]
    rule_sets: tuple[RuleSet, ...] = field(default=BOOK_ONLY, compare=False)
    """The choices of options that players are offered, the book's first."""

    slips: Mapping[str, float] = field(default_factory=dict, compare=False)
    """By level, how often it overlooks the best move, where `players.ladder.SLIPS` does not fit."""

    def rule_set(self, key: str) -> RuleSet:
        """The rule set with this key; ValueError lists the keys.

        >>> from numberduels.game.registry import spec
        >>> spec("range-war").rule_set("balanced").options["opening"]
        'free'
        """
        found = {each.key: each for each in self.rule_sets}
        if key not in found:
            raise ValueError(f"{self.title} has no rule set {short(key)}; choose {' or '.join(found)}")
        return found[key]

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
        """One of the optional `PARTS` of the game; None if it does not have it.

        >>> from numberduels.game.registry import spec
        >>> spec("range-war").load("theory").__name__
        'RangeWarTheory'
        """
        rules: Any = self.rules
        return _load_part(rules, part)

    def resource(self, name: str) -> str | None:
        """The text of a file in the game's package; None if there is no such file."""
        data = load_file(self.rules.__module__, name)
        return None if data is None else data.decode("utf-8")

    def language(self, code: str) -> Language:
        """The language of this code for this game: its own catalogue first, then the shared one."""
        return language(code, self.rules.__module__)

    def rulebook(self) -> str:
        """The rules and the numbered rulings, from `rules.md`; without it, the title and the summary."""
        return self.resource("rules.md") or f"# {self.title}\n\n{self.summary}\n"
