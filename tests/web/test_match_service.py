"""The hall under strain: duels that leave memory, workers that share a store, a store that forgets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest

from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.store.log import Conflict, Event, Seated, Store, Unavailable
from numberduels.web.engine.pool import Thinker as Pool
from numberduels.web.match import service as halls
from numberduels.web.match.model import COMPUTER, HUMAN, Refused, Sitting, made
from numberduels.web.match.service import Hall, Unknown
from numberduels.web.match.subscriptions import Streams


class Memory(Store):
    """A store in memory, which others may share."""

    def __init__(self, *, shared: bool = False, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self.shared = shared
        self.clock = clock
        self.logs: dict[str, list[Event]] = {}
        self.reads = 0
        self.failing = 0

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        await asyncio.sleep(0)
        log = self.logs.setdefault(game, [])
        if seq != len(log) + 1:
            raise Conflict
        log.append(Event(seq, self.clock(), kind, data))
        self.tell(game, seq)
        return log[-1]

    async def read(self, game: str, after: int = 0) -> list[Event]:
        await asyncio.sleep(0)
        self.reads += 1
        if self.failing:
            self.failing -= 1
            raise Unavailable("away")
        return self.logs.get(game, [])[after:]

    async def games_of(self, key: str, most: int, before: Seated | None = None) -> list[Seated]:
        raise NotImplementedError

    async def idle(
        self, since: float, until: float, after: str = "", most: int = 100
    ) -> list[tuple[str, int]]:
        last = {game: log[-1] for game, log in sorted(self.logs.items()) if log and game > after}
        return [(game, event.seq) for game, event in last.items() if since < event.at <= until][:most]

    async def delete(self, games: Mapping[str, int]) -> set[str]:
        gone = {game for game, seq in games.items() if len(self.logs.get(game, ())) == seq}
        for game in gone:
            del self.logs[game]
        return gone


class Thinker:
    """Plays the first legal move of Summation Duel that is not taken, after a moment."""

    def __init__(self) -> None:
        self.askers: list[str] = []

    async def think(self, task: str, game: str, options: Any, moves: list[str], *_: Any, who: str) -> Any:
        assert (task, game) == ("choose", "summation-duel")
        self.askers.append(who)
        await asyncio.sleep(0)
        return {"move": next(str(number) for number in range(1, 11) if str(number) not in moves)}


def hall(store: Store, **more: Any) -> Hall:
    thinker: Any = Thinker()  # which is all that a hall asks of one
    return Hall(store, thinker, Streams(100, 100), **more)


def askers(*halls: Hall) -> list[str]:
    """On whose behalf the computers of these halls have thought."""
    found: list[str] = []
    for each in halls:
        assert isinstance(each.thinker, Thinker)
        found += each.thinker.askers
    return found


def two(key: str = "me", level: str = "", computer_first: bool = False) -> dict[str, Any]:
    other = Sitting(COMPUTER, level=level) if level else Sitting(HUMAN, key=key)
    sittings = [Sitting(HUMAN, key=key), other]
    return made(SummationDuel(), reversed(sittings) if computer_first else sittings)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def test_of_one_game_there_are_never_two_even_when_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "KEPT", 1)

    async def work() -> None:
        place = hall(Memory())
        one = await place.create(two())
        await place.create(two())  # which pushes the first one out
        acting = asyncio.create_task(place.act(one.id, lambda duel: duel.move((0, 1), "4")))
        await asyncio.sleep(0)
        seen = await place.duel(one.id)
        await acting
        assert seen is one and (await place.duel(one.id)).moves == ["4"]

    run(work())


def test_what_is_played_stays_in_memory_before_what_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "KEPT", 2)

    async def work() -> None:
        place = hall(Memory())
        played, idle = await place.create(two()), await place.create(two())
        await place.act(played.id, lambda duel: duel.move((0, 1), "4"))
        newest = await place.create(two())
        assert list(place._kept) == [played.id, newest.id] and idle.id not in place._kept

    run(work())


def test_a_notification_that_cannot_be_followed_at_once_is_followed_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(halls, "PATIENCE", 0.01)

    async def work() -> None:
        store = Memory(shared=True)
        here, there = hall(store), hall(store)
        duel = await there.create(two())
        stream = here.streams.open(duel.id, "somebody")
        await here.duel(duel.id)
        store.failing = 3
        await there.act(duel.id, lambda duel: duel.move((0, 1), "4"))
        told = await stream.next()
        assert told is not None and b'"moves":["4"]' in told

    run(work())


def test_only_one_of_several_workers_thinks() -> None:
    async def work() -> None:
        store = Memory(shared=True)
        workers = [hall(store) for _ in range(4)]
        duel = await workers[0].create(two(level="greedy"))
        for worker in workers:
            worker.streams.open(duel.id, "somebody")
            await worker.duel(duel.id)
        await workers[1].act(duel.id, lambda duel: duel.move((0,), "4"))
        for worker in workers:
            await worker.duel(duel.id)
        while len(store.logs[duel.id]) < 3:
            await asyncio.sleep(0.01)
        assert askers(*workers) == [""]

    run(work())


def test_a_computer_whose_worker_died_is_woken_by_whoever_comes_by_later() -> None:
    now = 0.0

    async def work() -> None:
        nonlocal now
        store = Memory(shared=True, clock=lambda: now)
        await store.append("game", 1, "created", two(level="greedy"))
        await store.append("game", 2, "moved", {"seat": 0, "move": "4"})
        place = hall(store, clock=lambda: now)
        now = halls.LONG - 1  # perhaps its worker thinks just now
        await place.duel("game")
        assert not place._tasks
        now = halls.LONG + 1
        await place.duel("game")
        while len(store.logs["game"]) < 3:
            await asyncio.sleep(0.01)

    run(work())


def test_a_store_that_has_forgotten_is_believed_and_nothing_goes_round_for_ever() -> None:
    async def work() -> None:
        store = Memory()
        place = hall(store)
        duel = await place.create(two())
        for move in ("4", "5"):
            await place.act(duel.id, lambda duel, move=move: duel.move((0, 1), move))  # type: ignore[misc]
        del store.logs[duel.id][2:]  # a backup was put back
        with pytest.raises(Refused, match="gone on"):
            await place.act(duel.id, lambda duel: duel.undo((0, 1)))
        assert (await place.duel(duel.id)).moves == ["4"]

    run(work())


def test_whoever_asks_for_a_rematch_finds_the_same_game() -> None:
    async def work() -> None:
        store = Memory()
        place = hall(store)
        duel = await place.create(two())
        await place.act(duel.id, lambda duel: duel.resign((0, 1)))
        found = await asyncio.gather(*(place.rematch(duel.id, "me") for _ in range(5)))
        found.append(await place.rematch(duel.id, "me"))
        assert {each.id for each in found} == {duel.rematch}
        assert len(store.logs) == 2, "what lost the race is deleted"
        assert place.count == 2

    run(work())


def test_of_two_workers_who_are_asked_at_once_both_find_the_same_rematch() -> None:
    async def work() -> None:
        store = Memory(shared=True)
        one, other = hall(store), hall(store)
        duel = await one.create(two(level="greedy"))
        await one.act(duel.id, lambda duel: duel.resign((0,)))
        found = await asyncio.gather(*(place.rematch(duel.id, "me") for place in (one, other, one, other)))
        assert len({each.id for each in found}) == 1
        assert len(store.logs) == 2
        new = found[0].id
        while len(store.logs[new]) < 2:  # the computer has the first move now, and makes it once
            await asyncio.sleep(0.01)
        assert askers(one, other) == [""]

    run(work())


def test_the_name_of_a_rematch_does_not_follow_from_the_game_before_it() -> None:
    async def work() -> None:
        names = set()
        for _ in range(3):
            store = Memory()
            await store.append("the same game", 1, "created", two())
            await store.append("the same game", 2, "resigned", {"seat": 0})
            names.add((await hall(store).rematch("the same game", "me")).id)
        assert len(names) == 3

    run(work())


def test_the_computer_thinks_on_behalf_of_whoever_moved_last() -> None:
    async def work() -> None:
        place = hall(Memory())
        duel = await place.create(two(level="greedy"), "10.0.0.1")
        await place.act(duel.id, lambda duel: duel.move((0,), "4"), "10.0.0.2")
        while duel.table.ply < 2:
            await asyncio.sleep(0.01)
        assert askers(place) == ["10.0.0.2"]

    run(work())


def test_a_stranger_s_computer_moves_while_one_address_does_its_worst() -> None:
    """One address has twenty games whose computer never ends to think; nobody else waits for any of them."""

    async def work() -> None:
        thinker = Pool(2, seconds=600, tasks="web.chores:CHORES")
        await thinker.open()
        place = Hall(Memory(), thinker, Streams(100, 100))
        try:
            for _ in range(20):
                await place.create(two(level="perfect", computer_first=True), "10.0.0.1")
            for _ in range(3):
                duel = await place.create(two(level="greedy", computer_first=True), "10.0.0.2")
                while not duel.table.ply:
                    await asyncio.sleep(0.01)
            assert thinker.queued == 19, "one of the others is being thought about, for ever"
        finally:
            await place.close()
            await thinker.close()

    run(work())


def test_a_game_that_was_deleted_by_another_worker_is_gone_here_too() -> None:
    async def work() -> None:
        store = Memory(shared=True)
        place = hall(store)
        duel = await place.create(two())
        assert await store.delete({duel.id: 1}) == {duel.id}
        with pytest.raises(Unknown):
            await place.duel(duel.id)
        assert place.count == 0

    run(work())


def test_a_game_cannot_grow_for_ever_by_what_comes_to_nothing() -> None:
    async def work() -> None:
        place = hall(Memory())
        duel = await place.create(two())
        for _ in range(3_000):
            try:
                await place.act(duel.id, lambda duel: duel.move((0, 1), "4"))
                await place.act(duel.id, lambda duel: duel.undo((0, 1)))
            except Refused as fault:
                assert fault.key == "long"
                break
        else:
            pytest.fail("it grew for ever")
        await place.act(duel.id, lambda duel: duel.move((0, 1), "5"))

    run(work())


class Slow(Memory):
    """A store that tells of an event before it acknowledges it, as a database may."""

    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        event = await super().append(game, seq, kind, data)
        await asyncio.sleep(0.02)
        return event


def test_an_event_that_was_heard_of_before_it_was_acknowledged_happens_once() -> None:
    async def work() -> None:
        place = hall(Slow(shared=True))
        duel = await place.create(two())
        place.streams.open(duel.id, "somebody")
        for ply, move in enumerate(("4", "5", "6")):
            await place.act(duel.id, lambda duel, move=move, ply=ply: duel.move((0, 1), move, ply))  # type: ignore[misc]
        assert duel.moves == ["4", "5", "6"] and duel.version == 4

    run(work())
