"""Tasks for the pools of tests; the module imports little, so that workers start fast.

Files are signals between a worker and a test: a task that waits for a file runs as long as the test wants,
however fast or slow the machine is.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

PATIENCE = 60.0

KEPT: list[bytearray] = []


def wait(gate: str, begun: str = "") -> int:
    """Say that it has begun, and wait until the gate is there."""
    if begun:
        Path(begun).touch()
    deadline = time.monotonic() + PATIENCE
    while not os.path.exists(gate):
        if time.monotonic() > deadline:
            raise TimeoutError(gate)
        time.sleep(0.005)
    return os.getpid()


def meet(folder: str, name: str, other: str) -> int:
    """Wait for another process that does the same."""
    return wait(os.path.join(folder, other), os.path.join(folder, name))


def spin() -> None:
    while True:
        pass


def hog(size: int) -> int:
    return len(bytearray(size))


def keep(size: int) -> int:
    """Take memory and never give it back."""
    KEPT.append(bytearray(size))
    return len(KEPT)


def refuse() -> None:
    raise ValueError("nobody wants that")


def fail() -> None:
    raise RuntimeError("a fault of ours")


def leave() -> None:
    sys.exit(3)


def note(path: str, text: str) -> str:
    """Write it down, so that the order can be read."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{text}\n")
    return text


def long() -> str:
    return "x" * (32 << 20)


LOCK = threading.Lock()


def take_lock() -> bool:
    return LOCK.acquire(timeout=PATIENCE)


def open_files() -> list[str]:
    return [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]


def print_and_read() -> str:
    """Neither is the pipe to the parent."""
    os.system("echo printed")
    print("printed")
    return sys.stdin.read()


def start_program() -> int:
    from numberduels.players.program import RunningProgram

    program = RunningProgram([sys.executable, "-c", "import time; time.sleep(600)"], lasting=True)
    return program._process.pid


def block_signals_and_wait() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    threading.Event().wait()


def choose(_game: str, _options: Any, moves: list[str], player: str, _seed: str) -> dict[str, str]:
    """The lowest number that is not taken; a perfect player never comes to an end."""
    if player == "perfect":
        spin()
    return {"move": next(str(number) for number in range(1, 11) if str(number) not in moves)}


WORKER_TASKS = {
    each.__name__: each
    for each in (
        *(wait, meet, spin, hog, keep, refuse, fail, leave, note, long, choose, take_lock, open_files),
        *(print_and_read, start_program, block_signals_and_wait),
    )
} | {"pid": os.getpid, "open": open}
