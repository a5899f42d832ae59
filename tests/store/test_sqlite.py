"""The SQLite store: private file, no blocking, safe when the disk is full or the file is gone."""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from numberduels.web.store import base, sqlite
from numberduels.web.store.base import Conflict, Store, Unavailable
from numberduels.web.store.sqlite import APPLICATION_ID, VERSION, SqliteStore
from store.open_store import open_store

TESTS = Path(__file__).parent.parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "duels.sqlite"


def change(path: Path, *commands: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for command in commands:
            connection.execute(command)


def refusal(path: Path) -> str:
    """What is said when this file is opened."""
    with pytest.raises(Unavailable) as caught:
        asyncio.run(SqliteStore(path).open())
    return str(caught.value)


def test_a_file_of_an_earlier_version_finds_its_games_by_key(path: Path) -> None:
    async def fill() -> None:
        async with open_store(str(path)) as store:
            for number in range(40):
                key = "ann" if number == 7 else "bob"
                await store.append(f"g{number}", 1, "created", {"sittings": [{"key": ""}, {"key": key}]})

    async def found() -> list[str]:
        async with open_store(str(path)) as store:
            return [each.game for each in await store.games_of("ann", 5)]

    asyncio.run(fill())
    change(path, *(f"DROP INDEX {name}" for name in ("first_keys", "second_keys", "joined_keys")))
    assert asyncio.run(found()) == ["g7"]
    with closing(sqlite3.connect(path)) as connection:
        plan = str(
            connection.execute(
                f"EXPLAIN QUERY PLAN {sqlite._GAMES_OF}", {"key": "ann", "at": 1.0, "game": "", "most": 5}
            ).fetchall()
        )
    assert "SCAN events" not in plan
    assert all(f"USING INDEX {name}" in plan for name in ("first_keys", "second_keys", "joined_keys")), plan


async def test_folders_are_made_and_the_files_are_private(tmp_path: Path) -> None:
    path = tmp_path / "some" / "where" / "duels.sqlite"
    async with open_store(str(path)) as store:
        await store.append("g", 1, "start", {})
        files = sorted(path.parent.iterdir())
        assert [file.name for file in files] == ["duels.sqlite", "duels.sqlite-shm", "duels.sqlite-wal"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    path = tmp_path / "what? 100% #1 ü & so on.sqlite"

    async def run() -> None:
        async with open_store(str(path)) as store:
            await store.append("g", 1, "start", {})

    asyncio.run(run())
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


async def test_each_commit_waits_for_the_disk(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    await store.append("g", 1, "start", {})
    assert store._write_connection is not None
    pragmas = [
        store._write_connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous")
    ]
    assert pragmas == ["wal", 2]
    await store.close()


async def test_those_who_wait_together_are_written_together(path: Path) -> None:
    """Else a thousand players would wait for a thousand turns of the disk."""
    store = SqliteStore(path)
    await store.open()
    groups: list[int] = []
    write = store._write

    def counted(group: list[base.PendingEvent]) -> tuple[set[int], str]:
        groups.append(len(group))
        return write(group)

    store._write = counted  # type: ignore[assignment,method-assign]  # to watch it at work
    await asyncio.gather(*(store.append(f"g{n}", 1, "start", {}) for n in range(2_500)))
    await store.close()
    assert sum(groups) == 2_500 and len(groups) < 50 and max(groups) <= sqlite.MAX_BATCH


def test_a_file_of_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    change(path, f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {VERSION + 1}")
    assert "a newer version of numberduels wrote this file: its format is 2" in refusal(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def test_the_file_of_another_program_is_refused(path: Path) -> None:
    change(path, "CREATE TABLE events (what TEXT)")
    assert "the database of another program" in refusal(path)


def test_what_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("Dear diary, " * 100)
    with pytest.raises(Unavailable, match="file is not a database") as caught:
        asyncio.run(SqliteStore(path).open())
    assert path.read_text().startswith("Dear diary")
    held = [os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()]
    assert str(path) not in held, f"after {caught.value} nothing of the file is held open"


async def _write_one(path: Path) -> None:
    async with open_store(str(path)) as store:
        await store.append("g", 1, "start", {})


async def test_a_file_held_by_another_process_is_unavailable_and_then_available_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "RETRY_SECONDS", 0.2)
    async with open_store(str(path)) as store:
        event = await store.append("g", 1, "start", {})
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Unavailable, match="locked"):
                await store.append("g", 2, "move", {})
            assert await store.read("g") == [event]
            other.execute("ROLLBACK")
        await store.append("g", 2, "move", {})


async def test_neither_the_loop_nor_a_reader_waits_for_a_writer(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "RETRY_SECONDS", 60.0)
    async with open_store(str(path)) as store:
        await store.append("g", 1, "start", {})
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            stuck = asyncio.create_task(store.append("g", 2, "move", {}))
            for _ in range(20):
                assert len(await store.read("g")) == 1
            assert not stuck.done()
            other.execute("ROLLBACK")
        assert (await stuck).seq == 2


async def test_a_deleted_file_is_unavailable_until_it_is_back(path: Path) -> None:
    async with open_store(str(path)) as store:
        event = await store.append("g", 1, "start", {})
        assert await store.read("g") == [event]
        aside = path.rename(path.with_name("aside"))
        for _ in range(2):
            with pytest.raises(Unavailable, match="No such file"):
                await store.append("g", 2, "move", {})
            with pytest.raises(Unavailable, match="No such file"):
                await store.read("g")
        assert not path.exists()  # to begin anew would hide the loss
        aside.rename(path)
        assert await store.read("g") == [event]
        await store.append("g", 2, "move", {})


async def test_another_file_in_its_place_is_not_written_to(path: Path) -> None:
    async with open_store(str(path)) as store:
        await store.append("g", 1, "start", {})
        kept = path.rename(path.with_name("kept"))  # else its number could be given again
        path.write_bytes(b"")
        with pytest.raises(Unavailable, match="replaced"):
            await store.append("g", 2, "move", {})
        with pytest.raises(Unavailable, match="replaced"):
            await store.read("g")
        assert kept.exists() and path.read_bytes() == b""


def test_a_process_that_is_refused_while_another_starts_tries_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It happens twice in a thousand starts."""
    connect = SqliteStore._connect
    refused: list[SqliteStore] = []

    def refuse_once(self: SqliteStore) -> sqlite3.Connection:
        if not refused:
            refused.append(self)
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return connect(self)

    monkeypatch.setattr(SqliteStore, "_connect", refuse_once)
    asyncio.run(_write_one(path))
    assert refused


# A full disk


async def until_full(store: Store, game: str = "big", length: int = 3_000) -> int:
    """Append until the disk is full; how many events were acknowledged."""
    for seq in range(1, 10_000):
        try:
            await store.append(game, seq, "move", {"x": "y" * length})
        except Unavailable:
            return seq - 1
    raise AssertionError("the disk was never full")


async def check_full_disk(path: Path, make_room: Callable[[], None]) -> None:
    """Fill it, look, make room, and go on."""
    async with open_store(str(path)) as store:
        seq = await until_full(store)
        many = await asyncio.gather(
            *(store.append(f"g{n}", 1, "start", {"x": "y" * 3_000}) for n in range(300)),
            return_exceptions=True,
        )
        assert any(isinstance(each, Unavailable) for each in many)
        await until_full(store, "small", 1)  # a little room may be left where a large event does not fit
        with pytest.raises(Unavailable):
            await store.check()
        assert [event.seq for event in await store.read("big")] == list(range(1, seq + 1))
        make_room()
        await store.append("big", seq + 1, "move", {})
        await store.check()
        with pytest.raises(Conflict):
            await store.append("big", seq + 1, "move", {})
        for n, each in enumerate(many):
            assert len(await store.read(f"g{n}")) == (not isinstance(each, Unavailable))
            if isinstance(each, Unavailable):
                await store.append(f"g{n}", 1, "start", {})
    async with open_store(str(path)) as store:
        assert len(await store.read("big")) == seq + 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


class HeldQueue(queue.SimpleQueue[object]):
    """A queue from which nothing is taken until it is released."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def get(self, block: bool = True, timeout: float | None = None) -> object:
        self.released.wait()
        return super().get(block, timeout)


async def test_a_conflict_does_not_stop_the_other_events_of_its_transaction(path: Path) -> None:
    store = SqliteStore(path)
    held = HeldQueue()
    store._queue = held  # type: ignore[assignment]
    await store.open()
    try:
        events = (("a", 1), ("b", 2), ("c", 1), ("a", 2), ("c", 1))
        appends = [asyncio.ensure_future(store.append(game, seq, "move", {})) for game, seq in events]
        await asyncio.sleep(0)
        assert held.qsize() == len(events), "they form one transaction"
        held.released.set()
        answers = await asyncio.gather(*appends, return_exceptions=True)
        assert [isinstance(each, Conflict) for each in answers] == [False, True, False, False, True]
        stored = {game: [event.seq for event in await store.read(game)] for game in "abc"}
        assert stored == {"a": [1, 2], "b": [], "c": [1]}
    finally:
        held.released.set()
        await store.close()


async def test_a_full_disk_loses_nothing_and_goes_on_when_there_is_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, most = SqliteStore._connect, [100]

    def connect_to_small_disk(self: SqliteStore) -> sqlite3.Connection:
        connection = connect(self)
        connection.execute(f"PRAGMA max_page_count = {most[0]}")
        return connection

    monkeypatch.setattr(SqliteStore, "_connect", connect_to_small_disk)
    await check_full_disk(path, lambda: most.append(most.pop() * 100))


@pytest.mark.long
def test_a_file_that_may_not_grow_loses_nothing_and_goes_on_when_it_may(path: Path) -> None:
    program = f"""
import asyncio, resource
from pathlib import Path
from store.test_sqlite import check_full_disk
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
make_room = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
asyncio.run(check_full_disk(Path({str(path)!r}), make_room))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=TESTS, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
