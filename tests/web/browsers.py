"""Chromium and a real server for browser tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    expect,
    sync_playwright,
)

from needs import chromium as chromium_program
from web.serving import Server, serving, somebody

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

WIDE = {"width": 1200, "height": 800}
PHONE = {"width": 390, "height": 844}

SMALL = {
    "range-war": {"size": "5"},
    "number-snatch": {"numbers": "2,3,6"},
    "restricted-removal": {"size": "6"},
    "summation-duel": {"size": "4", "target": "7"},
    "number-collision": {"size": "3", "values": "2"},
}
"""Sizes at which a game is soon over."""

PATIENCE = 60_000
"""Milliseconds in which anything must have happened: only what is wrong takes so long."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of a session."""
    chromium_program()
    with serving(tmp_path_factory.mktemp("hosted")) as server:
        yield server


# Playwright lets a loop run in this thread for as long as it is open, and then no other test could have one:
# so it is opened for each module.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser, in which everybody has a context of their own."""
    place = chromium_program()
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=place, args=ARGUMENTS) as browser,
    ):
        yield browser


Visit = Callable[..., Page]


@pytest.fixture
def visit(chromium: Browser, hosted: Server) -> Iterator[Visit]:
    """Somebody new comes, at an address of their own.

    In the end nothing must have gone wrong in anybody's browser: no error, no warning, nothing against the
    policy of the page. What is not found or refused is said there, too: `expected` names it.
    """
    contexts: list[BrowserContext] = []
    heard: list[str] = []

    def come(expected: str = "", url: str = hosted.url, **settings: Any) -> Page:
        context = chromium.new_context(
            base_url=url, viewport=settings.pop("viewport", WIDE), extra_http_headers=somebody(), **settings
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)

        def hear(message: ConsoleMessage) -> None:
            text = f"{message.type}: {message.text}"
            if message.type in ("error", "warning") and not (expected and re.search(expected, text)):
                heard.append(text)

        context.on("console", hear)
        context.on("weberror", lambda fault: heard.append(str(fault.error)))
        return context.new_page()

    yield come
    for context in contexts:
        context.close()
    assert heard == [], heard


def begin(page: Page, game: str, mode: str, **fields: str) -> None:
    """Begin a game at once, as the form of the home page would."""
    form: dict[str, str | float | bool] = {"game": game, "mode": mode}
    form |= {f"options.{name}": text for name, text in SMALL[game].items()} | fields
    answer = page.request.post("/new", form=form, max_redirects=0)
    page.goto(answer.headers["location"])


def fill_in(page: Page, game: str, **fields: str) -> Locator:
    """Fill in the form of the home page, as people do; the form."""
    page.goto("/")
    form = page.locator("form.new-game")
    form.locator(f'[name=game][value="{game}"]').check()
    form.locator("summary").click()
    for name, text in (
        {f"{game}.options.{name}": text for name, text in SMALL[game].items()} | fields
    ).items():
        field = form.locator(f'[name="{name}"]')
        if name in ("mode", "level", "seat"):
            field.locator(f'xpath=self::*[@value="{text}"]').check()
        else:
            field.fill(text)
    return form


def tiles(page: Page) -> Any:
    """What can be played."""
    return page.locator(".board button[name=move]")


def play(page: Page, seat: int) -> None:
    """Make the first move there is, or as Player 1 the last; where a number is placed, each has their own."""
    placing = page.locator(".hand").count() > 0
    if placing:
        page.locator(f'.hand input[value="{seat + 1}"]').check()
    tiles(page).nth(0 if seat or placing else -1).click()


def is_at(page: Page, ply: int) -> None:
    """See that the page shows so many moves."""
    expect(page.locator(".playing")).to_have_attribute("data-ply", str(ply))


def is_over(page: Page) -> bool:
    return page.get_by_role("link", name="Review the game").count() > 0
