"""Games of OpenSpiel as games of ours: the contract, and the values of OpenSpiel's own solver."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pyspiel
import pytest

from adopted.samples import typed_spec
from numberduels.game import check_game as testing
from numberduels.game import registry
from numberduels.game.adopted import CannotAdopt, adopt, allow, load_environment
from numberduels.game.adopted.game import WAIT, AdoptedGame
from numberduels.game.adopted.openspiel import misfit
from numberduels.game.contract import IllegalMove
from numberduels.solvers import Retrograde
from tables import table

SMALL = (
    "breakthrough(columns=3,rows=4)",
    "clobber(columns=3,rows=3)",
    "connect_four(columns=3,rows=3,x_in_row=3)",
    "dots_and_boxes(num_cols=2,num_rows=1)",
    "gomoku(connect=3,size=3)",
    "havannah(board_size=2)",
    "hex(board_size=3)",
    "hex(board_size=2,swap=True)",
    "mnk(k=3,m=3,n=3)",
    "nim(pile_sizes=1;2;3)",
    "nim(is_misere=False,pile_sizes=1;3;5)",
    "oware(num_houses_per_player=2,num_seeds_per_house=1)",
    "tic_tac_toe",
    "y(board_size=3)",
)


def game_of(text: str) -> Any:
    return typed_spec(f"openspiel:{text}").make()


@table("text", [*SMALL, "mancala", "ultimate_tic_tac_toe", "checkers", "go(board_size=3)"])
def test_an_adopted_game_keeps_the_contract(text: str) -> None:
    testing.check_game(typed_spec(f"openspiel:{text}"), walks=2)


@table("text", [text for text in SMALL if not text.startswith("oware")])
def test_the_value_is_that_of_openspiels_alpha_beta_search(text: str) -> None:
    """OpenSpiel searches histories and remembers no position."""
    from open_spiel.python.algorithms import minimax

    game = game_of(text)
    expected, _ = minimax.alpha_beta_search(pyspiel.load_game(text))
    assert Retrograde(game).evaluate(game.start(Random(0))).value == expected


def test_go_positions_with_different_histories_are_different() -> None:
    """In Go the history forbids moves, so its picture is not the position."""
    game = game_of("go(board_size=3)")
    start = game.start(Random(0))
    one = game.play(game.play(game.play(start, 0), 8), 2)
    other = game.play(game.play(game.play(start, 2), 8), 0)
    assert one.episode.picture() == other.episode.picture()
    assert one != other


def test_a_player_who_moves_twice_makes_the_opponent_wait() -> None:
    game = game_of("dots_and_boxes(num_cols=1,num_rows=1)")
    state = game.start(Random(0))
    for move in (0, 1, 2):
        state = game.play(state, move)
    assert game.turn(state) == 1 and WAIT not in state.moves
    state = game.play(state, 3)
    assert game.outcome(state).winner == 1
    wider = game_of("dots_and_boxes(num_cols=2,num_rows=1)")
    state = wider.start(Random(0))
    for move in (0, 2, 4):
        state = wider.play(state, move)
    state = wider.play(state, 5)  # closes the first box
    assert wider.turn(state) == 0 and wider.moves(state) == (WAIT,)
    with pytest.raises(IllegalMove, match=r"^1 is not a legal move\.$"):
        wider.play(state, 1)
    again = wider.play(state, WAIT)
    assert wider.turn(again) == 1 and again.episode.history == (0, 2, 4, 5) and again != state


@table(
    "text, fault",
    [
        ("openspiel:kuhn_poker", "openspiel:kuhn_poker cannot be adopted: chance plays a part"),
        ("openspiel:matrix_rps", "the players move at the same time"),
        ("openspiel:dark_hex", "it has hidden information"),
        ("openspiel:tictactoe", r"OpenSpiel has no game 'tictactoe'; did you mean tic_tac_toe\?"),
        ("openspiel:connect_four(rows=4", r"write openspiel:NAME or openspiel:NAME\(parameter=value,...\)"),
        ("openspiel:connect_four(lines=4)", "has no parameter 'lines'; it has columns, "),
        ("openspiel:connect_four(rows=100)", "rows must be a whole number from 1 to 99, not '100'"),
        ("openspiel:hex(board_size=0000000012000)", "board_size must be a whole number from 1 to 99"),
        ("openspiel:hex(board_size=" + "0" * 9000 + "12000)", "board_size must be a whole number from 1 to"),
        ("openspiel:nim(pile_sizes=3;2000000000)", "pile_sizes must be a whole number from 0 to 99"),
        ("openspiel:connect_four(rows=x)", "rows must be a whole number from 1 to 99, not 'x'"),
        ("openspiel:", "is no game of another library; write openspiel:NAME"),
        ("openspiel:chinese_checkers(players=3)", "is not a game for two players that can begin"),
        ("openspiel:go(board_size=1)", "unsupported board size"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(
    text: str, fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    allow(text)
    with pytest.raises(CannotAdopt, match=fault) as refused:
        adopt(text)
    assert "\n" not in str(refused.value)
    assert capfd.readouterr().err == ""


def test_all_deterministic_games_of_two_players_can_be_loaded() -> None:
    kinds = pyspiel.registered_games()
    names = [kind.short_name for kind in kinds if kind.default_loadable and not misfit(kind)]
    assert len(names) >= 25
    for name in names:
        assert load_environment(f"openspiel:{name}").num_actions > 0


def test_equal_texts_are_one_game() -> None:
    one = typed_spec("openspiel:connect_four(rows=4,columns=5)")
    other = typed_spec("openspiel:connect_four(columns=5,rows=4)")
    assert one is other and one.name == "openspiel:connect_four(columns=5,rows=4)"
    game = one.make()
    assert isinstance(game, AdoptedGame) and registry.spec_of(game) is one
    assert pickle.loads(pickle.dumps(game)) == game
