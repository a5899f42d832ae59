"""Bounds the work of calls that nobody waits for any more.

A thread cannot be stopped. When a call exceeds its time limit, or its client leaves, its thread goes on until
the limits of the solvers end it. Such calls are counted, and while there are too many, no other call begins.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class TooManyAbandoned(ValueError):
    """Too many abandoned calls are still being computed."""


class AbandonedCalls:
    """Counts the calls that were abandoned and are still being computed."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.count = 0
        self.lock = threading.Lock()


class Call(Generic[T]):
    """A function to call once, in a thread; its caller may abandon it at any time.

    >>> calls = AbandonedCalls(most=1)
    >>> Call(lambda: 5, calls)()
    5
    """

    def __init__(self, function: Callable[[], T], calls: AbandonedCalls) -> None:
        self._function = function
        self._calls = calls
        self._running = False
        self._abandoned = False

    def __call__(self) -> T:
        """Call the function, unless nobody waits for it any more.

        TooManyAbandoned if too many others are abandoned and not finished.
        """
        with self._calls.lock:
            if self._abandoned:
                raise ValueError("the call was abandoned before it began")
            if self._calls.count >= self._calls.most:
                raise TooManyAbandoned(
                    f"{self._calls.most} calls that took too long are still being computed; try again later"
                )
            self._running = True
        try:
            return self._function()
        finally:
            with self._calls.lock:
                self._running = False
                self._calls.count -= int(self._abandoned)

    def abandon(self) -> None:
        """Say that nobody waits for the answer; nothing changes if it is there already."""
        with self._calls.lock:
            if self._running and not self._abandoned:
                self._calls.count += 1
            self._abandoned = True
