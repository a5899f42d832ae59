"""Friends in real browsers: presence, clocks, several tabs, news, links and codes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsers import Visit, begin, is_at, tiles
from web.serving import wait_until

pytestmark = pytest.mark.long


def test_a_friend_who_comes_and_goes_is_seen_at_once(visit: Visit) -> None:
    one, other = visit(), visit()
    path = invited(one, other)
    other.goto("about:blank")
    presence = one.locator(".seat.player-2 .presence")
    expect(presence).to_have_text("away")
    one.evaluate("window.neverLeft = true")
    other.goto(path)
    expect(presence).to_have_text("online")
    expect(presence).to_have_class(re.compile(r"\bonline\b"))
    expect(other.locator(".seat.player-1 .presence")).to_have_text("online")
    other.goto("about:blank")
    expect(presence).to_have_text("away")
    assert one.evaluate("window.neverLeft"), "without loading the page"


def test_the_clock_counts_down_whatever_the_clock_of_the_device_says(visit: Visit) -> None:
    one, other = visit(), visit()
    path = invited(one, other, clock="minute")
    one.clock.install(time="2001-01-01T00:00:00Z")  # a device whose clock is wrong
    one.goto(path)
    clock = one.locator(".seat.player-1 .clock time")
    one.clock.pause_at("2001-01-01T00:30:00Z")
    one.reload()  # now no time passes in the browser
    expect(clock).to_have_text(re.compile(r"^(1:00|0:[0-5]\d)$"))
    minutes, _, seconds = clock.inner_text().partition(":")
    one.clock.run_for(5_000)
    expect(clock).to_have_text(f"0:{max(60 * int(minutes) + int(seconds) - 5, 0):02}")
    one.clock.run_for(60_000)
    expect(clock).to_have_text("0:00")
    expect(clock).to_have_class(re.compile(r"\bsoon\b"))


# News

HIDING = """
  let hidden = false;
  Object.defineProperty(document, "hidden", { get: () => hidden });
  Object.defineProperty(document, "visibilityState", { get: () => hidden ? "hidden" : "visible" });
  document.hasFocus = () => !hidden;
  window.look = (elsewhere) => { hidden = elsewhere; document.dispatchEvent(new Event("visibilitychange")); };
"""
"""A page that can be hidden: headless browsers show all of their pages."""

NOTIFICATIONS = """navigator.serviceWorker.ready
  .then((worker) => worker.getNotifications())
  .then((all) => all.map((each) => [each.title, each.body, each.data.url]))"""


def come(visit: Visit, **settings: Any) -> Page:
    page = visit(**settings)
    page.context.add_init_script(HIDING)
    return page


def invited(one: Page, other: Page, **fields: str) -> str:
    """The one invites the other, who sits down; the address of the game."""
    begin(one, "range-war", "friend", name="Ada", seat="1", **{"options.size": "10"} | fields)
    sit_down(one, other)
    return one.url


def sit_down(one: Page, other: Page) -> None:
    other.goto(one.locator(".invite input").input_value())
    other.get_by_label("Your name").fill("Bob")
    other.get_by_role("button", name="Sit down and play").click()


def notifications(page: Page, count: int) -> Any:
    """The notifications that the system shows, once there are so many."""
    wait_until(lambda: len(page.evaluate(NOTIFICATIONS)) == count)
    return page.evaluate(NOTIFICATIONS)


def test_who_looks_elsewhere_is_told_by_title_icon_and_notification(visit: Visit) -> None:
    one, other = come(visit, permissions=["notifications"]), come(visit)
    begin(one, "range-war", "friend", name="Ada", seat="1", **{"options.size": "10"})
    place = one.url
    one.evaluate("navigator.serviceWorker.ready")
    one.evaluate("look(true)")
    sit_down(one, other)
    expect(one).to_have_title(re.compile("^● Your turn · "))
    expect(one.locator("link[rel=icon]")).to_have_attribute("href", re.compile("icon-turn"))
    assert notifications(one, 1) == [
        ["Range War", "Bob has joined your game of Range War.", place[place.index("/g/") :]]
    ]
    one.evaluate("look(false)")
    expect(one).to_have_title("● It is your turn. · Range War")
    tiles(one).nth(4).click()
    is_at(other, 1)
    expect(one).to_have_title("Bob is to move. · Range War")
    expect(one.locator("link[rel=icon]")).to_have_attribute("href", re.compile(r"icon\.svg"))
    one.evaluate("look(true)")
    tiles(other).first.click()
    expect(one).to_have_title(re.compile("^● Your turn · "))
    wait_until(lambda: "Bob played" in one.evaluate(NOTIFICATIONS)[0][1])
    assert len(notifications(one, 1)) == 1  # the latest news of a game replaces the one before


def test_one_tab_listens_and_all_tabs_know(visit: Visit) -> None:
    one, other = come(visit), come(visit)
    streams: list[str] = []
    one.context.on("request", lambda request: streams.append(request.url))
    invited(one, other)
    second = one.context.new_page()
    second.goto("/games")
    expect(second.locator(".game-entry")).to_contain_text("Your turn")
    third = one.context.new_page()
    third.goto("/learn")
    for page in (second, third):
        expect(page).to_have_title(re.compile(r"^\(1\) "))
    for page in (one, second, third):
        expect(page.locator("#my-games-link .badge")).to_have_text("1")
    assert sum(url.endswith("/me/events") for url in streams) == 1
    tiles(one).nth(4).click()
    expect(second.locator(".game-entry")).to_contain_text("Their turn")
    expect(second).to_have_title("My games · Number Duels")
    one.close()  # the tab that listened: another one goes on
    tiles(other).first.click()
    expect(second.locator(".game-entry")).to_contain_text("Your turn")
    expect(third.locator(".toast")).to_contain_text("Bob played")
    assert sum(url.endswith("/me/events") for url in streams) == 2


def test_without_a_connection_the_offline_page_is_shown(visit: Visit) -> None:
    page = visit(expected="ERR_INTERNET_DISCONNECTED")
    begin(page, "range-war", "here")
    page.evaluate("navigator.serviceWorker.ready")
    wait_until(lambda: page.evaluate("caches.match('/offline').then(Boolean)"))
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    place = page.url
    page.context.set_offline(True)
    page.goto("/learn")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_text("at this screen need the connection")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="No connection")).to_have_count(0)
    page.goto(place)
    expect(tiles(page).first).to_be_visible()


def test_an_invitation_can_be_shared_or_shown_as_a_code(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.context.add_init_script(
        "navigator.share = (what) => { window.shared = what; return Promise.resolve(); }"
    )
    begin(page, "range-war", "friend")
    link = page.locator(".invite input").input_value()
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared.url") == link
    page.locator(".invite").get_by_role("button", name="Copy").click()
    expect(page.locator(".invite").get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.get_by_text("QR code").click()
    expect(page.locator(".invite svg.qr")).to_be_visible()
    watch = page.get_by_label("Anybody may watch").input_value()
    assert "key=" in link and "key=" not in watch


# Copying and sharing, also on plain HTTP, which has no clipboard API

PLAIN = "delete Navigator.prototype.clipboard; delete Navigator.prototype.share;"
"""What browsers leave out on a page without HTTPS."""


def test_share_and_copy_work_on_plain_http(visit: Visit) -> None:
    page = visit()
    page.add_init_script(PLAIN)
    begin(page, "range-war", "friend")
    link = page.locator(".invite input").input_value()
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator(".toast")).to_have_text("Link copied")
    assert page.locator("textarea").count() == 0
    page.goto("/")
    field = page.locator("input[name=name]")
    field.evaluate("each => each.removeAttribute('maxlength')")
    field.focus()
    page.keyboard.press("ControlOrMeta+v")
    assert field.input_value() == link
