"""Firefox, driven by WebDriver BiDi (JSON commands over one WebSocket): two friends play a game.

Playwright drives Debian's Firefox only if it knows every command that Playwright sends, which it need not.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from needs import firefox as firefox_program
from web.serving import PATIENCE, serving, wait_until

pytestmark = pytest.mark.long

TURN = "document.querySelector('.playing')?.dataset.mine === 'yes'"
OVER = "document.querySelector('.playing')?.dataset.status === 'over'"
PLY = "document.querySelector('.playing')?.dataset.ply"


class Firefox:
    """A running Firefox."""

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
            entry = message.get("params", {})
            if (entry.get("type"), entry.get("level")) == ("javascript", "error"):
                self.faults.append(str(entry["text"]))
            if message.get("id") == number:
                assert message["type"] == "success", f"{method}: {message}"
                return message["result"]


class Visitor:
    """Somebody with cookies and a window of their own: a tab behind another one would be hidden, and wait."""

    def __init__(self, browser: Firefox) -> None:
        self._send = browser.send
        user = browser.send("browser.createUserContext")["userContext"]
        self._tab = browser.send("browsingContext.create", type="window", userContext=user)["context"]

    def goto(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, which must be plain data."""
        text, target = f"JSON.stringify(({expression}) ?? null)", {"context": self._tab}
        answer = self._send("script.evaluate", expression=text, target=target, awaitPromise=False)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true, also on the page after this one."""

        def is_true() -> bool:
            with suppress(AssertionError):  # the page is just leaving
                return bool(self.evaluate(f"Boolean({expression})"))
            return False

        wait_until(is_true, lambda: f"never true: {expression}")

    def click(self, selector: str) -> None:
        """Click the first element that matches."""
        found = f"document.querySelector({json.dumps(selector)})"
        self.wait_for(f"document.readyState === 'complete' && {found}")
        self.evaluate(f"{found}.click()")


@contextmanager
def running_firefox(folder: Path) -> Iterator[Firefox]:
    """Firefox with a new profile in this folder; in the end no script has failed in it."""
    profile, log = folder / "profile", folder / "firefox.log"
    profile.mkdir()
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
        listening = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
        wait_until(lambda: listening.search(log.read_text()) or process.poll() is not None, log.read_text)
        (address,) = listening.findall(log.read_text())
        with connect(f"{address}/session", max_size=None, ping_interval=None) as connection:
            browser = Firefox(connection)
            yield browser
            assert browser.faults == []
    finally:
        process.kill()
        process.wait()


def test_two_friends_play_to_the_end_each_seeing_the_other_move(tmp_path: Path) -> None:
    with running_firefox(tmp_path) as firefox, serving(tmp_path) as server:
        players = one, other = Visitor(firefox), Visitor(firefox)
        one.goto(f"{server.url}/?game=range-war")
        one.click('[name=mode][value="friend"]')
        one.evaluate("document.querySelector('[name=\"range-war.options.size\"]').value = '5'")
        one.click("form.new-game button.main")
        one.wait_for("document.querySelector('.invite input')")
        other.goto(one.evaluate("document.querySelector('.invite input').value"))
        other.click("form button.main")
        for each in players:
            each.wait_for("document.querySelector('.playing')?.dataset.status === 'playing'")
            each.evaluate("window.neverLeft = true")
            each.wait_for("document.querySelector('[data-presence]').classList.contains('online')")
        for ply in range(1, 10):
            mover = next(each for each in players if each.evaluate(TURN))
            mover.click(".board button[name=move]")
            for each in players:
                each.wait_for(f"{PLY} === '{ply}'")
            if one.evaluate(OVER):
                break
        results = {each.evaluate("document.querySelector('.finale h2').textContent") for each in players}
        assert results == {"You win!", "You lose."}
        assert all(each.evaluate("window.neverLeft") for each in players)
