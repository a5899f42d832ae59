"""Friends in real browsers: who looks elsewhere is told, in one tab or several, and lists stay up to date."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browsers import Visit, begin, is_at, tiles
from web.serving import wait_until

pytestmark = pytest.mark.long

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


def invited(one: Page, other: Page) -> str:
    """The one invites the other, who sits down; the address of the game."""
    begin(one, "range-war", "friend", name="Ada", seat="1", **{"options.size": "10"})
    other.goto(one.locator(".invite input").input_value())
    other.get_by_label("Your name").fill("Bob")
    other.get_by_role("button", name="Sit down and play").click()
    return one.url


def notifications(page: Page, count: int) -> Any:
    """The notifications that the system shows, once there are so many."""
    wait_until(lambda: len(page.evaluate(NOTIFICATIONS)) == count)
    return page.evaluate(NOTIFICATIONS)


def test_who_looks_elsewhere_is_told_by_title_icon_and_notification(visit: Visit) -> None:
    one, other = come(visit, permissions=["notifications"]), come(visit)
    begin(one, "range-war", "friend", name="Ada", seat="1", **{"options.size": "10"})
    link, place = one.locator(".invite input").input_value(), one.url
    one.evaluate("navigator.serviceWorker.ready")
    one.evaluate("look(true)")
    other.goto(link)
    other.get_by_label("Your name").fill("Bob")
    other.get_by_role("button", name="Sit down and play").click()
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


def test_who_sees_the_game_gets_no_notification(visit: Visit) -> None:
    one, other = come(visit, permissions=["notifications"]), come(visit)
    invited(one, other)
    expect(one).to_have_title("● It is your turn. · Range War")
    one.evaluate("navigator.serviceWorker.ready")
    asked: list[str] = []
    one.on("request", lambda request: asked.append(request.url))
    tiles(one).nth(4).click()
    is_at(other, 1)
    tiles(other).first.click()
    expect(one).to_have_title("● It is your turn. · Range War")
    tiles(one).last.click()
    is_at(other, 3)
    expect(one).to_have_title("Bob is to move. · Range War")
    assert notifications(one, 0) == []
    assert not any(url.endswith("/games/news") for url in asked), "what was seen is no news"
    one.evaluate("look(true)")
    tiles(other).first.click()
    assert "Bob played" in notifications(one, 1)[0][1]


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


def test_the_home_page_keeps_its_list_up_to_date_and_the_rematch_is_found_there(visit: Visit) -> None:
    one, other = come(visit), come(visit)
    invited(one, other)
    one.goto("/")
    entry = one.locator(".game-entry")
    expect(entry).to_contain_text("Your turn")
    entry.click()
    tiles(one).nth(4).click()
    is_at(other, 1)
    one.goto("/")
    expect(entry).to_contain_text("Their turn")
    other.locator("summary", has_text="Resign").click()
    other.get_by_role("button", name="Yes, resign").click()
    expect(entry).to_have_count(0)


def test_a_rematch_is_told_as_what_it_is_by_a_toast_that_leads_to_it(visit: Visit) -> None:
    one, other = come(visit), come(visit)
    begin(one, "range-war", "friend", name="Ada", seat="1", clock="minute", **{"options.size": "10"})
    other.goto(one.locator(".invite input").input_value())
    other.get_by_label("Your name").fill("Bob")
    other.get_by_role("button", name="Sit down and play").click()
    expect(one).to_have_title("● It is your turn. · Range War")
    one.locator("summary", has_text="Resign").click()
    one.get_by_role("button", name="Yes, resign").click()
    expect(other.locator("#result")).to_be_visible()
    one.goto("/learn")
    one.wait_for_function("document.getElementById('my-games-link')")
    with one.expect_event("request", lambda request: request.url.endswith("/me/events")):
        one.reload()
    other.get_by_role("button", name="Rematch, seats swapped").click()
    other.wait_for_url("**/g/*")
    link = one.locator(".toast a")
    expect(link).to_have_text("Bob has started a rematch of Range War.")
    link.click()
    one.wait_for_url(other.url)
    expect(one.locator("[data-deadline]")).to_have_count(1)


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


def test_a_move_does_not_wait_for_the_service_worker_and_keeps_the_address(visit: Visit) -> None:
    page = visit()
    begin(page, "range-war", "here")
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.evaluate("() => { history.replaceState = () => { throw new Error('the same address'); }; }")
    tiles(page).first.click()
    is_at(page, 1)
    routed = "performance.getEntriesByType('resource').find((each) => each.name.endsWith('/move'))"
    page.wait_for_function(routed)
    assert page.evaluate(f"{routed}.workerMatchedSourceType") == "network"


def test_an_invitation_can_be_shared_or_shown_as_a_code(visit: Visit) -> None:
    page = visit()
    page.context.add_init_script(
        "navigator.share = (what) => { window.shared = what; return Promise.resolve(); }"
    )
    begin(page, "range-war", "friend")
    link = page.locator(".invite input").input_value()
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared.url") == link
    page.get_by_text("QR code").click()
    expect(page.locator(".invite svg.qr")).to_be_visible()
    watch = page.get_by_label("Anybody may watch").input_value()
    assert "key=" in link and "key=" not in watch


def test_a_seat_is_taken_along_to_another_device_by_a_code(visit: Visit) -> None:
    desk, phone, friend = come(visit), come(visit), come(visit)
    invited(desk, friend)
    desk.locator("[data-tab=more]").last.click()
    desk.get_by_role("button", name="Play on another device, too").click()
    expect(desk.locator("svg.qr")).to_be_visible()
    phone.goto(desk.get_by_label("Open this link on your other device").input_value())
    phone.get_by_role("button", name="Play here").click()
    tiles(phone).nth(4).click()
    is_at(friend, 1)
    is_at(desk, 1)
