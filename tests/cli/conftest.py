from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder for each test, with a blank and a quote in its path, and no habits of the user."""
    for name in list(os.environ):
        if name.startswith(("PYTHON", "NO_COLOR", "FORCE_COLOR", "INPUTRC", "LC_", "LANG", "COLUMNS")):
            monkeypatch.delenv(name)
    home = tmp_path / "it's my home"
    monkeypatch.setenv("NUMBERDUELS_HOME", str(home))
    monkeypatch.setenv("INPUTRC", "/dev/null")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return home
