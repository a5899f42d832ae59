"""The page of the board, an MCP App: one HTML document that loads nothing and runs only its own script."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files


@cache
def board_page() -> str:
    """The document, with the hashes of its script and style in its content security policy."""
    page = files("numberduels.harness.mcp").joinpath("board.html").read_text(encoding="utf-8")
    for tag, name in (("script", "SCRIPT_HASH"), ("style", "STYLE_HASH")):
        found = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert found is not None, tag
        page = page.replace(name, b64encode(sha256(found[1].encode()).digest()).decode())
    return page
