"""What players from outside are told about themselves: limits, and how to ask."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExternalSettings:
    """On which terms programs and models play."""

    seconds: float = 30.0
    """For one move, all attempts together in a program's case; for one answer in a model's."""
    attempts: int = 3
    """Answers to one question, counting the first; after that the game is forfeited."""
    base_url: str = ""
    """Where models answer; nothing stands for the variable NUMBERDUELS_BASE_URL."""
    legal: bool = True
    """Whether a model is shown the list of legal moves."""
    reasoning: bool = True
    """Whether a model may think aloud before it answers."""
    disguise: bool = False
    """Whether a model meets the game under another name and with other numbers."""
    concurrency: int = 8
    """Questions to models that may be open at once."""
    prices: tuple[tuple[str, float, float], ...] = ()
    """A model's name, and what a million tokens cost: in, and out."""

    def cost(self, model: str, tokens_in: int, tokens_out: int) -> float | None:
        """What an answer cost; None where no price was told.

        >>> ExternalSettings(prices=(("m", 0.5, 1.5),)).cost("m", 2_000, 1_000)
        0.0025
        """
        for name, price_in, price_out in self.prices:
            if name == model:
                return round((tokens_in * price_in + tokens_out * price_out) / 1e6, 12)
        return None


DEFAULT_SETTINGS = ExternalSettings()
