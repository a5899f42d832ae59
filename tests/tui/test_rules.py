"""The rules as a screen and as a panel."""

from __future__ import annotations

from textual.events import MouseScrollDown

from numberduels.game import registry
from numberduels.tui.text_pages import RulesPanel, RulesScreen
from ours import OURS

from .driving import (
    in_app,
    press,
    screen_text,
    settled,
    started,
    until,
    words,
)


@in_app
async def test_the_rules_of_every_game_are_shown() -> None:
    async with started(size=(40, 20)) as pilot:
        for name in OURS:
            spec = registry.spec(name)
            pilot.app.push_screen(RulesScreen(spec))
            await settled(pilot)
            shown = screen_text(pilot)
            assert f"{spec.title}: the rules" in words(pilot), name
            assert "How to play" in shown and "#" not in shown, name


@in_app
async def test_keys_scroll_and_go_from_part_to_part() -> None:
    screen = RulesScreen(registry.spec("range-war"))
    async with started(screen, (40, 20)) as pilot:
        panel = screen.query_one(RulesPanel)
        await press(pilot, "down", "down")
        await settled(pilot)
        assert panel.scroll_target_y == 2
        await press(pilot, "end")
        await settled(pilot)
        assert panel.scroll_target_y == panel.max_scroll_y
        await press(pilot, "home")
        await until(pilot, lambda: panel.scroll_y == 0)
        await press(pilot, "n", "n")
        await settled(pilot)
        rows = screen_text(pilot).splitlines()
        assert "An example" in rows[1] + rows[2]
        await press(pilot, "p")
        await settled(pilot)
        rows = screen_text(pilot).splitlines()
        assert "How to play" in rows[1] + rows[2]


@in_app
async def test_the_wheel_of_the_mouse_scrolls() -> None:
    screen = RulesScreen(registry.spec("range-war"))
    async with started(screen) as pilot:
        panel = screen.query_one(RulesPanel)
        await pilot._post_mouse_events([MouseScrollDown], panel, button=0)
        await settled(pilot)
        assert panel.scroll_target_y > 0


@in_app
async def test_escape_goes_back() -> None:
    screen = RulesScreen(registry.spec("range-war"))
    async with started(screen) as pilot:
        await press(pilot, "escape")
        await settled(pilot)
        assert pilot.app.screen is not screen
