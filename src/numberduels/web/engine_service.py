"""Answers of the engine to visitors' questions, with a cache: equal questions are computed once."""

from __future__ import annotations

import json
import pickle
from typing import Any, NamedTuple

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


class _Answer(NamedTuple):
    """A cached result: a value, or the reason why there is none."""

    value: Any
    rejection: str


class EngineService:
    """Asks the pool, and caches what never changes: answers, and rejections.

    Timeouts and a busy pool are not cached: the same question may be answered later.
    """

    def __init__(self, pool: EnginePool, most_bytes: int = MAX_BYTES) -> None:
        self.pool = pool
        self._cache = ByteCache[str, _Answer](most_bytes)

    async def answer(self, client: str, task: str, *arguments: Any, seconds: float | None = None) -> Any:
        """The result of a task, cached or computed on behalf of a client; EngineError if there is none."""
        key = json.dumps((task, arguments), sort_keys=True)
        answer = self._cache.get(key)
        if answer is None:
            answer = await self._compute(client, task, *arguments, seconds=seconds)
            size = len(key) + len(pickle.dumps(answer.value)) + len(answer.rejection) + ANSWER_BYTES
            self._cache.put(key, answer, size)
        if answer.rejection:
            raise EngineRejected(answer.rejection)
        return answer.value

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

    async def _compute(self, client: str, task: str, *arguments: Any, seconds: float | None) -> _Answer:
        value, rejection = None, ""
        try:
            value = await self.pool.run(task, *arguments, client=client, seconds=seconds)
        except EngineRejected as error:
            rejection = str(error) or "there is no answer"
        return _Answer(value, rejection)


def busy_error(error: EngineBusy) -> UserError:
    """The error for a visitor whose question found no free worker."""
    if isinstance(error, EngineQueueFull):
        return UserError("busy.client", str(error))
    return UserError("busy", Message("The computer has too much to think about. Try again in a moment."))
