"""Proportions and means with their confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Interval = tuple[float, float]

Z = 1.959963984540054
"""Standard errors on each side of a 95 % interval."""
RESAMPLES, DRAWS = 1_000, 100_000
"""Limits of a bootstrap: resamples, and draws in all resamples together."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """`hits` of `of`, with Wilson's 95 % interval, widened by the design effect.

    >>> Proportion(5, 10).share, [round(end, 3) for end in Proportion(5, 10).interval or ()]
    (0.5, [0.237, 0.763])
    >>> Proportion(0, 0).share is None
    True
    """

    hits: int = 0
    of: int = 0
    effect: float = 1.0
    """The design effect: the variance of correlated moves relative to independent ones."""

    @property
    def share(self) -> float | None:
        """hits / of; None if `of` is 0."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % confidence interval; None if `of` is 0."""
        if not self.of:
            return None
        share, spread = self.hits / self.of, Z * Z * self.effect / self.of
        middle = share + spread / 2
        half = math.sqrt(spread * (share * (1 - share) + spread / 4))
        low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
        # Rounding must not move an end past the share, nor out of 0 to 1.
        return max(0.0, min(low, share)), min(1.0, max(high, share))

    def data(self) -> dict[str, Any]:
        """The proportion as JSON data."""
        found = {"share": self.share, "interval": _listed(self.interval)}
        return {"hits": self.hits, "of": self.of, **found, "design_effect": self.effect}


NO_PROPORTION = Proportion()
"""The empty proportion."""


@dataclass(frozen=True, slots=True)
class AverageProportion(Proportion):
    """The unweighted mean of proportions, with Newcombe's interval, which combines Wilson's."""

    parts: tuple[Proportion, ...] = ()
    """The proportions; none of them is empty."""

    @property
    def share(self) -> float | None:
        """The mean; None without parts."""
        return sum(each.hits / each.of for each in self.parts) / len(self.parts) if self.parts else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % confidence interval; None without parts."""
        share = self.share
        if share is None:
            return None
        down = up = 0.0
        for each in self.parts:
            low, high = each.interval or (0.0, 1.0)
            down += (each.hits / each.of - low) ** 2
            up += (high - each.hits / each.of) ** 2
        count = len(self.parts)
        return max(0.0, share - math.sqrt(down) / count), min(1.0, share + math.sqrt(up) / count)


def average_proportion(shares: Iterable[Proportion]) -> AverageProportion:
    """The mean of those proportions that are not empty.

    >>> both = average_proportion([Proportion(10, 10), Proportion(5, 10), Proportion(0, 0)])
    >>> both.share, both.hits, [round(end, 3) for end in both.interval or ()]
    (0.75, 15, [0.559, 0.882])
    """
    parts = tuple(each for each in shares if each.of)
    return AverageProportion(sum(each.hits for each in parts), sum(each.of for each in parts), parts=parts)


def clustered_proportion(games: Sequence[tuple[int, int]]) -> Proportion:
    """The proportion over all games, given (hits, of) of each game, with Kish's design effect.

    >>> clustered_proportion([(10, 10), (0, 10)]).effect, clustered_proportion([(5, 10), (5, 10)]).effect
    (20.0, 1.0)
    """
    hits, of = sum(each[0] for each in games), sum(each[1] for each in games)
    if len(games) < 2 or hits in (0, of):
        return Proportion(hits, of)
    share = hits / of
    # The variance of the ratio over games, relative to that of independent moves.
    spread = sum((mine - share * count) ** 2 for mine, count in games) * len(games) / (len(games) - 1)
    return Proportion(hits, of, max(1.0, spread / (of * share * (1 - share))))


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, with an interval from resampling whole games."""

    total: float
    of: int
    interval: Interval | None
    """None if there is only one game."""

    @property
    def mean(self) -> float:
        """total / of."""
        return self.total / self.of

    def data(self) -> dict[str, Any]:
        """The mean as JSON data."""
        return {
            "mean": self.mean,
            "of": self.of,
            "total": self.total,
            "interval": _listed(self.interval),
        }


def bootstrap_mean(games: Sequence[tuple[float, int]], seed: str) -> Mean:
    """The mean over all moves, given (sum, count) of each game, with a bootstrap interval over games.

    The same games and seed always give the same interval.
    """
    games = sorted(games)  # the result must not depend on the order of the games
    total, count = math.fsum(each[0] for each in games), sum(each[1] for each in games)
    if len(games) == 1:
        return Mean(total, count, None)
    if all(each[0] * count == total * each[1] for each in games):
        return Mean(total, count, (total / count, total / count))  # all games have the same mean

    def resampled(rng: Random) -> float:
        sums, counts = zip(*rng.choices(games, k=len(games)), strict=True)
        return float(sum(sums) / sum(counts))

    return Mean(total, count, bootstrap_interval(resampled, len(games), seed))


def bootstrap_interval(resampled: Callable[[Random], float], size: int, seed: str) -> Interval:
    """The middle 95 % of what a statistic is in resamples of this size."""
    rng = Random(seed)
    found = sorted(resampled(rng) for _ in range(max(100, min(RESAMPLES, DRAWS // size))))
    aside = int(len(found) * 0.025)
    return found[aside], found[-1 - aside]


def _listed(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
