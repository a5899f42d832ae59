"""judge_move: one move by itself is judged as in the review of the whole game."""

from __future__ import annotations

from random import Random
from typing import Any

from game_records import record_of
from numberduels.analysis.judgement import NO_MOVE, NOT_JUDGED, judge_move
from numberduels.analysis.review import review_game
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.solvers import make_oracle
from tables import table

GAMES = (
    RangeWar(9), NumberSnatch(numbers=(2, 3, 6, 7, 9)), RestrictedRemoval(14), SummationDuel(8, 20),
    NumberCollision(4, 3),
)  # fmt: skip


@table("game", GAMES)
def test_a_single_move_is_judged_as_in_a_review(game: Any) -> None:
    for seed in range(8):
        rng = Random(seed)
        table: Table[Any, Any] = Table(game, game.start(rng))
        while not table.outcome and table.ply < 12:
            table.play(rng.choice(table.moves))
        states = [before for before, _, _ in table.steps()]
        oracle = make_oracle(game)
        alone = [
            judge_move(oracle, ply, states[ply], move, states[ply - 1] if ply else None)
            for ply, move in enumerate(table.played)
        ]
        assert alone == list(review_game(record_of(game, table.played), reasons=False).moves)


def test_a_missing_move_tells_what_would_have_been_right() -> None:
    game = SummationDuel(4, 6)  # by hand: of the first moves only 3 wins
    judged = judge_move(make_oracle(game), 0, game.start(Random(0)), None)
    assert (judged.verdict, judged.better, judged.keeping, judged.losing) == (NO_MOVE, (3,), 1, 3)
    assert judged.worth is None and judged.before is not None and judged.given is None


def test_what_is_too_large_is_not_judged() -> None:
    game = RestrictedRemoval(400)
    judged = judge_move(make_oracle(game, 1_000), 0, game.start(Random(0)), 7)
    assert judged.verdict == NOT_JUDGED and judged.before is None
