"""Both kinds of store, each test with an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from postgresql import Server, server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with server() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is an empty store."""
    if request.param == "sqlite":
        return str(tmp_path / "duels.sqlite")
    running: Server = request.getfixturevalue("postgres")
    return running.fresh()
