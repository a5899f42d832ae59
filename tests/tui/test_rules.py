"""The rules as a screen and as a panel."""

from __future__ import annotations

import pytest
from textual.app import ComposeResult
from textual.events import MouseScrollDown

from numberduels import registry
from numberduels.tui.base import DuelScreen
from numberduels.tui.rules import RulesPanel, RulesScreen
from ours import OURS

from .driving import in_app, screen_text, started


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
@in_app
async def test_the_rules_of_every_game_are_shown(name: str, size: tuple[int, int]) -> None:
    spec = registry.spec(name)
    async with started(RulesScreen(spec), size) as pilot:
        shown = screen_text(pilot)
        assert f"{spec.title}: the rules" in shown and "How to play" in shown and "#" not in shown


@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
@in_app
async def test_keys_scroll_and_go_from_part_to_part(size: tuple[int, int]) -> None:
    screen = RulesScreen(registry.spec("range-war"))
    async with started(screen, size) as pilot:
        panel = screen.query_one(RulesPanel)
        await pilot.press("down", "down")
        await pilot.pause()
        assert panel.scroll_target_y == 2
        await pilot.press("end")
        await pilot.pause()
        assert panel.scroll_target_y == panel.max_scroll_y
        await pilot.press("home")
        await pilot.pause()
        await pilot.press("n", "n")
        await pilot.pause()
        rows = screen_text(pilot).splitlines()
        assert "An example" in rows[1] + rows[2]
        await pilot.press("p")
        await pilot.pause()
        rows = screen_text(pilot).splitlines()
        assert "How to play" in rows[1] + rows[2]


@in_app
async def test_the_wheel_of_the_mouse_scrolls() -> None:
    screen = RulesScreen(registry.spec("range-war"))
    async with started(screen) as pilot:
        panel = screen.query_one(RulesPanel)
        await pilot._post_mouse_events([MouseScrollDown], panel, button=0)
        await pilot.pause()
        assert panel.scroll_target_y > 0


@in_app
async def test_escape_goes_back() -> None:
    screen = RulesScreen(registry.spec("range-war"))
    async with started(screen) as pilot:
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen is not screen


class Beside(DuelScreen):
    """A screen with a panel whose game changes."""

    def body(self) -> ComposeResult:
        yield RulesPanel()


@in_app
async def test_a_panel_can_change_its_game() -> None:
    screen = Beside()
    async with started(screen, (40, 20)) as pilot:
        panel = screen.query_one(RulesPanel)
        for name in ("range-war", "summation-duel"):
            panel.show(registry.spec(name))
            await pilot.pause()
            assert registry.spec(name).title in screen_text(pilot)
