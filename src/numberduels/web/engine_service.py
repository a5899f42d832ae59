"""Answers of the engine to visitors' questions, with a cache: equal questions are computed once."""

from __future__ import annotations

import json
import pickle
from typing import Any

from numberduels.engine.pool import (
    EngineBusy,
    EngineError,
    EnginePool,
    EngineQueueFull,
    EngineRejected,
)
from numberduels.game.messages import Message
from numberduels.web.cache import ByteCache
from numberduels.web.errors import UserError, sentence

MAX_BYTES = 64 << 20
"""Size of the cache in bytes."""

ANSWER_BYTES = 1_024
"""Estimated size of an answer beside its content."""


class EngineService:
    """Asks the pool, and caches what never changes: answers, and rejections.

    Timeouts and a busy pool are not cached: the same question may be answered later.
    """

    def __init__(self, pool: EnginePool, most_bytes: int = MAX_BYTES) -> None:
        self.pool = pool
        self._cache = ByteCache[str, tuple[Any, str]](most_bytes)
        """By question: an answer, or the reason why there is none."""

    async def answer(self, client: str, task: str, *arguments: Any, seconds: float | None = None) -> Any:
        """The result of a task, cached or computed on behalf of a client; EngineError if there is none."""
        key = json.dumps((task, arguments), sort_keys=True)
        if (found := self._cache.get(key)) is None:
            try:
                found = await self.pool.run(task, *arguments, client=client, seconds=seconds), ""
            except EngineRejected as error:
                found = None, str(error) or "there is no answer"
            self._cache.put(key, found, len(key) + len(pickle.dumps(found)) + ANSWER_BYTES)
        value, rejection = found
        if rejection:
            raise EngineRejected(rejection)
        return value

    async def ask(self, client: str, task: str, *arguments: Any, seconds: float | None = None) -> Any:
        """The same; UserError if there is no result."""
        try:
            return await self.answer(client, task, *arguments, seconds=seconds)
        except EngineRejected as error:
            raise UserError("unanswered", sentence(error)) from None
        except EngineBusy as error:
            raise busy_error(error) from None
        except EngineError:
            text = Message("That would take the computer too long to find out.")
            raise UserError("too_hard", text) from None


def busy_error(error: EngineBusy) -> UserError:
    """The error for a visitor whose question found no free worker."""
    if isinstance(error, EngineQueueFull):
        return UserError("busy.client", str(error))
    return UserError("busy", Message("The computer has too much to think about. Try again in a moment."))
