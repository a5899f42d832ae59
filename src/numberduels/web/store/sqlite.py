"""A store in one SQLite file: no setup, and a power cut loses no acknowledged event."""

from __future__ import annotations

import asyncio
import json
import math
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from numberduels.web.store.base import (
    Event,
    PendingEvent,
    SeatedGame,
    Store,
    Unavailable,
    is_storable,
    to_json,
)

T = TypeVar("T")

VERSION = 1
"""Version of the file format; newer ones are refused."""
APPLICATION_ID = 0x4455454C
"""SQLite's application_id, which marks our files."""
RETRY_SECONDS = 3.0
"""Seconds that a writer waits while another process locks the file."""
PROBE_BYTES = 1 << 16
"""Bytes that a probe writes: more than any event of a game that is played here."""

MAX_BATCH = 1_000
"""Events in one transaction."""

# Batches are passed as one JSON text. SQLite releases the GIL for every row, and beside a busy event loop a
# thread waits five milliseconds to get it back.
_CONFLICTS = """
SELECT json_group_array(key) FROM json_each(?) WHERE json_extract(value, '$[1]') - 1 <> coalesce(
    (SELECT max(seq) FROM events WHERE game = json_extract(value, '$[0]')), 0)
"""
# A number that is not the next one of its game is inserted as NULL, which the table refuses.
_INSERT = """
INSERT INTO events (game, seq, at, kind, data)
SELECT game,
    CASE WHEN seq - 1 = coalesce((SELECT max(seq) FROM events WHERE game = new.game), 0) THEN seq END,
    at / 1e6, kind, data
FROM (SELECT json_extract(value, '$[0]') AS game, json_extract(value, '$[1]') AS seq,
    json_extract(value, '$[2]') AS at, json_extract(value, '$[3]') AS kind,
    json_extract(value, '$[4]') AS data FROM json_each(?)) AS new
"""
_READ = """
SELECT '[' || coalesce(group_concat('[' || seq || ',' || cast(round(at * 1e6) AS INTEGER)
    || ',' || json_quote(kind) || ',' || data || ']'), '') || ']'
FROM (SELECT * FROM events WHERE game = ? AND seq > ? ORDER BY seq)
"""
_IDLE = """
SELECT game, max(seq) FROM events WHERE game > ? GROUP BY game
HAVING max(at) > ? AND max(at) <= ? ORDER BY game LIMIT ?
"""
_DELETE = "DELETE FROM events WHERE game = :game AND :seq = (SELECT max(seq) FROM events WHERE game = :game)"
_TABLE = """
CREATE TABLE events (game TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL,
    data TEXT NOT NULL, PRIMARY KEY (game, seq)) WITHOUT ROWID
"""
_FIRST, _SECOND = "json_extract(data, '$.sittings[0].key')", "json_extract(data, '$.sittings[1].key')"
_JOINED = "json_extract(data, '$.key')"
_INDEXES = (
    f"CREATE INDEX IF NOT EXISTS first_keys ON events ({_FIRST}, at) WHERE kind = 'created'",
    f"CREATE INDEX IF NOT EXISTS second_keys ON events ({_SECOND}, at) WHERE kind = 'created'",
    f"CREATE INDEX IF NOT EXISTS joined_keys ON events ({_JOINED}, at) WHERE kind = 'joined'",
)
_PAGE = "AND (at, game) < (:at, :game) ORDER BY at DESC, game DESC LIMIT :most"
# A player who joins their own game had a seat in it before.
_GAMES_OF = f"""
SELECT json_group_array(json_array(game, cast(round(at * 1e6) AS INTEGER))) FROM (
    SELECT * FROM (SELECT game, at FROM events WHERE kind = 'created' AND {_FIRST} = :key {_PAGE})
    UNION SELECT * FROM (SELECT game, at FROM events WHERE kind = 'created' AND {_SECOND} = :key {_PAGE})
    UNION SELECT * FROM (SELECT game, at FROM events AS joined WHERE kind = 'joined' AND {_JOINED} = :key
        AND NOT EXISTS (
            SELECT * FROM events WHERE game = joined.game AND seq = 1 AND :key IN ({_FIRST}, {_SECOND}))
        {_PAGE})
    ORDER BY at DESC, game DESC LIMIT :most)
"""


class SqliteStore(Store):
    """Stores games in one SQLite file.

    One thread writes: events that arrive during a transaction form the next one. Another thread reads.
    Several processes may share the file, but each hears of its own events only.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__()
        self.path = Path(path)
        self._queue: queue.SimpleQueue[PendingEvent | None] = queue.SimpleQueue()
        self._write_connection: sqlite3.Connection | None = None
        self._read_connection: sqlite3.Connection | None = None
        self._file = (0, 0)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed: asyncio.Future[None] | None = None
        self._reader: ThreadPoolExecutor | None = None

    async def open(self) -> None:
        try:
            await asyncio.to_thread(self._prepare_with_retry)
        except (sqlite3.Error, OSError, ValueError) as error:
            raise Unavailable(f"{self.path}: {error}") from error
        self._loop = asyncio.get_running_loop()
        self._closed = self._loop.create_future()
        self._reader = ThreadPoolExecutor(1, "store-reader")
        threading.Thread(target=self._write_loop, name="store-writer", daemon=True).start()

    async def close(self) -> None:
        if self._reader is None or self._closed is None:
            return
        reader, self._reader = self._reader, None
        self._queue.put(None)
        await self._closed
        reader.submit(self._close_read_connection)
        await asyncio.to_thread(reader.shutdown)

    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        pending = self.pending(game, seq, kind, data)
        if self._reader is None:
            raise Unavailable(f"{self.path}: the store is not open")
        self._queue.put(pending)
        return await pending.future

    async def read(self, game: str, after: int = 0) -> list[Event]:
        rows = await self._read(_READ, (game, max(after, 0))) if is_storable(game, after) else []
        return [Event(seq, at / 1e6, kind, data) for seq, at, kind, data in rows]

    async def games_of(self, key: str, most: int, before: SeatedGame | None = None) -> list[SeatedGame]:
        game, at = before or ("", math.inf)
        values = {"key": key, "at": at, "game": game, "most": max(most, 0)}
        rows = await self._read(_GAMES_OF, values) if is_storable(key, 0) else []
        return [SeatedGame(game, at / 1e6) for game, at in rows]

    async def _read(self, query: str, values: Any) -> Any:
        """The result of a query, which is one JSON text, from the reader thread."""
        if self._loop is None or self._reader is None:
            raise Unavailable(f"{self.path}: the store is not open")
        return json.loads(await self._loop.run_in_executor(self._reader, self._query, query, values))

    async def idle(
        self, since: float, until: float, after: str = "", most: int = 100
    ) -> list[tuple[str, int]]:
        values = (after, since, until, most)
        return await self._in_own_connection(lambda each: each.execute(_IDLE, values).fetchall())

    async def delete(self, games: Mapping[str, int]) -> set[str]:
        def delete(connection: sqlite3.Connection) -> set[str]:
            connection.execute("BEGIN IMMEDIATE")
            gone = {
                game
                for game, seq in games.items()
                if connection.execute(_DELETE, {"game": game, "seq": seq}).rowcount
            }
            connection.execute("COMMIT")
            return gone

        return await self._in_own_connection(delete)

    async def try_to_write(self) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute("CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY, data BLOB)")
            connection.execute("INSERT OR REPLACE INTO probe VALUES (1, randomblob(?))", [PROBE_BYTES])

        await self._in_own_connection(write)

    async def _in_own_connection(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run this in another thread with its own connection, so that no player waits for it."""
        if self._reader is None:
            raise Unavailable(f"{self.path}: the store is not open")

        def connected() -> T:
            with closing(self._connect()) as connection:
                return work(connection)

        try:
            return await asyncio.to_thread(connected)
        except (sqlite3.Error, OSError) as error:
            raise Unavailable(f"{self.path}: {error}") from error

    # Opening

    def _prepare_with_retry(self) -> None:
        """Retry: if several processes start at once, SQLite may refuse one without waiting."""
        deadline = time.monotonic() + RETRY_SECONDS
        while True:
            try:
                return self._prepare()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            time.sleep(0.02)

    def _prepare(self) -> None:
        """Create the file, readable for its owner only, and the tables; check that it is one of ours."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        self._file = self._identity()
        with closing(self._connect()) as made:
            if made.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                raise ValueError("no write-ahead log is possible here (on a network drive, perhaps)")
            made.execute("BEGIN IMMEDIATE")  # if several processes start at once, one creates the table
            (version,) = made.execute("PRAGMA user_version").fetchone()
            (mark,) = made.execute("PRAGMA application_id").fetchone()
            (tables,) = made.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if mark != APPLICATION_ID and (version or tables):
                raise ValueError("this is the database of another program")
            if version > VERSION:
                raise ValueError(
                    f"a newer version of numberduels wrote this file: its format is {version}, "
                    f"and this version knows no later one than {VERSION}"
                )
            if version == 0:
                made.execute(_TABLE)
                made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                made.execute(f"PRAGMA user_version = {VERSION}")
            for index in _INDEXES:
                made.execute(index)
            made.execute("COMMIT")

    def _identity(self) -> tuple[int, int]:
        status = os.stat(self.path)
        return status.st_dev, status.st_ino

    def _connect(self) -> sqlite3.Connection:
        """Connect to the file that was opened first; never create a new, empty one."""
        self._check_file()
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=RETRY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_file(self) -> None:
        """Detect a deleted or replaced file; SQLite would go on writing into it."""
        if self._identity() != self._file:
            raise OSError("the file was replaced by another while it was in use: start again")

    # In the writer thread

    def _write_loop(self) -> None:
        waiting: PendingEvent | None
        while waiting := self._queue.get():
            group = [waiting]
            with suppress(queue.Empty):
                while len(group) < MAX_BATCH and (waiting := self._queue.get_nowait()):
                    group.append(waiting)
            self._post(self._resolve, group, *self._write(group))
            if waiting is None:
                break
        self._drop_write_connection()
        self._post(self._resolve_closed)

    def _post(self, function: Any, *arguments: Any) -> None:
        assert self._loop is not None
        with suppress(RuntimeError):  # the event loop was closed before the store
            self._loop.call_soon_threadsafe(function, *arguments)

    def _write(self, group: Sequence[PendingEvent]) -> tuple[set[int], str]:
        """Write a batch in one transaction; return the indexes of conflicts, or an error.

        Usually nothing conflicts. Then the transaction is one statement: the thread must wait for the GIL
        after each one.
        """
        try:
            if self._write_connection is None:
                self._write_connection = self._connect()
            self._check_file()
            try:
                self._write_connection.execute(_INSERT, [to_json(_rows(group))])
                return set(), ""
            except sqlite3.IntegrityError:  # nothing was inserted
                return self._write_without_conflicts(self._write_connection, group), ""
        except Exception as error:  # on any error: a dead writer would block all callers
            self._drop_write_connection()
            return set(), f"{self.path}: {error}"

    @staticmethod
    def _write_without_conflicts(connection: sqlite3.Connection, group: Sequence[PendingEvent]) -> set[int]:
        """Write the events of a batch that do not conflict; return the indexes of the others."""
        lost: set[int] = set()
        connection.execute("BEGIN IMMEDIATE")
        for indexes in _one_event_per_game(group):
            rows = _rows([group[index] for index in indexes])
            (late,) = connection.execute(_CONFLICTS, [to_json(rows)]).fetchone()
            if late != "[]":
                gone = set(json.loads(late))
                lost |= {indexes[each] for each in gone}
                rows = [row for each, row in enumerate(rows) if each not in gone]
            if rows:
                connection.execute(_INSERT, [to_json(rows)])
        connection.execute("COMMIT")
        return lost

    def _drop_write_connection(self) -> None:
        """Close the connection, which rolls back; the next batch opens another one."""
        connection, self._write_connection = self._write_connection, None
        _close(connection)

    # In the event loop

    def _resolve(self, group: Sequence[PendingEvent], lost: set[int], fault: str) -> None:
        for index, pending in enumerate(group):
            self.resolve(pending, written=index not in lost, fault=fault)
            if not fault and index not in lost:
                self.notify(pending.game, pending.event.seq)

    def _resolve_closed(self) -> None:
        assert self._closed is not None
        if not self._closed.done():
            self._closed.set_result(None)

    # In the reader thread

    def _query(self, query: str, values: Any) -> str:
        try:
            if self._read_connection is None:
                self._read_connection = self._connect()
            self._check_file()
            (text,) = self._read_connection.execute(query, values).fetchone()
        except (sqlite3.Error, OSError) as error:
            self._close_read_connection()
            raise Unavailable(f"{self.path}: {error}") from error
        return str(text)

    def _close_read_connection(self) -> None:
        connection, self._read_connection = self._read_connection, None
        _close(connection)


def _close(connection: sqlite3.Connection | None) -> None:
    if connection is not None:
        with suppress(sqlite3.Error):
            connection.close()


def _rows(group: Sequence[PendingEvent]) -> list[tuple[str, int, int, str, str]]:
    """The events as _INSERT takes them, with their times in microseconds."""
    return [(game, event.seq, round(event.at * 1e6), event.kind, text) for game, text, event, _ in group]


def _one_event_per_game(group: Sequence[PendingEvent]) -> list[list[int]]:
    """Split the indexes of a batch into rounds with one event of each game: the next depends on the last."""
    rounds: list[list[int]] = []
    times: dict[str, int] = {}
    for index, waiting in enumerate(group):
        turn = times[waiting.game] = times.get(waiting.game, -1) + 1
        if turn == len(rounds):
            rounds.append([])
        rounds[turn].append(index)
    return rounds
