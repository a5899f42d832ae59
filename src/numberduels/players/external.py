"""ExternalSettings: limits and prompt options for programs and language models."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

ALL_MODELS = "*"
"""The name that stands for all models in options and prices."""

BOARDS = ("text", "json")
"""The text of the game, or its words and numbers as a JSON object."""
ANSWERS = ("move", "boxed")
"""A line `MOVE: ...`, or `\\boxed{...}`."""

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
    start_seconds: float = 60.0
    """The time that a program of protocol 2 has to get ready."""
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
    answer: str = "move"
    """The form in which a model is to answer: one of ANSWERS."""
    system_template: str | None = None
    """The template of the system message instead of ours; empty for no such message."""
    prompt_template: str | None = None
    """The template of the user message instead of ours."""
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
