"""Games in real browsers: with each other and the computer, without a script, by touch, by keys, offline."""

from __future__ import annotations

import re

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from needs import chromium as chromium_program
from web.browsers import ARGUMENTS, PHONE, SMALL, Visit, begin, fill_in, is_at, is_over, play, tiles
from web.serving import PATIENCE, Server, somebody

pytestmark = pytest.mark.long

GAMES = [*SMALL]

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


@pytest.mark.parametrize("game", ["number-snatch", "number-collision"])
def test_two_friends_play_to_the_end_each_seeing_the_other_move(visit: Visit, game: str) -> None:
    players = one, other = visit(), visit()
    fill_in(one, game, mode="friend", name="Ada", seat="1").get_by_role("button", name="Play").click()
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


def test_the_computer_answers_by_itself_and_one_can_undo_and_ask_for_hints_and_values(visit: Visit) -> None:
    page = visit()
    begin(page, "restricted-removal", "computer", level="perfect")
    tiles(page).first.click()
    is_at(page, 2)
    expect(page.locator(".status")).to_contain_text(YOURS)
    page.get_by_role("link", name="Hint").click()
    expect(page.locator(".hint")).to_contain_text("Try ")
    page.get_by_role("link", name="Show values").click()
    expect(tiles(page).first.locator(".value")).to_be_visible()
    assert tiles(page).count() == page.locator(".tile .value").count()
    page.get_by_role("button", name="Undo").click()
    is_at(page, 0)
    expect(tiles(page).first.locator(".value")).to_be_visible()  # values stay until they are hidden
    page.get_by_role("link", name="Hide values").click()
    expect(page.locator(".tile .value")).to_have_count(0)
    for ply in range(0, 12, 2):
        if is_over(page):
            break
        expect(tiles(page).first).to_be_visible()
        tiles(page).first.click()
        expect(page.locator(f'.playing:not([data-ply="{ply}"]):not(:has-text("thinking"))')).to_be_visible()
    page.get_by_role("link", name="Review the game").click()
    expect(page.get_by_role("heading", name="Review: Restricted Removal")).to_be_visible()
    expect(page.locator(".all-moves")).to_contain_text(re.compile("only move|kept"))


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

    def keys() -> None:
        one.locator(".board").first.evaluate("board => { board.tabIndex = -1; board.focus() }")
        one.keyboard.press(",")
        is_at(one, ply - 1)
        one.keyboard.press(".")

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
    for ply, way in enumerate((keys, browser_back, browser_forward), 1):
        now_at(one, ply)
        way()
        now_at(one, ply)
        mover = (one, other)[ply % 2]
        # The opponent moves: `other` at odd plies; at even ones we do, from a second page of ours.
        if mover is one:
            mover = one.context.new_page()
            mover.goto(one.url)
        expect(tiles(mover).first).to_be_visible()
        tiles(mover).nth(len(tiles(mover).all()) // 2).click()
        if mover is not other:
            is_at(mover, ply + 1)
            mover.close()
    now_at(one, 4)


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
    page.goto("/")
    fits(page)
    for game in GAMES:
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
        page.get_by_text("Resign", exact=True).tap()
        page.get_by_role("button", name="Yes, resign").tap()
        page.get_by_role("link", name="Review the game").tap()
        expect(page.get_by_role("heading", name="All moves")).to_be_visible()
        fits(page)


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
    page.keyboard.press(",")
    is_at(page, 0)
    page.keyboard.press(".")
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


@pytest.mark.parametrize("script", [True, False])
def test_enter_begins_the_game_that_the_form_describes(visit: Visit, script: bool) -> None:
    page = visit(java_script_enabled=script)
    fill_in(page, "range-war", mode="here", name="Ada", other="Bob").locator("[name=other]").press("Enter")
    expect(page.locator(".seat.player-2")).to_contain_text("Bob")
    expect(tiles(page)).to_have_count(5)
    fill_in(page, "range-war", mode="friend", name="Ada", seat="1").locator(
        '[name="range-war.options.size"]'
    ).press("Enter")
    page.locator(".invite").wait_for()
    friend = visit(java_script_enabled=script)
    friend.goto(page.locator(".invite input").input_value())
    friend.locator("[name=name]").fill("Bob")
    friend.locator("[name=name]").press("Enter")
    expect(friend.locator(".seat.player-2")).to_contain_text("Bob (you)")


@pytest.mark.parametrize("script", [True, False])
def test_enter_on_a_number_in_hand_places_it_nowhere(visit: Visit, script: bool) -> None:
    page = visit(expected="409", java_script_enabled=script)
    begin(page, "number-collision", "here")
    page.locator(".hand input").last.check()
    page.locator(".hand input").last.press("Enter")
    if script:
        assert focused(page) == "@1"
    else:
        expect(page.get_by_role("alert")).to_contain_text("place 3 at 5")
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
    is_at(one, 1)
    one.context.set_offline(False)
    is_at(one, 2)
    expect(lost).to_be_hidden()
    expect(one.locator(".status")).to_contain_text(YOURS)


# The parts of the page


def test_a_tap_shows_a_move_and_one_tap_plays_if_the_visitor_wants_so(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    begin(page, "restricted-removal", "here")
    tiles(page).nth(0).tap()
    expect(page.locator(".tile.touched")).to_have_count(2)  # 2 locks 4 and 6
    tiles(page).nth(3).tap()
    expect(page.locator(".tile.previewed")).to_have_text(re.compile("5"))
    expect(page.locator(".tile.touched")).to_have_count(0)
    is_at(page, 0)
    page.locator("#settings summary").click()
    page.locator("[data-setting=one-tap]").click()
    page.keyboard.press("Escape")
    expect(page.locator("#settings")).not_to_have_attribute("open", "")
    page.reload()
    tiles(page).last.tap()
    is_at(page, 1)


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


# The back button


def test_a_game_that_was_left_is_there_at_once_and_shows_what_happened_meanwhile(
    chromium: Browser, hosted: Server
) -> None:
    # Playwright's browsers usually do not keep the pages that they leave.
    kept = ["--disable-back-forward-cache"]
    launch = chromium.browser_type.launch
    with (
        launch(executable_path=chromium_program(), args=ARGUMENTS, ignore_default_args=kept) as browser,
        browser.new_context(base_url=hosted.url, extra_http_headers=somebody()) as context,
    ):
        page = context.new_page()
        begin(page, "range-war", "here")
        is_at(page, 0)
        page.evaluate("window.kept = 'in memory'")
        secret = next(cookie["value"] for cookie in context.cookies() if cookie["name"] == "duel")
        place = page.url.replace("/g/", "/api/duels/")
        page.locator("footer").wait_for(state="attached")
        page.get_by_role("link", name="Learn").first.click()
        page.wait_for_url("**/learn*")
        answer = httpx.post(
            f"{place}/move", json={"move": 3}, headers={"authorization": f"Bearer {secret}"}, timeout=PATIENCE
        )
        assert answer.status_code == 200
        page.go_back(wait_until="commit")  # a page that is kept is not loaded
        is_at(page, 1)
        assert page.evaluate("window.kept") == "in memory", "it was not loaded again"
