"""Verdicts on known games, worked out by hand or from the games' known facts."""

from __future__ import annotations

from random import Random
from typing import Any

from game_records import record_of
from numberduels.analysis.judgement import (
    FORCED,
    GAVE_POINTS,
    KEPT,
    MISSED_WIN,
    NOT_JUDGED,
    ONLY,
    THREW_DRAW,
    THREW_WIN,
    VERDICTS,
)
from numberduels.analysis.review import Review, review_game
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from numberduels.solvers import general_oracle
from tables import table


def reviewed(game: Any, *moves: Any, max_positions: int = 300_000, **rest: Any) -> Review:
    return review_game(record_of(game, moves, **rest), max_positions)


def verdicts(game: Any, *moves: Any) -> list[str]:
    return [each.verdict for each in reviewed(game, *moves).moves]


def figures(found: Review) -> list[tuple[int, int]]:
    return [(each.kept, each.chances) for each in found.accuracy]


# Range War: who has more free numbers ahead wins


def test_the_books_game_of_range_war() -> None:
    found = reviewed(RangeWar(10), 6, 4, 9, 5, 7, 3, 8, 2, 10, 1)
    assert [each.verdict for each in found.moves] == [
        THREW_WIN,  # 1 to 5 win; now Player 2 has five numbers against four
        MISSED_WIN,  # only 5 leaves four against four; now Player 1 has five against three
        MISSED_WIN,  # only 5 leaves three against four; now Player 2 has six against one
        KEPT,  # 8, 7 and 5 keep it, 3, 2 and 1 do not
        KEPT,  # lost: nothing to lose
        ONLY,
        KEPT,
        ONLY,
        FORCED,
        FORCED,
    ]
    assert [each.better for each in found.moves[:4]] == [(1, 2, 3, 4, 5), (5,), (5,), ()]
    assert found.values == found.course == (1, -1, 1, -1, -1, -1, -1, -1, -1, -1, -1)
    assert found.margins is None
    assert figures(found) == [(0, 2), (3, 4)]
    assert [each.share for each in found.accuracy] == [0.0, 0.75]


# Summation Duel


def test_a_win_held_before_is_thrown_away_not_missed() -> None:
    # 3 wins; after 1 the total is 4, and 2 ends it: 4 goes over.
    assert verdicts(SummationDuel(4, 6), 3, 1, 4) == [ONLY, KEPT, THREW_WIN]


# Number Snatch: the value is who wins, the margin is told beside it


def test_a_small_snatch_by_hand() -> None:
    # 15 first ends 15 + 2 against 5. After 5 the 15 snatches: 20 against 2.
    found = reviewed(NumberSnatch(numbers=(2, 5, 15)), 5, 15, 2)
    assert [each.verdict for each in found.moves] == [THREW_WIN, ONLY, FORCED]
    assert [each.given for each in found.moves] == [30, 0, 0]
    assert found.margins == found.course == (12, -18, -18, -18)
    assert found.values == (1, -1, -1, -1)
    assert figures(found) == [(0, 1), (1, 1)]
    assert [each.given for each in found.accuracy] == [30.0, 0.0]  # the forced move is left out


def test_a_kept_win_can_give_points_away() -> None:
    # Nothing is a multiple of anything here, so every number is worth itself.
    found = reviewed(NumberSnatch(numbers=(3, 5, 7)), 5)
    (move,) = found.moves
    assert (move.verdict, move.given, move.better) == (GAVE_POINTS, 4, (7,))
    assert found.course == (5, 1)


# Number Collision: never leave exactly one cell that a number fits


def test_leaving_one_open_cell_throws_the_draw_away() -> None:
    found = reviewed(NumberCollision(4), Place(1, 1), Place(2, 2), Place(3, 3), Place(1, 4))
    assert [each.verdict for each in found.moves] == [KEPT, KEPT, THREW_DRAW, KEPT]
    assert found.moves[2].better == (Place(2, 3),)
    assert found.values == (0, 0, 0, -1, -1)
    assert figures(found) == [(0, 1), (1, 1)]
    # The win that a draw became is missed by a collision.
    played = Place(1, 1), Place(2, 2), Place(3, 3), Place(3, 4)
    assert verdicts(NumberCollision(4), *played)[-1] == MISSED_WIN


# Games that did not end, or had no choices


def test_a_resigned_game_is_judged_as_far_as_it_went() -> None:
    found = reviewed(RangeWar(10), 6, 5, resigned=1)
    assert [each.verdict for each in found.moves] == [THREW_WIN, ONLY]
    assert found.record.result == "1-0" and found.values[-1] == -1
    assert found.report()["resigned"] == 2


# Beyond reach


def test_what_is_beyond_reach_is_not_judged_and_what_is_within_is() -> None:
    # From a pile of n there are 2n positions, so that eight reach piles of four.
    found = reviewed(LastCounter(7), 1, 1, 2, 1, 2, max_positions=8)
    assert [each.verdict for each in found.moves] == [NOT_JUDGED, NOT_JUDGED, NOT_JUDGED, KEPT, ONLY]
    assert found.values == (None, None, None, 1, 1, 1)  # a pile of three is lost for who must take
    assert found.unjudged == 3
    assert found.beyond == "there are more than 8 positions"
    first = found.moves[0]
    assert (first.before, first.worth, first.given, first.better, first.why) == (None, None, None, (), "")


def test_a_win_lost_where_the_past_is_unknown_counts_as_thrown_away() -> None:
    # Piles 6, 4, 3: taking one of 4 wins, taking two of 4 does not.
    assert reviewed(LastCounter(6), 2, 2, max_positions=8).moves[1].verdict == THREW_WIN
    assert reviewed(LastCounter(6), 2, 2).moves[1].verdict == THREW_WIN  # 6 was lost already
    assert reviewed(LastCounter(5), 1, 2).moves[1].verdict == MISSED_WIN


# Whatever is played


@table(
    "game",
    [
        RangeWar(9, "free"),
        RestrictedRemoval(14),
        SummationDuel(8, 20),
        NumberSnatch(numbers=(1, 2, 3, 4, 6, 8, 9, 12)),
        NumberCollision(4, 2),
        NumberCollision(3, 2, "forbidden"),
    ],
)
def test_verdicts_agree_with_plain_search(game: Any) -> None:
    plain = general_oracle(game)
    for seed in range(12):
        rng = Random(seed)
        table: Table[Any, Any] = Table(game)
        while table.moves and table.ply < 30:
            table.play(rng.choice(table.moves))
        found = reviewed(game, *table.played)
        for (before, move, _), each in zip(table.steps(), found.moves, strict=True):
            choices = plain.evaluate_moves(before)
            top = max(worth.value for worth in choices.values())
            assert each.verdict in VERDICTS and each.verdict != NOT_JUDGED
            assert each.mistake == (choices[move].value < top)
            assert each.keeping == sum(worth.value == top for worth in choices.values())
            assert each.keeping + each.losing == len(choices)
            assert (each.verdict == FORCED) == (len(choices) == 1)
            assert (each.verdict == ONLY) == (each.keeping == 1 and not each.mistake and len(choices) > 1)


# As data


def test_the_report_is_plain_data_with_players_from_one() -> None:
    report = reviewed(NumberSnatch(numbers=(2, 5, 15)), 5, 2, names=("Ada", "Max")).report()
    assert report["game"] == "number-snatch"
    assert report["options"] == {"size": 3, "top": 20, "numbers": (2, 5, 15)}
    assert (report["names"], report["result"], report["resigned"]) == (["Ada", "Max"], "*", None)
    assert report["moves"][1] == {
        "ply": 2,
        "player": 2,
        "move": "2",
        "verdict": "missed a win",
        "mistake": True,
        "before": "win",
        "value": "loss",
        "margin_before": 18,
        "margin": -18,
        "margin_given": 36,
        "keeping": 1,
        "losing": 1,
        "better": ["15"],
        "why": report["moves"][1]["why"],
    }
    assert (report["values"], report["margins"]) == ([1, -1, 1], [12, -18, 18])
    assert (report["not_judged"], report["beyond"]) == (0, None)
    assert report["accuracy"] == [
        {"player": 1, "share": 0.0, "percent": 0, "kept": 0, "chances": 1, "margin_given": 30.0},
        {"player": 2, "share": 0.0, "percent": 0, "kept": 0, "chances": 1, "margin_given": 36.0},
    ]
