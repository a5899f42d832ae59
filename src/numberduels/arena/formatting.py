"""Numbers and names of a report as text, shared by both renderers."""

from __future__ import annotations

import math

from numberduels.arena.intervals import Proportion

NONE = "-"
"""Shown where there is no value."""


def visible(text: str) -> str:
    """The text with invisible and direction-changing characters made visible; line breaks and tabs stay.

    >>> print(visible("a\\u202eb\\x00c"))
    a<U+202E>b<U+0000>c
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"<U+{ord(char):04X}>"
        for char in text.replace("\r\n", "\n")
    )


def percent(proportion: Proportion) -> str:
    """A proportion in percent. 100% means all, and 0% means none.

    >>> [percent(Proportion(hits, 1000)) for hits in (0, 1, 730, 999, 1000)], percent(Proportion(0, 0))
    (['0%', '1%', '73%', '99%', '100%'], '-')
    """
    if proportion.share is None:
        return NONE
    if proportion.hits in (0, proportion.of):
        return "100%" if proportion.hits else "0%"
    return f"{min(99, max(1, round(100 * proportion.share)))}%"


def percent_interval(proportion: Proportion) -> str:
    """The interval of a proportion in percent, rounded outwards: 23-77."""
    if proportion.interval is None:
        return ""
    low, high = proportion.interval
    return f"{math.floor(100 * low)}-{math.ceil(100 * high)}"


def significant(number: float | None) -> str:
    """A number with three significant digits.

    >>> significant(0.001234), significant(12.345), significant(1234.5), significant(None)
    ('0.00123', '12.3', '1234', '-')
    """
    if number is None:
        return NONE
    if not number or abs(number) < 0.000_000_5:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    return f"{number:.{min(digits, 6)}f}"
