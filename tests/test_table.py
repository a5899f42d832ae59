"""A game in progress: history, undo, and the limit of unattended play."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from numberduels.game import registry
from numberduels.game.contract import Outcome
from numberduels.game.table import PLY_LIMIT, Table
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.summation_duel.rules import SummationDuel
from ours import OURS


def test_undo_gives_the_last_move_back() -> None:
    table = Table(SummationDuel(4, 6), moves=[4, 2])
    assert table.outcome == Outcome(winner=1, why="exact")
    assert table.undo() == 2 and table.outcome is None and table.played == (4,)
    assert table.undo() == 4 and table.state == table.start


def test_a_position_that_comes_back_is_counted() -> None:
    there, back = Place(1, 1), Place(1, 2)  # the second collides with the first, and both are gone
    table = Table(NumberCollision(5))
    reached = []
    for move in (there, back) * 2:
        table.play(move)
        reached.append(table.times_reached)
    assert reached == [1, 2, 2, 3]
    table.undo()
    assert table.times_reached == 2


@given(name=st.sampled_from(OURS), seed=st.integers(0, 10**9), plies=st.integers(0, 30))
def test_undoing_everything_leads_back_through_the_same_positions(name: str, seed: int, plies: int) -> None:
    rng = Random(seed)
    game = registry.spec(name).make()
    table = Table(game, game.start(rng))
    states = [table.state]
    while len(states) <= plies and table.outcome is None:
        table.play(rng.choice(table.moves))
        states.append(table.state)
    assert [after for _, _, after in table.steps()] == states[1:]
    assert [before for before, _, _ in table.steps()] == states[:-1]
    assert tuple(move for _, move, _ in table.steps()) == table.played
    while table.ply:
        assert table.state == states.pop()
        table.undo()
    assert table.state == table.start == states[0]


def test_only_a_game_that_need_not_end_is_ever_endless() -> None:
    there, back = Place(1, 1), Place(1, 2)
    table = Table(NumberCollision(), moves=[there, back] * (PLY_LIMIT // 2 - 1) + [there])
    assert table.ply == PLY_LIMIT - 1 and not table.exceeds_ply_limit
    table.play(back)
    assert table.exceeds_ply_limit and table.outcome is None
    long = Table(NumberSnatch(size=PLY_LIMIT + 10, top=3_000))
    while long.ply < PLY_LIMIT + 5:
        long.play(long.moves[0])
    assert not long.exceeds_ply_limit
