"""pass@k, agreement and majority, against figures computed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from numberduels.arena.results import GameResult, read_result
from numberduels.arena.statistics import aggregate, pass_at, sample_stats

KEPT, LOST = "kept", "threw away a win"


def answer(round_: int, sample: int, move: str | None, verdict: str, **more: Any) -> GameResult:
    decision = {"seat": 0, "move": move, "ply": 1, "seconds": 0.1, "verdict": verdict}
    decision |= {"before": "win", "after": "win" if verdict == KEPT else "loss", "keeping": 1, "losing": 1}
    line = {
        "game": "range-war",
        "key": f"range-war:size=5 | chat:m | {round_} | sample {sample}",
        "kind": "position",
        "round": round_,
        "sample": sample,
        "seed": f"7 range-war:size=5 {round_}",
        "players": ["chat:m"],
        "result": "*",
        "moves": [decision],
        **more,
    }
    return read_result(1, line)


def answers(*positions: Sequence[tuple[str | None, str]]) -> list[GameResult]:
    return [
        answer(number, sample, move, verdict)
        for number, position in enumerate(positions, 1)
        for sample, (move, verdict) in enumerate(position, 1)
    ]


def test_pass_at_k_is_the_share_of_subsets_that_hold_a_right_answer() -> None:
    for answered in range(1, 7):
        for kept in range(answered + 1):
            right = [True] * kept + [False] * (answered - kept)
            for k in range(1, answered + 1):
                subsets = list(combinations(right, k))
                expected = sum(any(subset) for subset in subsets) / len(subsets)
                assert pass_at(k, answered, kept) == pytest.approx(expected)


def test_two_positions_by_hand() -> None:
    """First: 3, 3, 4, 5 where 3 keeps. Second: 1, 2, 2, nothing where 1 keeps."""
    games = answers(
        [("3", KEPT), ("3", KEPT), ("4", LOST), ("5", LOST)],
        [("1", KEPT), ("2", LOST), ("2", LOST), (None, "no move")],
    )
    (row,) = sample_stats(games)
    assert (row.player, row.game, row.positions, row.answers) == ("chat:m", None, 2, 8)
    # c = 2 of 4 and c = 1 of 4: pass@1 is 1/2 and 1/4, pass@2 is 1 - 1/6 and 1 - 3/6, pass@4 is 1 and 1.
    assert {k: mean.mean for k, mean in row.passes.items()} == pytest.approx(
        {1: 3 / 8, 2: (5 / 6 + 1 / 2) / 2, 4: 1.0}
    )
    assert row.agreement.mean == pytest.approx((2 / 4 + 2 / 4) / 2)
    assert row.majority.mean == pytest.approx((1 + 0) / 2)
    low, high = row.passes[1].interval or (0, 0)
    assert (low, high) == (0.25, 0.5)  # two positions: a resample has one of them twice, or both


def test_a_tie_of_the_votes_counts_by_halves_and_no_move_has_no_vote() -> None:
    tied, silent = (
        answers([("3", KEPT), ("4", LOST), (None, "no move"), (None, "no move")], [(None, "no move")] * 4)[
            :4
        ],
        answers([], [(None, "no move")] * 4),
    )
    (row,) = sample_stats([*tied, *silent])
    assert row.majority.mean == pytest.approx((1 / 2 + 0) / 2)
    assert row.agreement.mean == pytest.approx((1 / 4 + 0) / 2)


def test_answers_that_never_came_do_not_count() -> None:
    games = answers([("3", KEPT), ("4", LOST)])
    error = {"seat": 0, "cause": "error", "message": "no answer"}
    games.append(answer(1, 3, None, "no move", end="error", forfeit=error))
    (row,) = sample_stats(games)
    assert row.answers == 2 and row.passes[1].mean == 0.5 and 4 not in row.passes


def test_one_answer_for_each_position_has_no_such_table() -> None:
    assert sample_stats(answers([("3", KEPT)], [("4", LOST)])) == []


def test_the_answers_to_one_position_are_one_cluster_of_the_accuracy() -> None:
    """Ten positions, four equal answers each: as sure as ten answers, not as forty."""
    repeated = answers(*([("3", KEPT)] * 4 if n % 2 else [("4", LOST)] * 4 for n in range(10)))
    single = answers(*([("3", KEPT)] if n % 2 else [("4", LOST)] for n in range(10)))
    (many,), (few,) = (aggregate(games).players for games in (repeated, single))
    assert many.accuracy.of == 40 and few.accuracy.of == 10
    assert many.accuracy.share == few.accuracy.share == 0.5
    assert few.accuracy.interval and many.accuracy.interval
    assert many.accuracy.interval[0] <= few.accuracy.interval[0] + 0.03
    assert many.accuracy.parts[0].effect == pytest.approx(4 * 10 / 9)  # type: ignore[attr-defined]  # one game
