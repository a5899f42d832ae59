"""Numbers, lists, runs and quotations as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.contract import Unreadable
from numberduels.game.formatting import read_number, runs, short, split_list
from tables import table


@table(
    "text, number",
    [
        ("7", 7),
        (" 7 ", 7),
        ("007", 7),
        ("0", 0),
        ("999999999", 999_999_999),
        ("0" * 50 + "1", 1),
    ],
)
def test_a_whole_number_is_read(text: str, number: int) -> None:
    assert read_number(text) == number


@table(
    "text, sentence",
    [
        ("", "No number was given."),
        ("abc", "'abc' is not a whole number."),
        ("-3", "'-3' is not a whole number."),
        ("3.0", "'3.0' is not a whole number."),
        ("1_0", "'1_0' is not a whole number."),
        ("٣", "'\\u0663' is not a whole number."),
        ("1\N{NO-BREAK SPACE}", "'1\\xa0' is not a whole number."),
        ("1000000000", "'1000000000' is not a whole number of this game."),
        ("9" * 5_000, f"'{'9' * 24}...' is not a whole number of this game."),
        ("\x1b[2J", "'\\x1b[2J' is not a whole number."),
    ],
)
def test_nothing_else_is(text: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as fault:
        read_number(text)
    assert str(fault.value) == sentence


@given(st.text())
def test_reading_never_fails_in_any_other_way(text: str) -> None:
    try:
        number = read_number(text)
    except Unreadable as fault:
        assert str(fault).endswith(".") and str(fault).isascii() and str(fault).isprintable()
    else:
        assert number == int(text)


@given(st.text(), st.integers(1, 40))
def test_a_quotation_is_short_and_safe_to_print(text: str, most: int) -> None:
    quoted = short(text, most)
    assert quoted.isascii() and quoted.isprintable()
    assert quoted[0] == quoted[-1] == "'" and len(quoted) <= 10 * most + 5


@table(
    "numbers, text",
    [
        ([], ""),
        ([5], "5"),
        ([1, 2], "1,2"),
        ([1, 2, 3], "1-3"),
        ([1, 2, 4], "1,2,4"),
        ([1, 2, 3, 4, 5, 6, 9, 10], "1-6,9,10"),
    ],
)
def test_runs_of_three_or_more_are_drawn_together(numbers: list[int], text: str) -> None:
    assert runs(numbers) == text


@table(
    "text, parts",
    [
        ("a,b", ("a", "b")),
        (" a , ,b,", ("a", "b")),
        ("", ()),
        ("mnk(m=3,n=3),b", ("mnk(m=3,n=3)", "b")),
        ("f(a=g(x=1,y=2),b=3),c", ("f(a=g(x=1,y=2),b=3)", "c")),
        ("a(,b", ("a(", "b")),  # only parentheses that are closed keep a name together
        ("a),b", ("a)", "b")),
    ],
)
def test_a_list_is_split_at_commas_outside_of_parentheses(text: str, parts: tuple[str, ...]) -> None:
    assert split_list(text) == parts
