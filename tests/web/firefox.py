"""Firefox for tests, driven by WebDriver BiDi: JSON commands over one WebSocket.

Playwright drives Debian's Firefox only if it knows every command that Playwright sends, which it need not.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from needs import firefox as firefox_program
from web.serving import PATIENCE, wait_until

PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}
"""Settings with which it starts: it asks nobody for anything, and pages move nothing."""


STAND_STILL = """async (element) => {
  const frame = () => new Promise(requestAnimationFrame);
  const place = () => JSON.stringify(element.getBoundingClientRect());
  while (document.readyState !== "complete") await frame();
  element.scrollIntoView({ block: "center", behavior: "instant" });
  for (let before = "", still = 0; still < 3 && element.isConnected; before = place()) {
    await frame();
    still = place() === before ? still + 1 : 0;
  }
}"""
"""Scroll to an element and wait until it has stopped moving: a click goes to a point of the window."""


class Firefox:
    """A running Firefox. Every visitor has cookies of their own."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._ids = count(1)
        self.faults: list[str] = []
        """Errors that scripts of pages have raised."""
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method: str, **parameters: Any) -> Any:
        """Send a command and wait for its result."""
        number = next(self._ids)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._connection.recv(PATIENCE))
            if message.get("method") == "log.entryAdded":
                self._hear(message["params"])
            if message.get("id") == number:
                assert message["type"] == "success", f"{method}: {message}"
                return message["result"]

    def _hear(self, entry: dict[str, Any]) -> None:
        if entry["type"] == "javascript" and entry["level"] == "error":
            self.faults.append(str(entry["text"]))

    def visitor(self, width: int = 1200, height: int = 800) -> Visitor:
        """Somebody new, with a window: a tab behind another one would be hidden, and hidden pages wait."""
        user = self.send("browser.createUserContext")["userContext"]
        tab = self.send("browsingContext.create", type="window", userContext=user)["context"]
        self.send("browsingContext.setViewport", context=tab, viewport={"width": width, "height": height})
        return Visitor(self, tab)


class Visitor:
    """Somebody who looks at one window."""

    def __init__(self, browser: Firefox, tab: str) -> None:
        self._browser = browser
        self._tab = tab

    def goto(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._browser.send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, which must be plain data."""
        answer = self._browser.send(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((found) => JSON.stringify(found ?? null))",
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true, also on the page after this one."""

        def is_true() -> bool:
            try:
                return bool(self.evaluate(f"Boolean({expression})"))
            except AssertionError:  # the page is just leaving
                return False

        wait_until(is_true, lambda: f"never true: {expression}")

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that matches."""
        self.wait_for(f"document.querySelector({json.dumps(selector)})")
        # The element is remembered, because a page may replace it by the same one.
        found = self._browser.send(
            "browsingContext.locateNodes",
            context=self._tab,
            locator={"type": "css", "value": selector},
            maxNodeCount=1,
        )
        element = {"type": "element", "element": {"sharedId": found["nodes"][0]["sharedId"]}}
        self._browser.send(
            "script.callFunction",
            functionDeclaration=STAND_STILL,
            arguments=[element["element"]],
            target={"context": self._tab},
            awaitPromise=True,
        )
        self._browser.send(
            "input.performActions",
            context=self._tab,
            actions=[
                {
                    "type": "pointer",
                    "id": "mouse",
                    "actions": [
                        {"type": "pointerMove", "x": 0, "y": 0, "origin": element},
                        {"type": "pointerDown", "button": 0},
                        {"type": "pointerUp", "button": 0},
                    ],
                }
            ],
        )


@contextmanager
def running_firefox(folder: Path) -> Iterator[Firefox]:
    """Firefox with a new profile in this folder."""
    profile, log = folder / "profile", folder / "firefox.log"
    profile.mkdir()
    settings = (f'user_pref("{name}", {json.dumps(value)});' for name, value in PREFERENCES.items())
    (profile / "user.js").write_text("\n".join(settings), encoding="utf-8")
    command = [firefox_program(), "--headless", "--no-remote", "--profile", str(profile)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--remote-debugging-port", "0"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"HOME": str(folder)},
        )
    try:
        wait_until(lambda: _address(log) or process.poll() is not None, log.read_text)
        with connect(f"{_address(log)}/session", max_size=None, ping_interval=None) as connection:
            yield Firefox(connection)
    finally:
        process.kill()
        process.wait()


def _address(log: Path) -> str:
    """Where it listens, once it has said so."""
    found = re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(encoding="utf-8"))
    return found[1] if found else ""
