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
        for each in block.text.split("\n"):
            yield (Segment(each, block.style),)
        return
    indent = " " * len(block.marker)
    line = [Segment(block.marker)] if block.marker else []
    used, empty = len(block.marker), True
    for word in _words(block.text, block.style):
        for piece in _fitting(word, max(width - len(indent), 1)):
            wide = sum(len(each.text) for each in piece)
            if not empty and used + 1 + wide > width:
                yield _joined(line)
                line, used, empty = ([Segment(indent)] if indent else []), len(indent), True
            if not empty:
                # A space between two words of one style has that style: it can be underlined.
                same = line[-1].style == piece[0].style
                line.append(Segment(" ", piece[0].style if same else ""))
            line += piece
            used += wide + (not empty)
            empty = False
    yield _joined(line)


def _words(text: str, style: str) -> Iterator[list[Segment]]:
    """The words, each of one segment or more; code is one word, with its spaces."""
    word: list[Segment] = []
    for part, kind in _inline(text, style):
        pieces = [part] if kind == "code" else re.split(r"\s+", part)
        for number, piece in enumerate(pieces):
            if number and word:
                yield word
                word = []
            if piece:
                word.append(Segment(piece, kind))
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


def _fitting(word: list[Segment], width: int) -> Iterator[list[Segment]]:
    """The word, in pieces if it is wider than a line."""
    if sum(len(each.text) for each in word) <= width:
        yield word
        return
    for text, style in word:
        for part in text.split():
            for first in range(0, len(part), width):
                yield [Segment(part[first : first + width], style)]


def _joined(line: list[Segment]) -> Line:
    """The line with neighbours of one style drawn together."""
    found: list[Segment] = []
    for each in line:
        if found and found[-1].style == each.style:
            found[-1] = Segment(found[-1].text + each.text, each.style)
        else:
            found.append(each)
    return tuple(found)
