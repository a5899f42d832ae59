"""The back button: the page is shown at once, and catches up by itself."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, sync_playwright

from needs import chromium as chromium_program
from web.browsers import ARGUMENTS, begin, is_at
from web.serving import PATIENCE, Server, somebody

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def remembering() -> Iterator[Browser]:
    """A browser that keeps the pages it leaves, which Playwright's usually do not."""
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=chromium_program(),
            args=ARGUMENTS,
            ignore_default_args=["--disable-back-forward-cache"],
        ) as browser,
    ):
        yield browser


def test_a_game_that_was_left_is_there_at_once_and_shows_what_happened_meanwhile(
    remembering: Browser, hosted: Server
) -> None:
    with remembering.new_context(base_url=hosted.url, extra_http_headers=somebody()) as context:
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
