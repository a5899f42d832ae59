"""Renders the rule books: Markdown to HTML. HTML in the Markdown is escaped."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

MAX_HEADING = 6
"""The lowest level of headings in HTML."""


@lru_cache(64)
def rendered(text: str, shift: int = 1) -> Markup:
    """The text as HTML without its title; the other headings are `shift` levels lower.

    >>> rendered("# Title\\n## Rules\\nTake *one*.").splitlines()
    [Markup('<h3>Rules</h3>'), Markup('<p>Take <em>one</em>.</p>')]
    >>> print(rendered("<script>alert(1)</script>").strip())
    <p>&lt;script&gt;alert(1)&lt;/script&gt;</p>
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = _untitled(parser.parse(text))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + shift, MAX_HEADING)}"
    # The parser has escaped everything.
    return Markup(parser.renderer.render(tokens, parser.options, {}))


def _untitled(tokens: list[Token]) -> list[Token]:
    """The tokens without the title: the page shows it elsewhere."""
    titled = bool(tokens) and tokens[0].type == "heading_open" and tokens[0].tag == "h1"
    return tokens[3:] if titled else tokens
