"""The board in a browser, inside a host that speaks the protocol of MCP Apps with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from numberduels.harness.mcp import tools
from numberduels.harness.mcp.tools import board_page
from web.browsers import PATIENCE, chromium

__all__ = ["chromium"]  # a fixture

pytestmark = pytest.mark.long

HOST = """
<iframe sandbox="allow-scripts" width="600" height="500"></iframe>
<script>
window.heard = [];
const frame = document.querySelector("iframe");
const tell = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
window.addEventListener("message", async (event) => {
  const { id, method, params } = event.data;
  window.heard.push(method);
  if (method === "ui/initialize") tell({ id, result: { protocolVersion: params.protocolVersion } });
  if (method === "ui/notifications/initialized")
    tell({ method: "ui/notifications/tool-result", params: await window.firstResult() });
  if (method === "tools/call") tell({ id, result: await window.callTool(params.name, params.arguments) });
});
</script>
"""


@pytest.fixture
def host(chromium: Browser) -> Iterator[Page]:
    """A page that will show the board; nothing may go wrong in it, and nothing may be loaded."""
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda fault: wrong.append(str(fault)))
    page.on("request", lambda request: wrong.append(request.url))
    yield page
    page.close()
    assert wrong == []


def show(page: Page, **settings: Any) -> Any:
    """Let the host show a new game; returns the frame of the board."""
    values: dict[str, Any] = {"game_id": "a", "opponent": "perfect", "seat": "first", "seed": 1, "opening": 0}
    state, first = tools.new_game(**values | {"attempts": 3, "reward": "kept"} | settings)

    def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        nonlocal state
        assert name == "move"
        try:
            state, result = tools.move(state=state, judge=False, **arguments)
            return {"structuredContent": asdict(result)}
        except (ValueError, LookupError) as fault:
            return {"isError": True, "content": [{"type": "text", "text": str(fault)}]}

    page.expose_function("firstResult", lambda: {"structuredContent": asdict(first)})
    page.expose_function("callTool", call)
    page.set_content(HOST)
    page.evaluate("html => { document.querySelector('iframe').srcdoc = html; }", board_page())
    return page.frame_locator("iframe")


def test_a_game_is_played_by_clicks(host: Page) -> None:
    board = show(host, game="summation-duel:size=4:target=6")
    expect(board.get_by_role("heading")).to_have_text("Summation Duel: you are Player 1")
    expect(board.get_by_role("status")).to_have_text("Player 1 is to move.")
    board.get_by_role("button", name="3", exact=True).click()
    expect(board.locator("#position")).to_contain_text("Total Sum: 5")  # it replied with 2
    board.get_by_role("button", name="1", exact=True).click()
    expect(board.get_by_role("status")).to_have_text("The game is over: win.")
    expect(board.get_by_role("button")).to_have_count(0)
    assert host.evaluate("heard.includes('ui/notifications/size-changed')")


def test_words_of_a_game_are_never_markup(host: Page) -> None:
    board = show(host, game="range-war:size=4")
    expect(board.get_by_role("button")).to_have_count(4)
    markup = "<img src=x onerror=alert(1)>"
    result = {"isError": True, "content": [{"type": "text", "text": markup}]}
    host.evaluate("params => tell({ method: 'ui/notifications/tool-result', params })", result)
    expect(board.get_by_role("status")).to_have_text(markup)
