"""A game with its options as one text."""

from __future__ import annotations

import pytest

from numberduels.game.registry import read_game
from tables import table


@table(
    "text, written",
    [
        ("range-war", "range-war:size=10:opening=lower"),
        ("range-war:opening=free:size=12", "range-war:size=12:opening=free"),
        ("number-snatch:numbers=2+5+7", "number-snatch:size=3:top=20:numbers=2+5+7"),
    ],
)
def test_a_game_is_written_with_all_its_options(text: str, written: str) -> None:
    name, game = read_game(text)
    assert name == written and read_game(written) == (written, game)


@table(
    "text, fault",
    [
        ("range-war:colour=red", "'colour=red' is no option of range-war; .* one of size, opening"),
        ("range-war:12", "'12' is no option of range-war"),
        ("range-war:size=0", "size must be a whole number from 1"),
    ],
)
def test_what_is_no_option_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_game(text)
