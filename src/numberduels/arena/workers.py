"""Worker processes of a run: an executor that can be terminated at any time.

ProcessPoolExecutor cannot: its workers share one pipe and its lock, so a worker that is killed while it sends
a message blocks the others and the pool for ever. Here each worker has its own pipe and its own thread in the
parent, so that the end of a worker affects nothing else.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from socket import socketpair
from typing import Any, NoReturn, TypeVar

from numberduels.players.program import close_lasting, end_all

T = TypeVar("T")

GRACE = 5.0
"""Seconds that a terminated worker has to end the programs that it started."""
THRESHOLD = 50_000
"""GC threshold for workers: players allocate much and create few reference cycles."""


class WorkerDied(Exception):
    """A worker process could not be started, or ended before it answered."""


class WorkerPool(ThreadPoolExecutor):
    """`count` worker processes, each started when it is first needed.

    Ctrl-C does not reach the workers: they start with SIGINT blocked, except on Windows. It cannot
    interrupt the start of a worker either, since Python raises KeyboardInterrupt only in the main thread.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._local = threading.local()
        self._lock = threading.Lock()
        self._workers: list[tuple[SpawnProcess, Connection]] = []
        self._terminated = False

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call `fn` in a worker; the future raises WorkerDied if the worker ends first."""
        return super().submit(self._call, fn, args, kwargs)

    def _call(self, *call: Any) -> Any:
        try:
            if getattr(self._local, "worker", None) is None:
                self._local.worker = self._start()
            self._local.worker.send(call)
            done, value = self._local.worker.recv()
        except (EOFError, OSError) as fault:
            self._local.worker = None
            raise WorkerDied(str(fault)) from None
        if not done:
            raise value
        return value

    def _start(self) -> Connection:
        if self._terminated:
            raise EOFError
        if sys.platform != "win32":
            ensure_running()  # first, because it unblocks SIGINT when it starts its own process
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited by the new process
        context = get_context("spawn")
        parent_end, child_end = context.Pipe()
        process = context.Process(target=_work, args=(child_end,))
        process.start()
        child_end.close()
        with self._lock:
            self._workers.append((process, parent_end))
            if self._terminated:  # by another thread in the meantime
                process.terminate()
        return parent_end

    def terminate(self) -> None:
        """Terminate all workers at once."""
        with self._lock:
            self._terminated = True
            workers = [process for process, _ in self._workers]
        for process in workers:
            process.terminate()
        _end(workers)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers after their current calls."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            for _, pipe in self._workers:
                pipe.close()
            _end([process for process, _ in self._workers])


def _end(workers: list[SpawnProcess]) -> None:
    """Wait for terminated processes, and kill those that do not end."""
    deadline = time.monotonic() + GRACE
    for process in workers:
        if not connection.wait([process.sentinel], max(0.0, deadline - time.monotonic())):
            process.kill()
        process.join()


# In a worker


def _work(pipe: Connection) -> None:
    """Serve calls from the pipe until it is closed."""
    _prepare_process()
    while True:
        try:
            fn, args, kwargs = pipe.recv()
        except EOFError:
            close_lasting()
            return
        try:
            answer = True, fn(*args, **kwargs)
        except Exception as fault:  # our tasks raise only exceptions that can be pickled
            answer = False, fault
        pipe.send(answer)


def _prepare_process() -> None:
    """Make this process end exactly when the run ends, however that happens."""
    gc.freeze()
    gc.set_threshold(THRESHOLD)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    if sys.platform != "win32":
        # Otherwise programs that we start would inherit it.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # Python runs signal handlers only in the main thread, which may be blocked in the code of a player. So
    # the signal wakes a thread, through a socket because Windows has no other way.
    woken, wake = socketpair()
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.detach())  # it stays open as long as the process runs
    signal.signal(signal.SIGTERM, lambda *_: None)
    parent = parent_process()
    assert parent is not None, "a worker has a parent"

    def watch() -> None:
        while parent.sentinel not in connection.wait([parent.sentinel, woken]):
            if signal.SIGTERM in woken.recv(4096):
                break
        exit_now(1)

    threading.Thread(target=watch, daemon=True).start()


def exit_now(status: int) -> NoReturn:
    """End this process and all programs that it started at once, whatever its threads are doing.

    Do not call it from a signal handler.
    """
    end_all()
    os._exit(status)
