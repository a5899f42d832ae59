"""axe finds no problem on any page: wide and light, narrow and dark."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsers import PHONE, SMALL, WIDE, Visit, begin, is_at, play

pytestmark = pytest.mark.long

GAMES = [*SMALL]
every_game = pytest.mark.parametrize("game", GAMES)

SCRIPT = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


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


LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""The rules about what depends on the screen."""


def amiss(page: Page, options: dict[str, Any]) -> None:
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(SCRIPT)
    asked = {"resultTypes": ["violations"], "preload": False, **options}
    found = page.evaluate("options => axe.run(options)", asked)["violations"]
    places = [(each["help"], [node["html"] for node in each["nodes"]]) for each in found]
    assert places == [], page.url


@every_game
def test_a_game_from_its_start_to_its_review(visit: Visit, game: str) -> None:
    page = visit()
    begin(page, game, "here", name="Ada")
    check(page)
    play(page, 0)
    is_at(page, 1)
    check(page)
    page.get_by_text("Resign", exact=True).click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_role("link", name="Show values").click()
    expect(page.get_by_role("link", name="Hide values")).to_be_visible()
    check(page)
    if game in ("number-snatch", "restricted-removal"):  # with points, and without
        page.get_by_role("link", name="Review the game").click()
        page.wait_for_url("**/review")
        check(page)


def test_a_game_against_the_computer_with_a_hint(visit: Visit) -> None:
    page = visit()
    begin(page, "number-collision", "computer", level="perfect")
    page.goto(f"{page.url}?hint=1&values=1")
    expect(page.locator(".hint")).to_be_visible()
    check(page)


def test_the_way_to_a_game_with_a_friend(visit: Visit) -> None:
    one, other = visit(), visit(expected="403")
    begin(one, "summation-duel", "friend")
    check(one)
    link = one.locator(".invite input").input_value()
    other.goto(link)
    check(other)
    other.locator("[name=invitation]").evaluate("field => field.value = 'wrong'")
    other.get_by_role("button", name="Sit down").click()
    expect(other.get_by_role("alert")).to_be_visible()
    check(other)
    other.goto(link)
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
    page.goto("/")
    for each in page.locator("summary").all():
        each.click()
    check(page)
    page.locator('[name="range-war.options.size"]').fill("many")
    page.get_by_role("button", name="Play Range War").click()
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.locator('[name="range-war.options.size"]:focus')).to_have_value("many")
    check(page)


def test_my_games_and_an_invitation_with_its_code(visit: Visit) -> None:
    page = visit()
    begin(page, "range-war", "friend", name="Ada")
    page.locator(".by-qr summary").click()
    check(page)
    friend = visit()
    friend.goto(page.locator(".invite input").input_value())
    check(friend)
    begin(page, "range-war", "here")
    page.request.post(f"{page.url}/resign")
    for place in ("/", "/games"):
        page.goto(place)
        check(page)


def test_home_in_another_language(visit: Visit) -> None:
    page = visit()
    page.goto("/?language=de")
    assert page.locator("html").get_attribute("lang") == "de"
    check(page)


def test_pages_that_lead_on(visit: Visit) -> None:
    page = visit(expected="404")
    for place in ("/puzzles", "/learn", "/nowhere", "/offline", "/games"):
        page.goto(place)
        check(page)


def test_learn_pages(visit: Visit) -> None:
    page = visit()
    for game in GAMES:
        page.goto(f"/learn/{game}")
        page.locator("main details").evaluate_all("all => all.forEach(each => { each.open = true; })")
        check(page)
        page.goto(f"/learn/{game}/theorem")
        check(page)
    page.goto("/learn/range-war/claims")
    check(page)


def test_lessons(visit: Visit) -> None:
    page = visit()
    for place in (
        "range-war/nearest",
        "range-war/nearest?m=7",
        "number-collision/triple?m=&hint=1",
        "restricted-removal/even?m=3,11",
    ):
        page.goto(f"/learn/{place}")
        check(page)


def test_a_puzzle_and_its_answers(visit: Visit) -> None:
    page = visit()
    page.goto("/puzzles/restricted-removal/1/any")
    check(page)
    moves = [each.get_attribute("value") for each in page.locator("button[name=move]").all()]
    seen = set()
    for move in moves:
        page.goto("/puzzles/restricted-removal/1/any")
        page.locator(f'button[name=move][value="{move}"]').click()
        answer = page.locator("div.answer").get_attribute("class")
        if answer not in seen:
            seen.add(answer)
            check(page)
        if len(seen) == 2:
            break
    assert seen == {"answer right", "answer wrong"}
    page.goto("/puzzles/restricted-removal/1/any?solution=1")
    check(page)
