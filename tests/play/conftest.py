from __future__ import annotations

from pathlib import Path

import pytest

from numberduels.play import storage


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder for each test, and nothing reported yet."""
    home = tmp_path / "it's my home"
    monkeypatch.setenv("NUMBERDUELS_HOME", str(home))
    monkeypatch.setattr(storage, "_reported", set())
    return home
