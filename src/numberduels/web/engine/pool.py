"""Thinking outside the event loop, bounded in time and memory, and fair to everybody who asks.

A few processes do it. Each is looked after by one thread, which waits for it, kills it when its time is over
and starts another; the event loop only hands out questions and passes on what came of them.

Everybody who asks has a queue of their own, and the queues take turns. Nobody keeps all processes busy, where
there are several: one is always left to the others.
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
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from typing import Any

from numberduels.loading import load_object

TASKS = "numberduels.web.engine.tasks:TASKS"
"""Where the table of what can be thought about lies; the processes load it, the server does not."""

START = 60.0
"""Seconds in which a new process must be ready."""

ANSWER = 8 << 20
"""Bytes that an answer may have: reading a longer one would hold up the server."""

NICE = 5
"""How far thinking steps back where the processor is wanted by the server, too."""

_SPAWN = get_context("spawn")
_BIRTHS = threading.Lock()
"""Starting a process looks after all others, too: two threads that do so at once would confuse each other."""


class Unthought(Exception):
    """No answer came of it; the message is one sentence."""


class TooLong(Unthought):
    """It takes more time or memory than a request has."""


class Failed(Unthought):
    """Thinking broke off by a fault that is not the caller's; the message may be a whole traceback."""


class Refused(Unthought):
    """The question cannot be answered as it is put; the message says why, to the player."""


class Busy(Unthought):
    """Too many are waiting already, or the turn did not come in time."""


class TooMany(Busy):
    """Whoever asks has too many questions waiting already."""


class Thinker:
    """A few processes that think for everybody.

    Memory is in bytes, and bounds all the addresses of a process. `each` questions of one asker may wait, and
    `waiting` in all, for `patience` seconds at most; then a question is thought about for `seconds` at most.
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
        self.most = max(1, workers - 1)
        """Processes that one asker may keep busy."""
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()
        """Of everybody who waits; whose turn is next comes first."""
        self._busy: Counter[str] = Counter()
        """Processes that are busy, by who asked."""
        self._idle: deque[_Hand] = deque()
        self._hands: list[_Hand] = []
        self._loop: asyncio.AbstractEventLoop

    async def open(self) -> None:
        """Start the processes, and wait until they are warm; Failed where that cannot be done."""
        self._loop = asyncio.get_running_loop()
        self._hands = [_Hand(self) for _ in range(self.workers)]
        try:
            await asyncio.gather(*(hand.ready for hand in self._hands))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """End the processes, whatever they are doing; who still waits gets Busy or Failed."""
        hands, self._hands = self._hands, []
        for job in [job for queue in self._queues.values() for job in queue]:
            _settle(job.answer, None, Busy("The server is closing."))
        self._queues.clear()
        self._idle.clear()
        self._busy.clear()
        for hand in hands:
            hand.leave()
        for hand in hands:
            await asyncio.to_thread(hand.thread.join)

    @property
    def queued(self) -> int:
        """How many wait for their turn."""
        return sum(map(len, self._queues.values()))

    async def think(self, task: str, *arguments: Any, who: str = "", seconds: float | None = None) -> Any:
        """What the task of this name makes of the arguments; an Unthought where nothing came of it.

        Who gives up waiting loses nothing but the answer: the process finishes or is killed at its deadline.
        """
        if not self._hands:
            raise Busy("The server is closing.")
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # in another thread: nothing here is for two threads at once
            asked = self.think(task, *arguments, who=who, seconds=seconds)
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asked, self._loop))
        if len(self._queues.get(who, ())) >= self.each:
            raise TooMany("The computer still thinks about what you have asked before.")
        if self.queued >= self.waiting:
            raise Busy("Too many are waiting for the computer. Try again in a moment.")
        limit = self.seconds if seconds is None else seconds
        job = _Job(pickle.dumps((task, arguments)), limit, who, loop.create_future())
        self._queues.setdefault(who, deque()).append(job)
        self._hand_out()
        timer = loop.call_later(self.patience, self._give_up, job)
        try:
            return await job.answer
        finally:
            timer.cancel()
            self._withdraw(job)

    def _give_up(self, job: _Job) -> None:
        if self._withdraw(job):
            _settle(job.answer, None, Busy(f"The computer was busy for {self.patience:g} seconds."))

    def _withdraw(self, job: _Job) -> bool:
        """Take a job out of its queue; whether it was still there."""
        queue = self._queues.get(job.who, deque())
        there = job in queue
        if there:
            queue.remove(job)
            if not queue:
                del self._queues[job.who]
        return there

    def _hand_out(self) -> None:
        while self._idle and (job := self._next()):
            self._busy[job.who] += 1
            self._idle.popleft().jobs.put(job)

    def _next(self) -> _Job | None:
        """The first question of the first in turn who may keep another process busy."""
        who = next((who for who in self._queues if self._busy[who] < self.most), None)
        if who is None:
            return None
        job = self._queues[who].popleft()
        self._queues.move_to_end(who)
        if not self._queues[who]:
            del self._queues[who]
        return job

    def _free(self, hand: _Hand, job: _Job | None = None) -> None:
        """A hand has nothing to do, having done this."""
        if hand not in self._hands:
            return
        if job:
            self._busy[job.who] -= 1
            if not self._busy[job.who]:
                del self._busy[job.who]
        self._idle.append(hand)
        self._hand_out()


@dataclass(frozen=True, eq=False, slots=True)
class _Job:
    """A question, packed; how long it may take; who asks; and where the answer goes."""

    message: bytes
    seconds: float
    who: str
    answer: asyncio.Future[Any]


def _settle(answer: asyncio.Future[Any], value: Any, fault: Unthought | None) -> None:
    """Give the answer, unless nobody waits for it any more."""
    if answer.done():
        return
    if fault is None:
        answer.set_result(value)
    else:
        answer.set_exception(fault)


class _Hand:
    """One process and the thread that looks after it; everything but `leave` happens in the thread."""

    def __init__(self, thinker: Thinker) -> None:
        self.jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thinker = thinker
        self._loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = self._loop.create_future()
        self._leaving = False
        self._process: SpawnProcess | None = None
        self._pipe: Connection
        self._fresh = False
        """Whether the process has not thought about anything yet."""
        self.thread = threading.Thread(target=self._run, name="thinker", daemon=True)
        self.thread.start()

    def leave(self) -> None:
        """Break off and end; called from the event loop."""
        self._leaving = True
        self._kill()
        self.jobs.put(None)

    def _run(self) -> None:
        fault = self._start()
        self._post(self._thinker._free, self)
        self._post(_settle, self.ready, None, Failed(fault) if fault else None)
        while job := self.jobs.get():
            value, told = self._answer(job)
            self._post(_settle, job.answer, value, told)
            if not self._alive():
                self._restart()  # if that fails, the next question tries again, and tells
            self._post(self._thinker._free, self, job)
        self._bury()

    def _post(self, call: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop was closed before the thinker was: nobody listens
            self._loop.call_soon_threadsafe(call, *arguments)

    def _answer(self, job: _Job) -> tuple[Any, Unthought | None]:
        """What came of the question. A process that is full of earlier thoughts is given a second try."""
        if not self._alive() and (fault := self._restart()):
            return None, Failed(fault)
        full = not self._fresh
        kind, value = self._ask(job)
        if kind == "memory" and full and not self._restart():
            kind, value = self._ask(job)
        if kind == "done":
            return value, None
        if kind == "refused":
            return None, Refused(value)
        if kind == "memory":
            return None, TooLong("That takes more memory than there is for it.")
        return None, TooLong(value) if kind == "late" else Failed(value)

    def _ask(self, job: _Job) -> tuple[str, Any]:
        self._fresh = False
        try:
            self._pipe.send_bytes(job.message)
            if not self._pipe.poll(job.seconds):
                self._bury()
                return "late", f"That takes longer than {job.seconds:g} seconds."
            kind, value = pickle.loads(self._pipe.recv_bytes())
        except (EOFError, OSError):
            return "failed", f"The process that thought about it has ended (status {self._bury()})."
        if kind == "memory":
            self._bury()
        return kind, value

    # The process

    def _start(self) -> str:
        """Start a process and wait until it is ready; the fault where it is not."""
        try:
            self._pipe, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(
                target=_serve, args=(theirs, self._thinker.tasks, self._thinker.memory), daemon=True
            )
            with _BIRTHS:
                process.start()
            theirs.close()
        except Exception as fault:  # no memory, no more processes: whatever it is, the server goes on
            return f"No process can be started: {fault}"
        self._process, self._fresh = process, True
        if self._leaving:
            self._kill()
        with suppress(EOFError, OSError):
            if self._pipe.poll(START):
                fault_told: str = pickle.loads(self._pipe.recv_bytes())
                return fault_told
        return f"A process did not become ready (status {self._bury()})."

    def _restart(self) -> str:
        self._bury()
        return "The server is closing." if self._leaving else self._start()

    def _alive(self) -> bool:
        with _BIRTHS:
            return self._process is not None and self._process.exitcode is None

    def _kill(self) -> None:
        process = self._process
        if process:
            with suppress(ValueError):  # it is buried already
                process.kill()

    def _bury(self) -> int | None:
        """Leave nothing of the process; its exit status."""
        process, self._process = self._process, None
        if process is None:
            return None
        self._pipe.close()
        with _BIRTHS:
            process.kill()
            process.join()
            status = process.exitcode
            process.close()
        return status


# In the process


def _serve(pipe: Connection, place: str, memory: int) -> None:
    """Answer one question after the other, until there is nobody to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    _mourn()
    with suppress(OSError):
        os.nice(NICE)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # more would take addresses, and the processor
    _bound(memory)
    try:
        table: Mapping[str, Callable[..., Any]] = load_object(place)
    except Exception:
        pipe.send_bytes(pickle.dumps(traceback.format_exc()))
        return
    with suppress(EOFError, OSError):
        pipe.send_bytes(pickle.dumps(""))
        while True:
            pipe.send_bytes(_thought(table, pipe.recv_bytes()))


def _mourn() -> None:
    """End when the server ends, however it ends."""
    parent = parent_process()
    assert parent is not None, "a process that thinks has a parent"

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _bound(memory: int) -> None:
    """Let this process have no more memory than this."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        memory = min(memory, hard)
    with suppress(OSError, ValueError):  # a system that cannot do this has the deadline still
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _thought(table: Mapping[str, Callable[..., Any]], message: bytes) -> bytes:
    """The packed answer to a packed question: what kind it is of, and what it says."""
    try:
        task, arguments = pickle.loads(message)
        answer = pickle.dumps(("done", table[task](*arguments)))
        if len(answer) > ANSWER:
            return pickle.dumps(("late", "The answer is longer than anybody could read."))
        return answer
    except MemoryError:
        return pickle.dumps(("memory", ""))
    except ValueError as fault:
        return pickle.dumps(("refused", str(fault)))
    except BaseException:  # a task that leaves, too: this process is not its own
        return pickle.dumps(("failed", traceback.format_exc()))
