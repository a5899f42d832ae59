"""The judge of a run: the verdicts of a review, however often it has judged the same positions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from numberduels.analysis.judgement import GAVE_POINTS, KEPT, NOT_JUDGED
from numberduels.analysis.oracle_cache import DepthFinder
from numberduels.analysis.review import review_game
from numberduels.arena import move_judge
from numberduels.arena.move_judge import UNJUDGED, MoveDetails, MoveJudge
from numberduels.game.record import Record
from numberduels.game.registry import read_game, spec_of
from numberduels.game.table import Table, deal
from numberduels.solvers import make_oracle
from tables import table

GAMES = ("range-war", "number-snatch:size=6:top=12", "restricted-removal", "summation-duel")
LARGE = "restricted-removal:size=60"
"""A game that is solved by search, and has more than 200 positions."""


def judge_of(game: Any, max_positions: int = 300_000) -> MoveJudge:
    oracle = make_oracle(game, max_positions)
    return MoveJudge(oracle, DepthFinder(oracle))


def random_game(game: Any, seed: str) -> Table[Any, Any]:
    rng = Random(seed)
    table: Table[Any, Any] = Table(game, game.start(rng))
    while not table.outcome:
        table.play(rng.choice(table.moves))
    return table


def judged(judge: MoveJudge, table: Table[Any, Any], first: int = 0) -> list[MoveDetails]:
    return judge.judge([before for before, _, _ in table.steps()], table.played, first)


def without_depth(details: list[MoveDetails]) -> list[MoveDetails]:
    return [
        {name: value for name, value in each.items() if name not in ("remoteness", "proof")}
        for each in details
    ]


def reviewed(game: Any, table: Table[Any, Any]) -> list[MoveDetails]:
    """What a review of the record says."""
    spec = spec_of(game)
    text = spec.text_for(game)
    moves = review_game(Record(spec, game, table.played)).moves
    return [
        {
            "verdict": {NOT_JUDGED: None, GAVE_POINTS: KEPT}.get(each.verdict, each.verdict),
            "before": each.before and each.before.value_name,
            "after": each.worth and each.worth.value_name,
            "keeping": each.keeping,
            "losing": each.losing,
            "margin_given": each.given,
            "better": tuple(map(text.format_move, each.better)),
        }
        for each in moves
    ]


@table("name", GAMES)
def test_moves_are_judged_as_in_a_review_and_from_memory_too(name: str) -> None:
    game = deal(read_game(name)[1], Random(1))
    judge = judge_of(game)
    for round_ in range(2):
        for seed in range(20):
            table = random_game(game, f"{name} {seed}")
            details = judged(judge, table)
            assert without_depth(details) == reviewed(game, table), (round_, seed)
            finder = DepthFinder(make_oracle(game))
            states = [before for before, _, _ in table.steps()]
            assert [(each["remoteness"], each["proof"]) for each in details] == [*map(finder.find, states)]


def test_a_missed_win_after_the_opening_is_told_from_one_that_was_thrown_away() -> None:
    # At 1 to 10 the second player wins after 6 by 5 only: Player 1 has just given that win away with 6.
    game = read_game("range-war")[1]
    table: Table[Any, Any] = Table(game, game.start(Random(0)), (6, 4))
    assert [each["verdict"] for each in judged(judge_of(game), table, 1)] == ["missed a win"]
    assert [each["verdict"] for each in judged(judge_of(game), table)] == ["threw away a win", "missed a win"]


def test_no_legal_move_has_its_own_verdict() -> None:
    game = read_game("range-war")[1]
    details = judge_of(game).judge([game.start(Random(0))], [None], 0)[0]
    found = [details[name] for name in ("verdict", "before", "after", "keeping")]
    assert found == ["no move", "win", None, 5]


def test_what_comes_before_a_position_that_is_too_large_is_not_judged() -> None:
    game = read_game(LARGE)[1]
    table = random_game(game, "7")
    details = judged(judge_of(game, 200), table)
    known = [each is not UNJUDGED for each in details]
    assert not known[0] and known[-1] and known == sorted(known)


def test_a_judge_forgets_when_it_remembers_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_judge, "MAX_REMEMBERED", 3)
    game = read_game("summation-duel")[1]
    judge = judge_of(game)
    for seed in range(5):
        table = random_game(game, str(seed))
        assert without_depth(judged(judge, table)) == reviewed(game, table)
        assert len(judge._details) <= table.ply
