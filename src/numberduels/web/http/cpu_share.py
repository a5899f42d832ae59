"""A fair share of processor time for each address.

All requests of a worker run in one thread. A request runs in steps, from one await to the next, and each step
makes all others wait. The time of the steps is measured, and an address that has used its share has to wait.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Generator
from time import thread_time
from types import coroutine
from typing import Any, TypeVar

from numberduels.web.http.rate_limits import TokenBucket

T = TypeVar("T")


class CpuMeter:
    """Charges the processor time of requests to their addresses; `most` requests of each may wait."""

    def __init__(self, bucket: TokenBucket, most: int, processor: Callable[[], float] = thread_time) -> None:
        self._bucket = bucket
        self._most = most
        self._processor = processor
        self._waiting: Counter[str] = Counter()

    def full(self, address: str) -> bool:
        """Whether no more requests of the address may wait."""
        return self._waiting[address] >= self._most

    @coroutine
    def run(self, address: str, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        """Run a coroutine; before each step, wait until the address has processor time left."""
        step: Callable[[Any], Any] = work.send
        sent: Any = None
        begun, awaited = False, None
        while True:
            try:
                if begun:
                    step, sent = work.send, (yield awaited)
                if self._bucket.wait(address):
                    yield from self._wait(address).__await__()
            except GeneratorExit:
                work.close()
                raise
            except BaseException as error:  # cancelled, or another error from the event loop
                step, sent = work.throw, error
            begun, began = True, self._processor()
            try:
                awaited = step(sent)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                self._bucket.spend(address, self._processor() - began)

    async def _wait(self, address: str) -> None:
        self._waiting[address] += 1
        try:
            while pause := self._bucket.wait(address):
                await asyncio.sleep(pause)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]
