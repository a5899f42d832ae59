"""Setup: which game, by which rules, against whom, and who begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from numberduels.game import options
from numberduels.game.contract import HUMAN
from numberduels.game.spec import GameSpec
from numberduels.play.settings import Settings
from numberduels.players import COMPUTER

OWN_SIZES = "sizes"
"""The key of the rules with the sizes that the player has set."""

FIRST = {"1": "you", "2": "the other player", "random": "by lot"}
"""Who begins, in words."""


class Rules(NamedTuple):
    """Rules that a player can choose: their key, a title and a sentence."""

    key: str
    title: str
    about: str


def rules_offered(spec: GameSpec, sizes: Mapping[str, str]) -> list[Rules]:
    """The rule sets of a game, and the player's own sizes if there are any.

    >>> from numberduels.game import registry
    >>> [each.title for each in rules_offered(registry.spec("range-war"), {"size": "7"})]
    ['by the book', 'balanced', 'your sizes']
    """
    found = [Rules(each.key, str(each.title), str(each.about)) for each in spec.rule_sets]
    if sizes:
        told = ", ".join(f"{name} {text}" for name, text in sizes.items())
        found.append(Rules(OWN_SIZES, "your sizes", f"{told} (from your settings)"))
    return found


def preferred_rules(spec: GameSpec, settings: Settings) -> str:
    """The key of the rules that are preferred; the last rule set of a game that does not have them."""
    keys = [each.key for each in rules_offered(spec, settings.sizes.get(spec.name, {}))]
    return settings.rule_set if settings.rule_set in keys else spec.rule_sets[-1].key


@dataclass(frozen=True, slots=True)
class Setup:
    """What is chosen before a game begins."""

    spec: GameSpec
    rules: str = "book"
    """The key of a rule set, or OWN_SIZES."""
    opponent: str = "casual"
    """human, or a built-in computer player."""
    first: str = "random"
    """Who begins: 1 for the player, 2 for the opponent, or random."""
    sizes: Mapping[str, str] = field(default_factory=dict)
    """The player's own sizes as text; they count only if the rules are OWN_SIZES."""

    def game(self) -> Any:
        """The game with its options; ValueError says what is wrong with the player's own sizes."""
        if self.rules == OWN_SIZES:
            return self.spec.make(self.sizes)
        return self.spec.build(self.spec.rule_set(self.rules).options)

    @property
    def is_match(self) -> bool:
        """Whether two games are played on the same deal."""
        return self.rules != OWN_SIZES and self.spec.rule_set(self.rules).games > 1


def setup_of(spec: GameSpec, game: Any, *, match: bool = False) -> Setup:
    """The setup that a game was made with: a rule set, or else its options as sizes."""
    for each in spec.rule_sets:
        if spec.build(each.options) == game and (each.games > 1) == match:
            return Setup(spec, each.key)
    return Setup(spec, OWN_SIZES, sizes=options.format_undealt(game))


def match_names(name: str, opponent: str) -> tuple[str, str]:
    """What the player and the opponent are called where both need different names.

    >>> match_names("Ada", "human"), match_names("", "casual"), match_names("The Computer", "casual")
    (('Ada', 'your friend'), ('you', 'the computer'), ('you', 'the computer'))
    """
    other = "your friend" if opponent == HUMAN else COMPUTER
    return (name if name and name.casefold() != other else "you"), other
