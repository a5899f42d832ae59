"""Markdown as lines with styles."""

from __future__ import annotations

import re

from numberduels.game import registry
from numberduels.game.board_text import Segment, plain_text
from numberduels.game.markdown_text import format_markdown
from ours import OURS
from tables import table


def text(markdown: str, width: int = 60) -> str:
    return plain_text(format_markdown(markdown, width))


def test_words_have_styles_within_a_sentence() -> None:
    (line,) = format_markdown("Take **the nearest** or `5`, *never* 2*3*4.", 60)
    assert line == (
        Segment("Take "),
        Segment("the nearest", "strong"),
        Segment(" or "),
        Segment("5", "code"),
        Segment(", "),
        Segment("never", "emphasis"),
        Segment(" 2*3*4."),
    )


def test_items_hang_and_stand_together() -> None:
    assert text("List:\n\n- one two three\n- four\n\n1. five six seven", 10) == (
        "List:\n\n• one two\n  three\n• four\n1. five\n   six\n   seven"
    )


def test_a_number_inside_an_item_is_no_list_either() -> None:
    assert text("- It gets 9 and another\n  3. Then it ends.\n- Next") == (
        "• It gets 9 and another 3. Then it ends.\n• Next"
    )
    assert text("1. One\n2. Two goes to\n   3. End.\n3. Three") == "1. One\n2. Two goes to 3. End.\n3. Three"
    assert text("- One\n  1. inner\n  2. other") == "• One\n  1. inner\n  2. other"


def test_code_is_not_broken_if_it_fits_into_a_line() -> None:
    assert text("Type `place 3 at 5` now", 16) == "Type\nplace 3 at 5 now"
    assert text("`place 3 at 5`", 10) == "place 3 at\n5"


def test_a_block_of_code_stays_as_it_is() -> None:
    assert text("Look:\n```\n1  2\n   # 3\n```\nDone.", 10) == "Look:\n\n1  2\n   # 3\n\nDone."
    assert text("```\nnot closed") == "not closed"


def test_a_word_that_is_too_wide_is_broken() -> None:
    assert text("a 123456789012345 b", 10) == "a\n1234567890\n12345 b"


@table("name", OURS)
@table("width", [10, 38, 80])
def test_rules_lose_no_word_and_are_never_too_wide(name: str, width: int) -> None:
    rules = registry.spec(name).rulebook()
    lines = format_markdown(rules, width)
    assert max(sum(len(segment.text) for segment in line) for line in lines) <= width
    written = re.sub(r"[\s#*`•-]", "", plain_text(lines))
    assert written == re.sub(r"[\s#*`-]", "", rules)
