"""Where a store is, in one word: a file, or a database."""

from __future__ import annotations

import re
from pathlib import Path

from numberduels.store.log import Store

RIGHT = "a store is a file (duels.sqlite, sqlite:///duels.sqlite) or a database (postgresql://user@host/name)"


def opened(place: str) -> Store:
    """The store of that place, not opened yet; ValueError for what is no place.

    >>> opened("duels.sqlite").path.name
    'duels.sqlite'
    >>> opened("mysql://localhost/duels")
    Traceback (most recent call last):
    ValueError: a store is a file (duels.sqlite, sqlite:///duels.sqlite) or a database (postgresql://user@host/name)
    """
    if place.startswith("postgresql://"):
        from numberduels.store.postgres import PostgresStore

        return PostgresStore(place)
    path = place.removeprefix("sqlite:///")
    # One letter and a colon is a drive of Windows, more are a scheme.
    if not path or "\0" in path or path == ":memory:" or re.match(r"[A-Za-z][\w+.-]+:", path):
        raise ValueError(RIGHT)
    from numberduels.store.sqlite import SqliteStore

    return SqliteStore(Path(path).expanduser())
