"""The statistics as a page, and their export."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from textual.pilot import Pilot

from numberduels.game import files, record, registry
from numberduels.play import lessons
from numberduels.play.puzzles import PuzzleResult, append_result
from numberduels.tui.text_pages import StatisticsScreen, StatisticsText

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


def keep_games() -> None:
    """An unfinished, a won and a lost game of Range War against casual, and one between friends."""
    spec = registry.spec("range-war")
    games = [
        ("2026.11.14", ("human", "casual"), (6, 5)),  # it goes on with 7: unfinished
        ("2026.11.15", ("human", "casual"), (1,)),  # nothing is lower: won at once
        ("2026.11.15", ("casual", "human"), (1,)),
        ("2026.11.16", ("human", "human"), (1,)),
    ]
    for day, seats, moves in games:
        text = record.write(record.Record(spec, spec.make(), moves, seats=seats, date=day))
        files.write_text(files.new_path(spec.name), text)


def solve_puzzles(today: date) -> None:
    for back in range(3):
        append_result(PuzzleResult(today - timedelta(back), "range-war", 1, str(back), daily=True))
    append_result(PuzzleResult(today, "range-war", 1, "other", solved=False))


async def counted(pilot: Pilot[int], screen: StatisticsScreen) -> None:
    await until(pilot, lambda: screen.query_one(StatisticsText).statistics is not None)
    await settled(pilot)


@in_app
async def test_an_empty_page_says_what_to_do() -> None:
    screen = StatisticsScreen()
    async with started(screen, SMALL) as pilot:
        await counted(pilot, screen)
        assert "Nothing here yet. Play a game" in words(pilot)


@in_app
async def test_games_are_counted_by_game_opponent_and_seat() -> None:
    keep_games()
    screen = StatisticsScreen()
    async with started(screen, SMALL) as pilot:
        await counted(pilot, screen)
        shown = words(pilot)
        assert "Games games won lost open" in shown
        assert "Range War 4 1 1 1" in shown
        assert "casual 3 1 1 1" in shown and "a friend 1 0 0 0" in shown
        await press(pilot, "end")
        await settled(pilot)
        shown = words(pilot)
        assert "moving first 2 1 0 1" in shown and "moving second 1 0 1 0" in shown


@in_app
async def test_right_choices_are_drawn_by_day_with_figures() -> None:
    keep_games()
    screen = StatisticsScreen()
    async with started(screen, SMALL) as pilot:
        await counted(pilot, screen)
        for _ in range(40):
            await press(pilot, "down")
        # The only judged choice is the first move of the won game: 1 to 5 win, 6 to 10 lose.
        line = next(each for each in screen_text(pilot).splitlines() if "2026-11-15" in each)
        assert "100%" in line and "█" in line and "·" not in line
        assert "Right choices 100% in all" in words(pilot)


@in_app
async def test_puzzles_and_lessons_are_counted() -> None:
    solve_puzzles(date.today())
    lessons.mark_done("range-war", "first-game")
    screen = StatisticsScreen()
    async with started(screen, SMALL) as pilot:
        await counted(pilot, screen)
        shown = words(pilot)
        assert "3 of 4 solved" in shown and "streak of daily puzzles: 3 days" in shown
        assert "Range War: 1 of 5" in shown and "rating: " in shown


@in_app
async def test_a_damaged_file_is_noted_and_the_rest_is_counted() -> None:
    keep_games()
    Path(files.new_path("range-war")).write_text("[nothing")
    screen = StatisticsScreen()
    async with started(screen, (120, 40)) as pilot:
        await counted(pilot, screen)
        assert "Range War 4" in words(pilot) and "Note: " in words(pilot)


@in_app
async def test_many_days_are_drawn_as_one_line_and_the_newest_as_bars() -> None:
    spec = registry.spec("range-war")
    for day in range(1, 13):
        text = record.write(
            record.Record(spec, spec.make(), (1,), seats=("human", "casual"), date=f"2026.10.{day:02}")
        )
        files.write_text(files.new_path(spec.name), text)
    screen = StatisticsScreen()
    async with started(screen, (80, 50)) as pilot:
        await counted(pilot, screen)
        shown = words(pilot)
        assert "all days" in shown and "█" * 12 in screen_text(pilot)
        assert "2026-10-12" in shown and "2026-10-05" in shown and "2026-10-04" not in shown
