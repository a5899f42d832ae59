"""Fixtures: both kinds of store, empty for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from postgresql import Server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is an empty store."""
    if request.param == "sqlite":
        return str(tmp_path / "duels.sqlite")
    running: Server = request.getfixturevalue("postgres")
    return running.fresh()
