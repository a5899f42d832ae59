"""A store in PostgreSQL: for several workers, which hear of each other's events."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import asyncpg  # type: ignore[import-untyped]  # it comes without types

from numberduels.web.store.base import Event, PendingEvent, SeatedGame, Store, Unavailable, is_storable

VERSION = 1
"""Version of the table format, stored in the comment of the table; newer ones are refused."""
RETRY_SECONDS = 3.0
"""Seconds of retries before a request fails: a restart of the database is often shorter."""
SLOW_SECONDS = 120.0
"""Timeout in seconds of queries for the cleanup, which no player waits for."""
PING_INTERVAL = 10.0
"""Seconds between two checks of the listening connection."""
CONNECTIONS = 5
"""Connections of a worker, beside the one that listens: one writes, the others read."""
MAX_BATCH = 1_000
"""Events in one transaction."""
CHANNEL = "duels"
MESSAGE_CHANNEL = "duel_messages"
MAX_MESSAGES = 1_000
"""Messages that wait to be sent; more are dropped."""

T = TypeVar("T")
ERRORS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Errors of the database or the connection."""
PERMANENT = (asyncpg.ClientConfigurationError, asyncpg.InvalidAuthorizationSpecificationError)
TEMPORARY = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # the server shuts down or starts
    asyncpg.InsufficientResourcesError,  # too many connections
    asyncpg.TransactionRollbackError,
    asyncpg.ReadOnlySQLTransactionError,  # a standby takes over
)
"""Errors that are worth a retry."""

_TABLE = """
CREATE TABLE duel_events (game TEXT COLLATE "C" NOT NULL, seq BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL,
    kind TEXT NOT NULL, data JSON NOT NULL, PRIMARY KEY (game, seq))
"""
_FIRST, _SECOND, _JOINED = "data->'sittings'->0->>'key'", "data->'sittings'->1->>'key'", "data->>'key'"
_INDEXES = {
    "duel_first_keys": f"(({_FIRST}), at, game) WHERE kind = 'created'",
    "duel_second_keys": f"(({_SECOND}), at, game) WHERE kind = 'created'",
    "duel_joined_keys": f"(({_JOINED}), at, game) WHERE kind = 'joined'",
}
_PAGE = "AND (at, game) < ($2, $3) ORDER BY at DESC, game DESC LIMIT $4"
# A player who joins their own game had a seat in it before.
_GAMES_OF = f"""
(SELECT game, at FROM duel_events WHERE kind = 'created' AND {_FIRST} = $1 {_PAGE})
UNION (SELECT game, at FROM duel_events WHERE kind = 'created' AND {_SECOND} = $1 {_PAGE})
UNION (SELECT game, at FROM duel_events AS joined WHERE kind = 'joined' AND {_JOINED} = $1
    AND NOT EXISTS (SELECT 1 FROM duel_events AS made
        WHERE made.game = joined.game AND made.seq = 1 AND $1 IN (made.{_FIRST}, made.{_SECOND})) {_PAGE})
ORDER BY at DESC, game DESC LIMIT $4
"""
# Rows are inserted in the order of their games, so that batches of two workers cannot deadlock. Insert and
# notification are one statement, and so one transaction.
_INSERT = """
WITH written AS (
    INSERT INTO duel_events (game, seq, at, kind, data)
    SELECT game, seq, at, kind, data::json
    FROM unnest($1::text[], $2::bigint[], $3::float8[], $4::text[], $5::text[]) WITH ORDINALITY
        AS new (game, seq, at, kind, data, place)
    WHERE seq - 1 = coalesce((SELECT max(old.seq) FROM duel_events AS old WHERE old.game = new.game), 0)
    ORDER BY place
    ON CONFLICT DO NOTHING
    RETURNING game, seq)
SELECT game, pg_notify('duels', game || ' ' || seq) FROM written
"""
_OWN_EVENTS = """
SELECT game FROM duel_events NATURAL JOIN
    unnest($1::text[], $2::bigint[], $3::float8[], $4::text[]) AS new (game, seq, at, kind)
"""
_IDLE = """
SELECT game, max(seq) FROM duel_events WHERE game > $1 GROUP BY game
HAVING max(at) > $2 AND max(at) <= $3 ORDER BY game LIMIT $4
"""
# While this lock is held no event can be written, so no game in use is deleted.
_LOCK = "SET LOCAL lock_timeout = '2s'; LOCK TABLE duel_events IN SHARE ROW EXCLUSIVE MODE"
_DELETE = """
DELETE FROM duel_events AS old USING unnest($1::text[], $2::bigint[]) AS gone (game, seq)
WHERE old.game = gone.game
    AND gone.seq = (SELECT max(last.seq) FROM duel_events AS last WHERE last.game = gone.game)
RETURNING old.game
"""
_SEND = f"SELECT pg_notify('{MESSAGE_CHANNEL}', message) FROM unnest($1::text[]) AS message"
_PROBE = "INSERT INTO duel_events (game, seq, at, kind, data) VALUES ('', 0, 0, 'probe', '{}')"
_READ = "SELECT seq, at, kind, data FROM duel_events WHERE game = $1 AND seq > $2 ORDER BY seq"


class PostgresStore(Store):
    """Stores games in PostgreSQL, and notifies listeners of the events of all workers.

    Events that arrive while a batch is being written form the next batch: one statement, one commit.
    Notifications come from the database, in the order of the commits. After a lost connection, listeners are
    notified that any game may have changed.
    """

    shared = True

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self._pool: Any = None
        self._write_connection: Any = None
        self._pending: list[PendingEvent] = []
        self._messages: list[str] = []
        self._sending: asyncio.Task[None] | None = None
        self._work = asyncio.Event()
        self._closing = False
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        pool = None
        try:
            self._pool = pool = await asyncpg.create_pool(
                self.url, min_size=0, max_size=CONNECTIONS, server_settings=_SETTINGS, reset=_no_reset
            )
            await self._try(_prepare)
            connection = await _retry(self._listen)
        except BaseException as error:
            self._pool = None
            if pool is not None:
                pool.terminate()
            if isinstance(error, ValueError):  # its message may contain a part of the password
                raise Unavailable(
                    "PostgreSQL: the address cannot be read (special characters in a password are %XX)"
                ) from None
            raise
        self._closing = False
        self._tasks = [
            asyncio.create_task(self._write_loop()),
            asyncio.create_task(self._listen_loop(connection)),
        ]

    async def close(self) -> None:
        if self._pool is None:
            return
        self._closing = True
        self._work.set()
        writing, listening = self._tasks
        await writing
        if self._sending is not None:
            self._sending.cancel()
        listening.cancel()
        await asyncio.wait([listening])
        pool, self._pool = self._pool, None
        try:
            async with asyncio.timeout(RETRY_SECONDS):
                await pool.close()
        except ERRORS:
            pool.terminate()

    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        pending = self.pending(game, seq, kind, data)
        if self._pool is None or self._closing:
            raise Unavailable("PostgreSQL: the store is not open")
        self._pending.append(pending)
        self._work.set()
        return await pending.future

    async def read(self, game: str, after: int = 0) -> list[Event]:
        if not is_storable(game, after):
            return []
        rows = await self._try(lambda connection: connection.fetch(_READ, game, max(after, 0)))
        return [Event(seq, at, kind, json.loads(data)) for seq, at, kind, data in rows]

    async def games_of(self, key: str, most: int, before: SeatedGame | None = None) -> list[SeatedGame]:
        if not is_storable(key, 0):
            return []
        game, at = before or ("", math.inf)
        rows = await self._try(lambda each: each.fetch(_GAMES_OF, key, at, game, max(most, 0)))
        return [SeatedGame(game, at) for game, at in rows]

    async def idle(
        self, since: float, until: float, after: str = "", most: int = 100
    ) -> list[tuple[str, int]]:
        rows = await self._try(lambda each: each.fetch(_IDLE, after, since, until, most), SLOW_SECONDS)
        return [(game, seq) for game, seq in rows]

    async def delete(self, games: Mapping[str, int]) -> set[str]:
        async def delete(connection: Any) -> Any:
            async with connection.transaction():
                await connection.execute(_LOCK)
                return await connection.fetch(_DELETE, list(games), list(games.values()))

        return {game for (game,) in await self._try(delete, SLOW_SECONDS)}

    async def try_to_write(self) -> None:
        async def write(connection: Any) -> None:
            transaction = connection.transaction()
            await transaction.start()
            await connection.execute(_PROBE)
            await transaction.rollback()

        await self._try(write)

    async def _try(self, work: Callable[[Any], Awaitable[T]], patience: float | None = None) -> T:
        """Run this with a connection of the pool; retry with a new connection until the timeout."""

        if self._pool is None:
            raise Unavailable("PostgreSQL: the store is not open")

        async def once() -> T:
            connection = await self._pool.acquire()
            try:
                done = await work(connection)
            except BaseException:
                _drop(connection)
                raise
            await self._pool.release(connection, timeout=RETRY_SECONDS)
            return done

        return await _retry(once, patience)

    # Writing

    async def _write_loop(self) -> None:
        while self._pending or not self._closing:
            await self._work.wait()
            self._work.clear()
            while self._pending:
                await self._write(self._next_batch())
        if self._write_connection is not None:
            _drop(self._write_connection)
            self._write_connection = None

    def _next_batch(self) -> list[PendingEvent]:
        """The first pending event of each game: its next one can be checked only when this one is written."""
        group: dict[str, PendingEvent] = {}
        rest = []
        for waiting in self._pending:
            if waiting.game in group or len(group) == MAX_BATCH:
                rest.append(waiting)
            else:
                group[waiting.game] = waiting
        self._pending = rest
        return [group[game] for game in sorted(group)]

    async def _write(self, group: Sequence[PendingEvent]) -> None:
        written: set[str] = set()
        in_doubt = False
        columns = (
            [each.game for each in group],
            [each.event.seq for each in group],
            [each.event.at for each in group],
            [each.event.kind for each in group],
            [each.text for each in group],
        )

        async def once() -> None:
            """Write the batch once.

            If the connection broke before the answer came, the batch may have been written. Then events
            with exactly our times, in microseconds, are ours.
            """
            nonlocal in_doubt
            if self._write_connection is None:
                self._write_connection = await self._pool.acquire()
            try:
                written.update(game for game, _ in await self._write_connection.fetch(_INSERT, *columns))
                if in_doubt:
                    own = await self._write_connection.fetch(_OWN_EVENTS, *columns[:4])
                    written.update(game for (game,) in own)
            except BaseException:
                in_doubt = True
                _drop(self._write_connection)
                self._write_connection = None
                raise

        try:
            await _retry(once)
        except Exception as error:
            fault = error if isinstance(error, Unavailable) else _unavailable(error)
            # Events that arrived meanwhile have waited, too; one after another they would wait again.
            behind, self._pending = self._pending, []
            for pending in [*group, *behind]:
                self.resolve(pending, fault=str(fault))
            return
        for pending in group:
            self.resolve(pending, written=pending.game in written)

    # Messages

    def broadcast(self, message: str) -> None:
        if self._pool is None or self._closing or len(self._messages) >= MAX_MESSAGES:
            return
        self._messages.append(message)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send_messages())

    async def _send_messages(self) -> None:
        while self._messages:
            messages, self._messages = self._messages, []
            with suppress(Unavailable):
                await self._try(lambda connection: connection.fetch(_SEND, messages))  # noqa: B023

    def _on_message(self, _connection: Any, _process: int, _channel: str, payload: str) -> None:
        for listener in self.message_listeners:
            listener(payload)

    # Listening

    async def _listen(self) -> Any:
        connection = await asyncpg.connect(self.url, timeout=RETRY_SECONDS, server_settings=_SETTINGS)
        try:
            async with asyncio.timeout(RETRY_SECONDS):
                await connection.add_listener(CHANNEL, self._on_notification)
                await connection.add_listener(MESSAGE_CHANNEL, self._on_message)
        except BaseException:
            connection.terminate()
            raise
        return connection

    def _on_notification(self, _connection: Any, _process: int, _channel: str, payload: str) -> None:
        game, _, seq = payload.rpartition(" ")
        if game and seq.isascii() and seq.isdigit():  # any client of the database can notify
            self.notify(game, int(seq))

    async def _listen_loop(self, connection: Any) -> None:
        while True:
            try:
                await _until_lost(connection)
            finally:
                connection.terminate()
            pause = 0.05
            while connection.is_closed():
                try:
                    connection = await self._listen()
                except Exception:  # on any error: without a retry, nothing would be heard again
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, 1.0)
            self.notify("", 0)


_SETTINGS = {"application_name": "numberduels", "synchronous_commit": "on"}


async def _no_reset(_connection: Any) -> None:
    """Skip the reset of a connection: our queries do not change its state."""


def _drop(connection: Any) -> None:
    """Close a broken connection; the pool opens another one."""
    with suppress(asyncpg.InterfaceError):  # the pool has closed it already
        connection.terminate()


async def _prepare(connection: Any) -> None:
    """Create the table if it is missing; of several workers that start at once, one does."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(hashtext('numberduels'))")
        encoding = await connection.fetchval("SHOW server_encoding")
        if encoding != "UTF8":
            raise Unavailable(f"PostgreSQL: the database must be in UTF8, and is in {encoding}")
        if await connection.fetchval("SELECT to_regclass('duel_events')") is None:
            await connection.execute(_TABLE)
            await connection.execute(f"COMMENT ON TABLE duel_events IS 'numberduels {VERSION}'")
        comment = await connection.fetchval("SELECT obj_description('duel_events'::regclass)") or ""
        version = comment.removeprefix("numberduels ")
        if not version.isdigit():
            raise Unavailable("PostgreSQL: there is a table duel_events of another program")
        if int(version) > VERSION:
            raise Unavailable(
                "PostgreSQL: a newer version of numberduels made the table duel_events: "
                f"its format is {version}, and this version knows no later one than {VERSION}"
            )
        for name, columns in _INDEXES.items():  # only the owner of the table can create them
            if await connection.fetchval("SELECT to_regclass($1)", name) is None:
                await connection.execute(f"CREATE INDEX {name} ON duel_events {columns}")


async def _until_lost(connection: Any) -> None:
    """Wait until the connection is closed or does not answer."""
    ended = asyncio.Event()
    connection.add_termination_listener(lambda _: ended.set())
    while not connection.is_closed():
        with suppress(TimeoutError):
            async with asyncio.timeout(PING_INTERVAL):
                await ended.wait()
        if not connection.is_closed():
            try:
                async with asyncio.timeout(RETRY_SECONDS):
                    await connection.execute("SELECT 1")
            except ERRORS:
                return


async def _retry(attempt: Callable[[], Awaitable[T]], patience: float | None = None) -> T:
    """Retry temporary errors until the timeout; raise Unavailable."""
    pause = 0.05
    fault: BaseException = TimeoutError()
    try:
        async with asyncio.timeout(RETRY_SECONDS if patience is None else patience):
            while True:
                try:
                    return await attempt()
                except PERMANENT:
                    raise
                except TEMPORARY as error:
                    fault = error
                await asyncio.sleep(pause)
                pause = min(2 * pause, 0.5)
    except ERRORS as error:
        raise _unavailable(fault if isinstance(error, TimeoutError) else error) from fault


def _unavailable(fault: BaseException) -> Unavailable:
    what = "it does not answer" if isinstance(fault, TimeoutError) else str(fault) or type(fault).__name__
    return Unavailable(f"PostgreSQL: {what}")
