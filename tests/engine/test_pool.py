"""The engine pool: limits, fairness, faults, no processes left behind, on machines of any speed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from numberduels.engine import tasks
from numberduels.engine.pool import (
    EngineBusy,
    EngineCrashed,
    EnginePool,
    EngineQueueFull,
    EngineRejected,
    EngineTimeout,
    WorkerDied,
)
from tables import table

from . import worker_tasks
from .worker_tasks import PATIENCE

WORKER_TASKS = "engine.worker_tasks:WORKER_TASKS"


@asynccontextmanager
async def open_pool(*arguments: Any, **options: Any) -> AsyncIterator[EnginePool]:
    pool = EnginePool(*arguments, **{"tasks": WORKER_TASKS} | options)
    await pool.open()
    try:
        yield pool
    finally:
        await pool.close()
        assert children() == []


def children() -> list[int]:
    """The worker processes of this one."""
    lists = [each.read_text(encoding="utf-8") for each in Path("/proc/self/task").glob("*/children")]
    pids = [int(pid) for each in lists for pid in each.split()]
    return [pid for pid in pids if b"engine.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 3 * PATIENCE))


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.005)


def alive(pid: int) -> bool:
    """Whether the process runs; one that is dead and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Gate:
    """Holds up whoever waits for it, until it is opened."""

    def __init__(self, folder: Path, name: str = "gate") -> None:
        self.path = folder / name
        self.begun = folder / f"{name} begun"

    def wait(self, pool: EnginePool, **options: Any) -> asyncio.Future[Any]:
        """A question that is answered when the gate is opened."""
        waiting = pool.run("wait", str(self.path), str(self.begun), **options)
        return asyncio.ensure_future(waiting)

    async def is_waited_for(self) -> None:
        await until(self.begun.exists)

    def open(self) -> None:
        self.path.touch()


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path)


@pytest.mark.long
async def test_the_answer_is_that_of_the_function() -> None:
    place: list[Any] = ["range-war", {"size": "10"}, ["6"]]
    async with open_pool(seconds=PATIENCE, tasks="numberduels.engine.tasks:TASKS") as pool:
        told = tasks.choose("range-war", {"size": "10"}, ["6"], "perfect", "7")
        assert await pool.run("choose", *place, "perfect", "7") == told
        assert await pool.run("values", *place) == tasks.values(*place)
        assert await pool.run("check_player", "range-war", {}, "perfect") is None
        with pytest.raises(EngineRejected, match="move 1: Number 60 is"):
            await pool.run("values", "range-war", {}, ["60"])


# Bounded


@pytest.mark.long
async def test_a_task_is_killed_at_its_deadline_and_the_next_one_works(gate: Gate) -> None:
    async with open_pool(seconds=0.3) as pool:
        for task, arguments in (("spin", ()), ("wait", (str(gate.path),))):
            first = await pool.run("pid", seconds=PATIENCE)
            with pytest.raises(EngineTimeout, match=r"longer than 0\.3 seconds"):
                await pool.run(task, *arguments)
            assert not alive(first)
            assert await pool.run("pid", seconds=PATIENCE) != first


HARD: dict[str, tuple[str, dict[str, str]]] = {
    "linked": ("restricted-removal", {"size": "120"}),
    "wide": ("number-collision", {"size": "100", "values": "20", "repetition": "forbidden"}),
    "a table without spec": ("summation-duel", {"size": "33", "target": "280"}),
}


@pytest.mark.long
async def test_a_task_with_too_much_memory_is_stopped_and_the_next_one_works() -> None:
    async with open_pool(seconds=PATIENCE, memory=1 << 29) as pool:
        with pytest.raises(EngineTimeout, match="more memory"):
            await pool.run("hog", 1 << 30)
        assert await pool.run("hog", 1 << 20) == 1 << 20
        # What others have filled is no reason to give up.
        assert await pool.run("keep", 300 << 20) == 1
        assert await pool.run("hog", 300 << 20) == 300 << 20
        assert await pool.run("keep", 1) == 1


@pytest.mark.long
async def test_a_value_error_is_a_refusal_and_everything_else_a_failure() -> None:
    async with open_pool(seconds=PATIENCE) as pool:
        pid = await pool.run("pid")
        with pytest.raises(EngineRejected, match=r"^nobody wants that$"):
            await pool.run("refuse")
        with pytest.raises(EngineCrashed, match="RuntimeError: a fault of ours"):
            await pool.run("fail")
        with pytest.raises(EngineCrashed, match="SystemExit"):
            await pool.run("leave")
        with pytest.raises(EngineCrashed, match="KeyError"):
            await pool.run("nothing of that name")
        with pytest.raises(EngineCrashed, match="TypeError"):
            await pool.run("open", os.devnull)  # a file cannot be sent
        with pytest.raises(EngineTimeout, match="longer than anybody could read"):
            await pool.run("long")
        for number in (signal.SIGINT, signal.SIGTERM):  # they are for the parent
            os.kill(pid, number)
        assert await pool.run("pid") == pid


# In turn


@pytest.mark.long
async def test_a_new_client_waits_for_at_most_one_job_of_another(gate: Gate, tmp_path: Path) -> None:
    path = tmp_path / "order"
    async with open_pool(workers=1, seconds=PATIENCE) as pool:

        def ask(client: str, text: str) -> asyncio.Future[Any]:
            return asyncio.ensure_future(pool.run("note", str(path), text, client=client))

        asked = [gate.wait(pool, client="greedy")]
        await gate.is_waited_for()
        asked += [ask("greedy", f"g{number}") for number in range(50)]
        asked += [ask("stranger", f"s{number}") for number in range(3)] + [ask("other", "o0")]
        await until(lambda: pool.queued == 54)
        gate.open()
        await asyncio.gather(*asked)
        order = path.read_text(encoding="utf-8").split()
        assert order[:7] == ["g0", "s0", "o0", "g1", "s1", "g2", "s2"]


@pytest.mark.long
async def test_one_client_never_occupies_all_workers(gate: Gate) -> None:
    async with open_pool(workers=2, seconds=PATIENCE) as pool:
        greedy = [gate.wait(pool, client="greedy") for _ in range(40)]
        await gate.is_waited_for()
        for _ in range(3):  # although nobody has opened the gate
            assert await pool.run("hog", 1, client="stranger") == 1
        assert pool.queued == 39
        gate.open()
        await asyncio.gather(*greedy)


@pytest.mark.long
async def test_jobs_beyond_the_queue_limits_are_refused_at_once(gate: Gate) -> None:
    async with open_pool(seconds=PATIENCE, each=2, waiting=3) as pool:
        under_way = [gate.wait(pool, client="greedy")]
        await gate.is_waited_for()
        under_way += [gate.wait(pool, client="greedy") for _ in range(2)]
        await until(lambda: pool.queued == 2)
        with pytest.raises(EngineQueueFull, match="asked before"):
            await pool.run("pid", client="greedy")
        under_way += [gate.wait(pool, client="stranger")]
        await until(lambda: pool.queued == 3)
        with pytest.raises(EngineBusy, match="Too many are waiting"):
            await pool.run("pid", client="other")
        gate.open()
        assert len(set(await asyncio.gather(*under_way))) == 1


@pytest.mark.long
async def test_no_job_waits_longer_than_patience(gate: Gate) -> None:
    async with open_pool(seconds=PATIENCE, patience=0.05) as pool:
        first = gate.wait(pool)
        await gate.is_waited_for()
        with pytest.raises(EngineBusy, match=r"busy for 0\.05 seconds"):
            await pool.run("pid")
        assert not first.done()
        gate.open()
        assert await first  # whose time runs from when it began


@pytest.mark.long
async def test_a_cancelled_caller_does_not_kill_the_worker(gate: Gate) -> None:
    async with open_pool(seconds=PATIENCE) as pool:
        pid = await pool.run("pid")
        running = gate.wait(pool)
        await gate.is_waited_for()
        queued = asyncio.ensure_future(pool.run("spin", client="other"))
        await until(lambda: pool.queued == 1)
        running.cancel()
        queued.cancel()
        await until(lambda: pool.queued == 0)  # what nobody waits for is not begun
        gate.open()
        assert await pool.run("pid") == pid
        await until(lambda: pool._idle == 1)  # which it is a moment after it has answered
        stuck = asyncio.ensure_future(pool.run("spin", seconds=0.2))
        await until(lambda: pool._idle == 0)
        stuck.cancel()
        assert await pool.run("pid") != pid


# Processes that end


@pytest.mark.long
async def test_a_killed_worker_fails_its_job_and_the_next_one_works(gate: Gate) -> None:
    async with open_pool(seconds=PATIENCE) as pool:
        pid = await pool.run("pid")
        answered = gate.wait(pool)
        await gate.is_waited_for()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(WorkerDied, match=r"has ended \(status -9\)"):
            await answered
        second = await pool.run("pid")
        assert second != pid
        # One that was killed while it was idle is missed by nobody.
        os.kill(second, signal.SIGKILL)
        await until(lambda: not pool._workers[0]._alive())
        assert await pool.run("pid") not in (pid, second)


@pytest.mark.long
async def test_closing_ends_everything_and_it_can_be_opened_again(gate: Gate) -> None:
    pool = EnginePool(workers=2, seconds=600, tasks=WORKER_TASKS)
    for _ in range(2):
        gate.begun.unlink(missing_ok=True)
        await pool.open()
        pid = await pool.run("pid")
        jobs = [gate.wait(pool, client=client) for client in ("one", "other", "one", "other")]
        await gate.is_waited_for()
        await until(lambda: pool.queued == 2)
        await pool.close()
        ends = [type(each) for each in await asyncio.gather(*jobs, return_exceptions=True)]
        assert ends == [WorkerDied, WorkerDied, EngineBusy, EngineBusy]
        assert children() == []
        assert not Path(f"/proc/{pid}").exists()  # no zombie either
        with pytest.raises(EngineBusy):
            await pool.run("pid")
        await pool.close()


@pytest.mark.long
@table("place", ["numberduels.nowhere:TASKS", "engine.worker_tasks:NOTHING"])
async def test_missing_tasks_are_reported_when_the_pool_opens(place: str) -> None:
    with pytest.raises(WorkerDied, match="Error"):
        await EnginePool(tasks=place).open()
    assert children() == []


# What the full-screen table needs


@pytest.mark.long
async def test_a_cancelled_caller_kills_the_worker_of_a_pool_that_says_so(gate: Gate) -> None:
    async with open_pool(seconds=None, memory=None, patience=None, kill_cancelled=True) as pool:
        pid = await pool.run("pid")
        first, second = gate.wait(pool), asyncio.ensure_future(pool.run("pid"))
        await gate.is_waited_for()
        first.cancel()
        assert await second not in (pid, None)  # it did not wait for the gate
        await until(lambda: not alive(pid))


@pytest.mark.long
async def test_a_worker_is_started_by_the_first_job_and_calls_functions_of_modules() -> None:
    pool = EnginePool(seconds=None, memory=None, tasks="", quiet=True)
    assert children() == []
    assert await pool.run(tasks.hint, "range-war", {"size": "10"}, ["6"])
    assert len(children()) == 1
    await pool.close()
    assert children() == []


# What the arena needs


def test_jobs_of_a_thread_are_finished_before_the_workers_end(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    with EnginePool(2, None, None, spare=0, tasks=WORKER_TASKS, nice=0) as pool:
        jobs = [pool.submit("note", str(path), str(number)) for number in range(10)]
    assert [job.result() for job in jobs] == [str(number) for number in range(10)]
    assert children() == []


@pytest.mark.long
def test_an_exception_ends_workers_and_the_programs_that_they_started(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), EnginePool(2, None, None, spare=0, tasks=WORKER_TASKS) as pool:
        started = pool.submit("start_program").result()
        jobs = [pool.submit("meet", str(tmp_path), *names) for names in (("a", "b"), ("b", "a"))]
        pids = [job.result() for job in jobs]
        hung = pool.submit("block_signals_and_wait")
        asyncio.run(until(hung.running))
        assert all(map(alive, [started, *pids]))
        raise KeyboardInterrupt
    assert isinstance(hung.exception(), WorkerDied)
    assert not any(map(alive, pids)) and children() == []
    asyncio.run(until(lambda: not alive(started)))


# Nothing of the parent is in a worker


@pytest.mark.long
def test_workers_share_no_files_locks_or_output_with_the_parent(tmp_path: Path, capfd: Any) -> None:
    with open(tmp_path / "open", "w", encoding="utf-8") as file, worker_tasks.LOCK:
        os.set_inheritable(file.fileno(), True)
        with EnginePool(tasks=WORKER_TASKS, seconds=PATIENCE) as pool:
            assert pool.submit("take_lock").result()
            assert str(tmp_path / "open") not in pool.submit("open_files").result()
            assert pool.submit("print_and_read").result() == ""
    shown = capfd.readouterr()
    assert shown.out == "" and "printed" in shown.err


PARENT = """
import asyncio, sys
from numberduels.engine.pool import EnginePool

async def work():
    pool = EnginePool(workers=2, seconds=600, tasks={place!r})
    await pool.open()
    one = pool.run("meet", {folder!r}, "one", "other", client="one")
    other = pool.run("meet", {folder!r}, "other", "one", client="other")
    print(*await asyncio.gather(one, other), flush=True)
    await pool.run("spin")

if __name__ == "__main__":
    sys.path[:0] = {path!r}
    asyncio.run(work())
"""


@pytest.mark.long
def test_a_parent_that_is_killed_leaves_no_child(tmp_path: Path) -> None:
    program = PARENT.format(place=WORKER_TASKS, folder=str(tmp_path), path=sys.path)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = list(map(int, parent.stdout.readline().split()))  # one goes on to spin, the other waits
        assert len(set(pids)) == 2 and all(map(alive, pids))
        parent.kill()
    asyncio.run(until(lambda: not any(map(alive, pids))))
