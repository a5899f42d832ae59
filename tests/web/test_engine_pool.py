"""The engine pool: limits, fairness, no processes left behind. No test depends on the machine's speed."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from multiprocessing import active_children
from pathlib import Path
from queue import SimpleQueue
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
)
from tables import table

from .worker_tasks import PATIENCE

WORKER_TASKS = "web.worker_tasks:WORKER_TASKS"


@asynccontextmanager
async def open_pool(*arguments: Any, **options: Any) -> AsyncIterator[EnginePool]:
    pool = EnginePool(*arguments, **{"tasks": WORKER_TASKS} | options)
    await pool.open()
    try:
        yield pool
    finally:
        await pool.close()
        assert active_children() == []


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
def test_the_answer_is_that_of_the_function() -> None:
    place: list[Any] = ["range-war", {"size": "10"}, ["6"]]

    async def work() -> None:
        async with open_pool(seconds=PATIENCE, tasks="numberduels.engine.tasks:TASKS") as pool:
            told = tasks.choose("range-war", {"size": "10"}, ["6"], "perfect", "7")
            assert await pool.run("choose", *place, "perfect", "7") == told
            assert await pool.run("values", *place) == tasks.values(*place)
            assert await pool.run("check_player", "range-war", {}, "perfect") is None
            with pytest.raises(EngineRejected, match="move 1: Number 60 is"):
                await pool.run("values", "range-war", {}, ["60"])

    run(work())


class IdleWorker:
    """A worker without a process: the test answers the jobs that it is given."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[Any] = SimpleQueue()


def test_clients_take_turns_however_many_jobs_one_of_them_has() -> None:
    async def work() -> None:
        pool, worker = EnginePool(), IdleWorker()
        pool._workers = [worker]  # type: ignore[list-item]
        names = ("a1", "a2", "a3", "b1", "b2", "c1")
        asked = [asyncio.ensure_future(pool.run(name, client=name[0])) for name in names]
        await asyncio.sleep(0)
        pool._release(worker)  # type: ignore[arg-type]
        order = []
        for _ in names:
            job = worker.jobs.get_nowait()
            order.append(pickle.loads(job.message)[0])
            job.answer.set_result(None)
            pool._release(worker, job)  # type: ignore[arg-type]
        await asyncio.gather(*asked)
        assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]

    run(work())


# Bounded


@pytest.mark.long
def test_a_task_is_killed_at_its_deadline_and_the_next_one_works(gate: Gate) -> None:
    async def work() -> None:
        async with open_pool(seconds=0.3) as pool:
            for task, arguments in (("spin", ()), ("wait", (str(gate.path),))):
                first = await pool.run("pid", seconds=PATIENCE)
                with pytest.raises(EngineTimeout, match=r"longer than 0\.3 seconds"):
                    await pool.run(task, *arguments)
                assert not alive(first)
                assert await pool.run("pid", seconds=PATIENCE) != first

    run(work())


HARD: dict[str, tuple[str, dict[str, str]]] = {
    "linked": ("restricted-removal", {"size": "120"}),
    "wide": ("number-collision", {"size": "100", "values": "20", "repetition": "forbidden"}),
    "a table without spec": ("summation-duel", {"size": "33", "target": "280"}),
}


@pytest.mark.long
def test_no_size_blocks_the_pool() -> None:
    async def work() -> None:
        async with open_pool(seconds=0.5, tasks="numberduels.engine.tasks:TASKS") as pool:
            for game, options in HARD.values():
                with pytest.raises((EngineTimeout, EngineRejected)):
                    await pool.run("check_player", game, options, "perfect")
            place = "range-war", {"size": "10"}, ["6"]
            found = await pool.run("choose", *place, "perfect", "", seconds=PATIENCE)
            assert found["move"] == "5"

    run(work())


@pytest.mark.long
def test_a_caller_may_be_given_more_or_less_time(gate: Gate) -> None:
    async def work() -> None:
        async with open_pool(seconds=0.05) as pool:
            patient = gate.wait(pool, seconds=PATIENCE)
            await gate.is_waited_for()
            await asyncio.sleep(0.1)  # so that the usual time is over
            gate.open()
            assert await patient
        async with open_pool(seconds=PATIENCE) as pool:
            with pytest.raises(EngineTimeout):
                await pool.run("spin", seconds=0.05)

    run(work())


@pytest.mark.long
def test_a_task_with_too_much_memory_is_stopped_and_the_next_one_works() -> None:
    async def work() -> None:
        async with open_pool(seconds=PATIENCE, memory=1 << 29) as pool:
            with pytest.raises(EngineTimeout, match="more memory"):
                await pool.run("hog", 1 << 30)
            assert await pool.run("hog", 1 << 20) == 1 << 20
            # What others have filled is no reason to give up.
            assert await pool.run("keep", 300 << 20) == 1
            assert await pool.run("hog", 300 << 20) == 300 << 20
            assert await pool.run("keep", 1) == 1

    run(work())


@pytest.mark.long
def test_a_value_error_is_a_refusal_and_everything_else_a_failure() -> None:
    async def work() -> None:
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
            os.kill(pid, signal.SIGINT)  # Ctrl-C is not for the processes
            assert await pool.run("pid") == pid

    run(work())


# In turn


@pytest.mark.long
def test_jobs_of_one_client_run_in_order(tmp_path: Path) -> None:
    path = tmp_path / "order"

    async def work() -> None:
        async with open_pool(workers=3, seconds=PATIENCE, each=200) as pool:
            ended: list[int] = []

            async def one(number: int) -> None:
                assert await pool.run("note", str(path), str(number)) == str(number)
                ended.append(number)

            await asyncio.gather(*map(one, range(100)))
            noted = list(map(int, path.read_text(encoding="utf-8").split()))
            for order in (noted, ended):
                assert sorted(order) == list(range(100))
                # Two work side by side: one may be overtaken while it is on its way, and never in the queue.
                assert max(number - place for place, number in enumerate(order)) <= 1
            assert pool.queued == 0

    run(work())


@pytest.mark.long
def test_a_new_client_waits_for_at_most_one_job_of_another(gate: Gate, tmp_path: Path) -> None:
    path = tmp_path / "order"

    async def work() -> None:
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

    run(work())


@pytest.mark.long
def test_one_client_never_occupies_all_workers(gate: Gate) -> None:
    async def work() -> None:
        async with open_pool(workers=2, seconds=PATIENCE) as pool:
            greedy = [gate.wait(pool, client="greedy") for _ in range(40)]
            await gate.is_waited_for()
            for _ in range(3):  # although nobody has opened the gate
                assert await pool.run("hog", 1, client="stranger") == 1
            assert pool.queued == 39
            gate.open()
            await asyncio.gather(*greedy)

    run(work())


@pytest.mark.long
def test_jobs_of_two_clients_run_at_the_same_time(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_pool(workers=2, seconds=PATIENCE) as pool:
            one = pool.run("meet", str(tmp_path), "one", "other", client="one")
            other = pool.run("meet", str(tmp_path), "other", "one", client="other")
            assert len(set(await asyncio.gather(one, other))) == 2

    run(work())


@pytest.mark.long
def test_the_event_loop_is_not_blocked_by_a_job(gate: Gate) -> None:
    async def work() -> None:
        async with open_pool(seconds=PATIENCE) as pool:
            answered = gate.wait(pool)
            await gate.is_waited_for()
            assert not answered.done()
            gate.open()  # which only a loop that goes on can do
            assert await answered

    run(work())


@pytest.mark.long
def test_jobs_beyond_the_queue_limits_are_refused_at_once(gate: Gate) -> None:
    async def work() -> None:
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

    run(work())


@pytest.mark.long
def test_no_job_waits_longer_than_patience(gate: Gate) -> None:
    async def work() -> None:
        async with open_pool(seconds=PATIENCE, patience=0.05) as pool:
            first = gate.wait(pool)
            await gate.is_waited_for()
            with pytest.raises(EngineBusy, match=r"busy for 0\.05 seconds"):
                await pool.run("pid")
            assert not first.done()
            gate.open()
            assert await first  # whose time runs from when it began

    run(work())


@pytest.mark.long
def test_a_cancelled_caller_does_not_kill_the_worker(gate: Gate) -> None:
    async def work() -> None:
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
            await until(lambda: bool(pool._idle))  # which it is a moment after it has answered
            stuck = asyncio.ensure_future(pool.run("spin", seconds=0.2))
            await until(lambda: not pool._idle)
            stuck.cancel()
            assert await pool.run("pid") != pid

    run(work())


# Processes that end


@pytest.mark.long
def test_a_killed_worker_fails_its_job_and_the_next_one_works(gate: Gate) -> None:
    async def work() -> None:
        async with open_pool(seconds=PATIENCE) as pool:
            pid = await pool.run("pid")
            answered = gate.wait(pool)
            await gate.is_waited_for()
            os.kill(pid, signal.SIGKILL)
            with pytest.raises(EngineCrashed, match=r"has ended \(status -9\)"):
                await answered
            second = await pool.run("pid")
            assert second != pid
            # One that was killed while it was idle is missed by nobody.
            os.kill(second, signal.SIGKILL)
            await until(lambda: not pool._workers[0]._alive())
            assert await pool.run("pid") not in (pid, second)

    run(work())


@pytest.mark.long
def test_closing_ends_everything_and_it_can_be_opened_again(gate: Gate) -> None:
    async def work() -> None:
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
            assert ends == [EngineCrashed, EngineCrashed, EngineBusy, EngineBusy]
            assert active_children() == []
            assert not Path(f"/proc/{pid}").exists()  # no zombie either
            with pytest.raises(EngineBusy):
                await pool.run("pid")
            await pool.close()

    run(work())


@pytest.mark.long
@table("place", ["numberduels.web.nowhere:TASKS", "web.worker_tasks:NOTHING"])
def test_missing_tasks_are_reported_when_the_pool_opens(place: str) -> None:
    async def work() -> None:
        with pytest.raises(EngineCrashed, match="Error"):
            await EnginePool(tasks=place).open()
        assert active_children() == []

    run(work())


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
