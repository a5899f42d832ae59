"""The rules of a game on the screen: formatted and through the pager on a terminal, else as written."""

from __future__ import annotations

from numberduels.cli.console import BOLD, CYAN, Console
from numberduels.game.board_text import Line
from numberduels.game.spec import GameSpec

UNDERLINED = "4"
COLOURS = {
    "title": f"{BOLD};{UNDERLINED}",
    "heading": BOLD,
    "strong": BOLD,
    "emphasis": UNDERLINED,
    "code": CYAN,
}
"""The colour of each style of `markdown_text`."""

WIDEST = 80
"""Texts are set no wider than this, so that the eye finds the next line."""


def show_rules(console: Console, spec: GameSpec, *, paged: bool = True) -> None:
    """Show the rules: formatted on a terminal, as they are written through a pipe."""
    if not console.draws:
        console.say_paragraphs(spec.rulebook())
        return
    from numberduels.game.markdown_text import format_markdown

    lines = format_markdown(spec.rulebook(), min(console.width or WIDEST, WIDEST))
    text = "".join(f"{_painted(console, line)}\n" for line in lines)
    if not paged:
        console.say(text)
        return
    from numberduels.cli.pager import show

    show(console, text)


def _painted(console: Console, line: Line) -> str:
    """A line with colours; without them a heading is underlined by characters."""
    if console.colour:
        return "".join(console.paint(segment.text, COLOURS.get(segment.style, "")) for segment in line)
    text = "".join(segment.text for segment in line)
    return f"{text}\n{'-' * len(text)}" if line and line[0].style == "heading" else text
