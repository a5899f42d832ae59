"""A fair share of the processor for every address.

All requests of a worker share one thread. A request runs in steps, from one thing that it waits for to the
next; what its steps take is what it keeps others waiting. That is measured, and an address that has used its
share waits.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Generator
from time import thread_time
from types import coroutine
from typing import Any, TypeVar

from numberduels.web.http.rate_limits import Allowance

T = TypeVar("T")


class Meter:
    """Lets requests work at the expense of their addresses; `most` of each may wait for their share."""

    def __init__(self, allowance: Allowance, most: int, processor: Callable[[], float] = thread_time) -> None:
        self._allowance = allowance
        self._most = most
        self._processor = processor
        self._waiting: Counter[str] = Counter()

    def full(self, address: str) -> bool:
        """Whether no more requests of the address can wait."""
        return self._waiting[address] >= self._most

    @coroutine
    def work(self, address: str, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        """Do this, each step of it when the address has something left of its share."""
        step: Callable[[Any], Any] = work.send
        given: Any = None
        begun, waiting = False, None
        while True:
            try:
                if begun:
                    step, given = work.send, (yield waiting)
                yield from self._share(address).__await__()
            except GeneratorExit:
                work.close()
                raise
            except BaseException as fault:  # it is cancelled, or the loop has something else to say
                step, given = work.throw, fault
            begun, began = True, self._processor()
            try:
                waiting = step(given)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                self._allowance.spend(address, self._processor() - began)

    async def _share(self, address: str) -> None:
        """Wait until something is left for the address."""
        if not self._allowance.wait(address):
            return
        self._waiting[address] += 1
        try:
            while pause := self._allowance.wait(address):
                await asyncio.sleep(pause)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]
