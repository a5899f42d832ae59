"""Settings of programs and language models, and variants of a model: the same model under other conditions.

Each condition is a factor of FACTORS. The name of a variant, such as `chat:llama3.1 [legal=no]`, says them
all, so a variant is a player of its own in plans, results and reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from numberduels.game.formatting import short

ALL_MODELS = "*"
"""The name that stands for all models in options and prices."""

BOARDS = ("text", "json")
"""The text of the game, or its words and numbers as a JSON object."""

FACTORS: dict[str, tuple[bool | str, ...]] = {
    "legal": (True, False),
    "reasoning": (True, False),
    "disguise": (False, True),
    "board": BOARDS,
}
"""The settings that change what a model is shown of a game, with their values; the default comes first."""


@dataclass(frozen=True, slots=True)
class ExternalSettings:
    """The settings of programs and models."""

    seconds: float = 30.0
    """The time limit: for a program per move with all attempts, for a model per answer."""
    attempts: int = 3
    """The most answers for one move; then the game is forfeited."""
    base_url: str = ""
    """The URL of the model server; empty for NUMBERDUELS_BASE_URL."""
    legal: bool = True
    """Whether the prompt lists the legal moves."""
    reasoning: bool = True
    """Whether a model may reason before it answers."""
    disguise: bool = False
    """Whether a model sees the game with other names and numbers."""
    board: str = "text"
    """How a model sees the position: one of BOARDS."""
    models: tuple[tuple[str, str], ...] = ()
    """For each model with options of its own: its name, and the options as `write_options` writes them.

    The name ALL_MODELS stands for all others.
    """
    concurrency: int = 8
    """The most concurrent requests to models."""
    prices: tuple[tuple[str, float, float], ...] = ()
    """For each model: its name, and the price of a million input and output tokens; the first counts."""

    def cost(self, model: str, tokens_in: int, tokens_out: int) -> float | None:
        """The cost of an answer; None if the price is unknown.

        >>> ExternalSettings(prices=(("m", 0.5, 1.5),)).cost("m", 2_000, 1_000)
        0.0025
        """
        prices = {name: price for name, *price in reversed(self.prices)}
        price = prices.get(model, prices.get(ALL_MODELS))
        if price is None:
            return None
        return round((tokens_in * price[0] + tokens_out * price[1]) / 1e6, 12)

    def options_of(self, model: str) -> str:
        """The options of a model, as `write_options` writes them."""
        texts = dict(self.models)
        return texts.get(model, texts.get(ALL_MODELS, "{}"))

    def for_players(self, players: Iterable[str]) -> ExternalSettings:
        """The settings with the options of those models only that are among the players."""
        models = [name.removeprefix("chat:") for name in players if name.startswith("chat:")]
        found = {model: self.options_of(model) for model in models}
        return replace(self, models=tuple((name, text) for name, text in found.items() if text != "{}"))


DEFAULT_SETTINGS = ExternalSettings()


# Variants

MODEL = "chat:"
WORDS: dict[bool | str, str] = {True: "yes", False: "no"}
"""How the names of variants say a value; other values are words already."""

LEVELS: dict[str, dict[str, bool | str]] = {
    factor: {WORDS.get(value, str(value)): value for value in values} for factor, values in FACTORS.items()
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
