"""The cost that saved games have caused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numberduels.arena.results import MAX_NUMBER, GameResult


def line_cost(line: dict[str, Any]) -> float:
    """The known cost of a line of games.jsonl, which may come from anywhere."""
    total = 0.0
    for move in _objects(line.get("moves")):
        for attempt in _objects(move.get("attempts")):
            cost: Any = attempt.get("cost")
            known = isinstance(cost, int | float) and not isinstance(cost, bool)
            if known and 0 <= cost <= MAX_NUMBER:
                total += cost
    return total


def results_cost(results: Iterable[GameResult]) -> float:
    """The known cost of games."""
    return sum(move.total("cost") or 0.0 for result in results for move in result.moves)


def _objects(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
