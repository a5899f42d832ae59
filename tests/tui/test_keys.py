"""The keys of a screen: the last line, and the list of all keys."""

from __future__ import annotations

from numberduels.game import registry
from numberduels.play.setup import Setup, start_game
from numberduels.tui.play import PlayScreen

from .driving import (
    in_app,
    press,
    screen_text,
    settled,
    started,
    until,
)


def table() -> PlayScreen:
    setup = Setup(registry.spec("range-war"), "book", "perfect", "1")
    return PlayScreen(start_game(setup, ("Ada", ""), "7"))


@in_app
async def test_the_key_to_all_keys_is_always_in_the_last_line() -> None:
    async with started(table()) as pilot:
        for keys in ((), ("g", "g")):
            await press(pilot, *keys)
            for columns in (40, 60, 80, 120):
                await pilot.resize_terminal(columns, 24)
                await settled(pilot)
                assert screen_text(pilot).endswith("? All keys"), columns
        assert "n Rematch" in screen_text(pilot)


@in_app
async def test_no_key_of_the_last_line_is_cut() -> None:
    described = {"Hint", "Values", "Undo", "Earlier", "Rules", "Moves", "Give up", "Leave", "All keys"}
    async with started(table(), (200, 24)) as pilot:
        for columns in range(60, 40, -1):
            await pilot.resize_terminal(columns, 24)
            await settled(pilot)
            line = screen_text(pilot).splitlines()[-1]
            shown = {" ".join(part.split()[1:]) for part in line.strip().split("  ") if part}
            assert shown <= described, line


@in_app
async def test_the_keys_have_the_names_that_people_know() -> None:
    async with started(table(), (40, 40)) as pilot:
        await press(pilot, "f1")
        await until(pilot, lambda: "Keys (Esc closes)" in screen_text(pilot))
        text = screen_text(pilot)
        assert "← → ↑ ↓" in text and ", or Page up" in text and "Ctrl+C or Ctrl+Q" in text
        assert "pageup" not in text and "ctrl" not in text and "left" not in text


@in_app
async def test_the_keys_are_chosen_again_when_the_terminal_becomes_wider() -> None:
    async with started(table(), (40, 24)) as pilot:
        assert "Give up" not in screen_text(pilot)
        await pilot.resize_terminal(120, 24)
        await until(pilot, lambda: "Give up" in screen_text(pilot))
