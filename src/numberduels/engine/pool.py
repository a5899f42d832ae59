"""A pool of worker processes: a task runs in a child that can be killed, with limits on time and memory.

Call it from an event loop (`await pool.run(...)`) or from a thread (`pool.submit(...)` returns a future).
Each worker process has a thread here that waits for it, kills it at the deadline and starts another one.

Each client has a queue of its own, and the queues take turns. With several workers, one client never occupies
all of them.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from numberduels.engine.worker import read_message, write_message

TASKS = "numberduels.engine.tasks:TASKS"
"""Where the tasks of the server are. Workers import them, the server does not."""

START_TIMEOUT = 60.0
"""Seconds in which a new worker must be ready."""

GRACE = 5.0
"""Seconds that a worker has to end the programs that it started, before it is killed."""

NICE = 5
"""Niceness of workers, so that the server or the screen comes first."""


class EngineError(Exception):
    """A task without an answer; the message is one sentence."""


class EngineTimeout(EngineError):
    """The task needs more time or memory than it has."""


class EngineCrashed(EngineError):
    """A bug in the task; the message may be a traceback."""


class WorkerDied(EngineCrashed):
    """The worker process could not be started, or ended before it answered."""


class EngineRejected(EngineError):
    """The question has no answer (ValueError in the task); the message tells the player why."""


class EngineBusy(EngineError):
    """Too many jobs are waiting, or the job waited too long."""


class EngineQueueFull(EngineBusy):
    """The client has too many jobs waiting."""


class Job(Future[Any]):
    """A task in the queue or in a worker: a future of its answer."""

    def __init__(self, message: bytes, seconds: float | None, client: str) -> None:
        super().__init__()
        self.message = message
        self.seconds = seconds
        self.client = client

    def resolve(self, value: Any, error: EngineError | None) -> None:
        """Set the result of a job that runs."""
        if error is None:
            self.set_result(value)
        else:
            self.set_exception(error)

    def refuse(self, reason: str) -> None:
        """Set the result of a job that never ran."""
        if self.set_running_or_notify_cancel():
            self.set_exception(EngineBusy(reason))


class EnginePool:
    """Runs tasks in worker processes. A worker is started when it is first needed, or by `open`.

    A task is a name in `tasks` or a function of a module. It may run for `seconds`, and a worker has `memory`
    bytes of address space. At most `each` jobs of one client may wait, and `waiting` in all, for at most
    `patience` seconds. `spare` workers are kept for other clients than the one that asks most. If `quiet`,
    workers print nothing. If `kill_cancelled`, cancelling a caller kills the worker that runs its job.
    """

    def __init__(
        self,
        workers: int = 1,
        seconds: float | None = 3.0,
        memory: int | None = 1 << 30,
        *,
        each: int = 64,
        waiting: int = 1_000,
        patience: float | None = 30.0,
        spare: int = 1,
        tasks: str = TASKS,
        nice: int = NICE,
        quiet: bool = False,
        kill_cancelled: bool = False,
    ) -> None:
        self.workers = workers
        self.seconds = seconds
        self.each = each
        self.waiting = waiting
        self.patience = patience
        self._worker_options = (tasks, memory, nice, quiet)
        self._kill_cancelled = kill_cancelled
        self._most_busy = max(1, workers - spare)
        """Workers that one client may occupy."""
        self._changed = threading.Condition()
        """Guards everything below."""
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()
        """Waiting jobs by client; the client whose turn is next comes first."""
        self._busy: Counter[str] = Counter()
        """Occupied workers by client."""
        self._idle = 0
        """Workers that wait for a job."""
        self._workers: list[_Worker] = []
        self._ending = False

    # From an event loop

    async def open(self) -> None:
        """Start all workers and wait until they are ready; EngineCrashed if they cannot start."""
        with self._changed:
            self._ending = False
            while len(self._workers) < self.workers:
                self._add_worker()
        try:
            for worker in self._workers:
                await asyncio.wrap_future(worker.ready)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """End the workers at once; waiting jobs get EngineBusy, running ones WorkerDied."""
        await asyncio.to_thread(self.end)

    async def run(
        self, task: str | Callable[..., Any], *arguments: Any, client: str = "", seconds: float | None = None
    ) -> Any:
        """Run a task on behalf of a client and return its result; EngineError if there is none."""
        job = self.submit(task, *arguments, client=client, seconds=seconds)
        timer = None
        if self.patience is not None:
            timer = asyncio.get_running_loop().call_later(self.patience, self._give_up, job)
        try:
            return await asyncio.wrap_future(job)
        except asyncio.CancelledError:
            if self._kill_cancelled:
                self._kill(job)
            raise
        finally:
            if timer:
                timer.cancel()

    # From a thread

    def submit(
        self, task: str | Callable[..., Any], *arguments: Any, client: str = "", seconds: float | None = None
    ) -> Job:
        """Queue a task on behalf of a client; EngineBusy if the queue is full."""
        limit = self.seconds if seconds is None else seconds
        job = Job(pickle.dumps((task, arguments)), limit, client)
        with self._changed:
            if self._ending:
                raise EngineBusy("The server is closing.")
            if len(self._queues.get(client, ())) >= self.each:
                raise EngineQueueFull("The computer still thinks about what you have asked before.")
            if self.queued >= self.waiting:
                raise EngineBusy("Too many are waiting for the computer. Try again in a moment.")
            self._queues.setdefault(client, deque()).append(job)
            if len(self._workers) < self.workers and self.queued > self._idle:
                self._add_worker()
            self._changed.notify()
        job.add_done_callback(self._withdraw)  # it may be cancelled while it waits
        return job

    def end(self, *, finish: bool = False) -> None:
        """End the workers and wait for them: after all jobs if `finish`, otherwise at once."""
        with self._changed:
            self._ending = True
            waiting = [] if finish else [job for queue in self._queues.values() for job in queue]
            workers, self._workers = self._workers, []
            if not finish:
                self._queues.clear()
            self._changed.notify_all()
        for job in waiting:
            job.refuse("The server is closing.")
        if not finish:
            for worker in workers:
                worker.hang_up()
            deadline = time.monotonic() + GRACE
            for worker in workers:
                worker.thread.join(max(0.0, deadline - time.monotonic()))
                worker.kill()
        for worker in workers:
            worker.thread.join()

    def __enter__(self) -> EnginePool:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.end(finish=kind is None)

    @property
    def queued(self) -> int:
        """The number of waiting jobs."""
        return sum(map(len, self._queues.values()))

    # Jobs

    def _add_worker(self) -> None:
        self._workers.append(_Worker(self, *self._worker_options))

    def _give_up(self, job: Job) -> None:
        if self._withdraw(job):
            job.refuse(f"The computer was busy for {self.patience:g} seconds.")

    def _withdraw(self, job: Future[Any]) -> bool:
        """Remove a job from its queue; return whether it was still waiting."""
        assert isinstance(job, Job)
        with self._changed:
            queue = self._queues.get(job.client, deque())
            waiting = job in queue
            if waiting:
                queue.remove(job)
                if not queue:
                    del self._queues[job.client]
        return waiting

    def _kill(self, job: Job) -> None:
        """Kill the worker that runs a job, if one does."""
        with self._changed:
            for worker in self._workers:
                if worker.job is job and not job.done():
                    worker.kill()

    def _take(self, worker: _Worker) -> Job | None:
        """Wait for the next job for a worker; None if it must end."""
        with self._changed:
            self._idle += 1
            try:
                while not (job := self._next_job()):
                    if self._ending:
                        return None
                    self._changed.wait()
            finally:
                self._idle -= 1
            self._busy[job.client] += 1
            worker.job = job
        return job

    def _next_job(self) -> Job | None:
        """The first job of the first client that may occupy another worker."""
        for client, queue in self._queues.items():
            if self._busy[client] < self._most_busy:
                job = queue.popleft()
                self._queues.move_to_end(client)
                if not queue:
                    del self._queues[client]
                return job if job.set_running_or_notify_cancel() else self._next_job()
        return None

    def _finished(self, worker: _Worker, job: Job) -> None:
        with self._changed:
            worker.job = None
            self._busy[job.client] -= 1
            if not self._busy[job.client]:
                del self._busy[job.client]
            self._changed.notify_all()


class _Worker:
    """One worker process and its thread. Only `hang_up` and `kill` are called by other threads."""

    def __init__(self, pool: EnginePool, tasks: str, memory: int | None, nice: int, quiet: bool) -> None:
        self._pool = pool
        self._program = (
            f"import sys; sys.path[:] = {sys.path!r}; from numberduels.engine.worker import serve;"
            f" serve({tasks!r}, {memory!r}, {nice!r})"
        )
        self._quiet = quiet
        self.job: Job | None = None
        """What runs now; guarded by the pool."""
        self.ready: Future[None] = Future()
        self._process: subprocess.Popen[bytes] | None = None
        self._fresh = False
        """Whether the process has not run a job yet."""
        self._expired = self._killed = self._hung_up = False
        self._sending = threading.Lock()
        self.thread = threading.Thread(target=self._run, name="engine-worker", daemon=True)
        self.thread.start()

    def hang_up(self) -> None:
        """Tell the process to end at once with all programs that it started, and start no other."""
        self._hung_up = True
        if self._fresh:  # it has started nothing, and may not listen yet
            self.kill()
        elif self._sending.acquire(timeout=GRACE):  # or it does not read, and is killed later
            try:
                if (process := self._process) and process.stdin:
                    with suppress(OSError):
                        process.stdin.close()
            finally:
                self._sending.release()

    def kill(self) -> None:
        """Kill the process."""
        self._killed = True
        if process := self._process:
            process.kill()

    def _run(self) -> None:
        failure = self._restart()
        if failure:
            self.ready.set_exception(WorkerDied(failure))
        else:
            self.ready.set_result(None)
        while job := self._pool._take(self):
            job.resolve(*self._answer(job))
            if not self._alive():
                self._restart()  # if this fails, the next job tries again and reports it
            self._pool._finished(self, job)
        if self._alive():
            # An empty message ends it politely. If the pool has hung up already, it is ending.
            self._exchange(None if self._hung_up else b"", GRACE)
        self._reap()

    def _answer(self, job: Job) -> tuple[Any, EngineError | None]:
        """Run a job. If a process with data of earlier jobs runs out of memory, retry in a new one."""
        if not self._alive() and (failure := self._restart()):
            return None, WorkerDied(failure)
        used = not self._fresh
        self._fresh = False
        kind, value = self._exchange(job.message, job.seconds)
        if kind == "memory" and used and not self._restart():
            kind, value = self._exchange(job.message, job.seconds)
        if kind == "done":
            return value, None
        if kind == "memory":
            self._reap()
            return None, EngineTimeout("That takes more memory than there is for it.")
        errors: dict[str, type[EngineError]] = {
            "rejected": EngineRejected, "timeout": EngineTimeout, "died": WorkerDied, "crashed": EngineCrashed
        }  # fmt: skip
        return None, errors[kind](value)

    def _exchange(self, message: bytes | None, seconds: float | None) -> tuple[str, Any]:
        """Send a message, if there is one, and return the kind of the answer and the answer."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        self._expired = False
        timer = None
        if seconds is not None:
            timer = threading.Timer(seconds, self._expire)
            timer.start()
        try:
            if message is not None:
                with self._sending:
                    write_message(process.stdin, message)
            answer = read_message(process.stdout)
        except (EOFError, OSError, ValueError):  # ValueError: the pool has closed the pipe
            answer = b""
        finally:
            if timer:
                timer.cancel()
                timer.join()
        if self._expired:
            self._reap()
            return "timeout", f"That takes longer than {seconds:g} seconds."
        if not answer:
            return "died", f"The process that computed this has ended (status {self._reap()}). Try it again."
        kind, value = pickle.loads(answer)
        return kind, value

    def _expire(self) -> None:
        self._expired = True
        self.kill()

    def _restart(self) -> str:
        """Start a new process and wait until it is ready; the reason if that fails."""
        self._reap()
        self._killed = False
        if self._hung_up:
            return "The server is closing."
        # Ctrl-C and Ctrl-Z at the terminal are for the program that owns the pool.
        alone: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            alone = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", self._program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if self._quiet else None,
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
                **alone,
            )
        except Exception as error:  # no memory, no more processes: the caller goes on
            return f"No process can be started: {error}"
        with self._sending:
            self._process, self._fresh = process, True
        if self._hung_up:
            self.kill()
        kind, value = self._exchange(None, START_TIMEOUT)
        return "" if kind == "done" else str(value)

    def _alive(self) -> bool:
        return not self._killed and self._process is not None and self._process.poll() is None

    def _reap(self) -> int | None:
        """Kill the process, free its resources and return its exit status."""
        with self._sending:
            process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        status = process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what was written last is lost
                if pipe:
                    pipe.close()
        return status
