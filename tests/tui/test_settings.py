"""The settings as a form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from numberduels.play.settings import load_settings, settings_path, update_settings
from numberduels.tui.app import DARK, LIGHT
from numberduels.tui.settings import ChoiceField, SettingsScreen

from .driving import (
    in_app,
    press,
    screen_text,
    settled,
    started,
    until,
    words,
)

SMALL = (40, 20)


async def go_to(pilot: Pilot[int], field: str) -> None:
    pilot.app.screen.query_one(f"#{field}").focus()
    await settled(pilot)


@in_app
async def test_a_name_is_kept_when_the_field_is_left() -> None:
    async with started(SettingsScreen(), SMALL) as pilot:
        await press(pilot, *"Ada", "down")
        await settled(pilot)
        assert load_settings().name == "Ada"
        assert "kept" in screen_text(pilot).splitlines()[0]


@in_app
async def test_a_name_is_kept_when_the_screen_is_left() -> None:
    screen = SettingsScreen()
    async with started(screen) as pilot:
        await press(pilot, *"Ada", "escape")
        await until(pilot, lambda: pilot.app.screen is not screen)
        assert load_settings().name == "Ada"


@in_app
async def test_a_name_with_a_comma_is_refused_beside_the_field() -> None:
    async with started(SettingsScreen(), SMALL) as pilot:
        await press(pilot, *"A,B", "enter")
        await settled(pilot)
        assert "without a comma" in words(pilot)
        assert load_settings().name == ""


@in_app
async def test_arrows_change_the_colours_at_once() -> None:
    async with started(SettingsScreen()) as pilot:
        await go_to(pilot, "theme")
        for theme, name in (("dark", DARK.name), ("light", LIGHT.name), ("auto", DARK.name)):
            await press(pilot, "right")
            await settled(pilot)
            assert (load_settings().theme, pilot.app.theme) == (theme, name)
        await press(pilot, "left")
        assert load_settings().theme == "light"


@pytest.mark.parametrize(
    ("field", "on", "back"),
    [("opponent", "skilled", "casual"), ("rule_set", "sizes", "balanced"), ("first", "1", "random")],
)
@in_app
async def test_clicks_change_a_choice_on_and_back(field: str, on: str, back: str) -> None:
    async with started(SettingsScreen(), SMALL) as pilot:
        await pilot.click(f"#{field}", offset=(4, 0))
        assert getattr(load_settings(), field) == on
        await pilot.click(f"#{field}", offset=(0, 0))
        assert getattr(load_settings(), field) == back


@in_app
async def test_a_size_is_kept_when_its_game_accepts_it() -> None:
    screen = SettingsScreen()
    async with started(screen, SMALL) as pilot:
        await go_to(pilot, "size-range-war-size")
        await press(pilot, "1", "2")
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is not screen)
        assert load_settings().sizes == {"range-war": {"size": "12"}}


@in_app
async def test_a_size_is_refused_in_the_words_of_its_game() -> None:
    screen = SettingsScreen()
    async with started(screen, SMALL) as pilot:
        await go_to(pilot, "size-range-war-size")
        await press(pilot, "0")

        def refused() -> bool:
            return "must be a whole number from 1 to 10000, not 0" in words(pilot)

        await until(pilot, refused)
        await press(pilot, "enter")
        assert load_settings().sizes == {}
        await press(pilot, "backspace", "7", "enter")
        await until(pilot, lambda: not refused())
        await go_to(pilot, "theme")
        assert load_settings().sizes == {"range-war": {"size": "7"}}


@in_app
async def test_a_size_that_is_typed_again_after_another_one_is_kept() -> None:
    update_settings(sizes={"range-war": {"size": "7"}})
    screen = SettingsScreen()
    async with started(screen) as pilot:
        field = screen.query_one("#size-range-war-size", Input)
        await go_to(pilot, "size-range-war-size")
        for typed in ("12", "7"):  # 12 is accepted, and 7 is what is kept already
            await press(pilot, "end", *["backspace"] * 2, *typed)
            await until(pilot, lambda typed=typed: field.value == typed)  # type: ignore[misc]
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is not screen)
        assert load_settings().sizes == {"range-war": {"size": "7"}}


@in_app
async def test_the_fault_goes_when_the_kept_size_is_typed_again() -> None:
    update_settings(sizes={"range-war": {"size": "7"}})
    screen = SettingsScreen()
    async with started(screen) as pilot:
        await go_to(pilot, "size-range-war-size")
        await press(pilot, "end", "backspace", "0")
        await until(pilot, lambda: "Not kept." in words(pilot))
        screen.query_one("#size-range-war-size", Input).value = "7"  # as a paste does it, in one step
        await until(pilot, lambda: "Not kept." not in words(pilot))


@in_app
async def test_sizes_that_do_not_fit_together_are_refused_until_they_do() -> None:
    async with started(SettingsScreen()) as pilot:
        await go_to(pilot, "rule_set")
        await press(pilot, "right")  # by the book: the target is 50
        await go_to(pilot, "size-summation-duel-size")
        await press(pilot, "4")
        await until(pilot, lambda: "Not kept" in screen_text(pilot))
        await go_to(pilot, "size-summation-duel-target")
        assert load_settings().sizes == {}
        await press(pilot, "6")
        await until(pilot, lambda: "Not kept" not in screen_text(pilot))
        await go_to(pilot, "name")
        assert load_settings().sizes == {"summation-duel": {"size": "4", "target": "6"}}


@in_app
async def test_a_choice_of_a_game_is_kept_and_its_default_forgets_it() -> None:
    async with started(SettingsScreen()) as pilot:
        await go_to(pilot, "size-range-war-opening")
        await press(pilot, "right")
        await until(pilot, lambda: load_settings().sizes == {"range-war": {"opening": "lower"}})
        await press(pilot, "left")
        await until(pilot, lambda: load_settings().sizes == {})


@in_app
async def test_the_sizes_of_the_book_are_shown_in_empty_fields() -> None:
    async with started(SettingsScreen()) as pilot:
        field = pilot.app.screen.query_one("#size-range-war-size", Input)
        assert field.placeholder == "10 (by the book)"
        opening = pilot.app.screen.query_one("#size-range-war-opening", ChoiceField)
        assert opening.values[0].label == "must be lower (the book)"


@in_app
async def test_the_path_of_the_file_is_shown() -> None:
    screen = SettingsScreen()
    async with started(screen, SMALL) as pilot:
        screen.query_one("#path").scroll_visible(animate=False)
        await settled(pilot)
        assert settings_path() in words(pilot).replace(" ", "")


@in_app
async def test_what_other_programs_keep_in_the_file_stays() -> None:
    path = Path(settings_path())
    path.parent.mkdir(parents=True)
    path.write_text('{"opponent": "mcts:300", "else": 7}')
    async with started(SettingsScreen()) as pilot:
        assert "mcts:300" in screen_text(pilot)
        await press(pilot, *"Ada", "down")
        await settled(pilot)
    kept: dict[str, Any] = json.loads(path.read_text())
    assert kept == {"name": "Ada", "opponent": "mcts:300", "else": 7}
