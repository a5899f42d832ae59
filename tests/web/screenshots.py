"""Write docs/screenshots again; `make pictures` does this, too."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from needs import chromium
from web.browsers import ARGUMENTS, PHONE
from web.serving import serving

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"


def begin(page: Page, **fields: str | float | bool) -> None:
    """Begin a game."""
    page.goto(page.request.post("/new", form=fields, max_redirects=0).headers["location"])


def plays(page: Page, *moves: str) -> None:
    """Make these moves, each when the one before is seen."""
    for move in moves:
        number, at, place = move.rpartition("@")
        if at:
            page.locator(f'.hand input[value="{number}"]').check()
        ply = page.locator(".playing").get_attribute("data-ply")
        page.locator(f'button[name=move][value="{at}{place}"]').click()
        page.locator(f'.playing:not([data-ply="{ply}"])').wait_for()


def keep(page: Page, name: str, pointed: str = "") -> None:
    """Keep what is seen, with the pointer on something or on nothing."""
    page.mouse.move(0, 0)
    if pointed:
        page.locator(pointed).hover()
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")
    print(f"{name}: {(FOLDER / f'{name}.png').stat().st_size // 1000} kB")


def draw(browser: Browser, url: str) -> None:
    """Draw all of them."""
    page = browser.new_page(base_url=url, viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    page.goto("/")
    keep(page, "home")
    begin(page, game="range-war", mode="here", name="Ada", other="Bob")
    plays(page, "6", "3", "8", "5")
    keep(page, "range-war", 'button[value="9"]')
    begin(page, game="restricted-removal", mode="here", name="Ada", other="Bob")
    plays(page, "7", "6", "5", "8", "9")
    page.goto(f"{page.url}/review")
    keep(page, "review")
    page.goto("/learn/restricted-removal")
    keep(page, "learn")
    phone = browser.new_page(
        base_url=url,
        viewport={"width": PHONE["width"], "height": PHONE["height"]},
        color_scheme="dark",
        reduced_motion="reduce",
        has_touch=True,
        is_mobile=True,
    )
    begin(phone, game="number-collision", mode="here", name="Ada", other="Bob")
    plays(phone, "3@4", "1@2", "5@7", "2@9", "3@5", "4@6")
    keep(phone, "number-collision-phone")


def draw_arena(browser: Browser, folder: Path) -> None:
    """Draw the report of a small run."""
    run = str(folder / "run")
    games = ["--games", "range-war:opening=free,restricted-removal", "--rounds", "10", "--seed", "7"]
    duel = [str(Path(sys.executable).with_name("duel")), "arena"]
    players = ["--players", "perfect,mcts:100,casual,random"]
    subprocess.run([*duel, "run", *players, *games, "--out", run], check=True, capture_output=True)
    subprocess.run([*duel, "report", run, "--html", f"{run}/page.html"], check=True, capture_output=True)
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    page.goto(Path(run, "page.html").as_uri())
    keep(page, "arena")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS) as browser,
    ):
        draw(browser, server.url)
        draw_arena(browser, Path(folder))
