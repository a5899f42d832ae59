"""Every test of the full-screen table has folders of its own; nothing in it runs out on a slow machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import pilot
from textual._context import active_app

from numberduels.tui import keys
from numberduels.tui.app import DuelApp

from .driving import painted


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERDUELS_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("COLORFGBG", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture(autouse=True)
def _nothing_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notices stay, and a key waits for the one before, however long a busy machine takes."""
    monkeypatch.setattr(DuelApp, "NOTIFICATION_TIMEOUT", 3_600.0)
    monkeypatch.setattr(keys, "PATIENCE", 3_600.0)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual's pilot sleeps until the processor is idle; it is enough that every message is handled."""

    async def idle(*_: object) -> None:
        app = active_app.get()
        if isinstance(app, DuelApp):
            await app.keys.quiet()
            await painted(app)

    monkeypatch.setattr(pilot, "wait_for_idle", idle)
