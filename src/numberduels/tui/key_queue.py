"""KeyQueue: keys are handled in the order in which they were pressed, one after the other.

Textual passes a key from widget to widget, each of which has a queue of its own. A key that the first widget
handles overtakes one that goes on to the screen, and both overtake a screen that is being opened. Here the
next key is handed over when nothing is left to do about the one before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from textual import events
from textual.message import Message
from textual.message_pump import MessagePump

AT_ONCE = ("ctrl+c", "ctrl+q", "ctrl+z")
"""Keys that wait for nothing."""

PATIENCE = 20.0
"""Seconds after which the next key is handed over although something is still being done."""


class KeyQueue:
    """The keys that wait. `parts` are all message pumps of the app."""

    def __init__(
        self, hand_over: Callable[[Message], object], parts: Callable[[], Iterable[MessagePump]]
    ) -> None:
        self._hand_over = hand_over
        self._parts = parts
        self._waiting: list[Message] = []
        self._task: asyncio.Task[None] | None = None

    @staticmethod
    def takes(message: Message) -> bool:
        """Whether this is a key or pasted text, fresh from the terminal, that has to wait for its turn."""
        if isinstance(message, events.Key):
            return not message.is_forwarded and message.key not in AT_ONCE
        return isinstance(message, events.Paste) and not message.is_forwarded

    def put(self, message: Message) -> None:
        """Add a key."""
        self._waiting.append(message)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._deliver())

    def close(self) -> None:
        """Forget the keys that wait."""
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    async def empty(self) -> None:
        """Wait until every key is handled, and all that it caused."""
        while self._waiting or (self._task is not None and not self._task.done()):
            await asyncio.sleep(0)
        await self.quiet()

    async def _deliver(self) -> None:
        while self._waiting:
            self._hand_over(self._waiting.pop(0))
            await self.quiet()

    async def quiet(self) -> None:
        """Wait until all parts have handled their messages. What the engine computes is not waited for."""
        loop = asyncio.get_running_loop()
        start, pause = loop.time(), 0.0
        while any(map(_busy, list(self._parts()))):
            await asyncio.sleep(pause)
            waited = loop.time() - start
            pause = 0.0 if waited < 0.05 else 0.005
            if waited > PATIENCE:
                return


def _busy(part: MessagePump) -> bool:
    """Whether a part is being mounted, or has a message that is not yet handled."""
    if part._closing or part._closed or (part._task is not None and part._task.done()):
        return False
    if not part._running:
        return part._task is not None  # it starts, or has ended
    queue: Any = part._message_queue
    waits = bool(queue.ready_event._waiters)
    return not (queue.empty() and waits) or bool(part._next_callbacks)
