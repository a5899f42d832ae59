"""The match service under load: matches leave memory, workers share a store, a store forgets."""

from __future__ import annotations

import asyncio
import re
import time
import tracemalloc
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from numberduels.engine.pool import EnginePool as Pool
from numberduels.game import registry
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.web.errors import UserError
from numberduels.web.http.sse import KEEP_ALIVE, VisitorStream
from numberduels.web.match import commands, seating, service
from numberduels.web.match import service as services
from numberduels.web.match.events import COMPUTER, HUMAN, NewEvent, SeatInfo, created_data
from numberduels.web.match.model import Match
from numberduels.web.match.service import MatchNotFound, MatchService
from numberduels.web.match.subscriptions import Subscriptions
from numberduels.web.store.base import Conflict, Event, SeatedGame, Store, Unavailable


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

    async def try_to_write(self) -> None:
        pass

    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        await asyncio.sleep(0)
        log = self.logs.setdefault(game, [])
        if seq != len(log) + 1:
            raise Conflict
        log.append(Event(seq, self.clock(), kind, data))
        self.notify(game, seq)
        return log[-1]

    async def read(self, game: str, after: int = 0) -> list[Event]:
        await asyncio.sleep(0)
        self.reads += 1
        if self.failing:
            self.failing -= 1
            raise Unavailable("away")
        return self.logs.get(game, [])[after:]

    async def games_of(self, key: str, most: int, before: SeatedGame | None = None) -> list[SeatedGame]:
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


class EnginePool:
    """Plays the first legal move of Summation Duel that is not taken, after a moment."""

    def __init__(self) -> None:
        self.clients: list[str] = []

    async def run(self, task: str, game: str, options: Any, moves: list[str], *_: Any, client: str) -> Any:
        assert (task, game) == ("choose", "summation-duel")
        self.clients.append(client)
        await asyncio.sleep(0)
        return {"move": next(str(number) for number in range(1, 11) if str(number) not in moves)}


def matches(store: Store, **more: Any) -> MatchService:
    pool: Any = EnginePool()
    return MatchService(store, pool, Subscriptions(100, 100), **more)


def clients(*services: MatchService) -> list[str]:
    """On whose behalf the computers of these halls have thought."""
    found: list[str] = []
    for each in services:
        assert isinstance(each.pool, EnginePool)
        found += each.pool.clients
    return found


def two(key: str = "me", level: str = "", computer_first: bool = False) -> dict[str, Any]:
    other = SeatInfo(COMPUTER, level=level) if level else SeatInfo(HUMAN, key=key)
    seat_infos = [SeatInfo(HUMAN, key=key), other]
    return created_data(SummationDuel(), reversed(seat_infos) if computer_first else seat_infos)


async def test_there_is_never_a_second_copy_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_BYTES", 20_000)
    place = matches(Memory())
    one = await place.create(two())
    await place.create(two())  # which pushes the first one out
    acting = asyncio.create_task(place.execute(one.id, lambda match: commands.move(match, (0, 1), "4")))
    await asyncio.sleep(0)
    seen = await place.get(one.id)
    await acting
    assert seen is one and (await place.get(one.id)).moves == ["4"]


async def test_the_id_of_a_match_or_a_rematch_cannot_be_guessed_or_computed() -> None:
    ids = []
    for _ in range(20):
        store = Memory()
        await store.append("the same match", 1, "created", two())
        await store.append("the same match", 2, "resigned", {"seat": 0})
        ids.append((await matches(store).rematch("the same match", "me")).id)
    assert all(re.fullmatch(r"[2-9a-hjkmnp-z]{14}", each) for each in ids)
    assert all(len(set(letters)) > 5 for letters in zip(*ids, strict=True))


class Overtaken(Memory):
    """Another process adds the last event between the first request that reads a match and the second."""

    async def read(self, game: str, after: int = 0) -> list[Event]:
        first, self.asked = not self.asked, True
        found = await super().read(game, after)
        return found[:-1] if first else found

    asked = False


async def test_a_match_that_two_requests_load_at_once_has_the_newest_event() -> None:
    store = Overtaken(shared=True)
    other = matches(store)
    match_id = (await other.create(two())).id
    await other.execute(match_id, lambda match: commands.move(match, (0, 1), "4"))
    here = matches(store)
    one, same = await asyncio.gather(here.get(match_id), here.get(match_id))
    assert one is same and one.moves == ["4"]


async def test_idle_matches_leave_memory_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_BYTES", 40_000)
    place = matches(Memory())
    played, idle = await place.create(two()), await place.create(two())
    await place.execute(played.id, lambda match: commands.move(match, (0, 1), "4"))
    newest = await place.create(two())
    assert [each.id in place.memory._recent for each in (played, idle, newest)] == [True, False, True]


async def test_a_long_match_is_built_in_a_turn_of_the_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MANY_EVENTS", 2)
    taken = 0

    async def take() -> None:
        nonlocal taken
        taken += 1

    store = Memory()
    first = matches(store)
    short, long = await first.create(two()), await first.create(two())
    for move in ("4", "5"):
        await first.execute(long.id, partial(commands.move, seats=(0, 1), text=move))
    later = matches(store, turn=take)
    for match, turns in ((short, 0), (long, 1), (long, 1)):
        await later.get(match.id)
        assert taken == turns


def test_the_estimated_size_of_a_match_is_not_too_small() -> None:
    for game, made in (("range-war", RangeWar(100)), ("summation-duel", SummationDuel(100, 500))):
        seat_infos = [SeatInfo(HUMAN, key="k" * 64), SeatInfo(HUMAN, key="j" * 64)]
        created = Event(1, 0.0, "created", created_data(made, seat_infos))
        moves = Random(1)
        Match("warm", created)
        tracemalloc.start()
        try:
            match = Match("counted", created)
            while match.table.outcome is None:
                match.table.play(moves.choice(match.table.moves))
                match.version += 1
            taken = tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
        assert taken < service.estimated_bytes(match), game
        assert match.version > 5, game


async def test_a_refresh_is_retried_while_the_store_is_unavailable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(services, "RETRY_DELAY", 0.01)
    store = Memory(shared=True)
    here, there = matches(store), matches(store)
    match = await there.create(two())
    stream = here.subscriptions.open(match.id, "somebody")
    await here.get(match.id)
    store.failing = 3
    await there.execute(match.id, lambda match: commands.move(match, (0, 1), "4"))
    told = await stream.next(60)
    assert [match.moves for match in told] == [["4"]]


async def test_only_one_of_several_workers_runs_the_engine() -> None:
    store = Memory(shared=True)
    workers = [matches(store) for _ in range(4)]
    match = await workers[0].create(two(level="greedy"))
    for worker in workers:
        worker.subscriptions.open(match.id, "somebody")
        await worker.get(match.id)
    await workers[1].execute(match.id, lambda match: commands.move(match, (0,), "4"))
    for worker in workers:
        await worker.get(match.id)
    while len(store.logs[match.id]) < 3:
        await asyncio.sleep(0.01)
    assert clients(*workers) == [""]


async def test_an_overdue_engine_move_is_restarted_by_any_request() -> None:
    now = 0.0
    store = Memory(shared=True, clock=lambda: now)
    await store.append("game", 1, "created", two(level="greedy"))
    await store.append("game", 2, "moved", {"seat": 0, "move": "4"})
    place = matches(store, clock=lambda: now)
    now = services.OVERDUE - 1  # perhaps its worker thinks just now
    await place.get("game")
    assert not place._tasks
    now = services.OVERDUE + 1
    await place.get("game")
    while len(store.logs["game"]) < 3:
        await asyncio.sleep(0.01)


async def test_a_restored_backup_is_accepted_without_an_endless_loop() -> None:
    store = Memory()
    place = matches(store)
    match = await place.create(two())
    for move in ("4", "5"):
        await place.execute(match.id, lambda match, move=move: commands.move(match, (0, 1), move))  # type: ignore[misc]
    del store.logs[match.id][2:]  # a backup was put back
    with pytest.raises(match="gone on"):
        await place.execute(match.id, lambda match: commands.undo(match, (0, 1)))
    assert (await place.get(match.id)).moves == ["4"]


async def test_two_workers_create_one_rematch() -> None:
    store = Memory(shared=True)
    one, other = matches(store), matches(store)
    match = await one.create(two(level="greedy"))
    await one.execute(match.id, lambda match: commands.resign(match, (0,)))
    found = await asyncio.gather(*(place.rematch(match.id, "me") for place in (one, other, one, other)))
    assert len({each.id for each in found}) == 1
    assert len(store.logs) == 2
    new = found[0].id
    while len(store.logs[new]) < 2:  # the computer has the first move now, and makes it once
        await asyncio.sleep(0.01)
    assert clients(one, other) == [""]


async def test_engine_time_is_charged_to_the_client_that_moved_last() -> None:
    place = matches(Memory())
    match = await place.create(two(level="greedy"), "10.0.0.1")
    await place.execute(match.id, lambda match: commands.move(match, (0,), "4"), "10.0.0.2")
    while match.table.ply < 2:
        await asyncio.sleep(0.01)
    assert clients(place) == ["10.0.0.2"]


async def test_one_address_cannot_delay_the_computer_of_another() -> None:
    """One address has twenty games whose computer never ends to think; nobody else waits for any of them."""
    pool = Pool(2, seconds=600, tasks="engine.worker_tasks:WORKER_TASKS")
    await pool.open()
    place = MatchService(Memory(), pool, Subscriptions(100, 100))
    try:
        for _ in range(20):
            await place.create(two(level="perfect", computer_first=True), "10.0.0.1")
        for _ in range(3):
            match = await place.create(two(level="greedy", computer_first=True), "10.0.0.2")
            while not match.table.ply:
                await asyncio.sleep(0.01)
        assert pool.queued == 19, "one of the others is being thought about, for ever"
    finally:
        await place.close()
        await pool.close()


async def test_a_stream_tells_once_who_is_online_and_whose_time_is_exceeded() -> None:
    now = 0.0
    service = matches(Memory(clock=lambda: now), clock=lambda: now)
    shared: Any = SimpleNamespace(matches=service, subscriptions=service.subscriptions)
    seats = [SeatInfo(HUMAN, key="me"), SeatInfo(HUMAN, key="you")]
    match = await service.create(created_data(SummationDuel(), seats, clock="day"))
    stream = VisitorStream(shared, service.subscriptions.open_for_visitor("me", "10.0.0.1"), "me", [match])
    stream.begin()
    service.presence.enter("you")
    assert stream.news(match).count(b"event: presence") == 1 and stream.news(match) == b""
    assert stream.late_news() == b"" and stream._timeout() == KEEP_ALIVE
    now = 24 * 3_600.0
    assert stream._timeout() == 0 and stream.late_news().count(b"event: late") == 1
    assert stream.late_news() == b"" and stream._timeout() == KEEP_ALIVE


async def test_a_game_that_was_deleted_by_another_worker_is_gone_here_too() -> None:
    store = Memory(shared=True)
    place = matches(store)
    match = await place.create(two())
    assert await store.delete({match.id: 1}) == {match.id}
    with pytest.raises(MatchNotFound):
        await place.get(match.id)
    assert place.count == 0


async def test_a_move_that_was_chosen_for_an_older_position_is_not_made_in_the_new_one() -> None:
    """One person plays both seats on two devices; the second device has not heard of the first move."""
    store = Memory(shared=True)
    here, there = matches(store), matches(store)
    match = await here.create(created_data(SummationDuel(), [SeatInfo(HUMAN, key="ann")] * 2))
    old = await there.get(match.id)
    await here.execute(match.id, lambda match: commands.move(match, (0, 1), "4"))
    assert old.table.ply == 0
    with pytest.raises(UserError, match="gone on in the meantime"):
        await there.execute(match.id, lambda match: commands.move(match, (0, 1), "5"))
    assert (await here.get(match.id)).moves == ["4"]


async def test_a_match_with_too_many_events_only_advances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command that a player can repeat for ever is refused; those that lead to the end are not."""
    monkeypatch.setattr(commands, "MAX_EVENTS", 3)

    async def kind_of(command: Callable[[Match], NewEvent], *before: Callable[[Match], NewEvent]) -> str:
        store = Memory()
        place = matches(store)
        game = registry.spec("number-collision").make({"size": "3"})
        seats = (SeatInfo(HUMAN, key="ann"), SeatInfo(HUMAN, key="bob"))
        match = await place.create(created_data(game, seats))
        for each in before:
            await place.execute(match.id, each)
        try:
            await place.execute(match.id, command)
        except UserError as fault:
            return fault.key
        return store.logs[match.id][-1].kind

    def lend(match: Match) -> NewEvent:
        return seating.make_device_link(match, (0,), "link")

    def move(match: Match) -> NewEvent:
        return commands.move(match, (match.table.turn,), f"1@{1 + match.table.ply}")

    assert await kind_of(lend, move, move) == "long"
    assert await kind_of(lambda match: seating.remove_devices(match, "ann"), move, lend) == "long"
    use_link = partial(seating.use_device_link, token="link", key="eve", now=0.0)
    assert await kind_of(use_link, move, lend) == "long"
    assert await kind_of(lambda match: commands.ask_takeback(match, (0,)), move, move) == "long"
    assert await kind_of(lambda match: commands.offer_draw(match, (0,)), move, move) == "long"
    assert await kind_of(move, move, move) == "moved"
    assert await kind_of(lambda match: commands.resign(match, (0,)), move, move) == "resigned"


class Slow(Memory):
    """A store that tells of an event before it acknowledges it, as a database may."""

    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        event = await super().append(game, seq, kind, data)
        await asyncio.sleep(0.02)
        return event


async def test_an_event_that_is_notified_before_it_is_acknowledged_is_applied_once() -> None:
    place = matches(Slow(shared=True))
    match = await place.create(two())
    place.subscriptions.open(match.id, "somebody")
    for ply, move in enumerate(("4", "5", "6")):
        await place.execute(match.id, partial(commands.move, seats=(0, 1), text=move, ply=ply))
    assert match.moves == ["4", "5", "6"] and match.version == 4
