"""Old games are deleted if the host wants it, and nothing else ever is."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from numberduels.web.match import commands
from numberduels.web.match.cleanup import DAY, Cleaner
from numberduels.web.match.service import MatchNotFound, MatchService

from .in_process import begin, in_process, unlimited
from .serving import wait_until
from .test_match_service import Memory, matches, two


class World:
    """Some days in the life of a store."""

    def __init__(self, *, shared: bool = False) -> None:
        self.now = 0.0
        self.store = Memory(shared=shared, clock=lambda: self.now)

    @property
    def day(self) -> float:
        return self.now / DAY

    @day.setter
    def day(self, day: float) -> None:
        self.now = day * DAY

    def matches(self) -> MatchService:
        return matches(self.store, clock=lambda: self.now)

    def cleaner(self, place: MatchService, ended: int = 0, unfinished: int = 0) -> Cleaner:
        return Cleaner(place, ended, unfinished, clock=lambda: self.now)


async def ended(place: MatchService) -> str:
    match = await place.create(two())
    await place.execute(match.id, lambda match: commands.resign(match, (0,)))
    return match.id


async def test_games_that_ended_so_many_days_ago_are_deleted() -> None:
    world = World()
    place = world.matches()
    cleaner = world.cleaner(place, ended=10)
    first, unfinished = await ended(place), (await place.create(two())).id
    world.day = 5
    second = await ended(place)
    world.day = 9.9
    assert await cleaner.clean() == 0
    world.day = 10
    assert await cleaner.clean() == 1
    assert set(world.store.logs) == {second, unfinished}
    with pytest.raises(MatchNotFound):
        await place.get(first)
    world.day = 1_000
    assert await cleaner.clean() == 1
    assert set(world.store.logs) == {unfinished}, "which has not ended"


async def test_unfinished_games_have_days_of_their_own() -> None:
    world = World()
    place = world.matches()
    cleaner = world.cleaner(place, unfinished=10)
    over, idle, played = await ended(place), await place.create(two()), await place.create(two())
    world.day = 9
    assert await cleaner.clean() == 0
    await place.execute(played.id, lambda match: commands.move(match, (0, 1), "4"))
    world.day = 15
    assert await cleaner.clean() == 1
    assert set(world.store.logs) == {over, played.id} and idle.id not in world.store.logs
    world.day = 20
    assert await cleaner.clean() == 1
    assert set(world.store.logs) == {over}


async def test_a_game_that_was_looked_at_is_not_read_again_until_something_happens() -> None:
    world = World()
    place = world.matches()
    cleaner = world.cleaner(place, ended=1)
    unfinished = [await place.create(two()) for _ in range(5)]
    world.day = 2
    reads = world.store.reads
    assert await cleaner.clean() == 0
    assert world.store.reads == reads + 5
    world.day = 3
    await place.execute(unfinished[0].id, lambda match: commands.resign(match, (0,)))
    reads = world.store.reads
    world.day = 5
    assert await cleaner.clean() == 1
    assert world.store.reads == reads + 1


async def test_more_games_than_are_read_at_once_are_all_deleted_by_two_workers_at_once() -> None:
    world = World(shared=True)
    one, other = world.matches(), world.matches()
    for _ in range(250):
        await ended(one)
    kept = await one.create(two())
    world.day = 2
    cleaners = [world.cleaner(place, ended=1) for place in (one, other)]
    assert sum(await asyncio.gather(*(cleaner.clean() for cleaner in cleaners))) == 250
    assert set(world.store.logs) == {kept.id}


def test_the_server_deletes_games_that_ended_long_ago(tmp_path: Path) -> None:
    settings = unlimited(tmp_path / "duels.sqlite", keep_days=30)
    with in_process(settings) as server:
        visitor = server.visitor()
        old, unfinished, recent = (begin(visitor) for _ in range(3))
        for place in (old, recent):
            visitor.post(f"{place}/resign")
    with closing(sqlite3.connect(settings.store)) as store, store:
        for place in (old, unfinished):
            store.execute("UPDATE events SET at = at - ? WHERE game = ?", (31 * DAY, place[3:]))
    with in_process(settings) as server:
        wait_until(lambda: server.client.get(old).status_code == 404)
        assert [server.client.get(place).status_code for place in (unfinished, recent)] == [200, 200]


async def test_a_game_that_cannot_be_read_any_more_counts_as_unfinished() -> None:
    world = World()
    await world.store.append("gone", 1, "created", two() | {"game": "of another package"})
    await world.store.append("odd", 1, "what?", {})
    world.day = 5
    place = world.matches()
    assert await world.cleaner(place, ended=1).clean() == 0
    assert await world.cleaner(place, unfinished=1).clean() == 2
