"""A pool of worker processes that run engine tasks, with limits on time and memory, and fair to all clients.

Each worker process has a thread in the server. The thread waits for the process, kills it at the deadline and
starts another one. The event loop only hands out jobs and passes answers on.

Each client has a queue of its own, and the queues take turns. With several workers, one client never occupies
all of them.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import threading
import traceback
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from typing import Any

from numberduels.engine.parent import when_parent_ends
from numberduels.engine.processes import limit_memory, lower_priority
from numberduels.game.loading import load_object

TASKS = "numberduels.engine.tasks:TASKS"
"""Where the tasks are. Workers import them, the server does not."""

START_TIMEOUT = 60.0
"""Seconds in which a new worker must be ready."""

MAX_ANSWER = 8 << 20
"""Bytes of an answer: reading a longer one would block the server."""

NICE = 5
"""Niceness of workers, so that the server itself comes first."""

_SPAWN = get_context("spawn")
_PROCESS_LOCK = threading.Lock()
"""Starting and ending a process also polls all others, which two threads must not do at once."""


class EngineError(Exception):
    """A task without an answer; the message is one sentence."""


class EngineTimeout(EngineError):
    """The task needs more time or memory than it has."""


class EngineCrashed(EngineError):
    """A bug or a dead worker, not the fault of the caller; the message may be a traceback."""


class EngineRejected(EngineError):
    """The question has no answer (ValueError in the task); the message tells the player why."""


class EngineBusy(EngineError):
    """Too many jobs are waiting, or the job waited too long."""


class EngineQueueFull(EngineBusy):
    """The client has too many jobs waiting."""


class EnginePool:
    """Runs tasks in worker processes.

    `memory` limits the address space of a worker, in bytes. At most `each` jobs of one client may wait, and
    `waiting` in all, for at most `patience` seconds. A job may then run for `seconds`.
    """

    def __init__(
        self,
        workers: int = 1,
        seconds: float = 3.0,
        memory: int = 1 << 30,
        *,
        each: int = 64,
        waiting: int = 1_000,
        patience: float = 30.0,
        tasks: str = TASKS,
    ) -> None:
        self.workers = workers
        self.seconds = seconds
        self.memory = memory
        self.each = each
        self.waiting = waiting
        self.patience = patience
        self.tasks = tasks
        self._most_busy = max(1, workers - 1)
        """Workers that one client may occupy."""
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()
        """Waiting jobs by client; the client whose turn is next comes first."""
        self._busy: Counter[str] = Counter()
        """Occupied workers by client."""
        self._idle: deque[_Worker] = deque()
        self._workers: list[_Worker] = []

    async def open(self) -> None:
        """Start the workers and wait until they are ready; EngineCrashed if they cannot start."""
        self._workers = [_Worker(self) for _ in range(self.workers)]
        try:
            await asyncio.gather(*(worker.ready for worker in self._workers))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Kill the workers; waiting jobs get EngineBusy, running ones EngineCrashed."""
        workers, self._workers = self._workers, []
        for job in [job for queue in self._queues.values() for job in queue]:
            _resolve(job.answer, None, EngineBusy("The server is closing."))
        self._queues.clear()
        self._idle.clear()
        self._busy.clear()
        for worker in workers:
            worker.stop()
        for worker in workers:
            await asyncio.to_thread(worker.thread.join)

    @property
    def queued(self) -> int:
        """The number of waiting jobs."""
        return sum(map(len, self._queues.values()))

    async def run(self, task: str, *arguments: Any, client: str = "", seconds: float | None = None) -> Any:
        """Run a task on behalf of a client and return its result; EngineError if there is none.

        If the caller is cancelled, the worker still finishes the job or is killed at the deadline.
        """
        if not self._workers:
            raise EngineBusy("The server is closing.")
        if len(self._queues.get(client, ())) >= self.each:
            raise EngineQueueFull("The computer still thinks about what you have asked before.")
        if self.queued >= self.waiting:
            raise EngineBusy("Too many are waiting for the computer. Try again in a moment.")
        loop = asyncio.get_running_loop()
        limit = self.seconds if seconds is None else seconds
        job = _Job(pickle.dumps((task, arguments)), limit, client, loop.create_future())
        self._queues.setdefault(client, deque()).append(job)
        self._dispatch()
        timer = loop.call_later(self.patience, self._give_up, job)
        try:
            return await job.answer
        finally:
            timer.cancel()
            self._withdraw(job)

    def _give_up(self, job: _Job) -> None:
        if self._withdraw(job):
            _resolve(job.answer, None, EngineBusy(f"The computer was busy for {self.patience:g} seconds."))

    def _withdraw(self, job: _Job) -> bool:
        """Remove a job from its queue; return whether it was still waiting."""
        queue = self._queues.get(job.client, deque())
        waiting = job in queue
        if waiting:
            queue.remove(job)
            if not queue:
                del self._queues[job.client]
        return waiting

    def _dispatch(self) -> None:
        while self._idle and (job := self._next_job()):
            self._busy[job.client] += 1
            self._idle.popleft().jobs.put(job)

    def _next_job(self) -> _Job | None:
        """The first job of the first client that may occupy another worker."""
        client = next((each for each in self._queues if self._busy[each] < self._most_busy), None)
        if client is None:
            return None
        job = self._queues[client].popleft()
        self._queues.move_to_end(client)
        if not self._queues[client]:
            del self._queues[client]
        return job

    def _release(self, worker: _Worker, job: _Job | None = None) -> None:
        """A worker is idle, after this job."""
        if worker not in self._workers:
            return
        if job:
            self._busy[job.client] -= 1
            if not self._busy[job.client]:
                del self._busy[job.client]
        self._idle.append(worker)
        self._dispatch()


@dataclass(frozen=True, eq=False, slots=True)
class _Job:
    """A pickled task, its time limit, its client, and the future of its answer."""

    message: bytes
    seconds: float
    client: str
    answer: asyncio.Future[Any]


def _resolve(answer: asyncio.Future[Any], value: Any, error: EngineError | None) -> None:
    """Set the result of a future, unless the caller was cancelled."""
    if answer.done():
        return
    if error is None:
        answer.set_result(value)
    else:
        answer.set_exception(error)


class _Worker:
    """One worker process and its thread; everything but `stop` runs in the thread."""

    def __init__(self, pool: EnginePool) -> None:
        self.jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._pool = pool
        self._loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = self._loop.create_future()
        self._stopping = False
        self._process: SpawnProcess | None = None
        self._pipe: Connection
        self._fresh = False
        """Whether the process has not run a job yet."""
        self.thread = threading.Thread(target=self._run, name="engine-worker", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Kill the process and end the thread; called by the event loop."""
        self._stopping = True
        self._kill()
        self.jobs.put(None)

    def _run(self) -> None:
        failure = self._start()
        self._post(self._pool._release, self)
        self._post(_resolve, self.ready, None, EngineCrashed(failure) if failure else None)
        while job := self.jobs.get():
            value, error = self._answer(job)
            self._post(_resolve, job.answer, value, error)
            if not self._alive():
                self._restart()  # if this fails, the next job tries again and reports it
            self._post(self._pool._release, self, job)
        self._reap()

    def _post(self, call: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop was closed before the pool was
            self._loop.call_soon_threadsafe(call, *arguments)

    def _answer(self, job: _Job) -> tuple[Any, EngineError | None]:
        """Run a job. If a process with data of earlier jobs runs out of memory, retry in a new one."""
        if not self._alive() and (failure := self._restart()):
            return None, EngineCrashed(failure)
        used = not self._fresh
        kind, value = self._send(job)
        if kind == "memory" and used and not self._restart():
            kind, value = self._send(job)
        if kind == "done":
            return value, None
        if kind == "rejected":
            return None, EngineRejected(value)
        if kind == "memory":
            return None, EngineTimeout("That takes more memory than there is for it.")
        return None, EngineTimeout(value) if kind == "timeout" else EngineCrashed(value)

    def _send(self, job: _Job) -> tuple[str, Any]:
        self._fresh = False
        try:
            self._pipe.send_bytes(job.message)
            if not self._pipe.poll(job.seconds):
                self._reap()
                return "timeout", f"That takes longer than {job.seconds:g} seconds."
            kind, value = pickle.loads(self._pipe.recv_bytes())
        except (EOFError, OSError):
            return "crashed", f"The process that thought about it has ended (status {self._reap()})."
        if kind == "memory":
            self._reap()
        return kind, value

    def _start(self) -> str:
        """Start a process and wait until it is ready; the reason if that fails."""
        try:
            self._pipe, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(
                target=_serve, args=(theirs, self._pool.tasks, self._pool.memory), daemon=True
            )
            with _PROCESS_LOCK:
                process.start()
            theirs.close()
        except Exception as error:  # no memory, no more processes: the server goes on
            return f"No process can be started: {error}"
        self._process, self._fresh = process, True
        if self._stopping:
            self._kill()
        with suppress(EOFError, OSError):
            if self._pipe.poll(START_TIMEOUT):
                failure: str = pickle.loads(self._pipe.recv_bytes())
                return failure
        return f"A process did not become ready (status {self._reap()})."

    def _restart(self) -> str:
        self._reap()
        return "The server is closing." if self._stopping else self._start()

    def _alive(self) -> bool:
        with _PROCESS_LOCK:
            return self._process is not None and self._process.exitcode is None

    def _kill(self) -> None:
        process = self._process
        if process:
            with suppress(ValueError):  # it is closed already
                process.kill()

    def _reap(self) -> int | None:
        """Kill the process, free its resources and return its exit status."""
        process, self._process = self._process, None
        if process is None:
            return None
        self._pipe.close()
        with _PROCESS_LOCK:
            process.kill()
            process.join()
            status = process.exitcode
            process.close()
        return status


# In the worker process


def _serve(pipe: Connection, place: str, memory: int) -> None:
    """Run one job after the other, until the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends its workers
    when_parent_ends(lambda: os._exit(1))
    lower_priority(NICE)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # more would take address space and processor time
    limit_memory(memory)
    try:
        tasks: Mapping[str, Callable[..., Any]] = load_object(place)
    except Exception:
        pipe.send_bytes(pickle.dumps(traceback.format_exc()))
        return
    with suppress(EOFError, OSError):
        pipe.send_bytes(pickle.dumps(""))
        while True:
            pipe.send_bytes(_run_job(tasks, pipe.recv_bytes()))


def _run_job(tasks: Mapping[str, Callable[..., Any]], message: bytes) -> bytes:
    """Run a pickled job; return the pickled kind of result and the result."""
    try:
        task, arguments = pickle.loads(message)
        answer = pickle.dumps(("done", tasks[task](*arguments)))
        if len(answer) > MAX_ANSWER:
            return pickle.dumps(("timeout", "The answer is longer than anybody could read."))
        return answer
    except MemoryError:
        return pickle.dumps(("memory", ""))
    except ValueError as error:
        return pickle.dumps(("rejected", str(error)))
    except BaseException:  # SystemExit, too: a task must not end the worker
        return pickle.dumps(("crashed", traceback.format_exc()))
