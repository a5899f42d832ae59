"""The games at sizes from 2 to 200."""

from __future__ import annotations

from typing import Any

SIZES = (2, 5, 10, 20, 50, 100, 200)


def at_size(name: str, size: int) -> dict[str, Any]:
    """The options of a game with about this many numbers, in the proportions of its book.

    >>> at_size("number-snatch", 20), at_size("summation-duel", 10), at_size("range-war", 10)
    ({'size': 10, 'top': 20}, {'size': 10, 'target': 50}, {'size': 10})
    """
    if name == "number-snatch":
        return {"size": max(1, size // 2), "top": size}
    if name == "summation-duel":
        return {"size": size, "target": min(5 * size, size * (size + 1) // 2)}
    return {"size": size}
