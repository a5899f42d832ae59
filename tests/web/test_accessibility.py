"""axe finds no problem on any page: wide and light, narrow and dark."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsers import PHONE, SMALL, WIDE, Visit, begin, is_at, play

pytestmark = pytest.mark.long

SCRIPT = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")

LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""The rules about what depends on the screen."""


def check(page: Page) -> None:
    """See that nothing is amiss, on a wide light screen and on a narrow dark one."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]  # a mapping of the two sizes
    amiss(page, {})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a mapping of the two sizes
    # Here the page is the same, and only looks otherwise.
    amiss(page, {"runOnly": {"type": "rule", "values": LOOKS}})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def amiss(page: Page, options: dict[str, Any]) -> None:
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(SCRIPT)
    asked = {"resultTypes": ["violations"], "preload": False, **options}
    found = page.evaluate("options => axe.run(options)", asked)["violations"]
    places = [(each["help"], [node["html"] for node in each["nodes"]]) for each in found]
    assert places == [], page.url


def test_games_from_the_first_move_to_the_review(visit: Visit) -> None:
    page = visit()
    for game in SMALL:
        begin(page, game, "here", name="Ada")
        play(page, 0)
        is_at(page, 1)
        check(page)
        page.get_by_text("Resign", exact=True).click()
        page.get_by_role("button", name="Yes, resign").click()
        page.get_by_role("link", name="Show values").click()
        expect(page.get_by_role("link", name="Hide values")).to_be_visible()
        check(page)
    page.get_by_role("link", name="Review the game").click()
    page.wait_for_url("**/review")
    check(page)


def test_the_way_to_a_game_with_a_friend(visit: Visit) -> None:
    one, other = visit(), visit()
    begin(one, "summation-duel", "friend")
    one.locator(".by-qr summary").click()
    check(one)
    other.goto(one.locator(".invite input").input_value())
    check(other)
    other.get_by_role("button", name="Sit down").click()
    play(one, 0)
    is_at(other, 1)
    one.get_by_role("button", name="Ask to take back").click()
    expect(other.get_by_role("button", name="Allow it")).to_be_visible()
    check(other)
    one.context.set_offline(True)
    expect(one.locator("#lost")).to_be_visible()
    check(one)


def test_home_and_what_it_says_of_a_mistake(visit: Visit) -> None:
    page = visit(expected="422")
    begin(page, "range-war", "here")
    page.goto("/")
    for each in page.locator("summary").all():
        each.click()
    check(page)
    page.locator('[name="range-war.options.size"]').fill("many")
    page.get_by_role("button", name="Play Range War").click()
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.locator('[name="range-war.options.size"]:focus')).to_have_value("many")
    check(page)


def test_pages_to_read_and_to_learn_from(visit: Visit) -> None:
    page = visit(expected="404")
    begin(page, "range-war", "here")
    for place in (
        "/?language=de",
        "/games?language=en",
        "/puzzles",
        "/puzzles/restricted-removal/1/any?solution=1",
        "/learn",
        "/learn/range-war",
        "/learn/range-war/claims",
        "/learn/range-war/theorem",
        "/learn/range-war/nearest?m=7",
        "/learn/number-collision/triple?m=&hint=1",
        "/nowhere",
        "/offline",
    ):
        page.goto(place)
        page.locator("main details").evaluate_all("all => all.forEach(each => { each.open = true; })")
        check(page)
