"""The cost of a run, and the budget at which it starts no more games."""

from __future__ import annotations

from typing import Any

from numberduels.arena.results import GameResult


class Budget:
    """Counts the known cost of all saved games. Answers without a known cost count nothing."""

    def __init__(self, limit: float | None = None) -> None:
        """Without a limit the budget is never spent."""
        self.limit = limit
        self.cost = 0.0

    @property
    def spent(self) -> bool:
        """Whether the known cost has reached the limit."""
        return self.limit is not None and self.cost >= self.limit

    def add_line(self, line: dict[str, Any]) -> None:
        """Count a line of games.jsonl, which may come from anywhere."""
        for move in _objects(line.get("moves")):
            for attempt in _objects(move.get("attempts")):
                cost = attempt.get("cost")
                if isinstance(cost, int | float):
                    self.cost += cost

    def add_results(self, results: list[GameResult]) -> None:
        """Count games that have just ended."""
        for result in results:
            self.cost += sum(move.total("cost") or 0.0 for move in result.moves)


def _objects(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
