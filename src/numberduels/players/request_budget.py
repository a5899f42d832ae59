"""RequestBudget: the cost of the requests of a run, and the limit at which no more are sent."""

from __future__ import annotations

import threading


class BudgetSpent(Exception):
    """No request may be sent any more. The game cannot go on, and nobody loses it."""


class RequestBudget:
    """Counts the known cost of answers, from any number of threads.

    A limit can be kept only if every cost is known. So an answer without one also ends the requests.

    >>> budget = RequestBudget(0.5)
    >>> budget.add(0.5, "chat:llama3.1")
    >>> budget.spent
    True
    """

    def __init__(self, limit: float | None = None) -> None:
        """Without a limit the budget is never spent."""
        self.limit = limit
        self.cost = 0.0
        self.unpriced = ""
        """A player whose answer had no known cost, if there is a limit."""
        self._lock = threading.Lock()

    @property
    def spent(self) -> bool:
        """Whether no more requests may be sent."""
        return self.limit is not None and (self.cost >= self.limit or bool(self.unpriced))

    def add(self, cost: float | None, player: str = "") -> None:
        """Count an answer of a player; None if its cost is not known."""
        with self._lock:
            if cost is not None:
                self.cost += cost
            elif self.limit is not None:
                self.unpriced = player

    def check(self) -> None:
        """BudgetSpent if no more requests may be sent."""
        if self.spent:
            raise BudgetSpent
