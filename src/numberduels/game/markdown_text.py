"""format_markdown(): Markdown as lines of characters with styles, for terminals of any width.

It knows what the rules of a game use: headings, paragraphs, lists, bold and italic words, and code.

>>> from numberduels.game.board_text import plain_text
>>> text = "# Rules\\n\\nTake **one**.\\n\\n- `--size N`: how many\\n  numbers"
>>> print(plain_text(format_markdown(text, 20)))
Rules
<BLANKLINE>
Take one.
<BLANKLINE>
• --size N: how many
  numbers
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from numberduels.game.board_text import Line, Segment

STYLES = ("title", "heading", "strong", "emphasis", "code")
"""What a segment can be, beside plain text."""

NARROWEST = 10
BULLET = "•"

HEADING = re.compile(r"(#{1,6}) +(.*)")
ITEM = re.compile(r"(\s*)([-*]|\d+\.) +(.*)")
FENCE = "```"
INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>[^*]+)\*\*|(?<![\w*])\*(?P<emphasis>[^*\s][^*]*)\*(?!\w)"
)


class _Block(NamedTuple):
    """A heading, a paragraph, an item of a list, or lines of code."""

    text: str
    style: str = ""
    marker: str = ""
    """What stands before an item of a list."""
    verbatim: bool = False


def format_markdown(text: str, width: int) -> list[Line]:
    """The text in lines, none wider than `width` unless it is code."""
    width = max(width, NARROWEST)
    lines: list[Line] = []
    before: _Block | None = None
    for block in _blocks(text):
        together = before is not None and bool(before.marker and block.marker)
        if before is not None and not together:
            lines.append(())
        lines += _lines(block, width)
        before = block
    return lines


def _blocks(text: str) -> Iterator[_Block]:
    """The blocks of the text; blank lines, headings and items begin a new one."""
    open_block: _Block | None = None
    code: list[str] | None = None
    for line in text.split("\n"):
        if line.startswith(FENCE):
            if code is not None:
                yield _Block("\n".join(code), "code", verbatim=True)
            elif open_block:
                yield open_block
            open_block, code = None, [] if code is None else None
        elif code is not None:
            code.append(line)
        elif open_block and _continues(open_block, line):
            open_block = open_block._replace(text=f"{open_block.text} {line.strip()}")
        else:
            if open_block:
                yield open_block
            open_block = _begin(line)
            if open_block and open_block.style:  # a heading is one line
                yield open_block
                open_block = None
    if code:  # the fence was not closed
        yield _Block("\n".join(code), "code", verbatim=True)
    elif open_block:
        yield open_block


def _continues(block: _Block, line: str) -> bool:
    """Whether a line belongs to the block before it.

    As everywhere in Markdown, a numbered list inside a paragraph begins with 1: a sentence may end with a
    number at the beginning of a line. An item of a list is a paragraph, too, as far as its text is indented.
    """
    if not line.strip() or HEADING.match(line):
        return False
    item = ITEM.match(line)
    if item is None:
        return True
    inside = len(item[1]) >= len(block.marker)
    return inside and item[2] not in ("-", "*", "1.")


def _begin(line: str) -> _Block | None:
    """The block that a line begins; None if it is blank."""
    if heading := HEADING.match(line):
        return _Block(heading[2], "title" if len(heading[1]) == 1 else "heading")
    if item := ITEM.match(line):
        indent, sign, text = item.groups()
        return _Block(text, marker=f"{indent}{BULLET if sign in '-*' else sign} ")
    return _Block(line.strip()) if line.strip() else None


def _lines(block: _Block, width: int) -> Iterator[Line]:
    if block.verbatim:
        yield from ((Segment(each, block.style),) for each in block.text.split("\n"))
        return
    indent = " " * len(block.marker)
    line, used = [Segment(block.marker)], 0
    for word in _words(block.text, block.style, max(width - len(indent), 1)):
        wide = sum(len(each.text) for each in word)
        if used and len(indent) + used + 1 + wide > width:
            yield _joined(line)
            line, used = [Segment(indent)], 0
        if used:
            # A space between two words of one style has that style: it can be underlined.
            line.append(Segment(" ", word[0].style if line[-1].style == word[0].style else ""))
        line += word
        used += wide + bool(used)
    yield _joined(line)


def _words(text: str, style: str, width: int) -> Iterator[list[Segment]]:
    """The words, each of one segment or more, in pieces if they are too wide; code that fits is one word."""
    word: list[Segment] = []
    for part, kind in _inline(text, style):
        whole = kind == "code" and len(part) <= width
        for number, piece in enumerate([part] if whole else re.split(r"\s+", part)):
            if number and word:
                yield word
                word = []
            if piece:
                word.append(Segment(piece, kind))
            while sum(len(each.text) for each in word) > width:
                *before, (last, last_kind) = word
                room = width - sum(len(each.text) for each in before)
                yield [*before, Segment(last[:room], last_kind)] if room > 0 else before
                word = [Segment(last[max(room, 0) :], last_kind)]
    if word:
        yield word


def _inline(text: str, style: str) -> Iterator[tuple[str, str]]:
    """The parts of a text with their styles; signs of Markdown are left out."""
    end = 0
    for match in INLINE.finditer(text):
        yield text[end : match.start()], style
        kind = match.lastgroup or ""
        yield match[kind], style or kind
        end = match.end()
    yield text[end:], style


def _joined(line: list[Segment]) -> Line:
    """The line with neighbours of one style drawn together."""
    pieces = groupby((each for each in line if each.text), key=lambda each: each.style)
    return tuple(Segment("".join(each.text for each in same), style) for style, same in pieces)
