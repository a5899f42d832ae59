"""Games in PostgreSQL: for many people, and for several workers that hear of each other's events."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import asyncpg  # type: ignore[import-untyped]  # it comes without types

from numberduels.store.log import Conflict, Event, Seated, Store, Unavailable
from numberduels.store.serialization import findable, microseconds, packed

VERSION = 1
"""Of the table's format, kept as the table's comment; a newer one is refused."""
PATIENCE = 3.0
"""So many seconds the database may be away before anybody is told: often a restart is shorter."""
LONG = 120.0
"""So many seconds it may take to look through all games, or to delete some, for which no player waits."""
PULSE = 10.0
"""So often the listening connection is asked whether it lives."""
CONNECTIONS = 5
"""At most so many for each worker, and one more to listen: one writes, the others read."""
GROUP = 1_000
"""At most so many events are written in one transaction."""
CHANNEL = "duels"

T = TypeVar("T")
FAULTS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Whatever a database, or the way to it, can suffer from."""
LASTING = (asyncpg.ClientConfigurationError, asyncpg.InvalidAuthorizationSpecificationError)
PASSING = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # it shuts down, or starts
    asyncpg.InsufficientResourcesError,  # too many connections
    asyncpg.TransactionRollbackError,
    asyncpg.ReadOnlySQLTransactionError,  # another server takes over
)
"""What may be over in a moment, so that another attempt is worth while."""

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
# Whoever joins a game of their own has had a seat in it before.
_GAMES_OF = f"""
(SELECT game, at FROM duel_events WHERE kind = 'created' AND {_FIRST} = $1 {_PAGE})
UNION (SELECT game, at FROM duel_events WHERE kind = 'created' AND {_SECOND} = $1 {_PAGE})
UNION (SELECT game, at FROM duel_events AS joined WHERE kind = 'joined' AND {_JOINED} = $1
    AND NOT EXISTS (SELECT 1 FROM duel_events AS made
        WHERE made.game = joined.game AND made.seq = 1 AND $1 IN (made.{_FIRST}, made.{_SECOND})) {_PAGE})
ORDER BY at DESC, game DESC LIMIT $4
"""
# Rows are inserted in the order of their games, so that the groups of two workers cannot deadlock.
# To be told, and to be written, is one statement and so one transaction.
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
_OURS = """
SELECT game FROM duel_events NATURAL JOIN
    unnest($1::text[], $2::bigint[], $3::float8[], $4::text[]) AS new (game, seq, at, kind)
"""
_IDLE = """
SELECT game, max(seq) FROM duel_events WHERE game > $1 GROUP BY game
HAVING max(at) > $2 AND max(at) <= $3 ORDER BY game LIMIT $4
"""
# No event can be written while this lock is held, so that no game goes on that is being deleted.
_LOCK = "SET LOCAL lock_timeout = '2s'; LOCK TABLE duel_events IN SHARE ROW EXCLUSIVE MODE"
_DELETE = """
DELETE FROM duel_events AS old USING unnest($1::text[], $2::bigint[]) AS gone (game, seq)
WHERE old.game = gone.game
    AND gone.seq = (SELECT max(last.seq) FROM duel_events AS last WHERE last.game = gone.game)
RETURNING old.game
"""
_READ = "SELECT seq, at, kind, data FROM duel_events WHERE game = $1 AND seq > $2 ORDER BY seq"


class _Waiting(NamedTuple):
    """An event on its way to the database, and who waits for it."""

    game: str
    text: str
    event: Event
    future: asyncio.Future[Event]


class PostgresStore(Store):
    """Keeps games in a PostgreSQL database, and hears what other workers write there.

    Whatever has come in while the last group was on its way is the next one: one statement, one commit.
    Listeners are told by the database alone, of everybody's events in the order of their commits; when its
    line was down, they are told that anything may have happened.
    """

    shared = True

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self._pool: Any = None
        self._pen: Any = None
        self._waiting: list[_Waiting] = []
        self._come = asyncio.Event()
        self._closing = False
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        pool = None
        try:
            self._pool = pool = await asyncpg.create_pool(
                self.url, min_size=0, max_size=CONNECTIONS, server_settings=_SETTINGS, reset=_as_it_is
            )
            await self._try(_make)
            ear = await _patiently(self._listen)
        except BaseException as error:
            self._pool = None
            if pool is not None:
                pool.terminate()
            if isinstance(error, ValueError):  # which may quote a part of the password
                raise Unavailable(
                    "PostgreSQL: the address cannot be read (special characters in a password are %XX)"
                ) from None
            raise
        self._closing = False
        self._tasks = [
            asyncio.create_task(self._write_until_closed()),
            asyncio.create_task(self._listen_until_closed(ear)),
        ]

    async def close(self) -> None:
        if self._pool is None:
            return
        self._closing = True
        self._come.set()
        writing, listening = self._tasks
        await writing
        listening.cancel()
        await asyncio.wait([listening])
        pool, self._pool = self._pool, None
        try:
            async with asyncio.timeout(PATIENCE):
                await pool.close()
        except FAULTS:
            pool.terminate()

    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        text = packed(game, seq, kind, data)
        if self._pool is None or self._closing:
            raise Unavailable("PostgreSQL: the store is not open")
        event = Event(seq, microseconds() / 1e6, kind, json.loads(text))
        future: asyncio.Future[Event] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(game, text, event, future))
        self._come.set()
        return await future

    async def read(self, game: str, after: int = 0) -> list[Event]:
        if self._pool is None:
            raise Unavailable("PostgreSQL: the store is not open")
        if not findable(game, after):
            return []
        rows = await self._try(lambda connection: connection.fetch(_READ, game, max(after, 0)))
        return [Event(seq, at, kind, json.loads(data)) for seq, at, kind, data in rows]

    async def games_of(self, key: str, most: int, before: Seated | None = None) -> list[Seated]:
        if self._pool is None:
            raise Unavailable("PostgreSQL: the store is not open")
        if not findable(key, 0):
            return []
        game, at = before or ("", math.inf)
        rows = await self._try(lambda each: each.fetch(_GAMES_OF, key, at, game, max(most, 0)))
        return [Seated(game, at) for game, at in rows]

    async def idle(
        self, since: float, until: float, after: str = "", most: int = 100
    ) -> list[tuple[str, int]]:
        if self._pool is None:
            raise Unavailable("PostgreSQL: the store is not open")
        rows = await self._try(lambda aside: aside.fetch(_IDLE, after, since, until, most), LONG)
        return [(game, seq) for game, seq in rows]

    async def delete(self, games: Mapping[str, int]) -> set[str]:
        if self._pool is None:
            raise Unavailable("PostgreSQL: the store is not open")

        async def delete(connection: Any) -> Any:
            async with connection.transaction():
                await connection.execute(_LOCK)
                return await connection.fetch(_DELETE, list(games), list(games.values()))

        return {game for (game,) in await self._try(delete, LONG)}

    async def _try(self, work: Callable[[Any], Awaitable[T]], patience: float | None = None) -> T:
        """Do that with a connection of the pool, again with a fresh one while patience lasts."""

        async def once() -> T:
            connection = await self._pool.acquire()
            try:
                done = await work(connection)
            except BaseException:
                _drop(connection)
                raise
            await self._pool.release(connection, timeout=PATIENCE)
            return done

        return await _patiently(once, patience)

    # Writing

    async def _write_until_closed(self) -> None:
        while self._waiting or not self._closing:
            await self._come.wait()
            self._come.clear()
            while self._waiting:
                await self._write(self._next_group())
        if self._pen is not None:
            _drop(self._pen)
            self._pen = None

    def _next_group(self) -> list[_Waiting]:
        """Of each game the first that waits: its next one is judged when this one is written."""
        group: dict[str, _Waiting] = {}
        rest = []
        for waiting in self._waiting:
            if waiting.game in group or len(group) == GROUP:
                rest.append(waiting)
            else:
                group[waiting.game] = waiting
        self._waiting = rest
        return [group[game] for game in sorted(group)]

    async def _write(self, group: Sequence[_Waiting]) -> None:
        try:
            written = await _patiently(_Writing(self, group).once)
        except Exception as error:
            fault = error if isinstance(error, Unavailable) else _unavailable(error)
            # Who came meanwhile has waited too; those who race for one game would wait one after another.
            behind, self._waiting = self._waiting, []
            for waiting in [*group, *behind]:
                if not waiting.future.done():
                    waiting.future.set_exception(Unavailable(*fault.args))
            return
        for waiting in group:
            if waiting.future.done():
                continue
            if waiting.game in written:
                waiting.future.set_result(waiting.event)
            else:
                waiting.future.set_exception(Conflict(f"{waiting.game} {waiting.event.seq}"))

    # Listening

    async def _listen(self) -> Any:
        connection = await asyncpg.connect(self.url, timeout=PATIENCE, server_settings=_SETTINGS)
        try:
            async with asyncio.timeout(PATIENCE):
                await connection.add_listener(CHANNEL, self._hear)
        except BaseException:
            connection.terminate()
            raise
        return connection

    def _hear(self, _connection: Any, _process: int, _channel: str, payload: str) -> None:
        game, _, seq = payload.rpartition(" ")
        if game and seq.isascii() and seq.isdigit():  # anybody in the database may call
            self.tell(game, int(seq))

    async def _listen_until_closed(self, ear: Any) -> None:
        while True:
            try:
                await _until_dead(ear)
            finally:
                ear.terminate()
            pause = 0.05
            while ear.is_closed():
                try:
                    ear = await self._listen()
                except Exception:  # whatever it was: who stops trying never hears again
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, 1.0)
            try:
                self.tell("", 0)
            except Exception as error:
                asyncio.get_running_loop().call_exception_handler(
                    {"message": "a listener of the store failed", "exception": error}
                )


class _Writing:
    """The attempts to write one group."""

    def __init__(self, store: PostgresStore, group: Sequence[_Waiting]) -> None:
        self.store = store
        self.columns = (
            [waiting.game for waiting in group],
            [waiting.event.seq for waiting in group],
            [waiting.event.at for waiting in group],
            [waiting.event.kind for waiting in group],
            [waiting.text for waiting in group],
        )
        self.in_doubt = False

    async def once(self) -> set[str]:
        """The games whose event is written now.

        When the line broke before the answer came, nobody knows whether the attempt was written: then those
        that are there, as we wrote them to the microsecond, are ours.
        """
        store = self.store
        if store._pen is None:
            store._pen = await store._pool.acquire()
        try:
            written = {game for game, _ in await store._pen.fetch(_INSERT, *self.columns)}
            if self.in_doubt:
                written |= {game for (game,) in await store._pen.fetch(_OURS, *self.columns[:4])}
        except BaseException:
            self.in_doubt = True
            _drop(store._pen)
            store._pen = None
            raise
        return written


_SETTINGS = {"application_name": "numberduels", "synchronous_commit": "on"}


async def _as_it_is(_connection: Any) -> None:
    """Nothing that we do leaves a trace in a connection, so that nothing needs to be put back."""


def _drop(connection: Any) -> None:
    """Break the connection off, whatever ailed it: the pool makes another."""
    with suppress(asyncpg.InterfaceError):  # the pool has seen that it is broken already
        connection.terminate()


async def _make(connection: Any) -> None:
    """Make the table if it is missing; of several workers that start at once, one does."""
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
        for name, columns in _INDEXES.items():  # who is not the table's owner may use, but not make them
            if await connection.fetchval("SELECT to_regclass($1)", name) is None:
                await connection.execute(f"CREATE INDEX {name} ON duel_events {columns}")


async def _until_dead(connection: Any) -> None:
    """Wait until the connection ends, or gives no sign of life."""
    ended = asyncio.Event()
    connection.add_termination_listener(lambda _: ended.set())
    while not connection.is_closed():
        with suppress(TimeoutError):
            async with asyncio.timeout(PULSE):
                await ended.wait()
        if not connection.is_closed():
            try:
                async with asyncio.timeout(PATIENCE):
                    await connection.execute("SELECT 1")
            except FAULTS:
                return


async def _patiently(attempt: Callable[[], Awaitable[T]], patience: float | None = None) -> T:
    """Try it until it works, for some seconds."""
    pause = 0.05
    fault: BaseException = TimeoutError()
    try:
        async with asyncio.timeout(PATIENCE if patience is None else patience):
            while True:
                try:
                    return await attempt()
                except LASTING:
                    raise
                except PASSING as error:
                    fault = error
                await asyncio.sleep(pause)
                pause = min(2 * pause, 0.5)
    except FAULTS as error:
        raise _unavailable(fault if isinstance(error, TimeoutError) else error) from fault


def _unavailable(fault: BaseException) -> Unavailable:
    what = "it does not answer" if isinstance(fault, TimeoutError) else str(fault) or type(fault).__name__
    return Unavailable(f"PostgreSQL: {what}")
