"""The games in OpenSpiel: its own checks and solvers, the rules in lock-step, and small examples by hand."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import weakref
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import observation

from numberduels import make
from numberduels.envs import openspiel
from numberduels.game.contract import IllegalMove
from numberduels.games.template import spec as template
from tables import table


def load(text: str) -> Any:
    return pyspiel.load_game(f"numberduels_{text}")


def played(text: str, *actions: int) -> Any:
    """The state after these actions."""
    state = load(text).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


GAMES = [
    "range_war()",
    "range_war(opening=free,size=7)",
    "number_snatch()",
    "number_snatch(deals=3,size=3,top=4)",
    "number_snatch(numbers=1;2;3,size=3)",
    "number_snatch(numbers=9;,size=1)",
    "number_snatch(numbers=2;4;30,size=3,top=30)",
    "restricted_removal(size=30)",
    "summation_duel(size=4,target=6)",
    "number_collision(limit=9,size=2,values=1)",
    "number_collision(limit=20,repetition=forbidden,size=3,values=2)",
]
"""Games as OpenSpiel writes them."""


@table("text", GAMES)
def test_openspiel_finds_no_fault(text: str) -> None:
    pyspiel.random_sim_test(load(text), num_sims=2, serialize=True, verbose=False)


def test_every_installed_game_with_all_moves_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    five = {"range_war", "number_snatch", "restricted_removal", "summation_duel", "number_collision"}
    assert {f"numberduels_{name}" for name in five} <= set(openspiel.NAMES)
    assert set(openspiel.NAMES) <= set(pyspiel.registered_names())
    monkeypatch.setattr(openspiel, "specs", lambda: [template])  # which has none
    assert openspiel.register_all() == []


@table("text", GAMES)
def test_the_text_of_a_game_loads_the_same_game(text: str) -> None:
    game = load(text)
    assert str(game) == f"numberduels_{text}"
    assert pyspiel.load_game(str(game)) == game
    assert pyspiel.load_game(game.get_type().short_name, game.get_parameters()) == game
    assert pickle.loads(pickle.dumps(game)).rules == copy.deepcopy(game).rules == game.rules


@table(
    "text, fault",
    [
        ("range_war(size=0)", "size must be a whole number from 1 to 10000, not 0"),
        ("range_war(limit=7)", "Unknown parameter 'limit'"),
        ("number_snatch(numbers=5)", "Wrong type for parameter numbers"),  # it is read as a whole number
        ("number_snatch(numbers=2;x)", "each of the numbers must be a whole number from 1 to 10000, not 'x'"),
        ("number_snatch(numbers=2;5;7,size=4)", "size 4 does not fit the list of numbers"),
        ("number_collision(limit=1000000)", "limit must be a whole number from 1 to 100000"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(text: str, fault: str) -> None:
    with pytest.raises((ValueError, pyspiel.SpielError)) as caught:
        load(text)
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_list_of_numbers_is_written_with_semicolons_or_blanks_and_in_a_dict_with_commas() -> None:
    for numbers in ("2;5;15", "15 5 2", " 5;2; 15;"):
        game = load(f"number_snatch(numbers={numbers})")
        assert game.rules == make("number-snatch", numbers=(2, 5, 15))
        assert str(game) == "numberduels_number_snatch(numbers=2;5;15,size=3)"
    for text, found in {"2,5, 15": (2, 5, 15), "7": (7,), "": ()}.items():
        assert pyspiel.load_game("numberduels_number_snatch", {"numbers": text}).rules.numbers == found
    assert load("number_snatch(numbers=)") == load("number_snatch")


def test_every_deal_is_as_likely_as_the_others() -> None:
    state = played("number_snatch(deals=4)")
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(deal, 0.25) for deal in range(4)]
    assert state.action_to_string(3) == "deal 3"
    assert str(state) == state.observation_string(0) == "Nothing is dealt yet."
    assert not any(state.observation_tensor(0)) and not any(state.information_state_tensor(1))
    assert len({str(state.child(deal)) for deal in range(4)}) == 4
    assert state.child(3).chance_outcomes() == []


def test_an_illegal_action_changes_nothing() -> None:
    state = played("number_snatch(deals=2)")
    for deal in (-2, 2):
        with pytest.raises(IllegalMove, match="is not a deal: those are the numbers from 0 to 1"):
            state.apply_action(deal)
    state = played("range_war(size=4)", 2)
    with pytest.raises(pyspiel.SpielError):
        state.apply_action_with_legality_check(3)
    state.legal_actions().clear()  # which is the caller's own list
    state.legal_actions(1).clear()
    assert state.history() == [2] and state.legal_actions() == [0, 1]


def test_observers_see_nothing_private_and_take_no_parameters() -> None:
    private = pyspiel.IIGObservationType(public_info=False, perfect_recall=True)
    state = played("range_war(size=3)", 1)
    seen = observation.make_observation(state.get_game(), private)
    seen.set_from(state, 0)
    assert seen.tensor.size == 0 and seen.string_from(state, 0) == ""
    with pytest.raises(ValueError, match="take no parameters"):
        observation.make_observation(load("range_war"), params={"size": 3})


def states(text: str) -> Iterator[Any]:
    """Every state of the game, along every line of play."""
    waiting = [load(text).new_initial_state()]
    while waiting:
        state = waiting.pop()
        yield state
        waiting += [state.child(action) for action in state.legal_actions()]


SMALL = {
    "range_war(size=4)": True,
    "range_war(size=4,opening=free)": True,
    "number_snatch(numbers=1;2;3;4)": True,
    "number_snatch(size=2,top=4,deals=9)": True,
    "restricted_removal(size=7)": True,
    "summation_duel(size=5,target=9)": True,
    "number_collision(size=2,values=2,limit=5)": True,
    "number_collision(size=5,values=1,limit=20,repetition=forbidden)": False,
}
"""Games of which every state can be looked at, and whether a state is told without the way to it."""


@table("text", SMALL)
def test_strings_tell_states_apart(text: str) -> None:
    told: dict[str, Any] = {}
    strings: dict[Any, set[str]] = {}
    for state in states(text):
        what = state.position, "collision" in text and state.move_number()
        assert told.setdefault(str(state), what) == what
        strings.setdefault(what, set()).add(str(state))
    assert len(told) >= len(strings) > 10
    assert (len(told) == len(strings)) == SMALL[text]


def test_actions_are_written_as_in_records() -> None:
    game = load("number_collision(size=2,values=3)")
    state = game.new_initial_state()
    written = ["1@1", "2@1", "3@1", "1@2", "2@2", "3@2"]
    assert [state.action_to_string(action) for action in state.legal_actions()] == written
    assert [game.action_to_string(1, action) for action in range(6)] == written
    assert state.string_to_action("3@1") == 2
    assert load("number_snatch").action_to_string(pyspiel.PlayerId.CHANCE, 7) == "deal 7"


def test_the_information_state_of_a_dealt_game_begins_with_the_deal() -> None:
    state = played("number_snatch(size=2,top=3,deals=5)", 4)
    left = make("number-snatch", size=2, top=3).start(Random("4"))[0]
    first, second = (number for number in (1, 2, 3) if left >> number & 1)
    state.apply_action(second - 1)
    flags = [float(number in (first, second)) for number in (1, 2, 3)]
    assert state.information_state_tensor(0) == [*flags, 0, 0, 0, 1, second, 0]
    assert state.information_state_string(0) == f"4, {second - 1}"


def test_observers_of_openspiel_tell_the_same_as_states() -> None:
    state = played("number_snatch(deals=5)", 3)
    state.apply_action(state.legal_actions()[0])
    game = state.get_game()
    for kind, tensor, string in (
        (None, state.observation_tensor(1), state.observation_string(1)),
        (
            observation.INFO_STATE_OBS_TYPE,
            state.information_state_tensor(1),
            state.information_state_string(1),
        ),
    ):
        ours = observation.make_observation(game, kind)
        theirs = observation._Observation(game, game.make_observer(*([kind] if kind else []), {}))
        for seen in (ours, theirs):
            seen.set_from(state, 1)
            assert seen.tensor.dtype == np.float32 and seen.tensor.tolist() == tensor
            assert np.concatenate(list(seen.dict.values())).tolist() == tensor
            assert seen.string_from(state, 1) == string


def test_a_state_keeps_its_game_alive() -> None:
    state = played("range_war(size=4)", 2)
    gc.collect()
    assert state.clone().child(0).get_game().rules == make("range-war", size=4)


def test_a_game_that_nobody_holds_is_let_go() -> None:
    game = load("number_snatch(deals=2)")
    state = game.new_initial_state()
    state.observation_tensor(0), state.information_state_tensor(0)
    gone = weakref.ref(game.encoding)
    del game, state
    gc.collect()
    assert gone() is None


@pytest.mark.long
def test_python_ends_quietly_after_the_games_were_loaded() -> None:
    program = (
        "import pyspiel, numberduels.envs.openspiel as ours\n"
        "games = [pyspiel.load_game(name) for name in ours.NAMES]\n"
        "states = [game.new_initial_state() for game in games]\n"
        "for state in states: state.apply_action(0); state.observation_tensor(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
