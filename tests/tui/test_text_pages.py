"""The pages of text: the rules, and the statistics."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from textual.events import MouseScrollDown

from numberduels.game import files, record, registry
from numberduels.play import lessons
from numberduels.play.puzzles import PuzzleResult, append_result
from numberduels.tui.text_pages import RulesScreen, StatisticsScreen
from ours import OURS

from .driving import in_app, press, screen_text, settled, started, until, words

SMALL = (40, 20)
RANGE_WAR = registry.spec("range-war")


# The rules


@in_app
async def test_the_rules_of_every_game_are_shown() -> None:
    async with started(size=SMALL) as pilot:
        for name in OURS:
            spec = registry.spec(name)
            pilot.app.push_screen(RulesScreen(spec))
            await settled(pilot)
            shown = screen_text(pilot)
            assert f"{spec.title}: the rules" in words(pilot), name
            assert "How to play" in shown and "#" not in shown, name
            await press(pilot, "escape")


@in_app
async def test_keys_and_the_wheel_scroll_and_go_from_part_to_part() -> None:
    screen = RulesScreen(RANGE_WAR)
    async with started(screen, SMALL) as pilot:
        panel = screen.panel
        await press(pilot, "down", "down")
        assert panel.scroll_target_y == 2
        await press(pilot, "end")
        assert panel.scroll_target_y == panel.max_scroll_y
        await press(pilot, "home")
        await until(pilot, lambda: panel.scroll_y == 0)
        await press(pilot, "n", "n")
        rows = screen_text(pilot).splitlines()
        assert "An example" in rows[1] + rows[2]
        await press(pilot, "p")
        rows = screen_text(pilot).splitlines()
        assert "How to play" in rows[1] + rows[2]
        before = panel.scroll_target_y
        await pilot._post_mouse_events([MouseScrollDown], panel, button=0)
        await settled(pilot)
        assert panel.scroll_target_y > before


# The statistics


def keep(day: str, seats: tuple[str, str], *moves: int) -> None:
    game = record.Record(RANGE_WAR, RANGE_WAR.make(), moves, seats=seats, date=day)
    files.write_text(files.new_path("range-war"), record.write(game))


@in_app
async def test_games_puzzles_and_lessons_are_counted_and_a_damaged_file_is_noted() -> None:
    keep("2026.11.14", ("human", "casual"), 6, 5)  # it goes on with 7: unfinished
    keep("2026.11.15", ("human", "casual"), 1)  # nothing is lower: won at once
    keep("2026.11.15", ("casual", "human"), 1)
    keep("2026.11.16", ("human", "human"), 1)
    append_result(PuzzleResult(date.today(), "range-war", 1, "1", daily=True))
    append_result(PuzzleResult(date.today(), "range-war", 1, "other", solved=False))
    lessons.mark_done("range-war", "first-game")
    Path(files.new_path("range-war")).write_text("[nothing")
    async with started(StatisticsScreen(), (80, 50)) as pilot:
        shown = words(pilot)
        assert "Games games won lost open" in shown and "Range War 4 1 1 1" in shown
        assert "casual 3 1 1 1" in shown and "a friend 1 0 0 0" in shown
        assert "moving first 2 1 0 1" in shown and "moving second 1 0 1 0" in shown
        # The only judged choice is the first move of the won game: 1 to 5 win, 6 to 10 lose.
        line = next(each for each in screen_text(pilot).splitlines() if "2026-11-15" in each)
        assert "100%" in line and "█" in line and "·" not in line
        assert "Right choices 100% in all" in shown
        assert "1 of 2 solved" in shown and "streak of daily puzzles: 1 day" in shown
        assert "Range War: 1 of 5" in shown and "rating: " in shown and "Note: " in shown


@in_app
async def test_many_days_are_drawn_as_one_line_and_the_newest_as_bars() -> None:
    for day in range(1, 13):
        keep(f"2026.10.{day:02}", ("human", "casual"), 1)
    async with started(StatisticsScreen(), (80, 50)) as pilot:
        shown = words(pilot)
        assert "all days" in shown and "█" * 12 in screen_text(pilot)
        assert "2026-10-12" in shown and "2026-10-05" in shown and "2026-10-04" not in shown
