"""The public list: what `numberduels` offers by name, and nothing that comes or goes by accident."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

import numberduels
import numberduels.game.table
from numberduels.analysis import solution
from numberduels.game import check_game as testing
from numberduels.game import contract as core
from numberduels.game import record, registry, spec
from tables import table


@table(
    "name, home",
    [
        ("BadRecord", record),
        ("Game", core),
        ("IllegalMove", core),
        ("Outcome", core),
        ("Record", record),
        ("Seat", core),
        ("Solution", solution),
        ("Table", numberduels.game.table),
        ("UnknownGame", registry),
        ("Unreadable", core),
        ("check_game", testing),
        ("names", registry),
        ("GameSpec", spec),
    ],
)
def test_every_public_name_is_the_thing_itself(name: str, home: Any) -> None:
    for _ in range(2):  # a module of the same name must not take its place when it has been loaded
        assert getattr(numberduels, name) is getattr(home, name)


def test_solve_is_a_function_and_the_package_of_solvers_can_be_called_like_it() -> None:
    game = numberduels.make("range-war", size=4)
    assert solution.solve(game).best == [1, 2]
    importlib.import_module("numberduels.solvers")
    assert numberduels.solve(game).best == [1, 2]


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'solver'"):
        numberduels.solver  # noqa: B018  # looking is the test


def test_a_game_is_made_by_its_name() -> None:
    assert repr(numberduels.make("summation-duel", target=20)) == "SummationDuel(size=10, target=20)"


def test_a_game_that_is_not_there_is_an_unknown_game() -> None:
    with pytest.raises(numberduels.UnknownGame, match="there is no game called 'chess'; the games are"):
        numberduels.make("chess")
    with pytest.raises(ValueError, match="size must be a whole number from 1 to 10000"):
        numberduels.make("range-war", size=0)
