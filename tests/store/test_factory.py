"""A store is made from a path or a URL; other texts raise an error that says what is right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from numberduels.web.store.base import make_store
from numberduels.web.store.postgres import PostgresStore
from numberduels.web.store.sqlite import SqliteStore
from tables import table


@table(
    "place, path",
    [
        ("duels.sqlite", "duels.sqlite"),
        ("/var/lib/duels/games", "/var/lib/duels/games"),
        ("sqlite:///duels.sqlite", "duels.sqlite"),
        ("sqlite:////var/lib/duels.sqlite", "/var/lib/duels.sqlite"),
        ("./a:b", "a:b"),
        ("~/duels.sqlite", str(Path.home() / "duels.sqlite")),
    ],
)
def test_a_path_is_a_file(place: str, path: str) -> None:
    store = make_store(place)
    assert isinstance(store, SqliteStore) and store.path == Path(path)


def test_an_address_is_a_database() -> None:
    store = make_store("postgresql://anna@localhost/duels")
    assert isinstance(store, PostgresStore) and store.url == "postgresql://anna@localhost/duels"


@table(
    "place",
    [
        "",
        "sqlite:///",
        "sqlite://duels",
        "sqlite:duels",
        "mysql://localhost/x",
        "postgresql:/x",
        "a\0b",
        ":memory:",
    ],
)
def test_anything_else_is_told_what_would_be_right(place: str) -> None:
    with pytest.raises(ValueError, match=r"^a store is a file .* or a database .*postgresql://[^\n]*$"):
        make_store(place)


def test_a_file_needs_no_driver_for_databases() -> None:
    program = (
        "import sys, numberduels.web.store.base as p; p.make_store('x'); print('asyncpg' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
