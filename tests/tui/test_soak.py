"""Random keys in bursts, resizes, and an engine that answers at once, late, never or with an error."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from numberduels.game import files, record
from numberduels.play.settings import update_settings
from numberduels.tui import play
from numberduels.tui.app import fault_log_path
from numberduels.tui.home import HomeScreen
from numberduels.tui.play import PlayScreen

from .driving import engine_of, in_app, press, started

BURSTS = 250
KEYS = 40
NAMED = ["enter", "escape", "up", "down", "left", "right", "tab", "space", "backspace", "home", "end"]
NAMED += ["pageup", "pagedown", "f1", "shift+tab", "delete"]
TYPED = "abcdefghiklmnopqrstuvwxz0123456789,.?[/]ABN"
SIZES = [(30, 8), (200, 60), (40, 20), (80, 24), (69, 21), (70, 22), (55, 12), (100, 15)]
ANSWERS = ["at once", "late", "never", "with an error"]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
@in_app
async def test_random_keys_crash_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where the statistics are exported to
    monkeypatch.setattr(play, "PAUSE", 0.0)
    monkeypatch.setattr(HomeScreen, "action_leave", lambda _: None)
    update_settings(opponent="beginner", game="range-war")
    rng, seen = Random(f"soak {seed}"), set()
    read: dict[Path, int] = {}
    async with started(size=(80, 24)) as pilot:
        engine = engine_of(pilot)
        for burst in range(BURSTS):
            answers = rng.choice(ANSWERS)
            engine.refuse = "The process that computed this has ended." if answers == "with an error" else ""
            if answers in ("late", "never"):
                engine.hold()
            else:
                engine.hand_over()
            if rng.random() < 0.3:
                width, height = rng.choice(SIZES)
                await pilot.resize_terminal(width, height)
            keys = [rng.choice(NAMED) if rng.random() < 0.45 else rng.choice(TYPED) for _ in range(KEYS)]
            await press(pilot, *keys)
            if answers == "late":
                engine.hand_over()
            assert pilot.app.is_running and not pilot.app._exit
            seen.add(type(pilot.app.screen).__name__)
            if os.path.exists(fault_log_path()):
                fault = Path(fault_log_path()).read_text()
                raise AssertionError(f"burst {burst} ({answers}) of seed {seed}: {keys}\n{fault}")
            for path in Path(files.new_path("any")).parent.glob("*"):
                if read.get(path) != path.stat().st_mtime_ns:
                    record.read(path.read_text()).table()  # every game can be replayed
                    read[path] = path.stat().st_mtime_ns
            screen = pilot.app.screen
            if isinstance(screen, PlayScreen) and screen.game.path and not screen.game.match:
                assert screen.game.record_text() == Path(screen.game.path).read_text()
            if rng.random() < 0.2:
                engine.hand_over()
                for _ in range(20):
                    if not isinstance(pilot.app.screen, HomeScreen):
                        await press(pilot, "escape")
                assert isinstance(pilot.app.screen, HomeScreen), "Escape leads home"
                await press(pilot, rng.choice("pctzlkse"))
    assert len(seen) >= 8
