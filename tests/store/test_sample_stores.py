"""Stores that an earlier version wrote are opened and continued."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # it comes without types
import pytest

from postgresql import Server
from store.open_store import open_store

SAMPLE = Path(__file__).parents[1] / "samples" / "store" / "0.5.0" / "duels.sqlite"
TABLE = """
CREATE TABLE duel_events (game TEXT COLLATE "C" NOT NULL, seq BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL,
    kind TEXT NOT NULL, data JSON NOT NULL, PRIMARY KEY (game, seq));
COMMENT ON TABLE duel_events IS 'numberduels 1'
"""
"""How version 0.5.0 made its table in PostgreSQL."""


def rows() -> list[tuple[str, int, float, str, str]]:
    """The events in the sample, read without our code."""
    with closing(sqlite3.connect(f"file:{SAMPLE}?immutable=1", uri=True)) as file:
        return file.execute("SELECT game, seq, at, kind, data FROM events ORDER BY game, seq").fetchall()


async def check(place: str) -> None:
    """Every event of the sample is read, and a game goes on behind its last one."""
    expected = rows()
    assert len(expected) == 20
    async with open_store(place) as store:
        for game in {row[0] for row in expected}:
            events = await store.read(game)
            assert [(game, each.seq, each.kind, each.data) for each in events] == [
                (name, seq, kind, json.loads(data)) for name, seq, _, kind, data in expected if name == game
            ]
            await store.append(game, len(events) + 1, "moved", {"seat": 0, "move": "1@1"})
            assert len(await store.read(game)) == len(events) + 1


def test_a_file_of_0_5_is_read_and_continued(tmp_path: Path) -> None:
    place = tmp_path / "duels.sqlite"
    shutil.copy(SAMPLE, place)
    asyncio.run(check(str(place)))


@pytest.mark.long
async def test_a_table_of_0_5_in_postgresql_is_read_and_continued(postgres: Server) -> None:
    url = await asyncio.to_thread(postgres.fresh)
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(TABLE)
        await connection.executemany("INSERT INTO duel_events VALUES ($1, $2, $3, $4, $5)", rows())
    finally:
        await connection.close()
    await check(url)
