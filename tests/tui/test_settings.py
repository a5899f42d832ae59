"""The settings as a form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from numberduels.play.settings import load_settings, settings_path, update_settings
from numberduels.tui.app import DARK, LIGHT
from numberduels.tui.settings import ChoiceField, SettingsScreen

from .driving import in_app, press, screen_text, settled, started, words

SMALL = (40, 20)


async def go_to(pilot: Pilot[int], field: str) -> None:
    pilot.app.screen.query_one(f"#{field}").focus()
    await settled(pilot)


@in_app
async def test_a_name_is_kept_when_the_field_or_the_screen_is_left_and_refused_beside_the_field() -> None:
    async with started(size=SMALL) as pilot:
        await press(pilot, "e", "question_mark")
        assert "Keys (Esc closes)" in words(pilot)
        await press(pilot, "escape", "up", *"Ada")
        assert words(pilot).endswith("F1 All keys"), "a question mark would be part of the name"
        await press(pilot, "down")
        assert words(pilot).endswith("? All keys")
        assert load_settings().name == "Ada" and "kept" in screen_text(pilot).splitlines()[0]
        await press(pilot, "up", "end", *",B", "enter")
        assert "without a comma" in words(pilot) and load_settings().name == "Ada"
        await press(pilot, "backspace", "backspace", "m", "escape")
        assert load_settings().name == "Adam" and not isinstance(pilot.app.screen, SettingsScreen)
        await press(pilot, "e")
        pilot.app.screen.query_one("#path").scroll_visible(animate=False)
        await settled(pilot)
        assert settings_path() in words(pilot).replace(" ", "")


@in_app
async def test_arrows_and_clicks_change_a_choice_on_and_back() -> None:
    async with started(SettingsScreen(), SMALL) as pilot:
        for field, on, back in (
            ("opponent", "skilled", "casual"),
            ("rule_set", "sizes", "balanced"),
            ("first", "1", "random"),
        ):
            await pilot.click(f"#{field}", offset=(4, 0))
            assert getattr(load_settings(), field) == on
            await pilot.click(f"#{field}", offset=(0, 0))
            assert getattr(load_settings(), field) == back
        await go_to(pilot, "theme")
        for key, theme, name in (("right", "dark", DARK.name), ("right", "light", LIGHT.name)):
            await press(pilot, key)
            assert (load_settings().theme, pilot.app.theme) == (theme, name)
        await press(pilot, "left")
        assert load_settings().theme == "dark"


@in_app
async def test_a_size_is_kept_when_its_game_accepts_it() -> None:
    screen = SettingsScreen()
    async with started(screen, SMALL) as pilot:
        field = screen.controls["size-range-war-size"]
        assert isinstance(field, Input) and field.placeholder == "10 (by the book)"
        await go_to(pilot, "size-range-war-size")
        await press(pilot, "0")
        assert "must be a whole number from 1 to 10000, not 0" in words(pilot)
        await press(pilot, "enter")
        assert load_settings().sizes == {}
        await press(pilot, "backspace", "7")
        assert "whole number" not in words(pilot) and load_settings().sizes == {}, "somebody is typing"
        await press(pilot, "enter")
        assert load_settings().sizes == {"range-war": {"size": "7"}}
        for typed in ("12", "7"):  # 7 is what is kept already
            await press(pilot, "end", *["backspace"] * 2, *typed)
        await press(pilot, "1", "escape")
        assert load_settings().sizes == {"range-war": {"size": "71"}}


@in_app
async def test_a_size_of_the_file_that_is_wrong_is_said_until_it_is_changed() -> None:
    update_settings(sizes={"range-war": {"size": "0"}})
    screen = SettingsScreen()
    async with started(screen) as pilot:
        assert "Not kept." in words(pilot)
        screen.query_one("#size-range-war-size", Input).value = "7"  # as a paste does it, in one step
        await settled(pilot)
        assert "Not kept." not in words(pilot)


@in_app
async def test_sizes_that_do_not_fit_together_are_refused_until_they_do() -> None:
    async with started(SettingsScreen()) as pilot:
        await go_to(pilot, "size-summation-duel-size")
        await press(pilot, "4")  # by the book the target is 50
        assert "Not kept" in screen_text(pilot)
        await go_to(pilot, "size-summation-duel-target")
        assert load_settings().sizes == {}
        await press(pilot, "6")
        assert "Not kept" not in screen_text(pilot)
        await go_to(pilot, "name")
        assert load_settings().sizes == {"summation-duel": {"size": "4", "target": "6"}}


@in_app
async def test_a_choice_of_a_game_is_kept_and_its_default_forgets_it() -> None:
    screen = SettingsScreen()
    async with started(screen) as pilot:
        opening = screen.controls["size-range-war-opening"]
        assert isinstance(opening, ChoiceField) and opening.values[0].label == "must be lower (the book)"
        await go_to(pilot, "size-range-war-opening")
        await press(pilot, "right")
        assert load_settings().sizes == {"range-war": {"opening": "lower"}}
        await press(pilot, "left")
        assert load_settings().sizes == {}


@in_app
async def test_what_other_programs_keep_in_the_file_stays() -> None:
    path = Path(settings_path())
    path.parent.mkdir(parents=True)
    path.write_text('{"opponent": "mcts:300", "else": 7}')
    async with started(SettingsScreen()) as pilot:
        assert "mcts:300" in screen_text(pilot)
        await press(pilot, "up", *"Ada", "down")
        await settled(pilot)
    kept: dict[str, Any] = json.loads(path.read_text())
    assert kept == {"name": "Ada", "opponent": "mcts:300", "else": 7}
