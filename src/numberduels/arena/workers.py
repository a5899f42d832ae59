"""Worker processes of a run: an executor that can be ended at any moment.

The pool of the standard library cannot: its workers share one pipe and its lock, and one that is killed in
the middle of a message leaves the others, and the pool itself, waiting for ever. Here each worker has a pipe
of its own and a thread that asks it, so that its end is the end of its pipe and of nothing else.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from typing import Any, NoReturn, TypeVar

from numberduels.players.process import end_all

T = TypeVar("T")

GRACE = 5.0
"""Seconds in which a worker that is told to end may end the programs that it has started."""
THRESHOLD = 50_000
"""GC threshold for workers: players allocate much and create few reference cycles."""


class WorkerDied(Exception):
    """A worker process could not be started, or ended before it had answered."""


class WorkerPool(ThreadPoolExecutor):
    """So many processes, each started when it is first needed.

    Ctrl-C does not reach them, not even while they are loading: they are started with SIGINT blocked. Nor
    can it break a start in two, since Python raises KeyboardInterrupt in the main thread only.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._mine = threading.local()
        self._lock = threading.Lock()
        self._all: list[tuple[SpawnProcess, Connection]] = []
        self._terminated = False

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Have a worker call `fn`; the future raises WorkerDied if that worker ends before it is done."""
        return super().submit(self._ask, fn, args, kwargs)

    def _ask(self, *call: Any) -> Any:
        try:
            if getattr(self._mine, "worker", None) is None:
                self._mine.worker = self._start()
            self._mine.worker.send(call)
            done, value = self._mine.worker.recv()
        except (EOFError, OSError) as fault:
            self._mine.worker = None
            raise WorkerDied(str(fault)) from None
        if not done:
            raise value
        return value

    def _start(self) -> Connection:
        if self._terminated:
            raise EOFError
        ensure_running()  # first, because it unblocks SIGINT when it starts its own process
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # in this thread, and in what it starts
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs,))
        process.start()
        theirs.close()
        with self._lock:
            self._all.append((process, ours))
            if self._terminated:  # meanwhile
                process.terminate()
        return ours

    def terminate(self) -> None:
        """End all workers now, whatever they are doing."""
        with self._lock:
            self._terminated = True
            workers = [process for process, _ in self._all]
        for process in workers:
            process.terminate()
        _end(workers)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers when they have done what they were given."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            for _, pipe in self._all:
                pipe.close()
            _end([process for process, _ in self._all])


def _end(workers: list[SpawnProcess]) -> None:
    """Wait for processes that were told to end, and kill those that do not."""
    deadline = time.monotonic() + GRACE
    for process in workers:
        if not connection.wait([process.sentinel], max(0.0, deadline - time.monotonic())):
            process.kill()
        process.join()


# In a worker


def _work(pipe: Connection) -> None:
    """Do what comes through the pipe until it is closed."""
    _get_ready()
    while True:
        try:
            fn, args, kwargs = pipe.recv()
        except EOFError:
            return
        try:
            answer = True, fn(*args, **kwargs)
        except Exception as fault:  # one that can be sent: what is done here sees to that
            answer = False, fault
        pipe.send(answer)


def _get_ready() -> None:
    """End when the run ends, however it ends, and not before."""
    gc.freeze()
    gc.set_threshold(THRESHOLD)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which then ends us
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # programs that we start would inherit it
    # Python calls a handler in the main thread only, which may be waiting in somebody's code or be starting a
    # program: a thread hears of the signal instead.
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGTERM, lambda *_: None)
    parent = parent_process()
    assert parent is not None, "a worker has a parent"

    def watch() -> None:
        while parent.sentinel not in connection.wait([parent.sentinel, woken]):
            if signal.SIGTERM in os.read(woken, 4096):
                break
        leave(1)

    threading.Thread(target=watch, daemon=True).start()


def leave(status: int) -> NoReturn:
    """End this process at once, with all programs that play in it, whatever its threads are doing.

    Not for a signal handler, as `end_all` is not.
    """
    end_all()
    os._exit(status)
