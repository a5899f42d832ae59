"""The guarantees of every store, tested for both."""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberduels.web.store import base
from numberduels.web.store.base import Conflict, Event, SeatedGame, Store, Unavailable, make_store
from numberduels.web.store.sqlite import SqliteStore
from store import open_store as program
from store.open_store import open_store


async def outcome(store: Store, game: str, seq: int, **data: Any) -> Event | type[Conflict]:
    try:
        return await store.append(game, seq, "move", data)
    except Conflict:
        return Conflict


async def heard(store: Store, told: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """All that was told: what is told comes in order, and so before what is written last."""
    await store.append("the last of all", 1, "start", {})
    async with asyncio.timeout(60):
        while ("the last of all", 1) not in told:
            await asyncio.sleep(0.01)
    return told[: told.index(("the last of all", 1))]


async def test_events_are_read_in_order_as_they_were_appended(place: str) -> None:
    async with open_store(place) as store:
        before = time.time()
        events = [await store.append("g", seq, "move", {"move": seq}) for seq in range(1, 13)]
        assert [event.seq for event in events] == list(range(1, 13))
        assert all(before - 1 < event.at < time.time() + 1 for event in events)
        assert events[4].kind == "move" and events[4].data == {"move": 5}
        assert await store.read("g") == events
        assert await store.read("g", 9) == events[9:]
        assert await store.read("g", 12) == await store.read("g", 2**70) == []
        assert await store.read("g", -5) == events


async def test_a_number_is_given_once_and_a_gap_is_refused(place: str) -> None:
    async with open_store(place) as store:
        for seq in (2, 3, 2**63 - 1):
            with pytest.raises(Conflict):
                await store.append("g", seq, "move", {})
        first = await store.append("g", 1, "start", {})
        for seq in (1, 3):
            with pytest.raises(Conflict):
                await store.append("g", seq, "move", {})
        assert await store.read("g") == [first]
        for name in ("", "\0", "\ud800", "'; DROP TABLE events; --", "g" * 100_000):
            assert await store.read(name) == []


async def test_one_number_is_given_once_by_two_workers(place: str) -> None:
    async with open_store(place) as one, open_store(place) as other:
        for seq in range(1, 11):
            racers = [outcome(store, f"g{game}", seq) for game in range(10) for store in (one, other)]
            got = await asyncio.gather(*racers)
            assert sum(each is not Conflict for each in got) == 10
        assert len(await one.read("g3")) == len(await other.read("g3")) == 10


async def test_events_of_one_game_that_are_sent_off_together_follow_each_other(place: str) -> None:
    async with open_store(place) as store:
        sent = [outcome(store, "g", seq) for seq in (1, 2, 3, 5, 4)]
        got = await asyncio.gather(*sent)
        assert [each is Conflict for each in got] == [False, False, False, True, False]
        assert [event.seq for event in await store.read("g")] == [1, 2, 3, 4]


async def test_events_survive_closing_and_opening(place: str) -> None:
    store = make_store(place)
    await store.open()
    events = [await store.append("g", seq, "move", {"seq": seq}) for seq in (1, 2, 3)]
    await store.close()
    await store.open()
    assert await store.read("g") == events
    await store.append("g", 4, "move", {})
    await store.close()
    await store.close()
    async with open_store(place) as again:
        assert (await again.read("g"))[:3] == events


async def test_what_was_begun_is_finished_before_it_closes(place: str) -> None:
    store = make_store(place)
    await store.open()
    begun = [asyncio.create_task(store.append(f"g{n}", 1, "start", {})) for n in range(300)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*begun)
    async with open_store(place) as again:
        assert all([await again.read(f"g{n}") for n in range(300)])


def seats(*keys: str) -> dict[str, Any]:
    return {"sittings": [{"kind": "human", "key": key} for key in keys]}


async def test_games_are_found_by_the_keys_of_their_seats(place: str) -> None:
    async with open_store(place) as store:
        await store.append("one", 1, "created", seats("ann", ""))
        await store.append("two", 1, "created", seats("bob", "ann"))
        await store.append("both", 1, "created", seats("ann", "ann"))
        await store.append("one", 2, "joined", {"seat": 1, "key": "bob"})
        await store.append("own", 1, "created", seats("bob", ""))
        await store.append("own", 2, "joined", {"seat": 1, "key": "bob"})
        await store.append("own", 3, "moved", {"seat": 0, "key": "ann", "sittings": [{"key": "ann"}]})
        assert [each.game for each in await store.games_of("ann", 10)] == ["both", "two", "one"]
        assert [each.game for each in await store.games_of("bob", 10)] == ["own", "one", "two"]
        (joined,) = [each for each in await store.games_of("bob", 10) if each.game == "one"]
        assert joined == SeatedGame("one", (await store.read("one"))[1].at)
        for nobody in ("eve", "", "an", "\0", "\ud800", "%", "' OR 1"):
            assert await store.games_of(nobody, 10) == []


async def test_games_of_a_key_come_page_by_page_each_once(place: str) -> None:
    async with open_store(place) as store:
        await asyncio.gather(
            *(
                store.append(f"game-{number}", 1, "created", seats(*("ann", "bob")[:: number % 2 * 2 - 1]))
                for number in range(23)
            )
        )
        await store.append("late", 1, "created", seats("bob", "eve"))
        await store.append("late", 2, "joined", {"key": "ann"})
        found: list[SeatedGame] = []
        while page := await store.games_of("ann", 5, found[-1] if found else None):
            assert len(page) <= 5
            found += page
        assert found[0].game == "late" and len(found) == 24
        assert {each.game for each in found} == {"late", *(f"game-{number}" for number in range(23))}
        assert [each.at for each in found] == sorted((each.at for each in found), reverse=True)
        assert await store.games_of("ann", 100) == found and await store.games_of("ann", 0) == []


async def test_trying_to_write_changes_nothing(place: str) -> None:
    async with open_store(place) as store:
        told: list[tuple[str, int]] = []
        store.listeners.append(lambda *event: told.append(event))
        await store.append("g", 1, "start", {})
        for _ in range(3):
            await store.try_to_write()
        await store.append("g", 2, "move", {})
        assert await store.idle(0, math.inf) == [("g", 2)]
        assert await heard(store, told) == [("g", 1), ("g", 2)]


async def test_a_check_is_made_once_for_all_who_ask_meanwhile_and_holds_for_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Probed()
    asked = [asyncio.create_task(store.check()) for _ in range(10)]
    await asyncio.sleep(0)
    asked[0].cancel()  # whoever gives up does not take the answer from the others
    store.answers.put_nowait(None)
    await asyncio.gather(*asked[1:])
    await store.check()
    assert store.tried == 1
    monkeypatch.setattr(base, "CHECK_SECONDS", 0)
    store.answers.put_nowait(Unavailable("the disk is full"))
    for _ in range(2):
        with pytest.raises(Unavailable, match="full"):
            await store.check()
        monkeypatch.setattr(base, "CHECK_SECONDS", 1_000)
    assert store.tried == 2
    store.write_failed = time.monotonic()
    with pytest.raises(Unavailable, match="the last event"):
        await store.check()


class Probed(SqliteStore):
    """A store that can be written when the test says so."""

    def __init__(self) -> None:
        super().__init__("nowhere")
        self.tried = 0
        self.answers: asyncio.Queue[Unavailable | None] = asyncio.Queue()

    async def try_to_write(self) -> None:
        self.tried += 1
        if fault := await self.answers.get():
            raise fault


async def test_a_store_that_is_not_open_is_unavailable(place: str) -> None:
    store = make_store(place)
    for _ in range(2):
        with pytest.raises(Unavailable):
            await store.append("g", 1, "start", {})
        with pytest.raises(Unavailable):
            await store.read("g")
        await store.open()
        await store.close()


async def test_listeners_are_told_of_each_event_once_in_order_after_it_is_written(place: str) -> None:
    told: list[tuple[str, int]] = []
    early = []

    async def look(store: Store, game: str, seq: int) -> None:
        if len(await store.read(game)) < seq:
            early.append((game, seq))

    async with open_store(place) as store:
        looks: list[asyncio.Task[None]] = []
        store.listeners.append(lambda game, seq: told.append((game, seq)))
        store.listeners.append(lambda *what: looks.append(asyncio.create_task(look(store, *what))))

        async def grow(game: str) -> None:
            for seq in range(1, 11):
                await store.append(game, seq, "move", {})
                assert await outcome(store, game, seq) is Conflict

        games = [f"a game {number}" for number in range(20)]
        await asyncio.gather(*map(grow, games))
        all_told = await heard(store, told)
        await asyncio.gather(*looks)
        assert not early
        for game in games:
            assert [seq for each, seq in all_told if each == game] == list(range(1, 11))
        assert len(all_told) == 200


async def test_a_listener_that_fails_harms_nobody(place: str) -> None:
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))

    def fail(game: str, seq: int) -> None:
        raise LookupError(game, seq)

    async with open_store(place) as store:
        store.listeners.append(fail)
        await asyncio.gather(*(store.append(f"g{n}", 1, "start", {}) for n in range(5)))
        async with asyncio.timeout(60):
            while len(faults) < 5:
                await asyncio.sleep(0.01)
        assert len(await store.read("g4")) == 1
    assert len(faults) == 5 and all(isinstance(fault["exception"], LookupError) for fault in faults)


async def test_an_append_that_nobody_waits_for_any_more_harms_nobody(place: str) -> None:
    told: list[tuple[str, int]] = []
    async with open_store(place) as store:
        store.listeners.append(lambda game, seq: told.append((game, seq)))
        impatient = asyncio.create_task(store.append("a", 1, "start", {}))
        await asyncio.sleep(0)
        impatient.cancel()
        await store.append("b", 1, "start", {})
        assert len(await store.read("a")) == (await heard(store, told)).count(("a", 1))


def deep() -> dict[str, Any]:
    data: dict[str, Any] = {}
    for _ in range(100_000):
        data = {"x": data}
    return data


NO_JSON: list[tuple[Any, type[Exception]]] = [
    ({"x": object()}, TypeError),
    ({"x": {1, 2}}, TypeError),
    ({("a", "b"): 1}, TypeError),
    ([1, 2], TypeError),
    ("text", TypeError),
    (None, TypeError),
    ({"x": math.nan}, ValueError),
    ({"x": [math.inf]}, ValueError),
    ({"x": 10**5000}, ValueError),
    ({"x": "\0"}, ValueError),
    ({"x": '\\\\"\0'}, ValueError),
    ({"a\0b": 1}, ValueError),
    ({"x": "\ud800"}, ValueError),
    ({"x": ["\udc00\ud800"]}, ValueError),
    ({"x": "y" * 1_000_001}, ValueError),
    (deep(), ValueError),
]


async def test_what_is_not_json_is_refused_before_anything_is_written(place: str) -> None:
    async with open_store(place) as store:
        for data, fault in NO_JSON:
            with pytest.raises(fault):
                await store.append("g", 1, "start", data)
        assert await store.read("g") == []
        await store.append("g", 1, "start", {})


async def test_a_name_or_a_number_that_cannot_be_kept_is_refused(place: str) -> None:
    async with open_store(place) as store:
        for name in ("", "\0", "a\0", "\ud800", "g" * 201):
            with pytest.raises(ValueError):
                await store.append(name, 1, "start", {})
            with pytest.raises(ValueError):
                await store.append("g", 1, name, {})
        for seq in (0, -1, 2**63):
            with pytest.raises(ValueError):
                await store.append("g", seq, "start", {})


HOSTILE = [
    "'; DROP TABLE events; --",
    "\"'`$1 %s ? {0} \\ \\u0000 \\\\u0000",
    "\x01\x1f\x7f\u2028\u202e\ufeff\uffff",
    "\U0010ffff" * 200,
]


async def test_a_hostile_name_of_a_game_is_only_a_name(place: str) -> None:
    told: list[tuple[str, int]] = []
    async with open_store(place) as store:
        store.listeners.append(lambda game, seq: told.append((game, seq)))
        events = {name: await store.append(name, 1, name, {name: [name]}) for name in HOSTILE}
        assert await heard(store, told) == [(name, 1) for name in HOSTILE]
        for name, event in events.items():
            assert await store.read(name) == [event]
        assert await store.delete(dict.fromkeys(HOSTILE[1:], 1)) == set(HOSTILE[1:])
        assert await store.read(HOSTILE[0]) == [events[HOSTILE[0]]]


# Deleting


async def test_games_are_found_by_the_time_of_their_last_event(place: str) -> None:
    async with open_store(place) as store:
        times: dict[str, float] = {}
        for game in ("b", "a", "c"):
            await store.append(game, 1, "start", {})
            times[game] = (await store.append(game, 2, "move", {})).at
            await apart(times[game])
        assert await store.idle(-math.inf, math.inf) == [("a", 2), ("b", 2), ("c", 2)]
        assert await store.idle(-math.inf, times["a"]) == [("a", 2), ("b", 2)]
        assert await store.idle(times["b"], times["a"]) == [("a", 2)]
        assert await store.idle(-math.inf, math.inf, "a", 1) == [("b", 2)]
        assert await store.idle(-math.inf, math.inf, "c") == []


async def apart(moment: float) -> None:
    """Wait until the clock shows another time."""
    while time.time() <= moment + 1e-5:
        await asyncio.sleep(0.001)


async def test_a_deleted_game_is_gone_and_one_that_has_gone_on_stays(place: str) -> None:
    async with open_store(place) as store:
        for game in ("old", "gone on", "other"):
            await store.append(game, 1, "start", {})
            await store.append(game, 2, "move", {})
        await store.append("gone on", 3, "move", {})
        games = {"old": 2, "gone on": 2, "unknown": 1, "'; DROP TABLE events; --": 1}
        assert await store.delete(games) == {"old"}
        assert await store.delete(games) == await store.delete({}) == set()
        assert await store.read("old") == []
        assert len(await store.read("gone on")) == 3 and len(await store.read("other")) == 2
        with pytest.raises(Conflict):
            await store.append("old", 3, "move", {})


async def test_of_two_workers_who_delete_and_one_who_plays_nobody_leaves_half_a_game(place: str) -> None:
    async with open_store(place) as one, open_store(place) as other, open_store(place) as player:
        games = [f"g{number}" for number in range(30)]
        await asyncio.gather(*(player.append(game, 1, "start", {}) for game in games))
        doomed = dict.fromkeys(games, 1)
        playing = asyncio.gather(*(outcome(player, game, 2) for game in games))
        first, second = await asyncio.gather(one.delete(doomed), other.delete(doomed))
        assert not first & second
        for game, got in zip(games, await playing, strict=True):
            gone = game in first | second
            assert (got is Conflict) == gone
            assert len(await one.read(game)) == (0 if gone else 2)


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def test_what_is_read_is_what_was_appended(place: str) -> None:
    with asyncio.Runner() as runner:
        store = make_store(place)
        runner.run(store.open())
        seq = 0

        @settings(max_examples=60)
        @given(st.dictionaries(texts, values, max_size=4), texts.map(lambda text: text[:200] or "move"))
        def check(data: dict[str, Any], kind: str) -> None:
            nonlocal seq
            seq += 1
            event = runner.run(store.append("g", seq, kind, data))
            assert runner.run(store.read("g", seq - 1)) == [event]
            assert event.kind == kind
            assert json.dumps(event.data) == json.dumps(data)  # the order of the keys and 0.0 or -0.0 too

        try:
            check()
        finally:
            runner.run(store.close())


@pytest.mark.long
@pytest.mark.parametrize("acknowledged", [1, 200, 3_000])  # each with a store of its own
async def test_what_was_acknowledged_survives_kill_9(place: str, acknowledged: int) -> None:
    path = Path(program.__file__)
    with subprocess.Popen(
        [sys.executable, "-m", "store.open_store", place],
        cwd=path.parent.parent,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(acknowledged)]
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -9
    if not lines[-1].endswith("\n"):
        lines.pop()
    furthest = {game: int(seq) for game, seq in map(str.split, lines)}
    async with open_store(place) as store:
        for game, seq in furthest.items():
            events = await store.read(game)
            assert [event.seq for event in events] == list(range(1, len(events) + 1))
            assert len(events) >= seq
            # A database may still be busy with what the dead have sent.
            while await outcome(store, game, len(events) + 1) is Conflict:
                events = await store.read(game)
