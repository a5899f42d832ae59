"""Thinking is bounded, answered in order, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from numberduels.web import tasks
from numberduels.web.thinking import ANSWER, Busy, Failed, Refused, Thinker, TooLong


def _sleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def _spin() -> None:
    while True:
        pass


def _hog(size: int) -> int:
    return len(bytearray(size))


KEPT: list[bytearray] = []


def _keep(size: int) -> int:
    """Take memory and never give it back."""
    KEPT.append(bytearray(size))
    return len(KEPT)


def _refuse() -> None:
    raise ValueError("nobody wants that")


def _fail() -> None:
    raise RuntimeError("a fault of ours")


def _leave() -> None:
    sys.exit(3)


def _note(path: str, number: int) -> int:
    """Write the number down, so that the order can be read."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{number}\n")
    return number


def _long() -> str:
    return "x" * ANSWER


CHORES = {
    "sleep": _sleep,
    "spin": _spin,
    "hog": _hog,
    "keep": _keep,
    "refuse": _refuse,
    "fail": _fail,
    "leave": _leave,
    "note": _note,
    "long": _long,
    "pid": os.getpid,
    "open": open,
}
"""What the processes of these tests can do; they find it by this module's name."""


@asynccontextmanager
async def thinking(*arguments: Any, **options: Any) -> AsyncIterator[Thinker]:
    thinker = Thinker(*arguments, **{"tasks": f"{__name__}:CHORES"} | options)
    await thinker.open()
    try:
        yield thinker
    finally:
        await thinker.close()
        assert active_children() == []


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def alive(pid: int) -> bool:
    """Whether the process runs; one that is dead and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(*pids: int) -> bool:
    """Wait until none of them runs."""
    end = time.monotonic() + 10
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(alive, pids))


def test_the_answer_is_that_of_the_function() -> None:
    place: list[Any] = ["range-war", {"size": "10"}, ["6"]]

    async def work() -> None:
        async with thinking(tasks="numberduels.web.tasks:TASKS") as thinker:
            told = tasks.choose("range-war", {"size": "10"}, ["6"], "perfect", "7")
            assert await thinker.think("choose", *place, "perfect", "7") == told
            assert await thinker.think("values", *place) == tasks.values(*place)
            assert await thinker.think("able", "range-war", {}, "perfect") is None
            with pytest.raises(Refused, match="move 1: Number 60 is"):
                await thinker.think("values", "range-war", {}, ["60"])

    run(work())


def test_who_takes_too_long_is_killed_at_the_deadline_and_the_next_one_works() -> None:
    async def work() -> None:
        async with thinking(seconds=0.3) as thinker:
            for task, arguments in (("spin", ()), ("sleep", (60,))):
                first = await thinker.think("pid")
                began = time.monotonic()
                with pytest.raises(TooLong, match=r"longer than 0\.3 seconds"):
                    await thinker.think(task, *arguments)
                assert 0.3 <= time.monotonic() - began < 2
                assert not alive(first)
                assert await thinker.think("pid") != first

    run(work())


HARD: dict[str, tuple[str, dict[str, str]]] = {
    "linked": ("restricted-removal", {"size": "120"}),
    "wide": ("number-collision", {"size": "100", "values": "20", "repetition": "forbidden"}),
    "a table without room": ("summation-duel", {"size": "33", "target": "280"}),
    "long": ("number-snatch", {"size": "9999", "top": "10000"}),
}


def test_no_size_that_can_be_chosen_holds_anybody_up() -> None:
    async def work() -> None:
        async with thinking(seconds=0.5, tasks="numberduels.web.tasks:TASKS") as thinker:
            for game, options in HARD.values():
                with pytest.raises((TooLong, Refused)):
                    await thinker.think("able", game, options, "perfect")
            place = "range-war", {"size": "10"}, ["6"]
            assert (await thinker.think("choose", *place, "perfect", ""))["move"] == "5"

    run(work())


def test_a_caller_may_be_given_more_or_less_time() -> None:
    async def work() -> None:
        async with thinking(seconds=0.2) as thinker:
            assert await thinker.think("sleep", 0.4, seconds=5)
            with pytest.raises(TooLong):
                await thinker.think("sleep", 0.15, seconds=0.05)

    run(work())


def test_who_wants_too_much_memory_is_stopped_and_the_next_one_works() -> None:
    async def work() -> None:
        async with thinking(memory=1 << 29) as thinker:
            with pytest.raises(TooLong, match="more memory"):
                await thinker.think("hog", 1 << 30)
            assert await thinker.think("hog", 1 << 20) == 1 << 20

    run(work())


def test_memory_that_others_filled_is_no_reason_to_give_up() -> None:
    async def work() -> None:
        async with thinking(memory=1 << 29) as thinker:
            assert await thinker.think("keep", 300 << 20) == 1
            assert await thinker.think("hog", 300 << 20) == 300 << 20
            assert await thinker.think("keep", 1) == 1

    run(work())


def test_a_value_error_is_a_refusal_and_everything_else_a_failure() -> None:
    async def work() -> None:
        async with thinking() as thinker:
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
            assert await thinker.think("pid") == pid

    run(work())


def test_two_hundred_requests_are_answered_in_order_by_two_workers(tmp_path: Path) -> None:
    path = tmp_path / "order"

    async def work() -> None:
        async with thinking(workers=2, waiting=200) as thinker:
            ended: list[int] = []

            async def one(number: int) -> None:
                assert await thinker.think("note", str(path), number) == number
                ended.append(number)

            await asyncio.gather(*map(one, range(200)))
            noted = list(map(int, path.read_text(encoding="utf-8").split()))
            for order in (noted, ended):
                assert sorted(order) == list(range(200))
                # Two work side by side: one may be overtaken while it is on its way, and never in the queue.
                begun = [number - place for place, number in enumerate(order)]
                assert max(begun) <= 1
            assert thinker.queued == 0

    run(work())


def test_two_workers_think_at_the_same_time() -> None:
    async def work() -> None:
        async with thinking(workers=2) as thinker:
            began = time.monotonic()
            pids = await asyncio.gather(thinker.think("sleep", 0.5), thinker.think("sleep", 0.5))
            assert len(set(pids)) == 2 and time.monotonic() - began < 0.9

    run(work())


def test_the_loop_goes_on_while_others_think() -> None:
    async def work() -> None:
        async with thinking(seconds=0.5) as thinker:
            thought = asyncio.ensure_future(thinker.think("spin"))
            ticks, longest = 0, 0.0
            while not thought.done():
                began = time.monotonic()
                await asyncio.sleep(0.01)
                longest = max(longest, time.monotonic() - began)
                ticks += 1
            with pytest.raises(TooLong):
                await thought
            assert ticks > 10 and longest < 0.4

    run(work())


def test_who_lives_in_another_loop_is_answered_too() -> None:
    async def elsewhere(thinker: Thinker) -> None:
        assert await thinker.think("hog", 3) == 3
        with pytest.raises(Refused, match="nobody wants that"):
            await thinker.think("refuse")

    async def work() -> None:
        async with thinking() as thinker:
            await asyncio.to_thread(lambda: asyncio.run(elsewhere(thinker)))

    run(work())


def test_more_than_may_wait_are_sent_away_at_once() -> None:
    async def work() -> None:
        async with thinking(waiting=2) as thinker:
            under_way = [asyncio.ensure_future(thinker.think("sleep", 0.5)) for _ in range(3)]
            await asyncio.sleep(0)
            assert thinker.queued == 2
            began = time.monotonic()
            with pytest.raises(Busy, match="Too many"):
                await thinker.think("pid")
            assert time.monotonic() - began < 0.1
            assert len(set(await asyncio.gather(*under_way))) == 1

    run(work())


def test_nobody_waits_longer_than_patience() -> None:
    async def work() -> None:
        async with thinking(patience=0.2) as thinker:
            first = asyncio.ensure_future(thinker.think("sleep", 0.6))
            await asyncio.sleep(0)
            with pytest.raises(Busy, match=r"busy for 0\.2 seconds"):
                await thinker.think("pid")
            assert not first.done() and await first  # whose time runs from when it began

    run(work())


def test_a_caller_who_gives_up_loses_no_worker() -> None:
    async def work() -> None:
        async with thinking(seconds=0.5) as thinker:
            pid = await thinker.think("pid")
            running = asyncio.ensure_future(thinker.think("sleep", 0.2))
            queued = asyncio.ensure_future(thinker.think("spin"))
            await asyncio.sleep(0.05)
            running.cancel()
            queued.cancel()
            await asyncio.sleep(0)
            assert thinker.queued == 0  # what nobody waits for is not begun
            assert await thinker.think("pid") == pid
            stuck = asyncio.ensure_future(thinker.think("spin"))
            await asyncio.sleep(0.05)
            stuck.cancel()
            assert await thinker.think("pid") != pid

    run(work())


def test_a_process_that_is_killed_fails_its_question_and_the_next_works() -> None:
    async def work() -> None:
        async with thinking() as thinker:
            pid = await thinker.think("pid")
            thought = asyncio.ensure_future(thinker.think("sleep", 2))
            await asyncio.sleep(0.1)
            os.kill(pid, signal.SIGKILL)
            with pytest.raises(Failed, match=r"has ended \(status -9\)"):
                await thought
            assert await thinker.think("pid") != pid

    run(work())


def test_a_process_that_was_killed_while_it_was_idle_is_missed_by_nobody() -> None:
    async def work() -> None:
        async with thinking() as thinker:
            pid = await thinker.think("pid")
            os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(0.3)
            assert await thinker.think("pid") != pid

    run(work())


def test_control_c_is_not_for_the_processes() -> None:
    async def work() -> None:
        async with thinking() as thinker:
            pid = await thinker.think("pid")
            os.kill(pid, signal.SIGINT)
            assert await thinker.think("sleep", 0.1) == pid

    run(work())


def test_closing_ends_everything_at_once() -> None:
    async def work() -> None:
        thinker = Thinker(workers=2, tasks=f"{__name__}:CHORES")
        await thinker.open()
        pids = await asyncio.gather(thinker.think("sleep", 0.1), thinker.think("sleep", 0.1))
        thoughts = [asyncio.ensure_future(thinker.think("sleep", 60, seconds=60)) for _ in range(4)]
        await asyncio.sleep(0.1)
        began = time.monotonic()
        await thinker.close()
        assert time.monotonic() - began < 2
        ends = [type(each) for each in await asyncio.gather(*thoughts, return_exceptions=True)]
        assert ends == [Failed, Failed, Busy, Busy]
        assert active_children() == []
        assert not any(Path(f"/proc/{pid}").exists() for pid in pids)  # no zombie either
        with pytest.raises(Busy):
            await thinker.think("pid")
        await thinker.close()

    run(work())


def test_it_can_be_opened_again() -> None:
    async def work() -> None:
        thinker = Thinker(tasks=f"{__name__}:CHORES")
        for _ in range(2):
            await thinker.open()
            assert await thinker.think("hog", 1) == 1
            await thinker.close()

    run(work())


@pytest.mark.parametrize("place", ["numberduels.web.nowhere:TASKS", "numberduels.web.tasks:NOTHING"])
def test_a_table_that_is_not_there_is_told_when_it_opens(place: str) -> None:
    async def work() -> None:
        with pytest.raises(Failed, match="Error"):
            await Thinker(tasks=place).open()
        assert active_children() == []

    run(work())


PARENT = """
import asyncio, sys
from numberduels.web.thinking import Thinker

async def work():
    thinker = Thinker(workers=2, seconds=600, tasks={place!r})
    await thinker.open()
    print(*await asyncio.gather(thinker.think("sleep", 0.2), thinker.think("sleep", 0.2)), flush=True)
    await thinker.think("spin")

if __name__ == "__main__":
    sys.path[:0] = {path!r}
    asyncio.run(work())
"""


def test_a_parent_that_is_killed_leaves_no_child() -> None:
    program = PARENT.format(place=f"{__name__}:CHORES", path=sys.path)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = list(map(int, parent.stdout.readline().split()))  # one goes on to spin, the other waits
        assert len(set(pids)) == 2 and all(map(alive, pids))
        time.sleep(0.1)
        parent.kill()
    assert gone(*pids)
