"""Random keys in bursts, resizes, and an engine that answers at once, late, never or with an error."""

from __future__ import annotations

import os
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from numberduels.game import files, record
from numberduels.play.settings import LONGEST_NAME, update_settings
from numberduels.tui import play
from numberduels.tui.app import SCREENS, fault_log_path
from numberduels.tui.home import HomeScreen
from numberduels.tui.play import PlayScreen
from numberduels.tui.settings import SettingsScreen

from .driving import engine_of, in_app, press, started

BURSTS = 250
KEYS = 40
NAMED = ["enter", "escape", "up", "down", "left", "right", "tab", "space", "backspace", "home", "end"]
NAMED += ["pageup", "pagedown", "f1", "shift+tab", "delete"]
TYPED = "abcdefghiklmnopqrstuvwxz0123456789,.?[/]ABN"
SIZES = [(30, 8), (200, 60), (40, 20), (80, 24), (69, 21), (70, 22), (55, 12), (100, 15)]
WAYS = ["p", "p enter", "c", "t", "z", "t enter", "l", "l enter", "l enter enter", "k", "k w", "s", "e"]
WAYS += ["p i", "f1"]
"""The keys that lead from home to each screen."""
ANSWERS = ["at once", "late", "never", "with an error"]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
@in_app
async def test_random_keys_crash_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where the statistics are exported to
    monkeypatch.setattr(play, "PAUSE", 0.0)
    monkeypatch.setattr(HomeScreen, "action_leave", lambda _: None)
    update_settings(opponent="beginner", game="range-war")
    rng, ways, seen = Random(f"soak {seed}"), cycle(WAYS), set()
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
            if burst % 5 == 4:
                engine.refuse = ""
                engine.hand_over()
                for _ in range(20):
                    if not isinstance(pilot.app.screen, HomeScreen):
                        await press(pilot, "escape")
                assert isinstance(pilot.app.screen, HomeScreen), "Escape leads home"
                if rng.random() < 0.2:
                    await type_a_name(pilot, rng)
                for key in next(ways).split():
                    await press(pilot, key)
                seen |= {type(each).__name__ for each in pilot.app.screen_stack}
    assert seen >= {each.partition(":")[2] for each in SCREENS.values()}


async def type_a_name(pilot: Pilot[int], rng: Random) -> None:
    """Type a name in the settings: it shows whether all keys were handled in their order."""
    keys, name = ["e", "up", *["backspace"] * LONGEST_NAME], ""
    for _ in range(KEYS):
        letter = rng.choice("abc012 ")
        erased = rng.random() < 0.4
        name = name[:-1] if erased else (name + letter)[:LONGEST_NAME]
        keys.append("backspace" if erased else letter)
    await press(pilot, *keys)
    screen = pilot.app.screen
    assert isinstance(screen, SettingsScreen) and screen.controls["name"].value == name
    await press(pilot, "escape", "escape")
    assert isinstance(pilot.app.screen, HomeScreen)
