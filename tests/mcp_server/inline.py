"""The tools of the MCP server without worker processes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from numberduels.harness.mcp.tools import TASKS


class InlineWorkers:
    """Runs each task at once, in this process, and counts them by client."""

    def __init__(self) -> None:
        self.clients: Counter[str] = Counter()

    async def __call__(self, task: str, *arguments: Any, client: str) -> Any:
        self.clients[client] += 1
        return TASKS[task](*arguments)
