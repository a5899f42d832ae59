"""Games in one file, by SQLite: nothing to set up, and a pulled plug loses nothing that was acknowledged."""

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
from typing import Any, NamedTuple, TypeVar

from numberduels.store.log import Conflict, Event, Seated, Store, Unavailable
from numberduels.store.serialization import findable, microseconds, packed, to_json

T = TypeVar("T")

VERSION = 1
"""Of the file's format; a file of a newer one is refused."""
MARK = 0x4455454C
"""SQLite's application_id: this file is ours."""
PATIENCE = 3.0
"""So many seconds a writer waits for another process that holds the file."""
GROUP = 1_000
"""At most so many events are written in one transaction."""

_TAKEN_OR_GAP = """
SELECT json_group_array(key) FROM json_each(?) WHERE json_extract(value, '$[1]') - 1 <> coalesce(
    (SELECT max(seq) FROM events WHERE game = json_extract(value, '$[0]')), 0)
"""
_INSERT = """
INSERT INTO events (game, seq, at, kind, data)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') / 1e6,
       json_extract(value, '$[3]'), json_extract(value, '$[4]') FROM json_each(?)
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
_DELETE = "DELETE FROM events WHERE game = ?1 AND ?2 = (SELECT max(seq) FROM events WHERE game = ?1)"
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
_PAGE = "AND (at, game) < (?2, ?3) ORDER BY at DESC, game DESC LIMIT ?4"
# Whoever joins a game of their own has had a seat in it before.
_GAMES_OF = f"""
SELECT json_group_array(json_array(game, cast(round(at * 1e6) AS INTEGER))) FROM (
    SELECT * FROM (SELECT game, at FROM events WHERE kind = 'created' AND {_FIRST} = ?1 {_PAGE})
    UNION SELECT * FROM (SELECT game, at FROM events WHERE kind = 'created' AND {_SECOND} = ?1 {_PAGE})
    UNION SELECT * FROM (SELECT game, at FROM events AS joined WHERE kind = 'joined' AND {_JOINED} = ?1
        AND NOT EXISTS (
            SELECT * FROM events WHERE game = joined.game AND seq = 1 AND ?1 IN ({_FIRST}, {_SECOND}))
        {_PAGE})
    ORDER BY at DESC, game DESC LIMIT ?4)
"""


class _Waiting(NamedTuple):
    """An event on its way to the disk, and who waits for it."""

    row: tuple[str, int, int, str, str]
    event: Event
    future: asyncio.Future[Event]


class SqliteStore(Store):
    """Keeps games in one SQLite file.

    One thread writes: whatever has come in while it was busy with the disk is its next transaction. Another
    one reads. Several processes may share the file; each is told of its own events only.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__()
        self.path = Path(path)
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._pen: sqlite3.Connection | None = None
        self._eye: sqlite3.Connection | None = None
        self._file = (0, 0)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Future[None] | None = None
        self._reader: ThreadPoolExecutor | None = None

    async def open(self) -> None:
        try:
            await asyncio.to_thread(self._make_patiently)
        except (sqlite3.Error, OSError, ValueError) as error:
            raise Unavailable(f"{self.path}: {error}") from error
        self._loop = asyncio.get_running_loop()
        self._ended = self._loop.create_future()
        self._reader = ThreadPoolExecutor(1, "store-reader")
        threading.Thread(target=self._write_until_closed, name="store-writer", daemon=True).start()

    async def close(self) -> None:
        if self._reader is None or self._ended is None:
            return
        reader, self._reader = self._reader, None
        self._queue.put(None)
        await self._ended
        reader.submit(self._shut_eye)
        await asyncio.to_thread(reader.shutdown)

    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        text = packed(game, seq, kind, data)
        if self._loop is None or self._reader is None:
            raise Unavailable(f"{self.path}: the store is not open")
        now = microseconds()
        event = Event(seq, now / 1e6, kind, json.loads(text))
        future: asyncio.Future[Event] = self._loop.create_future()
        self._queue.put(_Waiting((game, seq, now, kind, text), event, future))
        return await future

    async def read(self, game: str, after: int = 0) -> list[Event]:
        if self._loop is None or self._reader is None:
            raise Unavailable(f"{self.path}: the store is not open")
        if not findable(game, after):
            return []
        text = await self._loop.run_in_executor(self._reader, self._look, _READ, game, max(after, 0))
        return [Event(seq, at / 1e6, kind, data) for seq, at, kind, data in json.loads(text)]

    async def games_of(self, key: str, most: int, before: Seated | None = None) -> list[Seated]:
        if self._loop is None or self._reader is None:
            raise Unavailable(f"{self.path}: the store is not open")
        if not findable(key, 0):
            return []
        game, at = before or ("", math.inf)
        text = await self._loop.run_in_executor(
            self._reader, self._look, _GAMES_OF, key, at, game, max(most, 0)
        )
        return [Seated(game, at / 1e6) for game, at in json.loads(text)]

    async def idle(
        self, since: float, until: float, after: str = "", most: int = 100
    ) -> list[tuple[str, int]]:
        def look(aside: sqlite3.Connection) -> list[tuple[str, int]]:
            return aside.execute(_IDLE, (after, since, until, most)).fetchall()

        return await self._aside(look)

    async def delete(self, games: Mapping[str, int]) -> set[str]:
        def delete(aside: sqlite3.Connection) -> set[str]:
            aside.execute("BEGIN IMMEDIATE")
            gone = {game for game, seq in games.items() if aside.execute(_DELETE, (game, seq)).rowcount}
            aside.execute("COMMIT")
            return gone

        return await self._aside(delete)

    async def _aside(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do that in a thread and with a connection of its own, so that no player waits for it."""
        if self._reader is None:
            raise Unavailable(f"{self.path}: the store is not open")

        def connected() -> T:
            with closing(self._connect()) as aside:
                return work(aside)

        try:
            return await asyncio.to_thread(connected)
        except (sqlite3.Error, OSError) as error:
            raise Unavailable(f"{self.path}: {error}") from error

    # Opening

    def _make_patiently(self) -> None:
        """Of several processes that start at once SQLite may refuse one without letting it wait."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self._make()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            time.sleep(0.02)

    def _make(self) -> None:
        """Make what is missing, for nobody else's eyes, and see that the file is one of ours."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        self._file = self._identity()
        with closing(self._connect()) as made:
            if made.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                raise ValueError("no write-ahead log is possible here (on a network drive, perhaps)")
            made.execute("BEGIN IMMEDIATE")  # of several processes that start at once, one makes the table
            (version,) = made.execute("PRAGMA user_version").fetchone()
            (mark,) = made.execute("PRAGMA application_id").fetchone()
            (tables,) = made.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if mark != MARK and (version or tables):
                raise ValueError("this is the database of another program")
            if version > VERSION:
                raise ValueError(
                    f"a newer version of numberduels wrote this file: its format is {version}, "
                    f"and this version knows no later one than {VERSION}"
                )
            if version == 0:
                made.execute(_TABLE)
                made.execute(f"PRAGMA application_id = {MARK}")
                made.execute(f"PRAGMA user_version = {VERSION}")
            for index in _INDEXES:
                made.execute(index)
            made.execute("COMMIT")

    def _identity(self) -> tuple[int, int]:
        status = os.stat(self.path)
        return status.st_dev, status.st_ino

    def _connect(self) -> sqlite3.Connection:
        """The file that was opened first, never a new one: a store that begins anew has lost everything."""
        self._check_file()
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=PATIENCE,
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
        """SQLite would go on writing into a file that was deleted."""
        if self._identity() != self._file:
            raise OSError("the file was replaced by another while it was in use: start again")

    # The writer's thread

    def _write_until_closed(self) -> None:
        waiting: _Waiting | None
        while waiting := self._queue.get():
            group = [waiting]
            with suppress(queue.Empty):
                while len(group) < GROUP and (waiting := self._queue.get_nowait()):
                    group.append(waiting)
            self._call(self._settle, group, *self._write(group))
            if waiting is None:
                break
        self._drop_pen()
        self._call(self._end)

    def _call(self, function: Any, *arguments: Any) -> None:
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop was closed without waiting: there is nobody left to tell
            self._loop.call_soon_threadsafe(function, *arguments)

    def _write(self, group: Sequence[_Waiting]) -> tuple[set[int], str]:
        """Write all in one transaction: which of them came too late, or why nothing could be written."""
        lost: set[int] = set()
        try:
            if self._pen is None:
                self._pen = self._connect()
            self._check_file()
            self._pen.execute("BEGIN IMMEDIATE")
            for indexes in _rounds(group):
                rows = [group[index].row for index in indexes]
                (late,) = self._pen.execute(_TAKEN_OR_GAP, [to_json(rows)]).fetchone()
                if late != "[]":
                    gone = set(json.loads(late))
                    lost |= {indexes[each] for each in gone}
                    rows = [row for each, row in enumerate(rows) if each not in gone]
                if rows:
                    self._pen.execute(_INSERT, [to_json(rows)])
            self._pen.execute("COMMIT")
        except Exception as error:  # whatever it is: a writer that is gone would keep all others waiting
            self._drop_pen()
            return set(), f"{self.path}: {error}"
        return lost, ""

    def _drop_pen(self) -> None:
        """Take back what was begun, as closing does; the next group has a fresh connection."""
        pen, self._pen = self._pen, None
        if pen is not None:
            with suppress(sqlite3.Error):
                pen.close()

    # Back in the event loop

    def _settle(self, group: Sequence[_Waiting], lost: set[int], fault: str) -> None:
        for index, (row, event, future) in enumerate(group):
            if fault or index in lost:
                if not future.done():
                    future.set_exception(Unavailable(fault) if fault else Conflict(f"{row[0]} {row[1]}"))
                continue
            if not future.done():
                future.set_result(event)
            try:
                self.tell(row[0], row[1])
            except Exception as error:
                asyncio.get_running_loop().call_exception_handler(
                    {"message": "a listener of the store failed", "exception": error}
                )

    def _end(self) -> None:
        assert self._ended is not None
        if not self._ended.done():
            self._ended.set_result(None)

    # The reader's thread

    def _look(self, query: str, *values: Any) -> str:
        try:
            if self._eye is None:
                self._eye = self._connect()
            self._check_file()
            (text,) = self._eye.execute(query, values).fetchone()
        except (sqlite3.Error, OSError) as error:
            self._shut_eye()
            raise Unavailable(f"{self.path}: {error}") from error
        return str(text)

    def _shut_eye(self) -> None:
        eye, self._eye = self._eye, None
        if eye is not None:
            with suppress(sqlite3.Error):
                eye.close()


def _rounds(group: Sequence[_Waiting]) -> list[list[int]]:
    """The indexes of the group, each game once in a round: its events are judged one after another."""
    rounds: list[list[int]] = []
    times: dict[str, int] = {}
    for index, waiting in enumerate(group):
        turn = times[waiting.row[0]] = times.get(waiting.row[0], -1) + 1
        if turn == len(rounds):
            rounds.append([])
        rounds[turn].append(index)
    return rounds
