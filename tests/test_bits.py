"""Sets of numbers as bit masks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.bits import mask_of, members, span
from tables import table

NUMBERS = st.one_of(
    st.sets(st.integers(0, 10)),
    st.sets(st.integers(0, 21)),
    st.sets(st.integers(0, 45)),
    st.sets(st.integers(0, 3_000)),
)


@given(NUMBERS)
def test_members_are_the_numbers_of_the_mask_ascending(numbers: set[int]) -> None:
    assert members(mask_of(numbers)) == tuple(sorted(numbers))


@table("edge", [0, 1, 10, 11, 12, 21, 22, 23, 63, 64, 10_000])
def test_a_single_number_at_any_edge(edge: int) -> None:
    assert members(1 << edge) == (edge,)
    assert members((1 << edge) - 1) == tuple(range(edge))


@table(
    "low, high, numbers",
    [(1, 3, (1, 2, 3)), (2, 2, (2,)), (0, 0, (0,)), (1, 0, ()), (10, 12, (10, 11, 12))],
)
def test_a_span_holds_both_ends(low: int, high: int, numbers: tuple[int, ...]) -> None:
    assert members(span(low, high)) == numbers
