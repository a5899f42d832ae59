"""The worker processes that compute the tools of the MCP server."""

from __future__ import annotations

import logging
from typing import Any

from numberduels.engine.pool import EngineCrashed, EngineError, EnginePool, EngineTimeout
from numberduels.harness.mcp.calls import Run

TASKS = "numberduels.harness.mcp.tools:TASKS"

log = logging.getLogger("numberduels.mcp")


def runner(pool: EnginePool) -> Run:
    """Run tasks in this pool; what it cannot answer is a ValueError with a sentence for the caller."""

    async def run(task: str, *arguments: Any, client: str) -> Any:
        try:
            return await pool.run(task, *arguments, client=client)
        except EngineTimeout as fault:
            raise ValueError(f"{str(fault).rstrip('.')}; try a smaller game") from None
        except EngineCrashed as fault:
            log.error("the tool %s failed: %s", task, fault)
            raise ValueError("this could not be computed; try another game") from None
        except EngineError as fault:
            raise ValueError(str(fault)) from None

    return run
