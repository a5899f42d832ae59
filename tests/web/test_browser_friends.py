"""What two friends see of each other in real browsers: presence, clocks, several tabs."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from web.browsers import Visit, is_at, tiles
from web.serving import Server, serving

pytestmark = pytest.mark.long


def seated(one: Page, other: Page, clock: str = "none") -> str:
    """Ada invites Bob, who sits down, both without opening the page; its path. Ada begins."""
    form: dict[str, str | float | bool] = {"game": "range-war", "mode": "friend", "name": "Ada", "seat": "1"}
    path = one.request.post("/new", form=form | {"clock": clock}, max_redirects=0).headers["location"]
    match_id = path.removeprefix("/g/")
    cookies = {each.get("name"): each.get("value", "") for each in one.context.cookies(url_of(one) + path)}
    invitation = cookies[f"invitation_{match_id}"]
    joined = other.request.post(
        f"{path}/join", form={"invitation": invitation, "name": "Bob"}, max_redirects=0
    )
    assert joined.status == 303
    return path


def url_of(page: Page) -> str:
    """The address of the server that a visitor has come to."""
    return page.request.get("/healthz").url.removesuffix("/healthz")


def test_a_friend_who_comes_and_goes_is_seen_at_once(visit: Visit) -> None:
    one, other = visit(), visit()
    path = seated(one, other)
    one.goto(path)
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


def test_two_tabs_of_one_player_show_the_same_game_and_one_move_counts(visit: Visit) -> None:
    one, other = visit(expected="409"), visit()
    path = seated(one, other)
    one.goto(path)
    twin = one.context.new_page()
    for page in (twin, other):
        page.goto(path)
        is_at(page, 0)
    tiles(one).nth(4).click()
    for page in (one, twin, other):
        is_at(page, 1)
    expect(tiles(twin)).to_have_count(0)  # it is Bob's turn in both tabs
    stale = one.request.post(f"{path}/move", form={"move": "7", "ply": "0"}, max_redirects=0)
    assert stale.status == 409
    is_at(other, 1)


def test_the_clock_counts_down_whatever_the_clock_of_the_device_says(visit: Visit) -> None:
    one, other = visit(), visit()
    path = seated(one, other, "minute")
    one.clock.install(time="2001-01-01T00:00:00Z")  # a device whose clock is wrong
    one.goto(path)
    clock = one.locator(".seat.player-1 .clock time")
    expect(clock).to_have_text(re.compile(r"^(1:00|0:[0-5]\d)$"))
    one.clock.pause_at("2001-01-01T00:30:00Z")
    one.reload()  # now no time passes in the browser
    expect(clock).to_have_text(re.compile(r"^(1:00|0:[0-5]\d)$"))
    before = seconds(clock.inner_text())
    one.clock.run_for(5_000)
    expect(clock).to_have_text(f"0:{max(before - 5, 0):02}")
    one.clock.run_for(60_000)
    expect(clock).to_have_text("0:00")
    expect(clock).to_have_class(re.compile(r"\bsoon\b"))
    expect(other.locator(".clock")).to_have_count(0)


def seconds(text: str) -> int:
    """The seconds that a clock shows.

    >>> seconds("1:00")
    60
    """
    minutes, _, rest = text.partition(":")
    return 60 * int(minutes) + int(rest)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server whose store a test may change while it is stopped."""
    with serving(tmp_path) as server:
        yield server


def test_at_the_deadline_the_page_offers_the_claim_by_itself(own_server: Server, visit: Visit) -> None:
    one, other = visit(url=own_server.url), visit(url=own_server.url)
    path = seated(one, other, "minute")
    own_server.stop()
    with closing(sqlite3.connect(own_server.store)) as store, store:
        store.execute("UPDATE events SET at = at - 45")  # so that it ends in some seconds
    own_server.start()
    for page in (one, other):
        page.goto(path)
        page.evaluate("window.neverLeft = true")
    claim = other.get_by_role("button", name="Claim the game")
    expect(claim).to_be_visible()
    expect(one.get_by_role("button", name="Claim the game")).to_have_count(0)
    claim.click()
    expect(other.locator(".finale h2")).to_have_text("You win!")
    expect(one.locator(".finale h2")).to_have_text("You lose.")
    expect(one.locator(".status")).to_contain_text("Player 1 exceeded the time.")
    assert all(page.evaluate("window.neverLeft") for page in (one, other)), "without loading the page"
