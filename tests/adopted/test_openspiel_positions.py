"""When two histories of an OpenSpiel game count as one position: proved by playing all histories.

Every history of a small game is played, nothing is left out and nothing is remembered by its picture. All
histories with one key must have the same player to move, legal actions, outcome, and keys after each action.
By induction from the end, they then have the same future. The value of each, by plain minimax with the
library alone, must be that of the solver, which merges equal keys.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pyspiel
import pytest

from adopted.samples import typed_spec
from numberduels.game.adopted.openspiel import COMPLETE, COUNTLESS
from numberduels.game.contract import Seat
from numberduels.solvers import Retrograde
from tables import table

EXHAUSTED = {
    "breakthrough": ("breakthrough(columns=2,rows=4)", "breakthrough(columns=3,rows=3)"),
    "clobber": ("clobber(columns=3,rows=3)", "clobber(columns=4,rows=2)"),
    "connect_four": (
        "connect_four(columns=3,rows=3,x_in_row=3)",
        "connect_four(columns=4,rows=2,x_in_row=2)",
    ),
    "dots_and_boxes": (
        "dots_and_boxes(num_cols=2,num_rows=1)",
        "dots_and_boxes(num_cols=2,num_rows=1,utility_margin=True)",
    ),
    "gomoku": (
        "gomoku(connect=2,size=2)",
        "gomoku(anti=True,connect=3,size=2)",
        "gomoku(connect=2,dims=3,size=2,wrap=True)",
    ),
    "havannah": ("havannah(board_size=2)", "havannah(board_size=2,swap=True)"),
    "hex": (
        "hex(board_size=2)",
        "hex(board_size=2,swap=True)",
        "hex(num_cols=3,num_rows=2)",
        "hex(num_cols=2,num_rows=3,string_rep=explicit)",
    ),
    "mnk": ("mnk(k=2,m=3,n=2)", "mnk(k=3,m=2,n=3)"),
    "nim": ("nim(pile_sizes=1;2;3)", "nim(is_misere=False,pile_sizes=2;3)"),
    "y": ("y(board_size=3)",),
}
"""Games whose histories can all be played in a moment, with those parameters that change the rules."""

LONG = {"tic_tac_toe": ("tic_tac_toe", 549_946), "hex": ("hex(board_size=3)", None)}
"""Games with hundreds of thousands of histories, and how many, where that is well known."""

TOO_LARGE = {"othello"}
"""Games without a small size: their first moves are played in all orders; the rest was read in the source."""


class Histories:
    """All histories of a game, down to a depth, compared where they share a key."""

    def __init__(self, text: str, plies: int = 1000) -> None:
        self.game: Any = typed_spec(f"openspiel:{text}").make()
        self.oracle: Retrograde[Any, Any] | None = None if plies < 1000 else Retrograde(self.game)
        self.seen: dict[Any, tuple[Any, ...]] = {}
        self.played = self.shared = 0
        self.plies = plies
        first = pyspiel.load_game(text).new_initial_state()
        self.player_of: dict[Seat, int] = {0: first.current_player(), 1: 1 - first.current_player()}
        start = self.game.start(Random(0))
        self.value(start, first)

    def value(self, state: Any, library: Any) -> float:
        """The value for the player who moves first: the best of all continuations, by the library alone."""
        self.played += 1
        over = library.is_terminal()
        children = [] if over or not self.plies else library.legal_actions()
        after = []
        values = []
        self.plies -= 1
        for action in children:
            twin = self.game.play(state, action)
            child = library.child(action)
            if not child.is_terminal() and child.current_player() == library.current_player():
                twin = self.game.play(twin, -1)
            after.append(twin.key)
            values.append(self.value(twin, child))
        self.plies += 1
        self.compare(state, (state.moves, self.game.outcome(state), *after))
        if over:
            worth = library.returns()[self.player_of[0]]
        elif not children:
            return 0.0
        else:
            worth = (max if library.current_player() == self.player_of[0] else min)(values)
        if self.oracle is not None:
            mine = self.oracle.evaluate(state).value * (1 if state.seat == 0 else -1)
            assert mine == (worth > 0) - (worth < 0), state
        return float(worth)

    def compare(self, state: Any, future: tuple[Any, ...]) -> None:
        """A key has one future, whatever the history."""
        key = state.key, self.plies if self.oracle is None else 0
        if key in self.seen:
            self.shared += 1
            assert self.seen[key] == future, f"one key has two futures: {state}"
        self.seen[key] = future


@table("text", [text for texts in EXHAUSTED.values() for text in texts])
def test_histories_with_one_key_have_one_future_and_the_value_of_minimax(text: str) -> None:
    assert Histories(text).shared > 0, "nothing was compared"


@pytest.mark.long
@table("text, histories", LONG.values())
def test_so_have_those_of_larger_games(text: str, histories: int | None) -> None:
    found = Histories(text)
    assert found.shared > 100_000
    assert histories in (None, found.played)


def test_the_first_moves_of_othello_have_one_future_in_every_order() -> None:
    assert Histories("othello", 5).shared > 0


def test_every_game_of_the_list_is_compared_here() -> None:
    assert set(EXHAUSTED) | set(LONG) | TOO_LARGE == COMPLETE
    assert COUNTLESS.issubset(EXHAUSTED)


def test_a_picture_that_hides_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof can fail: the picture of Go does not show the ko, nor whether the last move was a pass."""
    environment: Any = typed_spec("openspiel:go(board_size=2)").make().environment
    monkeypatch.setattr(environment, "complete", True)
    monkeypatch.setattr(environment, "counted", False)
    with pytest.raises(AssertionError, match="one key has two futures"):
        Histories("go(board_size=2)", 4)
