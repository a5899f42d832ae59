"""Copying, sharing and embedding in a real browser, also on plain HTTP, which has no clipboard API."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from numberduels.analysis.puzzles import find_puzzle
from numberduels.game import registry
from web.browsers import Visit, begin

pytestmark = pytest.mark.long

PLAIN = "delete Navigator.prototype.clipboard; delete Navigator.prototype.share;"
"""What browsers leave out on a page without HTTPS."""


def pasted(page: Page) -> str:
    """What is in the clipboard, as somebody sees who pastes it."""
    page.goto("/")
    field = page.locator("input[name=name]")
    field.fill("")
    field.evaluate("each => each.removeAttribute('maxlength')")
    field.focus()
    page.keyboard.press("ControlOrMeta+v")
    return field.input_value()


def test_share_and_copy_work_on_plain_http(visit: Visit) -> None:
    page = visit()
    page.add_init_script(PLAIN)
    begin(page, "range-war", "friend")
    link = page.locator(".invite input").input_value()
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator(".toast")).to_have_text("Link copied")
    assert page.locator("textarea").count() == 0
    assert pasted(page) == link
    begin(page, "range-war", "friend")
    link = page.locator(".invite input").input_value()
    page.locator(".invite [data-copies]").click()
    expect(page.locator(".invite [data-copies]")).to_have_text("Copied")
    assert pasted(page) == link


def test_a_solved_puzzle_is_shared_on_plain_http(visit: Visit) -> None:
    page = visit()
    page.add_init_script(PLAIN)
    answer = find_puzzle(registry.spec("range-war"), 1, "1").answer
    page.goto(f"/puzzles/range-war/1/1?move={answer}")
    page.locator("[data-share-result]").click()
    expect(page.locator(".toast")).to_have_text("Copied")
    assert pasted(page).endswith("/puzzles/range-war/1/1")


def test_a_browser_that_does_not_copy_is_told_as_it_is(visit: Visit) -> None:
    page = visit()
    page.add_init_script(f"{PLAIN} Document.prototype.execCommand = () => false;")
    begin(page, "range-war", "friend")
    page.get_by_role("button", name="Share", exact=True).click()
    toast = page.locator(".toast")
    expect(toast).to_have_text("This browser does not let pages copy. Copy the link yourself.")
    assert toast.locator("a").get_attribute("href") == page.locator(".invite input").input_value()
    button = page.locator(".invite [data-copies]")
    button.click()
    expect(button).to_have_text("Copy")
    assert page.evaluate("getSelection().toString()") == page.locator(".invite input").input_value()


def test_an_embedded_game_fits_the_code_that_the_page_offers(visit: Visit) -> None:
    page = visit()
    misfits = []
    for game, options in (
        ("range-war", {}),
        ("range-war", {"options.size": "99"}),
        ("number-snatch", {}),
        ("restricted-removal", {"options.size": "37"}),
        ("summation-duel", {}),
        ("number-collision", {}),
        ("number-collision", {"options.size": "20"}),
    ):
        names = {"name": "Wilhelmina Wonderful-Wittgenst", "other": "Maximilian Mustermann-Maier"}
        form: dict[str, str | float | bool] = {"game": game, "mode": "here", **names, **options}
        path = page.request.post("/new", form=form, max_redirects=0).headers["location"]
        for _ in range(3):
            legal = page.request.get(f"/api/duels/{path.removeprefix('/g/')}").json()["legal"]
            if legal:
                page.request.post(f"{path}/move", form={"move": legal[len(legal) // 2]}, max_redirects=0)
        page.request.post(f"{path}/resign", max_redirects=0)
        page.goto(path)
        code = page.locator("input[value*=iframe]").input_value()
        width, height = map(int, re.findall(r'(?:width|height)="(\d+)"', code))
        for ply in ("", "?ply=0", "?ply=2"):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(path.replace("/g/", "/embed/") + ply)
            root = "document.documentElement"
            needs = page.evaluate(f"[{root}.scrollWidth, {root}.scrollHeight]")
            if needs != [width, height]:
                misfits.append((game, options, ply, needs, height))
        page.set_viewport_size({"width": 1200, "height": 800})
    assert misfits == []
