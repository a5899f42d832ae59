"""Variants of a model: the same model under other conditions, such as `chat:llama3.1 [legal=no]`.

Each condition is a factor of `external.FACTORS`. The name of a variant says them all, so a variant is a
player of its own in plans, results and reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from numberduels.game.formatting import short
from numberduels.players.external import FACTORS, ExternalSettings

MODEL = "chat:"
WORDS = {True: "yes", False: "no"}
"""How the names of variants say a value; other values are words already."""


def level_word(value: bool | str) -> str:
    """A value of a factor as the names of variants say it."""
    return WORDS[value] if isinstance(value, bool) else value


LEVELS: dict[str, dict[str, bool | str]] = {
    factor: {level_word(value): value for value in values} for factor, values in FACTORS.items()
}
"""By factor, its values by their words; the default comes first."""

_FACTOR = "|".join(f"{factor}=(?:{'|'.join(levels)})" for factor, levels in LEVELS.items())
_SUFFIX = re.compile(rf" \[((?:{_FACTOR})(?:, (?:{_FACTOR}))*)\]")


class Variant(NamedTuple):
    """A player and its conditions."""

    base: str
    """The name without the conditions."""
    levels: tuple[tuple[str, str], ...] = ()
    """Each factor with the word for its value; empty for any other player."""

    @property
    def name(self) -> str:
        """The name of the variant."""
        conditions = ", ".join(f"{factor}={word}" for factor, word in self.levels)
        return f"{self.base} [{conditions}]" if conditions else self.base


def read_variant(name: str) -> Variant:
    """The player and the conditions in a name; no conditions if it names none.

    >>> read_variant("chat:m [legal=no, board=json]")
    Variant(base='chat:m', levels=(('legal', 'no'), ('board', 'json')))
    >>> read_variant("chat:m [8 bit]").base
    'chat:m [8 bit]'
    """
    found = _SUFFIX.search(name) if name.startswith(MODEL) else None
    if found is None:
        return Variant(name)
    levels = [tuple(each.split("=")) for each in found[1].split(", ")]
    factors = [factor for factor, _ in levels]
    if len(set(factors)) < len(factors):
        return Variant(name)
    return Variant(name[: found.start()] + name[found.end() :], tuple((each[0], each[1]) for each in levels))


def read_factors(text: str) -> tuple[str, ...]:
    """Parse factors such as `legal,disguise`, in the order of FACTORS; ValueError says what is wrong.

    >>> read_factors("disguise,legal")
    ('legal', 'disguise')
    """
    names = [part.strip() for part in text.split(",")]
    for name in names:
        if name not in FACTORS:
            raise ValueError(f"--vary takes {', '.join(FACTORS)}, parted by commas, not {short(name)}")
        if names.count(name) > 1:
            raise ValueError(f"--vary names {name} twice")
    return tuple(factor for factor in FACTORS if factor in names)


def vary(player: str, factors: Sequence[str]) -> Iterator[str]:
    """The variants of a model under every combination of these factors; of any other player, itself.

    >>> list(vary("chat:m", ["legal"])), list(vary("perfect", ["legal"]))
    (['chat:m [legal=yes]', 'chat:m [legal=no]'], ['perfect'])
    """
    if not player.startswith(MODEL) or not factors or read_variant(player).levels:
        yield player
        return
    for words in product(*(LEVELS[factor] for factor in factors)):
        yield Variant(player, tuple(zip(factors, words, strict=True))).name


def variant_settings(variant: Variant, settings: ExternalSettings) -> ExternalSettings:
    """The settings with the conditions of a variant."""
    return replace(settings, **{factor: LEVELS[factor][word] for factor, word in variant.levels})  # type: ignore[arg-type]  # the names and values are those of FACTORS


def may_meet(one: str, other: str) -> bool:
    """Whether two players meet: variants of one model do not, those of two only under equal conditions.

    >>> may_meet("chat:m [legal=no]", "perfect"), may_meet("chat:m [legal=no]", "chat:m [legal=yes]")
    (True, False)
    >>> [may_meet("chat:m [legal=no]", f"chat:k [legal={word}]") for word in ("no", "yes")]
    [True, False]
    """
    first, second = read_variant(one), read_variant(other)
    if not (first.levels and second.levels):
        return True
    return first.base != second.base and first.levels == second.levels
