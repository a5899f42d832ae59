"""Games in real browsers: with each other and the computer, without a script, by touch, by keys, offline."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from web.browsers import PHONE, SMALL, Visit, begin, fill_in, is_at, is_over, play, tiles
from web.serving import serving

pytestmark = pytest.mark.long

GAMES = [*SMALL]
every_game = pytest.mark.parametrize("game", GAMES)

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


@every_game
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


def test_the_link_is_copied_by_a_touch(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    begin(page, "range-war", "friend")
    page.locator(".invite").get_by_role("button", name="Copy").click()
    expect(page.locator(".invite").get_by_role("button", name="Copied")).to_be_visible()
    assert "/join?key=" in page.evaluate("navigator.clipboard.readText()")


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

    def steps() -> None:
        press("back")
        is_at(one, ply - 1)
        press("on")

    def move_list() -> None:
        press("start")
        is_at(one, 0)
        one.locator(".moves a").last.click()

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

    def address() -> None:
        one.goto(f"{one.url}?ply={ply}")

    tiles(one).nth(-1).click()
    for ply, way in enumerate((keys, steps, move_list, browser_back, browser_forward, address), 1):
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
    now_at(one, 7)


def test_an_earlier_ply_that_is_the_present_again_follows_the_game(visit: Visit) -> None:
    page = visit()
    begin(page, "summation-duel", "here")
    for ply in (1, 2):
        tiles(page).first.click()
        is_at(page, ply)
    watcher = visit()
    watcher.goto(f"{page.url}?ply=1")
    expect(watcher.locator(".status")).to_contain_text("You look at move 1 of 2.")
    page.get_by_role("button", name="Undo").click()
    now_at(watcher, 1)
    tiles(page).last.click()
    now_at(watcher, 2)


def test_a_page_that_answers_a_form_goes_on_when_the_script_comes(visit: Visit) -> None:
    page = visit(expected="409|ERR_FAILED")
    begin(page, "summation-duel", "here")
    place = page.url
    stale = page.context.new_page()
    stale.route("**/match.js*", lambda route: route.abort())
    stale.goto(place)
    tiles(page).first.click()
    is_at(page, 1)
    stale.unroute_all()
    tiles(stale).first.click()
    expect(stale.get_by_role("alert")).to_contain_text("gone on")
    now_at(stale, 1)
    tiles(page).first.click()
    now_at(stale, 2)


# Without a script


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


def test_other_pages_fit_a_phone(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    for place in ("/puzzles", "/puzzles/number-collision/2/any", "/learn", "/learn/number-snatch"):
        page.goto(place)
        fits(page)
        touchable(page)


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
    page.keyboard.press(".")
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


def test_a_number_is_placed_by_keys(visit: Visit) -> None:
    page = visit()
    begin(page, "number-collision", "here")
    page.locator(".hand input:checked").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("3")
    assert focused(page) == "@3"
    page.keyboard.press("Enter")
    is_at(page, 1)
    expect(page.locator(".history")).to_contain_text("2 on cell 3")
    assert focused(page) == "@2"  # the nearest place that is left
    assert page.locator(".hand input:checked").input_value() == "2"


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
    watcher.locator("[data-step=back]").click()
    is_at(watcher, 1)
    play(one, 0)
    is_at(one, 3)
    expect(watcher.locator(".status")).to_contain_text("You look at move 1 of 3.")  # is left where they look


def test_what_happens_is_announced_politely(visit: Visit) -> None:
    page = visit()
    begin(page, "number-snatch", "here")
    said = page.locator("#said")
    assert said.get_attribute("aria-live") == "polite"
    tiles(page).first.click()
    expect(said).to_have_text("Player 1 played 2: takes 2. Player 2 is to move.")
    tiles(page).last.click()
    expect(said).to_have_text("Player 2 played 6: takes 6 and snatches 2. Player 1 is to move.")


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


def test_the_game_goes_on_when_the_server_is_back(visit: Visit, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        known = "ERR_|Failed to load|fetching the script"
        players = one, other = [visit(expected=known, url=server.url) for _ in range(2)]
        invite(one, other, "summation-duel")
        for ply, gone in enumerate((server.stop, server.kill)):
            gone()
            for each in players:
                expect(each.locator("#lost")).to_be_visible()
            play(players[ply], ply)
            expect(players[ply].locator("[data-message]")).to_contain_text("could not be sent")
            server.start()
            for each in players:
                expect(each.locator("#lost")).to_be_hidden()
                expect(each.locator("[data-message]")).to_have_count(0)
            play(players[ply], ply)
            for each in players:
                is_at(each, ply + 1)


# Light and dark

THREE_FRAMES = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
})"""


@pytest.mark.parametrize(("scheme", "motion"), [("light", "no-preference"), ("dark", "reduce")])
def test_no_page_complains_and_dark_is_dark(visit: Visit, scheme: str, motion: str) -> None:
    page = visit(color_scheme=scheme, reduced_motion=motion)
    for place in ("/", "/puzzles/summation-duel/1/any", "/learn/range-war", "/learn?language=de"):
        page.goto(place)
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        assert (sum(colour) < 200) is (scheme == "dark")
    page.goto("/?language=en")
    begin(page, "range-war", "here")
    play(page, 0)
    is_at(page, 1)
    page.evaluate(THREE_FRAMES)  # the animation begins when the move has been painted
    tile = page.locator(".tile.just")
    assert (tile.evaluate("tile => getComputedStyle(tile).animationName") == "none") is (motion == "reduce")
