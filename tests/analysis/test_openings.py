"""How games begin: the same for all who meet, none twice while there are others."""

from __future__ import annotations

from random import Random

from game_records import record_of
from numberduels.analysis.judgement import NOT_JUDGED
from numberduels.analysis.openings import GameOpenings, SampledPositions
from numberduels.analysis.oracle_cache import OracleCache
from numberduels.analysis.review import review_game
from numberduels.arena.plan import Plan
from numberduels.game.registry import read_game
from numberduels.game.table import Table
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.solvers import make_oracle
from ours import OURS
from tables import table


@table("name", OURS)
def test_no_opening_comes_twice_while_there_are_others(name: str) -> None:
    game = read_game(name)[1]
    found = GameOpenings(game, "7", 2).first(30)
    assert len({(each.start, each.moves) for each in found}) == 30
    assert (
        GameOpenings(game, "7", 2).of_round(17) == found[16]
    )  # whoever asks for it, and whatever was asked before


def test_where_there_are_too_few_openings_they_come_round_again() -> None:
    game = RangeWar(4)
    openings = GameOpenings(game, "7", 1)
    every = openings.first(100)
    start = game.start(Random(0))
    leaving_a_choice = {(first,) for first in range(1, 5) if len(game.moves(game.play(start, first))) > 1}
    assert {each.moves for each in every} == leaving_a_choice and len(every) == len(leaving_a_choice)
    assert openings.of_round(1) == openings.of_round(1 + len(every)) == every[0]


@table("name", OURS)
def test_in_every_single_position_a_wrong_move_exists_and_none_comes_twice(name: str) -> None:
    game = read_game(name)[1]
    found = SampledPositions(game, "7").first(15)
    states = set()
    for each in found:
        state = Table(each.game, each.start, each.moves).state
        states.add((each.game, state))
        assert len({worth.value for worth in make_oracle(each.game).evaluate_moves(state).values()}) > 1
    assert len(states) == len(found) == 15


def test_there_are_no_more_positions_than_the_game_has() -> None:
    game = RestrictedRemoval(5)
    oracle, risky, waiting = make_oracle(game), set(), [game.start(Random(0))]
    while waiting:
        state = waiting.pop()
        if len({worth.value for worth in oracle.evaluate_moves(state).values()}) > 1:
            risky.add(state)
        waiting += [game.play(state, move) for move in game.moves(state)]
    found = SampledPositions(game, "7").first(1_000)
    assert {Table(game, each.start, each.moves).state for each in found} == risky
    plan = Plan(("random",), ("restricted-removal:size=5",), positions=1_000)
    assert len(list(plan.schedule())) == len(risky)


def test_verdicts_are_the_same_whatever_was_judged_before() -> None:
    game, max_positions = RestrictedRemoval(60), 200  # too few to judge the whole game
    oracles, unjudged = OracleCache(max_positions), 0
    for seed in range(4):
        rng, table = Random(seed), Table(game)
        while not table.outcome:
            table.play(rng.choice(table.moves))
        record = record_of(game, table.played)
        kept, fresh = review_game(record, oracle=oracles.oracle(game)), review_game(record, max_positions)
        assert [each.verdict for each in kept.moves] == [each.verdict for each in fresh.moves]
        unjudged += sum(each.verdict == NOT_JUDGED for each in fresh.moves)
    assert unjudged  # else the game is too small to tell


def test_a_judge_that_knows_the_whole_game_is_kept() -> None:
    oracles = OracleCache()
    assert oracles.oracle(RangeWar(10)) is oracles.oracle(RangeWar(10)) is not oracles.oracle(RangeWar(11))
