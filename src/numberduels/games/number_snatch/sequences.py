"""The sequences of Number Snatch: the margin on the list 1 to n."""

from __future__ import annotations

from typing import Any

from numberduels.analysis.sequences import IntegerSequence, ProofStatus, from_starts
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.solvers.oracle import Oracle


def _list_to(n: int) -> NumberSnatch:
    return NumberSnatch(numbers=tuple(range(1, n + 1)))


def _margin(oracle: Oracle[Any, Any], start: Any) -> int:
    margin = oracle.evaluate(start).margin
    assert margin is not None  # its theory always knows it
    return margin


SEQUENCES = (
    IntegerSequence(
        "number-snatch-margins",
        "the points by which Player 1 wins Number Snatch on the list 1 to n",
        range(1, 51),
        from_starts(_list_to, _margin),
        "the alternating sum of the list, largest first",
        ProofStatus.THEOREM,
        "ceiling(n / 2); docs/sequences.md",
    ),
)
