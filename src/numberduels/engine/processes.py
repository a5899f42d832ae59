"""What a process may ask of its platform: priority, a limit of memory, whether another process runs."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn


def lower_priority(steps: int) -> None:
    """Give way to other processes; nothing happens where the platform has no such priorities."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.nice(steps)


def limit_memory(most: int) -> None:
    """Let this process have at most so many bytes of address space, where the platform has such a limit."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with suppress(OSError, ValueError):  # macOS refuses it
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def has_ended(pid: int) -> bool:
    """Whether there is no process with this id any more; on Windows always False.

    There, signal 0 is Ctrl-C, and any other signal ends the process.
    """
    if sys.platform == "win32":
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


def when_parent_ends(action: Callable[[], object]) -> None:
    """Call this in a thread when the parent process has ended, however it ended; never if there is none."""
    from multiprocessing import parent_process

    if parent := parent_process():

        def watch() -> None:
            parent.join()
            action()

        threading.Thread(target=watch, daemon=True).start()


def exit_now(status: int) -> NoReturn:
    """End this process and all programs that it started at once, whatever its threads are doing.

    Do not call it from a signal handler.
    """
    try:
        if programs := sys.modules.get("numberduels.players.program"):
            programs.end_all()
    finally:
        os._exit(status)
