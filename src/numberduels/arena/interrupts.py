"""Ctrl-C in a run: signals take effect only between two steps of the main loop.

Python raises KeyboardInterrupt between any two instructions of the main thread. In the middle of
`concurrent.futures.wait` that can leave the lock of a future taken for ever, and the run never ends. A signal
that comes just before a wait without a timeout, or to another thread, does not wake that wait.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

CHECK_SECONDS = 0.2
"""The longest wait between two checks for a signal."""


@contextmanager
def deferred_signals() -> Iterator[Callable[[], None]]:
    """Hold back the handlers of Ctrl-C and termination; calling what is yielded runs one that is due.

    A handler that was not called that way runs at the end, unless an exception ends the block anyway. In a
    thread that is not the main thread nothing changes, because Python runs handlers in the main thread only.
    """
    main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in SIGNALS} if main else {}
    # What is not callable is ignored, or ends the process as the system does it.
    held = {number: handler for number, handler in handlers.items() if callable(handler)}
    due: list[tuple[int, FrameType | None]] = []

    def check() -> None:
        if due:
            number, frame = due.pop(0)
            held[number](number, frame)

    for number in held:
        signal.signal(number, lambda number, frame: due.append((number, frame)))
    try:
        yield check
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
    check()
