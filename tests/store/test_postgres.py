"""The PostgreSQL store: it survives failures of the database, and workers hear of each other."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without types
import pytest

from numberduels.web.store import postgres as adapter
from numberduels.web.store.base import Conflict, Store, Unavailable
from numberduels.web.store.postgres import PostgresStore
from postgresql import Server
from store.open_store import open_store

pytestmark = pytest.mark.long

LONG = 60.0
"""Seconds after which something hangs."""

Told = list[tuple[str, int]]
ANYTHING = ("", 0)


@pytest.fixture
def url(postgres: Server) -> str:
    return postgres.fresh()


@pytest.fixture
def troubled(postgres: Server) -> Iterator[Server]:
    """The server, for a test that stops it: for the next test it runs again."""
    try:
        yield postgres
    finally:
        if postgres.process is None:
            postgres.start()


@asynccontextmanager
async def listening(place: str) -> AsyncIterator[tuple[Store, Told]]:
    told: Told = []
    async with open_store(place) as store:
        store.listeners.append(lambda game, seq: told.append((game, seq)))
        yield store, told


async def until(condition: Callable[[], object], seconds: float = LONG) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


async def ask(url: str, command: str) -> Any:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(command)
    finally:
        await connection.close()


def refusal(url: str) -> str:
    """What is said when this database is opened."""
    with pytest.raises(Unavailable) as caught:
        asyncio.run(PostgresStore(url).open())
    return str(caught.value)


async def test_workers_hear_of_each_other_once_and_in_order(url: str) -> None:
    async with listening(url) as (one, told_one), listening(url) as (other, told_other):
        for seq in range(1, 21):
            await asyncio.gather(*((one, other)[seq % 2].append(f"g{n}", seq, "m", {}) for n in range(9)))
        await until(lambda: len(told_one) >= 180 and len(told_other) >= 180)
        assert told_one == told_other and len(told_one) == 180
        assert [seq for game, seq in told_one if game == "g4"] == list(range(1, 21))


def test_two_workers_who_race_for_many_games_never_wait_for_each_other_in_a_circle(postgres: Server) -> None:
    url = postgres.fresh()

    async def run() -> None:
        async with open_store(url) as one, open_store(url) as other:
            games = [f"g{n}" for n in range(900)]
            for seq in range(1, 6):
                racing = [one.append(game, seq, "m", {}) for game in games]
                racing += [other.append(game, seq, "m", {}) for game in reversed(games)]
                got = await asyncio.gather(*racing, return_exceptions=True)
                faults = [each for each in got if isinstance(each, BaseException)]
                assert len(faults) == 900 and all(isinstance(fault, Conflict) for fault in faults)

    asyncio.run(run())
    assert "deadlock detected" not in (postgres.folder / "log").read_text()


async def test_games_of_a_key_are_found_by_indexes_which_an_earlier_table_gets(url: str) -> None:
    async with open_store(url) as store:
        for number in range(40):
            data = {"sittings": [{"key": "bob"}, {"key": "ann" if number == 7 else ""}]}
            await store.append(f"g{number}", 1, "created", data)
    await ask(url, "DROP INDEX duel_first_keys, duel_second_keys, duel_joined_keys")
    async with open_store(url) as store:
        assert [each.game for each in await store.games_of("ann", 5)] == ["g7"]
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("SET enable_seqscan = off")
        plan = str(await connection.fetch(f"EXPLAIN {adapter._GAMES_OF}", "ann", 1.0, "", 5))
    finally:
        await connection.close()
    assert all(f"duel_{each}_keys" in plan for each in ("first", "second", "joined")), plan


async def test_a_database_that_stays_away_is_unavailable_and_back_by_itself(
    troubled: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = await asyncio.to_thread(troubled.fresh)
    async with listening(url) as (store, told):
        await store.append("g", 1, "start", {})
        await until(lambda: told)
        await asyncio.to_thread(troubled.stop)
        monkeypatch.setattr(adapter, "RETRY_SECONDS", 0.5)
        refused = await asyncio.gather(
            *(store.append("g", 2, "move", {}) for _ in range(20)),
            *(store.read("g") for _ in range(20)),
            return_exceptions=True,
        )
        assert all(isinstance(each, Unavailable) for each in refused)
        monkeypatch.setattr(adapter, "RETRY_SECONDS", LONG)
        await asyncio.to_thread(troubled.start)
        assert len(await store.read("g")) == 1
        await store.append("g", 2, "move", {})
        await until(lambda: ANYTHING in told)
        await store.append("g", 3, "move", {})
        await until(lambda: ("g", 3) in told)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
async def test_a_restart_of_the_database_under_load_loses_nothing(
    troubled: Server, how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "RETRY_SECONDS", LONG)  # so that no restart is too long
    url = await asyncio.to_thread(troubled.fresh)
    furthest: dict[str, int] = {}
    going = True

    async def grow(store: Store, game: str) -> None:
        while going:
            seq = furthest.get(game, 0) + 1
            await store.append(game, seq, "move", {"by": game})  # a short restart is no error
            furthest[game] = seq

    async with listening(url) as (store, told):
        growing = [asyncio.create_task(grow(store, f"g{n}")) for n in range(30)]
        for _ in range(2):
            before = sum(furthest.values())
            await until(lambda before=before: sum(furthest.values()) > before + 300)  # type: ignore[misc]
            before = sum(furthest.values())
            await asyncio.to_thread(troubled.stop, how)
            await asyncio.to_thread(troubled.start)
            await until(lambda before=before: sum(furthest.values()) > before + 300)  # type: ignore[misc]
        going = False
        await asyncio.gather(*growing)
        for game, seq in furthest.items():
            assert [event.seq for event in await store.read(game)] == list(range(1, seq + 1))
        await until(lambda: told.count(ANYTHING) >= 1)


async def test_a_database_that_does_not_answer_is_unavailable(
    troubled: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = await asyncio.to_thread(troubled.fresh)
    async with open_store(url) as store:
        await store.append("g", 1, "start", {})
        await store.read("g")
        troubled.freeze()
        monkeypatch.setattr(adapter, "RETRY_SECONDS", 0.5)
        try:
            refused = await asyncio.gather(
                *(store.append(f"g{n}", 1, "move", {}) for n in range(20)),
                *(store.read("g") for _ in range(20)),
                return_exceptions=True,
            )
            assert all(isinstance(each, Unavailable) for each in refused), refused
        finally:
            troubled.thaw()
        monkeypatch.setattr(adapter, "RETRY_SECONDS", LONG)
        await store.append("g", 2, "move", {})
        assert len(await store.read("g")) == 2


async def test_cut_lines_are_mended_and_listeners_told_that_anything_may_have_happened(url: str) -> None:
    cut = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'numberduels' AND datname = current_database()"""
    async with listening(url) as (store, told):
        for seq in range(1, 6):
            await store.append("g", seq, "move", {})
            await store.read("g")
            await until(lambda seq=seq: ("g", seq) in told)  # type: ignore[misc]
            assert len(await ask(url, cut)) >= 2
            await until(lambda seq=seq: told.count(ANYTHING) == seq)  # type: ignore[misc]
        assert len(await store.read("g")) == 5


async def test_a_listening_line_that_gives_no_sign_of_life_is_replaced(
    troubled: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "PING_INTERVAL", 0.1)
    monkeypatch.setattr(adapter, "RETRY_SECONDS", LONG)
    url = await asyncio.to_thread(troubled.fresh)
    attempts: list[PostgresStore] = []
    listen = PostgresStore._listen

    async def counted(self: PostgresStore) -> Any:
        attempts.append(self)
        return await listen(self)

    monkeypatch.setattr(PostgresStore, "_listen", counted)
    async with listening(url) as (store, told):
        await asyncio.sleep(0.5)  # five pulses, or fewer where the machine is slow
        assert told == [] and len(attempts) == 1  # a line that is only silent is left in peace
        troubled.freeze()
        monkeypatch.setattr(adapter, "RETRY_SECONDS", 0.3)
        try:
            await until(lambda: len(attempts) > 1)
        finally:
            troubled.thaw()
        monkeypatch.setattr(adapter, "RETRY_SECONDS", LONG)
        await until(lambda: ANYTHING in told)
        await store.append("g", 1, "start", {})
        await until(lambda: ("g", 1) in told)


@pytest.mark.parametrize("written", [True, False])
async def test_when_the_line_breaks_before_the_answer_an_event_is_still_written_once(
    url: str, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    fetch = asyncpg.Connection.fetch
    broken: list[str] = []

    async def break_once(self: Any, query: str, *arguments: Any, **more: Any) -> Any:
        if "INSERT" in query and not broken:
            broken.append(query)
            if written:
                await fetch(self, query, *arguments, **more)
            raise ConnectionResetError("the line broke")
        return await fetch(self, query, *arguments, **more)

    async with listening(url) as (store, told), open_store(url) as other:
        await other.append("taken", 1, "start", {})
        monkeypatch.setattr(asyncpg.Connection, "fetch", break_once)
        late = asyncio.create_task(store.append("taken", 1, "start", {}))
        event = await store.append("g", 1, "start", {"a": 1})
        with pytest.raises(Conflict):
            await late
        assert broken and await store.read("g") == [event]
        await until(lambda: ("g", 1) in told)
        assert told.count(("g", 1)) == 1


async def test_calls_that_are_not_ours_are_not_passed_on(url: str) -> None:
    async with listening(url) as (store, told):
        for payload in ("", " ", "g", "g ", " 1", "g x", "g -1", "g ²"):
            await ask(url, f"NOTIFY duels, '{payload}'")
        await store.append("g", 1, "start", {})
        await until(lambda: told)
        assert told == [("g", 1)]


def test_the_table_of_a_newer_version_is_refused(url: str) -> None:
    asyncio.run(ask(url, "CREATE TABLE duel_events (what TEXT)"))
    assert "a table duel_events of another program" in refusal(url)
    asyncio.run(ask(url, "COMMENT ON TABLE duel_events IS 'numberduels 2'"))
    assert "a newer version of numberduels made the table duel_events: its format is 2" in refusal(url)


def test_a_database_that_cannot_keep_every_character_is_refused(postgres: Server) -> None:
    asyncio.run(ask(postgres.url(), "CREATE DATABASE narrow ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"))
    assert "must be in UTF8, and is in LATIN1" in refusal(postgres.url("narrow"))


def test_a_database_that_is_not_there_is_unavailable(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "RETRY_SECONDS", 0.5)
    assert 'database "nowhere" does not exist' in refusal(postgres.url("nowhere"))
    assert "No such file" in refusal(f"postgresql://duels:secret@/duels?host={tmp_path}")
    assert "secret" not in refusal("postgresql://duels:secret@127.0.0.1:9/duels")


@pytest.mark.parametrize("rest", ["duels:secret/x@localhost/duels", "duels:secret@localhost:port/duels"])
def test_an_address_that_cannot_be_read_is_refused_without_the_password(rest: str) -> None:
    told = refusal(f"postgresql://{rest}")
    assert "the address cannot be read" in told and "secret" not in told


async def test_a_server_that_may_not_write_is_unavailable(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "RETRY_SECONDS", 0.5)
    async with open_store(url) as store:
        await store.append("g", 1, "start", {})
        await ask(
            url,
            f"ALTER DATABASE {url.split('/')[3].split('?')[0]} SET default_transaction_read_only = on",
        )
        await ask(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ 'duel_events'"
            " AND datname = current_database() AND pid <> pg_backend_pid()",
        )
        with pytest.raises(Unavailable, match="read-only"):
            await store.append("g", 2, "move", {})
        with pytest.raises(Unavailable, match="could not be written"):
            await store.check()
        with pytest.raises(Unavailable, match="read-only"):
            await store.try_to_write()
        assert len(await store.read("g")) == 1


async def test_a_commit_waits_for_the_disk_though_the_server_would_not(url: str) -> None:
    name = url.split("/")[3].split("?")[0]
    await ask(url, f"ALTER DATABASE {name} SET synchronous_commit = off")
    store = PostgresStore(url)
    await store.open()
    await store.append("g", 1, "start", {})
    assert await store._write_connection.fetchval("SHOW synchronous_commit") == "on"
    await store.close()
