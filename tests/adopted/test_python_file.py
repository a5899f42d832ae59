"""Environments of a Python file: the three forms, and that no file or request can make one run."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from adopted.samples import named, typed_spec
from numberduels.game import adopted, record
from numberduels.game import check_game as testing
from numberduels.game.adopted import CannotAdopt
from numberduels.game.adopted.game import WAIT
from numberduels.game.registry import read_game
from numberduels.solvers import Retrograde
from tables import table


def spec_of(name: str) -> Any:
    return typed_spec(named(name))


@table("name", ["CustomEnv", "TwiceEnv", "PlainEnv", "NimAEC"])
def test_an_environment_of_a_file_keeps_the_contract(name: str) -> None:
    spec = spec_of(name)
    testing.check_game(spec, spec.build({"deal": 5}), walks=3)


@table("name", ["CustomEnv", "PlainEnv", "NimAEC"])
def test_one_heap_is_lost_at_multiples_of_four(name: str) -> None:
    """The theorem of this game: leave a multiple of four. Seven counters are won by taking three."""
    game = spec_of(name).make()
    oracle: Retrograde[Any, Any] = Retrograde(game)
    start = game.start(Random(0))
    assert oracle.evaluate(start).value == 1
    assert oracle.best_moves(start) == [2]
    assert oracle.positions <= 40, "positions that are reached in two ways count once"


def test_an_environment_that_pickles_as_a_new_one_is_copied_as_it_stands() -> None:
    spec = spec_of("PickledByArguments")
    testing.check_game(spec, walks=3)
    game = spec.make()
    oracle: Retrograde[Any, Any] = Retrograde(game)
    assert oracle.best_moves(game.start(Random(0))) == [2]


def test_what_cannot_be_pickled_is_known_by_its_history() -> None:
    game = spec_of("KeepsAFunction").make()
    start = game.start(Random(0))
    one, other = (game.play(game.play(start, first), second) for first, second in ((0, 1), (1, 0)))
    assert one != other
    assert Retrograde(game).best_moves(start) == [2]


def test_whoever_moves_again_makes_the_other_wait() -> None:
    game = spec_of("TwiceEnv").make()
    state = game.play(game.start(Random(0)), 1)
    assert game.turn(state) == 1 and game.moves(state) == (WAIT,)


@table(
    "text, fault",
    [
        ("python:nothing.py:CustomEnv", "there is no file 'nothing.py'"),
        ("python:nothing.txt:CustomEnv", "write python:FILE.py:NAME"),
        ("python:nothing.py", "write python:FILE.py:NAME"),
        (named("Missing"), "has no class or function Missing"),
        (named("three_agents"), "it is for 3 agents, not for two"),
        (named("no_environment"), "makes int, which is neither a Gymnasium environment"),
        ("pettingzoo:chess", "write pettingzoo:NAME_vN, such as pettingzoo:tictactoe_v3"),
        ("pettingzoo:nothing_v1", "PettingZoo has no classic environment nothing_v1"),
        ("pettingzoo:leduc_holdem_v4", "cannot be adopted: it has hidden information"),
        ("pettingzoo:rps_v2", "cannot be adopted: the players move at the same time"),
        ("pettingzoo:go_v5(board_size=x)", "is no argument such as board_size=5"),
    ],
)
def test_what_is_no_environment_is_refused_in_one_line(text: str, fault: str) -> None:
    adopted.allow(text)
    with pytest.raises(CannotAdopt, match=fault) as refused:
        adopted.adopt(text)
    assert "\n" not in str(refused.value)


def test_a_file_that_somebody_trusts_can_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = named("CustomEnv")
    file = f'[Game "{text}"]\n\n1. 2 0 *\n'
    with pytest.raises(record.BadRecord):
        record.read(file)
    monkeypatch.setenv(adopted.ALLOWED, text)
    assert record.read(file).moves == (2, 0)
    assert record.read(record.write(record.read(file))) == record.read(file)


def test_options_follow_the_name_in_the_arena() -> None:
    adopted.allow(named("CustomEnv"))
    name, game = read_game(f"{named('CustomEnv')}:deal=3")
    assert name == f"{named('CustomEnv')}:deal=3" and game.deal == 3
    text = "openspiel:connect_four(columns=4,rows=4,x_in_row=3)"
    adopted.allow(text)
    adopted.allow("openspiel:nim")
    assert read_game(text)[0] == text
    assert adopted.split_text("openspiel:deal=3") == ("openspiel:deal=3", [])
    with pytest.raises(ValueError, match="'deal=3' is no option of openspiel:nim; it has none"):
        read_game("openspiel:nim:deal=3")


def test_workers_inherit_what_was_typed() -> None:
    adopted.allow("python:one.py:A")
    adopted.allow("python:two.py:B")
    adopted.allow("python:one.py:A")
    assert os.environ[adopted.ALLOWED].split("\n") == ["python:one.py:A", "python:two.py:B"]
