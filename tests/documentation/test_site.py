"""The built documentation, as a reader opens it: offline, from files, with a search that finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright
from tools.documentation.repository import SITE
from tools.documentation.site_check import site_faults

from needs import chromium, lacking
from tables import table

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def site() -> Path:
    return SITE if (SITE / "index.html").exists() else lacking("The documentation", "make docs")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": 390, "height": 800})
        browser.close()


def test_every_link_leads_somewhere_and_nothing_comes_from_the_network(site: Path) -> None:
    assert site_faults(site) == []


def test_pages_ask_the_network_for_nothing_and_the_search_finds_from_files(site: Path, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "games" / "range_war.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("Stable-Baselines3")
    page.locator('a[href*="guides/train_an_agent.html"][href*="stable-baselines3"]').first.wait_for()
    assert asked and [address for address in asked if not address.startswith(("file:", "data:"))] == []


@table("name", ["index", "games/restricted_removal", "reference/command_line", "hosting"])
def test_pages_fit_a_phone(site: Path, page: Page, name: str) -> None:
    page.goto((site / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
