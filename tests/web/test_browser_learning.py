"""Puzzles, lessons and theorems in a real browser: nothing is loaded again, and this browser remembers."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from numberduels.analysis.puzzles import Puzzle, daily_puzzle, find_puzzle
from numberduels.game.registry import spec
from numberduels.web.http.puzzles import today
from web.browsers import Visit

pytestmark = pytest.mark.long


def keep(page: Page) -> None:
    """Mark the page, so that `kept` sees whether it was loaded again."""
    page.evaluate("window.kept = true")


def kept(page: Page) -> bool:
    return bool(page.evaluate("window.kept === true"))


def press(page: Page, answer: str) -> None:
    """Give an answer to a puzzle or a lesson."""
    page.locator(f'button[name=move][value="{answer}"]').first.click()


def wrong(puzzle: Puzzle) -> str:
    return next(answer for answer in puzzle.answers if answer != puzzle.answer)


def log(page: Page) -> Any:
    return json.loads(page.evaluate("localStorage.getItem('puzzles') || '{}'"))


def test_a_puzzle_is_answered_without_loading_the_page_and_is_counted_once(visit: Visit) -> None:
    page, puzzle = visit(), find_puzzle("range-war", 1, "browser")
    page.goto("/puzzles/range-war/1/browser")
    keep(page)
    page.locator("details[data-hint] summary").first.click()
    press(page, wrong(puzzle))
    expect(page.locator(".answer.wrong")).to_be_visible()
    page.reload()  # the same wrong answer again
    expect(page.locator(".answer.wrong")).to_be_visible()
    keep(page)
    press(page, puzzle.answer)
    expect(page.locator(".answer.right")).to_be_visible()
    assert kept(page) and page.url.endswith(f"?move={puzzle.answer}")
    expect(page.locator("[data-result] [data-glyphs]")).to_have_text("○✗✓")
    page.reload()
    expect(page.locator("[data-result] [data-glyphs]")).to_have_text("○✗✓")
    assert log(page)["range-war/1/browser"]["events"] == "hxv"


def test_daily_puzzles_make_a_streak(visit: Visit) -> None:
    page = visit()
    day = today()
    puzzle = daily_puzzle(spec("range-war"), day)
    assert puzzle
    earlier = {
        f"number-snatch/1/{day - timedelta(back)}": {
            "events": "v",
            "seen": ["v"],
            "day": (day - timedelta(back)).isoformat(),
        }
        for back in (1, 2, 4, 5, 6, 7)
    }
    page.goto("/puzzles")
    page.evaluate("log => localStorage.setItem('puzzles', log)", json.dumps(earlier))
    page.reload()
    figures = page.locator("[data-statistics] dd")
    expect(figures).to_have_text(["2", "4", "6", "100 %"])
    page.goto(f"/puzzles/range-war/{puzzle.level}/{day}")
    press(page, puzzle.answer)
    expect(page.locator(".answer.right")).to_be_visible()
    expect(figures).to_have_text(["3", "4", "7", "100 %"])
    page.goto("/puzzles")
    mark = page.locator(f'[data-solved-mark="range-war/{puzzle.level}/{day}"]')
    expect(mark).to_be_visible()
    expect(page.locator("[data-solved-mark]:visible")).to_have_count(1)


def test_a_log_that_cannot_be_read_is_no_obstacle(visit: Visit) -> None:
    page = visit()
    page.goto("/puzzles")
    for text in ("not json", "[1, 2]", "null"):
        page.evaluate("text => localStorage.setItem('puzzles', text)", text)
        page.goto("/puzzles")
        expect(page.locator("[data-statistics]")).to_be_hidden()


def test_a_lesson_stops_a_mistake_and_remembers_that_it_is_done(visit: Visit) -> None:
    page = visit()
    page.goto("/learn/restricted-removal/even")
    keep(page)
    page.get_by_role("link", name="Now you").click()
    press(page, "6")
    expect(page.locator(".coach.stopped")).to_be_visible()
    press(page, "3")
    expect(page.locator(".coach.told")).to_contain_text("It is your turn")
    page.locator(".board button[name=move]").first.click()
    expect(page.locator(".coach.won")).to_contain_text("1 move was taken back")
    assert kept(page)
    page.goto("/learn/restricted-removal")
    expect(page.locator('[data-done-mark="restricted-removal/even"]')).to_be_visible()
    expect(page.locator("[data-done-mark]:visible")).to_have_count(1)


def test_the_number_of_a_theorem_is_moved_by_a_slider(visit: Visit) -> None:
    page = visit()
    page.goto("/learn/range-war/theorem")
    keep(page)
    told = page.locator(".theorem-told")
    slider = page.locator("input[type=range]")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Below 7: 6. Above 7: 6.")
    expect(told).to_contain_text("Player 1 wins")
    assert kept(page)
    page.locator(".winners a").last.click()
    expect(told).to_contain_text("Below 13: 12.")
    expect(slider).to_have_value("12")
    page.reload()
    expect(told).to_contain_text("Below 13: 12.")
