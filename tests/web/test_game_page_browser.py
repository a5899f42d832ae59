"""The game page in a real browser: touch, tabs, the past, colours, the end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from web.browsers import PHONE, Visit, begin, is_at, tiles

pytestmark = pytest.mark.long


def setting(page: Page, name: str) -> None:
    page.locator("#settings summary").click()
    page.locator(f"[data-setting={name}]").click()
    page.keyboard.press("Escape")
    expect(page.locator("#settings")).not_to_have_attribute("open", "")


def test_one_tap_plays_if_the_visitor_wants_so_and_that_is_kept(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    begin(page, "range-war", "here")
    setting(page, "one-tap")
    tiles(page).last.tap()
    is_at(page, 1)
    page.reload()
    tiles(page).last.tap()
    is_at(page, 2)


def test_a_tap_on_another_tile_shows_that_one(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    begin(page, "restricted-removal", "here")
    tiles(page).nth(0).tap()
    expect(page.locator(".tile.touched")).to_have_count(2)  # 2 locks 4 and 6
    tiles(page).nth(3).tap()
    expect(page.locator(".tile.previewed")).to_have_text(re.compile("5"))
    expect(page.locator(".tile.touched")).to_have_count(0)
    is_at(page, 0)


def test_escape_leads_from_the_past_to_the_present(visit: Visit) -> None:
    page = visit()
    begin(page, "summation-duel", "here")
    tiles(page).first.click()
    is_at(page, 1)
    page.locator("[data-step=back]").click()
    expect(page.locator(".playing.past")).to_have_count(1)
    page.keyboard.press("Escape")
    is_at(page, 1)
    expect(page.locator(".playing.past")).to_have_count(0)


def test_the_side_shows_one_part_at_a_time(visit: Visit) -> None:
    page = visit()
    begin(page, "range-war", "here")
    moves, rules, more = (page.locator(f"section#{name}") for name in ("moves", "rules", "more"))
    expect(moves).to_be_visible()
    expect(rules).to_be_hidden()
    page.get_by_role("button", name="Rules").click()
    expect(rules).to_be_visible()
    expect(moves).to_be_hidden()
    tiles(page).nth(2).click()
    is_at(page, 1)
    expect(rules).to_be_visible()  # a move does not change what is read
    page.get_by_role("button", name="More").click()
    expect(more.get_by_label("Anybody may watch")).to_be_visible()


def test_on_a_phone_the_side_is_a_sheet_that_its_button_opens_and_closes(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    begin(page, "range-war", "here")
    moves = page.locator("section#moves")
    button = page.get_by_role("button", name="Moves")
    expect(moves).to_be_hidden()
    button.tap()
    expect(moves).to_be_in_viewport()
    expect(button).to_have_attribute("aria-expanded", "true")
    button.tap()
    expect(moves).to_be_hidden()
    button.tap()
    page.keyboard.press("Escape")
    expect(moves).to_be_hidden()


def test_without_a_script_everything_stands_below_the_board(visit: Visit) -> None:
    page = visit(java_script_enabled=False, viewport=PHONE)
    begin(page, "range-war", "here")
    for name in ("moves", "rules", "more"):
        expect(page.locator(f"section#{name}")).to_be_visible()
    expect(page.locator(".tabs")).to_be_hidden()


def test_colours_change_at_once_and_are_kept(visit: Visit) -> None:
    page = visit(color_scheme="light")
    page.goto("/learn")

    def dark() -> bool:
        colour: list[int] = page.evaluate(
            "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
        )
        return sum(colour) < 200

    assert not dark()
    page.locator("#settings summary").click()
    with page.expect_response(re.compile("theme=dark")):
        page.get_by_role("link", name="dark").click()
    assert dark()
    page.goto("/puzzles")
    assert dark()


def test_the_end_tells_by_itself_where_the_game_was_decided(visit: Visit) -> None:
    page = visit()
    begin(page, "restricted-removal", "here", name="Ada", other="Bob")
    tiles(page).nth(0).click()
    is_at(page, 1)
    page.get_by_text("Resign", exact=True).click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(".finale h2")).to_have_text("Ada wins.")
    expect(page.locator(".decided a")).to_have_count(0)
    expect(page.locator(".decided")).not_to_be_empty()
    expect(page).to_have_title(re.compile("Ada wins. · Restricted Removal"))


def test_a_line_never_breaks_and_its_cells_fit_a_phone(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    for size in ("7", "10", "20"):
        begin(page, "number-collision", "here", **{"options.size": size, "options.values": "5"})
        tops = page.locator(".tile").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
        assert len(tops) == int(size) and len(set(tops)) == 1
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("motion", "moving"), [("no-preference", True), ("reduce", False)])
def test_what_a_move_did_is_shown_by_motion_unless_the_visitor_wants_none(
    visit: Visit, motion: str, moving: bool
) -> None:
    page = visit(reduced_motion=motion)
    begin(page, "restricted-removal", "here")
    tiles(page).first.click()  # 2 is removed, and locks 4 and 6
    is_at(page, 1)
    expect(page.locator(".tile[data-was]")).to_have_count(3 if moving else 0)
    begin(page, "number-collision", "here")
    for ply, cell in enumerate((0, 0), 1):
        page.locator('.hand input[value="1"]').check()
        tiles(page).nth(cell).click()
        is_at(page, ply)
    expect(page.locator('[data-ghost="1"]')).to_have_count(2 if moving else 0)  # both cells are empty again
    begin(page, "number-snatch", "here")
    tiles(page).last.click()
    is_at(page, 1)
    expect(page.locator('[data-delta="+6"]')).to_have_count(1 if moving else 0)
