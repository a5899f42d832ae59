"""Lets a process notice the end of the process that started it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from multiprocessing import parent_process


def when_parent_ends(action: Callable[[], object]) -> None:
    """Call this in a thread when the parent process has ended, however it ended; never if there is none."""
    if parent := parent_process():

        def watch() -> None:
            parent.join()
            action()

        threading.Thread(target=watch, daemon=True).start()
