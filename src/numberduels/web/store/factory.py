"""Makes the store that a text names: a file or a database URL."""

from __future__ import annotations

import re
from pathlib import Path

from numberduels.web.store.log import Store

EXPECTED = (
    "a store is a file (duels.sqlite, sqlite:///duels.sqlite) or a database (postgresql://user@host/name)"
)


def make_store(place: str) -> Store:
    """The store at this place, not opened yet; ValueError if the text names no place.

    >>> make_store("duels.sqlite").path.name
    'duels.sqlite'
    >>> make_store("mysql://localhost/duels")
    Traceback (most recent call last):
    ValueError: a store is a file (duels.sqlite, sqlite:///duels.sqlite) or a database (postgresql://user@host/name)
    """
    if place.startswith("postgresql://"):
        from numberduels.web.store.postgres import PostgresStore

        return PostgresStore(place)
    path = place.removeprefix("sqlite:///")
    # One letter and a colon is a Windows drive, more letters are a URL scheme.
    if not path or "\0" in path or path == ":memory:" or re.match(r"[A-Za-z][\w+.-]+:", path):
        raise ValueError(EXPECTED)
    from numberduels.web.store.sqlite import SqliteStore

    return SqliteStore(Path(path).expanduser())
