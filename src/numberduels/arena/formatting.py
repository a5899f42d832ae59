"""The figures of a report in words, the same on the page and in plain characters."""

from __future__ import annotations

import math

from numberduels.arena.aggregate import PlayerStats
from numberduels.arena.intervals import Mean, Proportion
from numberduels.arena.ratings import Rating

NONE = "-"
"""What stands where there is nothing to tell."""


def shown(text: str) -> str:
    """The text with all that cannot be seen, or turns what can, made visible; line breaks stay.

    >>> print(shown("a\\u202eb\\x00c"))
    a<U+202E>b<U+0000>c
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"<U+{ord(char):04X}>"
        for char in text.replace("\r\n", "\n")
    )


def plural(count: int, word: str) -> str:
    """A count of something.

    >>> plural(1, "game"), plural(2, "game")
    ('1 game', '2 games')
    """
    return f"{count} {word}{'' if count == 1 else 's'}"


def percent(share: Proportion) -> str:
    """A share in words; only all has 100%, and only none has 0%.

    >>> percent(Proportion(227, 311)), percent(Proportion(999, 1000)), percent(Proportion(1, 1000)),
    percent(Proportion(0, 0)) ('73%', '99%', '1%', '-')
    """
    if share.share is None:
        return NONE
    if share.hits in (0, share.of):
        return "100%" if share.hits else "0%"
    return f"{min(99, max(1, round(100 * share.share)))}%"


def between(share: Proportion) -> str:
    """The interval of a share, rounded outwards: 23-77."""
    if share.interval is None:
        return ""
    low, high = share.interval
    return f"{math.floor(100 * low)}-{math.ceil(100 * high)}"


def with_interval(share: Proportion) -> str:
    """A share and its interval: 50% (23-77)."""
    return f"{percent(share)} ({between(share)})" if share.of else NONE


def brief(number: float | None, unit: str = "") -> str:
    """A number with three digits that count.

    >>> brief(0.001234), brief(12.345), brief(1234.5), brief(None)
    ('0.00123', '12.3', '1234', '-')
    """
    if number is None:
        return NONE
    if not number or abs(number) < 0.000_000_5:
        return f"0{unit}"
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    return f"{number:.{min(digits, 6)}f}{unit}"


def averaged(mean: Mean | None) -> str:
    """An average and its interval: 1.5 (1.2-1.8).

    >>> averaged(Mean(3, 2, (1.25, 1.75))), averaged(Mean(1, 2, None))
    ('1.50 (1.25-1.75)', '0.500')
    """
    if mean is None:
        return NONE
    if mean.interval is None or mean.interval == (mean.mean, mean.mean):
        return brief(mean.mean)
    return f"{brief(mean.mean)} ({'-'.join(map(brief, mean.interval))})"


def spent(row: PlayerStats) -> str:
    """What all decisions of a player cost together."""
    return brief(row.means["cost"].total) if "cost" in row.means else NONE


def rated(row: PlayerStats, rating: Rating | None) -> tuple[str, str]:
    """A rating and its interval in words; without a rating, why there is none."""
    if rating is None:
        return NONE, unrated(row)
    if rating.interval is None:
        return str(round(rating.rating)), "fixed"
    low, high = rating.interval
    return str(round(rating.rating)), f"{math.floor(low)} to {math.ceil(high)}"


def unrated(row: PlayerStats) -> str:
    """Why a player has no rating: it made no move, or only in games that do not count."""
    return "no game" if row.moves else "no move"


def counted(share: Proportion) -> str:
    """A share and of how many: 92% of 12."""
    return f"{percent(share)} of {share.of}" if share.of else NONE
