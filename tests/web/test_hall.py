"""The hall under strain: duels that leave memory, workers that share a store, a store that forgets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping
from typing import Any

import pytest

from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.store.log import Conflict, Event, Store, Unavailable
from numberduels.web import hall as halls
from numberduels.web.duel import COMPUTER, HUMAN, Refused, Sitting, made
from numberduels.web.hall import Hall
from numberduels.web.streams import Streams


class Memory(Store):
    """A store in memory, which others may share."""

    def __init__(self, *, shared: bool = False) -> None:
        super().__init__()
        self.shared = shared
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
        log.append(Event(seq, time.time(), kind, data))
        self.tell(game, seq)
        return log[-1]

    async def read(self, game: str, after: int = 0) -> list[Event]:
        await asyncio.sleep(0)
        self.reads += 1
        if self.failing:
            self.failing -= 1
            raise Unavailable("away")
        return self.logs.get(game, [])[after:]


class Thinker:
    """Plays the first legal move of Summation Duel that is not taken, after a moment."""

    def __init__(self) -> None:
        self.thoughts = 0

    async def think(self, task: str, game: str, options: Any, moves: list[str], *_: Any) -> Any:
        assert (task, game) == ("choose", "summation-duel")
        self.thoughts += 1
        await asyncio.sleep(0.01)
        return {"move": next(str(number) for number in range(1, 11) if str(number) not in moves)}


def hall(store: Store) -> Hall:
    return Hall(store, Thinker(), Streams(100, 100))  # type: ignore[arg-type]  # all that a hall asks of one


def two(key: str = "me", level: str = "") -> dict[str, Any]:
    other = Sitting(COMPUTER, level=level) if level else Sitting(HUMAN, key=key)
    return made(SummationDuel(), [Sitting(HUMAN, key=key), other])


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


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
        assert sum(worker.thinker.thoughts for worker in workers) == 1  # type: ignore[attr-defined]

    run(work())


def test_a_computer_whose_worker_died_is_woken_by_whoever_comes_by_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(halls, "LONG", 0.05)

    async def work() -> None:
        store = Memory(shared=True)
        await store.append("game", 1, "created", two(level="greedy"))
        await store.append("game", 2, "moved", {"seat": 0, "move": "4"})
        place = hall(store)
        await place.duel("game")
        await asyncio.sleep(0.1)
        assert len(store.logs["game"]) == 2  # perhaps its worker thinks just now
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
        assert {each.id for each in found} == {duel.rematch}
        assert len(store.logs) == 2

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
