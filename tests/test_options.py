"""A game's options, from text and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from numberduels.game import options, registry
from numberduels.game.options import (
    BadOption,
    check_whole,
    declared,
    format_value,
    game_from_texts,
    with_size,
)
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from ours import OURS
from tables import table


@table(
    "texts, game",
    [
        ({}, RangeWar()),
        ({"size": "12"}, RangeWar(12)),
        ({"size": " 012 ", "opening": "free"}, RangeWar(12, "free")),
        ({"numbers": "5,2,15"}, NumberSnatch(numbers=(2, 5, 15))),
        ({"numbers": " 5, 2 ,15", "size": "3"}, NumberSnatch(numbers=(2, 5, 15))),
        ({"numbers": ""}, NumberSnatch()),
        ({"numbers": "30,2", "top": "30"}, NumberSnatch(numbers=(2, 30))),
        ({"size": "4", "target": "6"}, SummationDuel(4, 6)),
        ({"repetition": "forbidden"}, NumberCollision(repetition="forbidden")),
    ],
)
def test_a_game_is_made_from_texts(texts: dict[str, str], game: Any) -> None:
    assert game_from_texts(type(game), texts) == game


@dataclass(frozen=True)
class Unchecked:
    """A game of somebody else's that expects a number and checks nothing."""

    size: int = options.option(3, "how many")
    half: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "half", self.size // 2)


@table(
    "kind, texts, name, sentence",
    [
        (RangeWar, {"size": "ten"}, "size", "size must be a whole number from 1 to 10000, not 'ten'"),
        (
            SummationDuel,
            {"size": "4", "target": "x"},
            "target",
            "target must be a whole number from 1 to 10, not 'x'",
        ),
        (Unchecked, {"size": "x"}, "size", "size: 'x' is not a whole number."),
        (
            NumberSnatch,
            {"numbers": "1,,2"},
            "numbers",
            "each of the numbers must be a whole number from 1 to 10000, not ''",
        ),
        (
            NumberSnatch,
            {"numbers": "1,2,3", "size": "4"},
            "size",
            "size 4 does not fit the list of numbers, which makes it 3",
        ),
    ],
)
def test_a_text_that_gives_no_value_names_its_option(
    kind: type[Any], texts: dict[str, str], name: str, sentence: str
) -> None:
    with pytest.raises(BadOption) as fault:
        game_from_texts(kind, texts)
    assert fault.value.name == name and str(fault.value) == sentence


@table(
    "value, shown_as",
    [(0, "0"), (11, "11"), (-4, "-4"), (True, "'True'"), (1.0, "'1.0'"), ("7", "'7'"), (None, "'None'")],
)
def test_only_a_whole_number_in_range_will_do(value: object, shown_as: str) -> None:
    with pytest.raises(ValueError) as fault:
        check_whole("size", value, 1, 10)
    assert str(fault.value) == f"size must be a whole number from 1 to 10, not {shown_as}"


@table("name", OURS)
def test_every_option_says_what_it_is_and_reads_its_own_default(name: str) -> None:
    for each in declared(registry.spec(name).rules):
        assert each.metadata["about"]
        assert options.read(each, format_value(each.default)) == each.default
        assert not each.metadata["choices"] or each.default == next(iter(each.metadata["choices"]))


@table(
    "game, size, smaller",
    [
        (RangeWar(10, "free"), 4, RangeWar(4, "free")),
        (NumberSnatch(numbers=(2, 4, 30)), 2, NumberSnatch(size=2, top=30)),
        (NumberCollision(9, 3, "forbidden"), 2, NumberCollision(2, 3, "forbidden")),
        (RestrictedRemoval(10), 3, RestrictedRemoval(3)),
    ],
)
def test_a_variant_at_another_size(game: Any, size: int, smaller: Any) -> None:
    assert with_size(game, size) == smaller
