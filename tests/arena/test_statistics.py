"""Counting a run: every game in one column, every rate over all games started, every broken line named."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberduels.analysis.review import review_game
from numberduels.arena.intervals import Proportion
from numberduels.arena.results import DEPTHS, read_result
from numberduels.arena.statistics import PlayerStats, aggregate, won_against
from numberduels.game.record import read
from tables import table

from .run_lines import abandoned, attempt, line, move, sample


def rows(*lines: dict[str, Any]) -> dict[str, PlayerStats]:
    counted = aggregate(read_result(number, each) for number, each in enumerate(lines, 1))
    return {row.player: row for row in counted.players}


def ends(row: PlayerStats) -> tuple[int, ...]:
    return tuple(row.ends.values())


# One denominator


def test_each_result_is_counted_for_both_seats() -> None:
    found = rows(line("1-0"), line("1-0"), line("0-1"), line("1/2-1/2"), line("*"))
    assert (found["a"].started, ends(found["a"])) == (5, (2, 1, 1, 1, 0))
    assert (found["b"].started, ends(found["b"])) == (5, (1, 2, 1, 1, 0))


@table("cause", ["crash", "timeout", "illegal", "flood"])
def test_who_forfeits_has_lost_and_the_cause_is_told_apart(cause: str) -> None:
    found = rows(line("1-0", end="forfeit", forfeit={"seat": 1, "cause": cause}))
    assert ends(found["b"]) == (0, 1, 0, 0, 0)
    assert ends(found["a"]) == (1, 0, 0, 0, 0)
    assert found["b"].forfeits == {"crash": 0, "timeout": 0, "illegal": 0} | {cause: 1}
    assert found["a"].forfeits_won == 1


def test_an_abandoned_game_has_a_column_and_enters_no_rate_of_either_side() -> None:
    played_out = line("1-0", moves=[move(0), move(1, before="loss", seconds=2.0)])
    found = rows(abandoned(1, [move(0)]), played_out)
    assert ends(found["a"]) == (1, 0, 0, 0, 1)
    assert ends(found["b"]) == (0, 1, 0, 0, 1)
    assert (found["a"].errors, found["b"].errors) == (0, 1)
    alone = rows(played_out)
    for name, row in found.items():
        assert (row.win_rate, row.won_when_winning) == (alone[name].win_rate, alone[name].won_when_winning)
        assert row.means.get("seconds") == alone[name].means.get("seconds")
        assert (row.kept.share, row.accuracy.share) == (alone[name].kept.share, alone[name].accuracy.share)
    assert (found["b"].decisions, found["b"].unanswered, found["b"].moves) == (2, 1, 1)


def test_a_player_who_meets_itself_has_two_games() -> None:
    found = rows(line("1-0", players=("a", "a")))
    assert (found["a"].started, ends(found["a"])) == (2, (1, 1, 0, 0, 0))


def test_games_won_are_told_by_opponent_without_those_that_do_not_count() -> None:
    lines = [line("1-0"), line("0-1"), line("1/2-1/2"), abandoned(0), line("0-1", players=("c", "a"))]
    found = won_against(read_result(number, each) for number, each in enumerate(lines, 1))
    shares = {("a", "b"): (1, 3), ("b", "a"): (1, 3), ("c", "a"): (0, 1), ("a", "c"): (1, 1)}
    assert found == {pair: Proportion(*counts) for pair, counts in shares.items()}


RESULTS = st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"])
FORFEITS = st.none() | st.fixed_dictionaries(
    {"seat": st.integers(0, 1), "cause": st.sampled_from(["crash", "timeout", "illegal", "error", "flood"])}
)
LINES = st.builds(
    lambda result, forfeit, game, names, seats: {
        "game": game,
        "players": names,
        "result": result,
        "forfeit": forfeit,
        "moves": [move(seat) for seat in seats],
    },
    RESULTS,
    FORFEITS,
    st.sampled_from(["x", "y"]),
    st.lists(st.sampled_from("abc"), min_size=2, max_size=2),
    st.lists(st.integers(0, 1), max_size=4),
)


@given(st.lists(LINES, max_size=30))
def test_the_columns_always_add_up_to_the_games_started(lines: list[dict[str, Any]]) -> None:
    found = aggregate(read_result(number, each) for number, each in enumerate(lines, 1))
    for part in (found.players, found.by_game, found.by_seat, found.by_game_and_seat):
        assert sum(row.started for row in part) == 2 * len(lines)
        assert all(sum(row.ends.values()) == row.started for row in part)
    errors = sum(each["forfeit"] is not None and each["forfeit"]["cause"] == "error" for each in lines)
    assert sum(row.ends["abandoned"] for row in found.players) == 2 * errors
    assert sum(row.win_rate.of for row in found.players) == 2 * (len(lines) - errors)
    assert sum(row.ends["won"] for row in found.players) == sum(row.ends["lost"] for row in found.players)
    assert sum(row.forfeits_won for row in found.players) == sum(
        sum(row.forfeits.values()) for row in found.players
    )


@settings(max_examples=30)
@given(st.lists(LINES, max_size=12), st.randoms())
def test_the_order_of_the_lines_does_not_matter(lines: list[dict[str, Any]], rng: Random) -> None:
    lines = [
        each | {"moves": [move | {"margin_given": number} for move in each["moves"]]}
        for number, each in enumerate(lines)
    ]
    mixed = lines[:]
    rng.shuffle(mixed)
    assert {name: row.data() for name, row in rows(*lines).items()} == {
        name: row.data() for name, row in rows(*mixed).items()
    }


# Shares


@table(
    "hits, of, low, high",
    # By hand: none of ten ends at z*z/(10 + z*z). The last is an example of Newcombe's (1998).
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_of_a_share_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    found = Proportion(hits, of).interval
    assert found is not None
    assert found == pytest.approx((low, high), abs=5e-5)


# Moves


def test_a_game_was_theirs_when_their_first_choice_was_a_win() -> None:
    drawn = {"seat": 0, "move": "9"}
    found = rows(
        line("1-0", moves=[drawn, move(1, before="loss"), move(0), move(1)]),
        line("0-1", moves=[drawn, move(1, before="loss"), move(0)]),
        line("1-0", moves=[move(0, before="draw"), move(1, before="draw"), move(0)]),
    )
    assert found["a"].won_when_winning == Proportion(1, 2)
    assert found["b"].won_when_winning == Proportion(0, 0)


def test_value_keeping_is_counted_over_all_judged_moves_and_where_something_could_be_lost() -> None:
    moves = [
        move(0, "forced", losing=0),
        move(0, "kept", losing=0),
        move(0, "only move"),
        move(0, "missed a win"),
        move(0, "threw away a win"),
        move(0, "threw away a draw"),
        move(0, "not judged"),
        {"seat": 0, "move": "1"},
        {"seat": 0, "move": None, "attempts": []},
    ]
    row = rows(line("*", moves=moves))["a"]
    assert (row.kept.hits, row.kept.of) == (3, 6)
    assert (row.accuracy.hits, row.accuracy.of) == (1, 4)
    assert (row.decisions, row.unanswered) == (8, 1)


def test_a_choice_that_was_not_made_kept_nothing() -> None:
    nothing = move(0, "no move") | {"move": None}
    row = rows(line("0-1", forfeit={"seat": 0, "cause": "illegal"}, moves=[move(0), nothing]))["a"]
    assert (row.kept.hits, row.kept.of, row.accuracy.hits, row.accuracy.of) == (1, 2, 1, 2)
    assert row.won_when_winning == Proportion(0, 1), "and did not win what was theirs to win"


def test_over_several_games_each_counts_alike_however_long() -> None:
    long = line(key="range-war:size=9 | a | b | 1", moves=[move(0)] * 98 + [move(0, "missed a win")] * 2)
    short = line(key="range-war:size=5 | a | b | 1", moves=[move(0, "missed a win")])
    row = rows(long, short)["a"]
    assert (row.accuracy.hits, row.accuracy.of, row.accuracy.share) == (98, 101, 0.49)


def test_moves_of_one_game_that_are_alike_widen_the_interval() -> None:
    def width(*games: list[dict[str, Any]]) -> float:
        found = aggregate(read_result(1, line(moves=moves)) for moves in games).by_game[0].accuracy
        assert found.interval and found.share == 0.5
        return found.interval[1] - found.interval[0]

    good, bad = move(0), move(0, "missed a win")
    mixed, apart = width(*[[good, bad] * 5] * 10), width(*[[good] * 10, [bad] * 10] * 5)
    assert apart > 2 * mixed
    wilson = Proportion(50, 100).interval
    assert wilson and mixed == pytest.approx(wilson[1] - wilson[0])


def test_accuracy_is_told_by_depth() -> None:
    moves = [move(0, remoteness=depth) for depth in (1, 2, 3, 4, 5, 8, 9, 400, None)]
    moves += [move(0, proof=size) for size in (0, 9, 10, 99, 99, 100, 1_000)]
    row = rows(line("*", moves=moves))["a"]
    assert {name: share.of for name, share in row.depths.items()} == dict(
        zip(DEPTHS, (2, 2, 2, 2, 2, 3, 1, 1, 1), strict=True)
    )


def test_margin_is_averaged_over_judged_choices_as_in_a_review() -> None:
    games = [line("*", moves=[move(0, margin_given=3), move(0, margin_given=0)]), line("*", moves=[move(0)])]
    games.append(line("*", moves=[move(0, margin_given=6), move(0, "forced", margin_given=0)]))
    found = rows(*games)
    mean = found["a"].means.get("margin_given")
    assert mean is not None
    assert (mean.mean, mean.of) == (3, 3)
    # By games: both of the first kind give 1.5, both of the other 6.
    assert mean.interval == (1.5, 6)
    assert found["b"].means.get("margin_given") is None
    alone = rows(games[0])["a"].means["margin_given"]
    assert alone.mean == 1.5 and alone.interval is None


def test_bad_answers_seconds_and_tokens_are_told_per_decision() -> None:
    attempts = [attempt("x", "no"), attempt("y", "no"), attempt("4", "")]
    moves = [move(0, seconds=3.0, attempts=attempts), move(0, seconds=1.0, attempts=[attempt("4", "")])]
    moves += [move(1, seconds=0.5)]
    found = rows(line(moves=moves))
    assert {name: mean.mean for name, mean in found["a"].means.items()} == {
        "faults": 1.0,
        "seconds": 2.0,
        "tokens_in": 620.0,
        "tokens_out": 24.0,
    }
    assert {name: mean.mean for name, mean in found["b"].means.items()} == {"faults": 0.0, "seconds": 0.5}


def test_a_review_and_the_figures_agree() -> None:
    for each in sample():
        if "record" in each:
            truth = review_game(read(each["record"])).accuracy
            found = rows(each)
            for seat, name in enumerate(each["players"]):
                assert (found[name].accuracy.hits, found[name].accuracy.of) == (
                    truth[seat].kept,
                    truth[seat].chances,
                )
                mean = found[name].means.get("margin_given")
                assert (mean and mean.mean) == truth[seat].given


# Broken lines


@table(
    "change",
    [
        {"players": ["a"]},
        {"players": [1, 2]},
        {"result": "2-0"},
        {"moves": [7]},
        {"moves": [{"seat": 0}]},
        {"moves": [{"seat": 0, "move": "1", "verdict": "kept", "losing": 1}]},
        {"moves": [{"seat": 0, "move": "1", "verdict": "kept", "before": "win"}]},
        {"forfeit": "yes"},
        {"forfeit": {"seat": 2, "cause": "crash"}},
        {"moves": [{"seat": True, "move": "1", "verdict": "kept"}]},
        {"moves": [{"seat": 0, "move": None, "attempts": ["x"]}]},
        {"moves": [{"seat": 0, "move": None, "seconds": float("nan")}]},
        {"moves": [{"seat": 0, "move": None, "remoteness": "far"}]},
    ],
)
def test_a_line_with_a_field_of_the_wrong_kind_is_named(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^line 5: "):
        read_result(5, line() | change)


@given(st.data())
def test_any_field_taken_from_a_real_line_leads_to_a_row_or_a_named_line(data: st.DataObject) -> None:
    broken = copy.deepcopy(data.draw(st.sampled_from(sample())))
    del broken[data.draw(st.sampled_from(sorted(broken)))]
    if broken.get("moves"):
        spot = data.draw(st.sampled_from(broken["moves"]))
        del spot[data.draw(st.sampled_from(sorted(spot)))]
    try:
        rows(broken)
    except ValueError as fault:
        assert str(fault).startswith("line 1: ")
