"""Games in real browsers: with each other and the computer, without a script, by touch, by keys, offline."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from web.browsers import PHONE, SMALL, Visit, begin, fill_in, is_at, is_over, play, tiles

pytestmark = pytest.mark.long

BOOK = {
    "range-war": {"options.size": "10"},
    "number-snatch": {"options.numbers": ""},
    "restricted-removal": {"options.size": "10"},
    "summation-duel": {"options.size": "10", "options.target": "50"},
    "number-collision": {"options.size": "10", "options.values": "5"},
}
"""The sizes of the books, which must fit a phone."""

YOURS = "It is your turn."
OFFLINE = "ERR_INTERNET_DISCONNECTED|fetching the script"


def invite(one: Page, other: Page, game: str, **fields: str) -> None:
    """One invites, the other follows the link and sits down."""
    begin(one, game, "friend", **fields)
    sit_down(one, other)


def sit_down(one: Page, other: Page) -> None:
    other.goto(one.locator(".invite input").input_value())
    other.get_by_role("button", name="Sit down and play").click()
    expect(other.get_by_text("Player 2 (you)")).to_be_visible()
    expect(one.locator(".status")).to_contain_text(YOURS)


def finish(players: tuple[Page, Page]) -> int:
    """Both play in turn until it is over, each seeing what the other does; the number of moves."""
    for ply in range(60):
        mover = players[ply % 2]
        if is_over(mover):
            return ply
        expect(tiles(mover).first).to_be_visible()
        play(mover, ply % 2)
        for each in players:
            is_at(each, ply + 1)
    raise AssertionError("the game does not end")


def test_two_friends_play_to_the_end_each_seeing_the_other_move(visit: Visit) -> None:
    players = one, other = visit(), visit()
    form = fill_in(one, "number-collision", mode="friend", name="Ada", seat="1")
    form.get_by_role("button", name="Play").click()
    sit_down(one, other)
    expect(other.locator(".seat.player-1")).to_contain_text("Ada")
    for each in players:
        each.evaluate("window.neverLeft = true")
    plies = finish(players)
    assert plies > 1
    results = {each.locator(".finale h2").inner_text() for each in players}
    assert results == {"You win!", "You lose."} or results == {"The game is a tie."}
    assert all(each.evaluate("window.neverLeft") for each in players)

    one.get_by_role("button", name="Rematch").click()
    expect(one.locator(".seat.player-2")).to_contain_text("Ada (you)")
    other.get_by_role("link", name="To the rematch").click()
    expect(other.locator(".status")).to_contain_text(YOURS)
    assert one.url == other.url
    play(other, 0)
    is_at(one, 1)


def test_a_double_click_makes_one_move(visit: Visit) -> None:
    page = visit()
    begin(page, "range-war", "here")
    tiles(page).nth(4).dblclick()
    is_at(page, 1)
    expect(page.locator("[data-message]")).to_have_count(0)


# Looking back


def now_at(page: Page, ply: int) -> None:
    """See that the page shows the present, at this ply and at the address of the present."""
    is_at(page, ply)
    expect(page.locator(".status")).not_to_contain_text("You look at")
    expect(page).to_have_url(re.compile(r"/g/\w+$"))


def test_a_visitor_who_returns_to_the_present_follows_the_game(visit: Visit) -> None:
    one, other = visit(), visit()
    invite(one, other, "range-war", **{"options.size": "40"})

    def press(step: str) -> None:
        one.locator(f"[data-step={step}]").click()

    def browser_back() -> None:
        press("back")
        is_at(one, ply - 1)
        one.go_back()

    def browser_forward() -> None:
        press("back")
        is_at(one, ply - 1)
        press("now")
        is_at(one, ply)
        one.go_back()
        is_at(one, ply - 1)
        one.go_forward()

    tiles(one).nth(-1).click()
    for ply, way in ((1, browser_back), (3, browser_forward)):
        now_at(one, ply)
        way()
        now_at(one, ply)
        tiles(other).nth(len(tiles(other).all()) // 2).click()
        now_at(one, ply + 1)
        tiles(one).first.click()
        is_at(other, ply + 2)


# By touch


def fits(page: Page) -> None:
    """See that nothing must be scrolled sideways."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def touchable(page: Page) -> None:
    """See that fingers hit what they aim at; the cells of a line may be narrower, but are higher."""
    small = page.locator(
        ".board button, .board .number, .actions :is(a, button), .moves a, .steps a"
    ).evaluate_all(
        """all => all.map(each => [each.textContent, each.getBoundingClientRect(), each.closest(".line")])
           .filter(([, box]) => box.width)
           .filter(([, box, line]) => box.width < (line ? 30 : 44) || box.height < (line ? 90 : 44))
           .map(([text]) => text)"""
    )
    assert small == []


def test_every_game_fits_a_phone_and_is_played_by_touch(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark")
    for game in SMALL:
        begin(page, game, "here", **BOOK[game])
        for ply in range(2):
            fits(page)
            touchable(page)
            tile = tiles(page).nth(-1 if ply == 0 else 0)
            tile.tap()
            expect(tile).to_have_class(re.compile("previewed"))
            expect(tile.locator(".told:visible")).to_contain_text("tap again to play")
            is_at(page, ply)
            tile.tap()
            is_at(page, ply + 1)


# By keys


def focused(page: Page) -> str:
    """What has the focus: the value of a button, or the name of a thing."""
    found: str = page.evaluate(
        "document.activeElement.value || document.activeElement.className || document.activeElement.id"
    )
    return found


def test_everything_can_be_done_by_keys(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    start = page.get_by_role("button", name="Play Range War")
    page.locator("[name=seat][value='1']").evaluate("seat => { seat.checked = true }")  # not by lot
    for _ in range(40):
        page.keyboard.press("Tab")
        if start.evaluate("element => element === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/g/*")
    page.keyboard.press("7")
    assert focused(page) == "7"
    page.keyboard.press("Enter")
    is_at(page, 2)
    expect(page.locator("button[name=move]:focus")).to_have_count(1)
    before = focused(page)
    page.keyboard.press("ArrowLeft")
    after = focused(page)
    page.keyboard.press("ArrowRight")
    assert focused(page) == before and (after != before or tiles(page).count() == 1)
    page.keyboard.press("h")
    expect(page.locator(".hint")).to_be_visible()
    page.keyboard.press("v")
    expect(page.locator(".tile .value").first).to_be_visible()
    page.keyboard.press("v")
    expect(page.locator(".tile .value")).to_have_count(0)
    page.keyboard.press(",")
    is_at(page, 1)
    expect(page.locator(".playing.past")).to_have_count(1)
    page.keyboard.press("Escape")
    is_at(page, 2)
    expect(tiles(page).first).to_be_visible()
    page.keyboard.press("u")
    is_at(page, 0)
    # Digits belong together while they follow each other soon, which a busy machine cannot promise.
    page.evaluate(
        """for (const key of "10")
             document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))"""
    )
    assert focused(page) == "10"


def test_enter_begins_the_game_that_the_form_describes(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    fill_in(page, "range-war", mode="here", name="Ada", other="Bob").locator("[name=other]").press("Enter")
    expect(page.locator(".seat.player-2")).to_contain_text("Bob")
    expect(tiles(page)).to_have_count(5)


def test_enter_on_a_number_in_hand_places_it_nowhere(visit: Visit) -> None:
    page = visit()
    begin(page, "number-collision", "here")
    page.locator(".hand input").last.check()
    page.locator(".hand input").last.press("Enter")
    assert focused(page) == "@1"
    tiles(page).last.press("Enter")
    is_at(page, 1)
    expect(page.locator(".moves")).to_contain_text("2 on cell 3")
    assert page.locator(".hand input:checked").input_value() == "2"  # the chosen number is kept


# Who looks on


def test_a_spectator_sees_every_move_and_has_no_buttons(visit: Visit) -> None:
    one, other, watcher = visit(), visit(), visit()
    invite(one, other, "summation-duel")
    watcher.goto(one.get_by_label("Anybody may watch").input_value())
    for ply, (mover, told) in enumerate(
        [(one, "played 4: makes 4, 3 to go"), (other, "played 1: makes 5, 2 to go")]
    ):
        play(mover, ply)
        is_at(watcher, ply + 1)
        for each in (one, other, watcher):
            expect(each.locator("#said")).to_contain_text(f"Player {ply + 1} {told}.")
    assert tiles(watcher).count() == 0
    assert watcher.locator("form").count() == 0
    assert watcher.locator("#said").get_attribute("aria-live") == "polite"
    watcher.locator("[data-step=back]").click()
    is_at(watcher, 1)
    play(one, 0)
    is_at(one, 3)
    expect(watcher.locator(".status")).to_contain_text("You look at move 1 of 3.")  # is left where they look


# With a bad line


def test_a_page_that_was_offline_catches_up(visit: Visit) -> None:
    one, other = visit(expected=OFFLINE), visit()
    invite(one, other, "summation-duel")
    lost = one.locator("#lost")
    expect(lost).to_be_hidden()

    one.context.set_offline(True)
    expect(lost).to_be_visible()
    play(one, 0)
    expect(one.locator("[data-message]")).to_contain_text("could not be sent")
    is_at(one, 0)
    one.context.set_offline(False)
    expect(lost).to_be_hidden()
    expect(one.locator("[data-message]")).to_have_count(0)
    expect(one.locator("#said")).not_to_contain_text("could not be sent")
    play(one, 0)
    is_at(other, 1)

    one.context.set_offline(True)
    expect(lost).to_be_visible()
    play(other, 1)
    is_at(other, 2)
    one.context.set_offline(False)
    is_at(one, 2)


# The parts of the page


def test_a_tap_shows_a_move_and_one_tap_plays_if_the_visitor_wants_so(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    begin(page, "restricted-removal", "here")
    tiles(page).nth(0).tap()
    expect(page.locator(".tile.touched")).to_have_count(2)  # 2 locks 4 and 6
    is_at(page, 0)
    page.locator("#settings summary").click()
    page.locator("[data-setting=one-tap]").click()
    page.keyboard.press("Escape")
    expect(page.locator("#settings")).not_to_have_attribute("open", "")
    page.reload()
    tiles(page).last.tap()
    is_at(page, 1)


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
