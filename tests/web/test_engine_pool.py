"""Thinking is bounded, fair, and leaves nothing behind. No test here depends on how fast the machine is."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from numberduels.web.engine import tasks
from numberduels.web.engine.pool import Busy, Failed, Refused, Thinker, TooLong, TooMany

from .chores import PATIENCE

CHORES = "web.chores:CHORES"


@asynccontextmanager
async def thinking(*arguments: Any, **options: Any) -> AsyncIterator[Thinker]:
    thinker = Thinker(*arguments, **{"tasks": CHORES} | options)
    await thinker.open()
    try:
        yield thinker
    finally:
        await thinker.close()
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

    def wait(self, thinker: Thinker, **options: Any) -> asyncio.Future[Any]:
        """A question that is answered when the gate is opened."""
        waiting = thinker.think("wait", str(self.path), str(self.begun), **options)
        return asyncio.ensure_future(waiting)

    async def is_waited_for(self) -> None:
        await until(self.begun.exists)

    def open(self) -> None:
        self.path.touch()


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path)


def test_the_answer_is_that_of_the_function() -> None:
    place: list[Any] = ["range-war", {"size": "10"}, ["6"]]

    async def work() -> None:
        async with thinking(seconds=PATIENCE, tasks="numberduels.web.engine.tasks:TASKS") as thinker:
            told = tasks.choose("range-war", {"size": "10"}, ["6"], "perfect", "7")
            assert await thinker.think("choose", *place, "perfect", "7") == told
            assert await thinker.think("values", *place) == tasks.values(*place)
            assert await thinker.think("able", "range-war", {}, "perfect") is None
            with pytest.raises(Refused, match="move 1: Number 60 is"):
                await thinker.think("values", "range-war", {}, ["60"])

    run(work())


# Bounded


def test_who_takes_too_long_is_killed_at_the_deadline_and_the_next_one_works(gate: Gate) -> None:
    async def work() -> None:
        async with thinking(seconds=0.3) as thinker:
            for task, arguments in (("spin", ()), ("wait", (str(gate.path),))):
                first = await thinker.think("pid", seconds=PATIENCE)
                with pytest.raises(TooLong, match=r"longer than 0\.3 seconds"):
                    await thinker.think(task, *arguments)
                assert not alive(first)
                assert await thinker.think("pid", seconds=PATIENCE) != first

    run(work())


HARD: dict[str, tuple[str, dict[str, str]]] = {
    "linked": ("restricted-removal", {"size": "120"}),
    "wide": ("number-collision", {"size": "100", "values": "20", "repetition": "forbidden"}),
    "a table without spec": ("summation-duel", {"size": "33", "target": "280"}),
    "long": ("number-snatch", {"size": "9999", "top": "10000"}),
}


@pytest.mark.long
def test_no_size_that_can_be_chosen_holds_anybody_up() -> None:
    async def work() -> None:
        async with thinking(seconds=0.5, tasks="numberduels.web.engine.tasks:TASKS") as thinker:
            for game, options in HARD.values():
                with pytest.raises((TooLong, Refused)):
                    await thinker.think("able", game, options, "perfect")
            place = "range-war", {"size": "10"}, ["6"]
            found = await thinker.think("choose", *place, "perfect", "", seconds=PATIENCE)
            assert found["move"] == "5"

    run(work())


def test_a_caller_may_be_given_more_or_less_time(gate: Gate) -> None:
    async def work() -> None:
        async with thinking(seconds=0.05) as thinker:
            patient = gate.wait(thinker, seconds=PATIENCE)
            await gate.is_waited_for()
            await asyncio.sleep(0.1)  # so that the usual time is over
            gate.open()
            assert await patient
        async with thinking(seconds=PATIENCE) as thinker:
            with pytest.raises(TooLong):
                await thinker.think("spin", seconds=0.05)

    run(work())


def test_who_wants_too_much_memory_is_stopped_and_the_next_one_works() -> None:
    async def work() -> None:
        async with thinking(seconds=PATIENCE, memory=1 << 29) as thinker:
            with pytest.raises(TooLong, match="more memory"):
                await thinker.think("hog", 1 << 30)
            assert await thinker.think("hog", 1 << 20) == 1 << 20
            # What others have filled is no reason to give up.
            assert await thinker.think("keep", 300 << 20) == 1
            assert await thinker.think("hog", 300 << 20) == 300 << 20
            assert await thinker.think("keep", 1) == 1

    run(work())


def test_a_value_error_is_a_refusal_and_everything_else_a_failure() -> None:
    async def work() -> None:
        async with thinking(seconds=PATIENCE) as thinker:
            pid = await thinker.think("pid")
            with pytest.raises(Refused, match=r"^nobody wants that$"):
                await thinker.think("refuse")
            with pytest.raises(Failed, match="RuntimeError: a fault of ours"):
                await thinker.think("fail")
            with pytest.raises(Failed, match="SystemExit"):
                await thinker.think("leave")
            with pytest.raises(Failed, match="KeyError"):
                await thinker.think("nothing of that name")
            with pytest.raises(Failed, match="TypeError"):
                await thinker.think("open", os.devnull)  # a file cannot be sent
            with pytest.raises(TooLong, match="longer than anybody could read"):
                await thinker.think("long")
            os.kill(pid, signal.SIGINT)  # Ctrl-C is not for the processes
            assert await thinker.think("pid") == pid

    run(work())


# In turn


def test_questions_of_one_asker_are_answered_in_order(tmp_path: Path) -> None:
    path = tmp_path / "order"

    async def work() -> None:
        async with thinking(workers=3, seconds=PATIENCE, each=200) as thinker:
            ended: list[int] = []

            async def one(number: int) -> None:
                assert await thinker.think("note", str(path), str(number)) == str(number)
                ended.append(number)

            await asyncio.gather(*map(one, range(100)))
            noted = list(map(int, path.read_text(encoding="utf-8").split()))
            for order in (noted, ended):
                assert sorted(order) == list(range(100))
                # Two work side by side: one may be overtaken while it is on its way, and never in the queue.
                assert max(number - place for place, number in enumerate(order)) <= 1
            assert thinker.queued == 0

    run(work())


def test_a_stranger_waits_for_at_most_one_who_came_before(gate: Gate, tmp_path: Path) -> None:
    path = tmp_path / "order"

    async def work() -> None:
        async with thinking(workers=1, seconds=PATIENCE) as thinker:

            def ask(who: str, text: str) -> asyncio.Future[Any]:
                return asyncio.ensure_future(thinker.think("note", str(path), text, who=who))

            asked = [gate.wait(thinker, who="greedy")]
            await gate.is_waited_for()
            asked += [ask("greedy", f"g{number}") for number in range(50)]
            asked += [ask("stranger", f"s{number}") for number in range(3)] + [ask("other", "o0")]
            await until(lambda: thinker.queued == 54)
            gate.open()
            await asyncio.gather(*asked)
            order = path.read_text(encoding="utf-8").split()
            assert order[:7] == ["g0", "s0", "o0", "g1", "s1", "g2", "s2"]

    run(work())


def test_one_asker_never_keeps_all_processes_busy(gate: Gate) -> None:
    async def work() -> None:
        async with thinking(workers=2, seconds=PATIENCE) as thinker:
            greedy = [gate.wait(thinker, who="greedy") for _ in range(40)]
            await gate.is_waited_for()
            for _ in range(3):  # although nobody has opened the gate
                assert await thinker.think("hog", 1, who="stranger") == 1
            assert thinker.queued == 39
            gate.open()
            await asyncio.gather(*greedy)

    run(work())


def test_askers_think_at_the_same_time(tmp_path: Path) -> None:
    async def work() -> None:
        async with thinking(workers=2, seconds=PATIENCE) as thinker:
            one = thinker.think("meet", str(tmp_path), "one", "other", who="one")
            other = thinker.think("meet", str(tmp_path), "other", "one", who="other")
            assert len(set(await asyncio.gather(one, other))) == 2

    run(work())


def test_the_loop_goes_on_while_others_think(gate: Gate) -> None:
    async def work() -> None:
        async with thinking(seconds=PATIENCE) as thinker:
            thought = gate.wait(thinker)
            await gate.is_waited_for()
            assert not thought.done()
            gate.open()  # which only a loop that goes on can do
            assert await thought

    run(work())


def test_who_lives_in_another_loop_is_answered_too() -> None:
    async def elsewhere(thinker: Thinker) -> None:
        assert await thinker.think("hog", 3, who="elsewhere") == 3
        with pytest.raises(Refused, match="nobody wants that"):
            await thinker.think("refuse")

    async def work() -> None:
        async with thinking(seconds=PATIENCE) as thinker:
            await asyncio.to_thread(lambda: asyncio.run(elsewhere(thinker)))

    run(work())


def test_more_than_may_wait_are_sent_away_at_once(gate: Gate) -> None:
    async def work() -> None:
        async with thinking(seconds=PATIENCE, each=2, waiting=3) as thinker:
            under_way = [gate.wait(thinker, who="greedy")]
            await gate.is_waited_for()
            under_way += [gate.wait(thinker, who="greedy") for _ in range(2)]
            await until(lambda: thinker.queued == 2)
            with pytest.raises(TooMany, match="asked before"):
                await thinker.think("pid", who="greedy")
            under_way += [gate.wait(thinker, who="stranger")]
            await until(lambda: thinker.queued == 3)
            with pytest.raises(Busy, match="Too many are waiting"):
                await thinker.think("pid", who="other")
            gate.open()
            assert len(set(await asyncio.gather(*under_way))) == 1

    run(work())


def test_nobody_waits_longer_than_patience(gate: Gate) -> None:
    async def work() -> None:
        async with thinking(seconds=PATIENCE, patience=0.05) as thinker:
            first = gate.wait(thinker)
            await gate.is_waited_for()
            with pytest.raises(Busy, match=r"busy for 0\.05 seconds"):
                await thinker.think("pid")
            assert not first.done()
            gate.open()
            assert await first  # whose time runs from when it began

    run(work())


def test_a_caller_who_gives_up_loses_no_worker(gate: Gate) -> None:
    async def work() -> None:
        async with thinking(seconds=PATIENCE) as thinker:
            pid = await thinker.think("pid")
            running = gate.wait(thinker)
            await gate.is_waited_for()
            queued = asyncio.ensure_future(thinker.think("spin", who="other"))
            await until(lambda: thinker.queued == 1)
            running.cancel()
            queued.cancel()
            await until(lambda: thinker.queued == 0)  # what nobody waits for is not begun
            gate.open()
            assert await thinker.think("pid") == pid
            await until(lambda: bool(thinker._idle))  # which it is a moment after it has answered
            stuck = asyncio.ensure_future(thinker.think("spin", seconds=0.2))
            await until(lambda: not thinker._idle)
            stuck.cancel()
            assert await thinker.think("pid") != pid

    run(work())


# Processes that end


def test_a_process_that_is_killed_fails_its_question_and_the_next_works(gate: Gate) -> None:
    async def work() -> None:
        async with thinking(seconds=PATIENCE) as thinker:
            pid = await thinker.think("pid")
            thought = gate.wait(thinker)
            await gate.is_waited_for()
            os.kill(pid, signal.SIGKILL)
            with pytest.raises(Failed, match=r"has ended \(status -9\)"):
                await thought
            second = await thinker.think("pid")
            assert second != pid
            # One that was killed while it was idle is missed by nobody.
            os.kill(second, signal.SIGKILL)
            await until(lambda: not thinker._hands[0]._alive())
            assert await thinker.think("pid") not in (pid, second)

    run(work())


def test_closing_ends_everything_and_it_can_be_opened_again(gate: Gate) -> None:
    async def work() -> None:
        thinker = Thinker(workers=2, seconds=600, tasks=CHORES)
        for _ in range(2):
            gate.begun.unlink(missing_ok=True)
            await thinker.open()
            pid = await thinker.think("pid")
            thoughts = [gate.wait(thinker, who=who) for who in ("one", "other", "one", "other")]
            await gate.is_waited_for()
            await until(lambda: thinker.queued == 2)
            await thinker.close()
            ends = [type(each) for each in await asyncio.gather(*thoughts, return_exceptions=True)]
            assert ends == [Failed, Failed, Busy, Busy]
            assert active_children() == []
            assert not Path(f"/proc/{pid}").exists()  # no zombie either
            with pytest.raises(Busy):
                await thinker.think("pid")
            await thinker.close()

    run(work())


@pytest.mark.parametrize("place", ["numberduels.web.nowhere:TASKS", "web.chores:NOTHING"])
def test_a_table_that_is_not_there_is_told_when_it_opens(place: str) -> None:
    async def work() -> None:
        with pytest.raises(Failed, match="Error"):
            await Thinker(tasks=place).open()
        assert active_children() == []

    run(work())


PARENT = """
import asyncio, sys
from numberduels.web.engine.pool import Thinker

async def work():
    thinker = Thinker(workers=2, seconds=600, tasks={place!r})
    await thinker.open()
    one = thinker.think("meet", {folder!r}, "one", "other", who="one")
    other = thinker.think("meet", {folder!r}, "other", "one", who="other")
    print(*await asyncio.gather(one, other), flush=True)
    await thinker.think("spin")

if __name__ == "__main__":
    sys.path[:0] = {path!r}
    asyncio.run(work())
"""


def test_a_parent_that_is_killed_leaves_no_child(tmp_path: Path) -> None:
    program = PARENT.format(place=CHORES, folder=str(tmp_path), path=sys.path)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = list(map(int, parent.stdout.readline().split()))  # one goes on to spin, the other waits
        assert len(set(pids)) == 2 and all(map(alive, pids))
        parent.kill()
    asyncio.run(until(lambda: not any(map(alive, pids))))
