"""The board as an MCP App: its policy allows its own script and style, and nothing else."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from numberduels.harness.mcp.results import board_page


def test_the_policy_names_the_script_and_the_style_by_their_hashes() -> None:
    page = board_page()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None and policy[1].startswith("default-src 'none';")
    for tag in ("script", "style"):
        (inner,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]
    assert "unsafe" not in policy[1] and "*" not in policy[1]


def test_it_loads_nothing_and_writes_no_markup() -> None:
    page = board_page()
    for word in ("http:", "https:", "src=", "href=", "url(", "innerHTML", "eval(", "fetch(", "import "):
        assert word not in page
