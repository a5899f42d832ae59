"""How soon pages are there, and a move on the friend's page, beside another revision of this repository.

    python -m benchmarks.page_speed --against REVISION [--rounds 15]

The revision is cloned into a temporary folder. The two versions take turns in one run, so that the load of
the machine is the same for both. Times are milliseconds: the median, and the quartiles.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
SERVE = "import sys; from numberduels.cli.main import main; sys.exit(main(sys.argv[1:]))"
NOW = "this version"

STAGES = """
window.stages = {};
const clock = () => performance.timeOrigin + performance.now();
const note = window.note = (name) => { window.stages[name] ??= clock(); };
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (kind, heard, ...rest) {
  const noted = (event) => {
    if (kind === "version" && event.lastEventId) note("told");
    heard(event);
  };
  return listen.call(this, kind, noted, ...rest);
};
const fetched = window.fetch;
window.requests = 0;
window.fetch = async (...all) => {
  window.requests += 1;
  note("asked");
  const answer = await fetched(...all);
  note("answered");
  return answer;
};
"""
"""Notes when the page is told of a move, asks for the new state and gets it."""

WATCH = """() => {
  const ply = () => document.querySelector("[data-ply]").dataset.ply;
  const before = ply();
  window.stages = {};
  window.requests = 0;
  window.painted = new Promise((resolve) => {
    const changed = new MutationObserver(() => {
      if (ply() === before) return;
      changed.disconnect();
      window.note("replaced");
      requestAnimationFrame(() => {
        const after = new MessageChannel();  // a message sent before a frame is painted arrives after it
        after.port1.onmessage = () => { window.note("painted"); resolve(); };
        after.port2.postMessage(null);
      });
    });
    changed.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}"""
"""Notes when the page shows another ply."""

PLAY = """() => {
  const all = [...document.querySelectorAll("button[name=move]")];
  const sent = performance.timeOrigin + performance.now();
  all[Math.floor(all.length / 2)].click();
  return sent;
}"""

FIRST_PAINT = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const found = list.getEntriesByName("first-contentful-paint")[0];
    if (found) resolve(found.startTime);
  }).observe({ type: "paint", buffered: true });
})"""

SETTLED = """() => document.getElementById("lost")?.hidden"""

Figures = dict[str, list[float]]


@contextmanager
def _server(source: Path, folder: Path) -> Iterator[str]:
    """A server of this source tree; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-c",
        SERVE,
        "serve",
        "--port",
        str(port),
        "--store",
        str(folder / f"{port}.sqlite"),
    ]
    environment = os.environ | {"PYTHONPATH": str(source / "src")}
    with subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.DEVNULL) as process:
        try:
            for _ in range(600):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz").close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _first_paint(page: Page, address: str) -> float:
    page.goto(address)
    return float(page.evaluate(FIRST_PAINT))


def _round(browser: Browser, url: str, figures: Figures) -> None:
    """Two friends open the home page and a game, and each makes a move."""
    contexts = [browser.new_context(base_url=url) for _ in range(2)]
    one, two = (each.new_page() for each in contexts)
    for page in (one, two):
        page.add_init_script(STAGES)
    figures["home page, first paint"].append(_first_paint(one, "/"))
    fields: dict[str, str | float | bool] = {
        "game": "range-war",
        "mode": "friend",
        "name": "Ada",
        "seat": "1",
    }
    made = one.request.post("/new", form=fields, max_redirects=0)
    path = made.headers["location"]
    cookies: list[Any] = list(contexts[0].cookies(url + path))
    invitation = next(each["value"] for each in cookies if each["name"].startswith("invitation"))
    joined = two.request.post(f"{path}/join", form={"invitation": invitation, "name": "Bob"}, max_redirects=0)
    assert joined.status == 303, joined.text()
    for page in (one, two):
        figures["game page, first paint"].append(_first_paint(page, path))
    for page in (one, two):
        page.wait_for_function(SETTLED)
        page.wait_for_timeout(1000)  # what a page does after it is shown is no part of a move
    for mover, friend in ((one, two), (two, one)):
        friend.evaluate(WATCH)
        mover.evaluate(WATCH)
        sent = mover.evaluate(PLAY)
        friend.evaluate("window.painted")
        mover.evaluate("window.painted")
        noted, own = friend.evaluate("window.stages"), mover.evaluate("window.stages")
        for name, what in (
            ("told", "the friend's page is told"),
            ("asked", "it asks for the new state"),
            ("answered", "it gets it"),
            ("replaced", "the board is replaced"),
            ("painted", "**move to friend**: it is painted"),
        ):
            figures[what].append(noted[name] - sent)
        figures["move to mover: painted"].append(own["painted"] - sent)
        mover.wait_for_timeout(500)
        figures["requests of both for a move"].append(
            sum(each.evaluate("window.requests") for each in (one, two))
        )
    for context in contexts:
        context.close()


def measure(versions: dict[str, Path], rounds: int) -> dict[str, Figures]:
    """The figures of each version, which take turns."""
    found: dict[str, Figures] = {name: defaultdict(list) for name in versions}
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        ) as browser,
    ):
        names = list(versions)
        with (
            _server(versions[names[0]], Path(folder)) as first,
            _server(versions[names[1]], Path(folder)) as second,
        ):
            urls = dict(zip(names, (first, second), strict=True))
            for name in names:
                _round(
                    browser, urls[name], defaultdict(list)
                )  # nothing is loaded for the first time when it counts
            for number in range(rounds):
                for name in names if number % 2 else reversed(names):
                    _round(browser, urls[name], found[name])
    return found


def _text(values: list[float]) -> str:
    low, middle, high = quantiles(values, n=4)
    return f"{middle:.0f} ({low:.0f}, {high:.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--against", required=True, metavar="REVISION", help="the other version, as git names it"
    )
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        subprocess.run(["git", "-C", str(clone), "checkout", "-q", options.against], check=True)
        found = measure({options.against: clone, NOW: ROOT}, options.rounds)
    print(f"Load: {', '.join(f'{each:.1f}' for each in os.getloadavg())} on {os.cpu_count()} cores\n")
    print(f"| | {' | '.join(found)} |")
    print("|---|---|---|")
    for what in found[NOW]:
        print(f"| {what} | {' | '.join(_text(each[what]) for each in found.values())} |")


if __name__ == "__main__":
    main()
