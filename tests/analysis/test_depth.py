"""The depth of a decision: the remoteness of retrograde analysis, or the size of a proof counted by hand."""

from __future__ import annotations

from random import Random
from typing import Any

from numberduels.analysis.openings import sampled_positions
from numberduels.analysis.oracle_cache import MAX_PROOF, Depth, DepthFinder
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.solvers import DRAW, DepthFirstSearch, Oracle, Retrograde, make_oracle
from tables import table


def finder(game: Any) -> DepthFinder:
    return DepthFinder(make_oracle(game))


@table(
    "game",
    [
        RestrictedRemoval(size=10),
        RestrictedRemoval(size=13),
        RangeWar(size=7),
        SummationDuel(size=8, target=20),
    ],
)
def test_the_remoteness_is_that_of_retrograde_analysis(game: Any) -> None:
    plain: Retrograde[Any, Any] = Retrograde(game, use_symmetry=False)
    plain.evaluate(game.start(Random(0)))
    found = finder(game)
    searched = DepthFinder(DepthFirstSearch(game))  # which computes no remoteness itself
    for state in list(plain):
        expected = Depth(plain.evaluate(state).remoteness)
        assert found.find(state) == searched.find(state) == expected


def test_a_draw_has_the_size_of_the_proof_that_its_losing_moves_lose() -> None:
    game = NumberCollision(size=3, values=3)
    state = game.start(Random(0))
    for place in game.moves(state):
        if str(place.number) == "1" and place.position == 1:
            state = game.play(state, place)
    # One cell is filled, and two are empty. A move that leaves one open cell loses: the opponent fills it.
    # Each such move is one position of the proof, and each line that is full after the answer another one.
    oracle = make_oracle(game)
    assert oracle.value(state) == DRAW
    after = [game.play(state, move) for move in game.moves(state)]
    lost = {each for each in after if each[0].bit_count() == 1 and any(_full(game, each))}
    answers = {next(full for full in _full(game, each)) for each in lost}
    assert lost
    assert finder(game).find(state) == Depth(proof=len(lost | answers))


def _full(game: Any, state: Any) -> list[Any]:
    after = [game.play(state, move) for move in game.moves(state)]
    return [each for each in after if not each[0]]


def test_a_large_search_becomes_a_proof_and_a_large_proof_is_cut_off() -> None:
    game = RestrictedRemoval(size=24)
    assert finder(game).find(game.start(Random(0))) == Depth(proof=MAX_PROOF)


def test_a_depth_does_not_depend_on_what_was_asked_before() -> None:
    game = RestrictedRemoval(size=20)
    openings = sampled_positions(game, "depth").first(12)
    states = [Table(each.game, each.start, each.moves).state for each in openings]
    once = finder(game)
    forwards = [once.find(state) for state in states]
    assert [finder(game).find(state) for state in reversed(states)] == forwards[::-1]


def test_what_cannot_be_judged_has_no_depth() -> None:
    game = RestrictedRemoval(size=60)
    oracle: Oracle[Any, Any] = make_oracle(game, max_positions=5)
    assert DepthFinder(oracle).find(game.start(Random(0))) == Depth()
