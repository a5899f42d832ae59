"""Shares and averages with the intervals that belong to them: nothing is told without one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Interval = tuple[float, float]

Z = 1.959963984540054
"""Standard errors on each side of a 95 % interval."""
RESAMPLES, DRAWS = 1_000, 100_000
"""The most resamples of a bootstrap, and the most draws that all of them together may take."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with Wilson's 95 % interval.

    >>> Share(5, 10).share, [round(end, 3) for end in Share(5, 10).interval or ()]
    (0.5, [0.237, 0.763])
    >>> Share(0, 0).share is None
    True
    """

    hits: int = 0
    of: int = 0

    @property
    def share(self) -> float | None:
        """The share itself; None of none."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """Where the true share may lie; None where nothing was counted."""
        if not self.of:
            return None
        share, spread = self.hits / self.of, Z * Z / self.of
        middle = share + spread / 2
        half = math.sqrt(spread * (share * (1 - share) + spread / 4))
        low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
        # Rounding must not push an end past the share that it belongs to, nor out of 0 to 1.
        return max(0.0, min(low, share)), min(1.0, max(high, share))

    def data(self) -> dict[str, Any]:
        """The share as plain data."""
        return {"hits": self.hits, "of": self.of, "share": self.share, "interval": _listed(self.interval)}


NO_SHARE = Share()
"""None of none: where counting begins."""


@dataclass(frozen=True, slots=True)
class Mean:
    """An average, where the interval that belongs to it comes from resampling whole games."""

    total: float
    of: int
    interval: Interval | None
    """None where there is only one game, which says nothing about how games differ."""

    @property
    def mean(self) -> float:
        """The average itself."""
        return self.total / self.of

    def data(self) -> dict[str, Any]:
        """The average as plain data."""
        return {
            "mean": self.mean,
            "of": self.of,
            "total": self.total,
            "interval": _listed(self.interval),
        }


def bootstrapped(games: Sequence[tuple[float, int]], seed: str) -> Mean:
    """The average over all moves; its interval from games drawn again, since moves of a game are alike.

    The seed is the row's own name, so that the same lines always give the same figures.
    """
    games = sorted(games)  # lines come in any order, and neither sum nor draws may depend on it
    total, count = math.fsum(each[0] for each in games), sum(each[1] for each in games)
    if len(games) == 1:
        return Mean(total, count, None)
    if all(each[0] * count == total * each[1] for each in games):
        return Mean(total, count, (total / count, total / count))  # all games are alike, however drawn
    rng = Random(seed)
    means = []
    for _ in range(max(100, min(RESAMPLES, DRAWS // len(games)))):
        sums, counts = zip(*rng.choices(games, k=len(games)), strict=True)
        means.append(sum(sums) / sum(counts))
    means.sort()
    aside = int(len(means) * 0.025)
    return Mean(total, count, (means[aside], means[-1 - aside]))


def _listed(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
