"""Positions of a dataset: values checked by another solver, difficulties by hand; splits share nothing."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from numberduels.game.registry import read_game, spec
from numberduels.game.table import replay
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.harness.dataset.positions import (
    WHOLE,
    Candidate,
    Difficulty,
    balanced,
    measure_difficulty,
    position_row,
    read_splits,
    sample_positions,
)
from numberduels.players.conversation import FACTOR
from numberduels.players.external import ExternalSettings
from numberduels.solvers import Margins, Retrograde, make_oracle
from numberduels.solvers.oracle import VALUE_NAMES
from ours import OURS
from tables import table

SPLITS = read_splits("train=0.8,test=0.2")
SOLVABLE = (
    "range-war",
    "range-war:size=7:opening=free",
    "number-snatch:size=7:top=12",
    "restricted-removal:size=16",
    "summation-duel",
    "number-collision:size=4:values=2",
)
SMALL = (
    "number-collision:size=4",
    "number-snatch:size=4:top=6",
    "range-war:size=6",
    "range-war:size=6:opening=free",
)


def sampled(text: str, count: int, seed: str = "7", splits: Any = SPLITS) -> dict[str, list[Candidate]]:
    return sample_positions(*read_game(text), count, seed, splits)


def rows(text: str, count: int, *, disguise: bool = False) -> list[dict[str, Any]]:
    return [
        position_row(each, split, ExternalSettings(disguise=disguise))
        for split, part in sampled(text, count).items()
        for each in part
    ]


@table("text", SOLVABLE)
def test_every_value_is_that_of_the_general_solver(text: str) -> None:
    for row in rows(text, 12):
        _, game = read_game(row["rules"])
        game_text = spec(row["game"]).text_for(game)
        table = replay(game, map(game_text.parse_move, row["moves_played"]))
        solver: Any = (Margins if row["margin"] is not None else Retrograde)(game, 2_000_000)
        worth = solver.evaluate(table.state)
        assert row["value"] == VALUE_NAMES[worth.value] and row["margin"] == worth.margin
        assert row["to_move"] == table.turn + 1
        found = {each["move"]: each for each in row["moves"]}
        assert list(found) == [game_text.format_move(move) for move in table.moves]
        for move, each in zip(table.moves, found.values(), strict=True):
            after = solver.evaluate_move(table.state, move)
            assert each["value"] == VALUE_NAMES[after.value] and each["margin"] == after.margin
            if row["remoteness"] is not None:
                assert each["remoteness"] == after.remoteness
        best = [game_text.format_move(move) for move in solver.best_moves(table.state)]
        assert row["best"] == best == [each["move"] for each in row["moves"] if each["optimal"]]
        assert 0 < len(best) < len(found)  # a wrong move exists
        assert row["advised"] in best and row["reason"].endswith(".")
        assert row["wrong_share"] == pytest.approx(1 - len(best) / len(found), abs=1e-6)


def test_splits_share_no_position_up_to_symmetry_over_games_seeds_and_options() -> None:
    """Two files with other seeds, and rule sets that have positions in common, never mix train and test."""
    split_by_class: dict[str, set[str]] = {}
    for text in SMALL:
        for seed in ("1", "2", "3"):
            for split, part in sampled(text, 60, seed).items():
                for each in part:
                    split_by_class.setdefault(each.group, set()).add(split)
    assert all(len(splits) == 1 for splits in split_by_class.values())
    assert {split for splits in split_by_class.values() for split in splits} == {"train", "test"}


def test_no_two_positions_are_equivalent() -> None:
    for text in ("number-collision:size=5", "number-snatch:size=4:top=6", "restricted-removal:size=16"):
        found = [each for part in sampled(text, 100).values() for each in part]
        assert len({each.group for each in found}) == len(found) > 10


def test_each_split_has_its_share() -> None:
    assert {name: len(part) for name, part in sampled("range-war", 55).items()} == {"train": 44, "test": 11}
    parts = sampled("range-war", 10, splits=read_splits("a=0.33,b=0.33,c=0.34"))
    assert sorted(map(len, parts.values())) == [3, 3, 4]


def test_difficulties_are_balanced_where_the_game_has_them() -> None:
    for part in sampled("range-war:size=12:opening=free", 50).values():
        counts = Counter(each.difficulty.level for each in part)
        assert set(counts.values()) == {len(part) // 5}
        half = Counter(each.difficulty.level for each in part[: len(part) // 2])
        assert max(half.values()) - min(half.values()) <= 1  # every beginning is balanced, too


def test_within_a_difficulty_every_kind_has_its_share_as_far_as_there_are_some() -> None:
    deep, plain, easy = Difficulty(0.5, 7, False), Difficulty(0.6, 2, True), Difficulty(0.5, 1, False)
    found = [Candidate(None, (), None, each, "") for each in (deep, deep, plain, plain, easy)]
    assert Counter(each.difficulty for each in balanced(found, 3)) == {deep: 1, plain: 1, easy: 1}
    assert Counter(each.difficulty for each in balanced(found, 9)) == {deep: 2, plain: 2, easy: 1}


def test_all_positions_of_a_small_game_are_found() -> None:
    """Range War with four numbers has, by hand, these positions in which a wrong move exists."""
    game = read_game("range-war:size=4")[1]
    waiting, risky = [game.start(None)], set()
    solver: Any = Retrograde(game)
    while waiting:
        state = waiting.pop()
        values = {solver.evaluate_move(state, move).value for move in game.moves(state)}
        if len(values) > 1:
            risky.add(state)
        waiting += [game.play(state, move) for move in game.moves(state)]
    found = sampled("range-war:size=4", 500, splits=WHOLE)["all"]
    assert {each.state for each in found} == risky


def test_the_seed_decides() -> None:
    one, same, other = (sampled("range-war", 20, seed) for seed in ("1", "1", "2"))
    assert one == same != other


@table("text", OURS)
def test_the_disguise_changes_words_and_numbers_and_no_value(text: str) -> None:
    for plain, hidden in zip(rows(text, 6), rows(text, 6, disguise=True), strict=True):
        same = ("id", "split", "game", "rules", "moves_played", "value", "remoteness", "difficulty", "depth")
        assert [plain[name] for name in same] == [hidden[name] for name in same]
        assert [each["value"] for each in plain["moves"]] == [each["value"] for each in hidden["moves"]]
        if plain["margin"] is not None:
            assert hidden["margin"] == FACTOR * plain["margin"]
        if plain["best"][0].isdigit():
            assert [int(move) for move in hidden["best"]] == [FACTOR * int(move) for move in plain["best"]]
        asked = (each["content"] for each in hidden["prompt"])
        shown = " ".join([hidden["position"], hidden["reason"], *asked])
        title = spec(plain["game"]).title
        assert title not in shown and title in plain["prompt"][0]["content"]


def test_the_prompt_does_not_tell_the_solution() -> None:
    for row in rows("summation-duel", 10):
        asked = " ".join(each["content"] for each in row["prompt"])
        assert row["reason"] not in asked and "optimal" not in asked


def measured(game: Any, *moves: Any) -> Difficulty | None:
    oracle, state = make_oracle(game), replay(game, moves).state
    return measure_difficulty(oracle, state, oracle.evaluate_moves(state))


def test_a_win_in_one_that_a_greedy_player_sees_is_easy() -> None:
    # 7 of 8 are used up: only 1 reaches the target, 2 and 3 overshoot.
    found = measured(SummationDuel(size=5, target=8), 3, 4)
    assert found == Difficulty(2 / 3, 1, False) and found.level == 1


@table(
    "found, level, cell",
    [
        (Difficulty(0.5, 2, False), 0, (False, "1-2", False)),
        (Difficulty(0.51, 2, False), 1, (True, "1-2", False)),
        (Difficulty(0.51, 3, False), 2, (True, "3-6", False)),
        (Difficulty(0.6, 7, True), 4, (True, "7+", True)),
        (Difficulty(0.5, 7, False), 2, (False, "7+", False)),
        (Difficulty(0.5, None, False), 2, (False, "no end", False)),
    ],
)
def test_the_level_counts_what_is_hard_and_the_cell_tells_it(
    found: Difficulty, level: int, cell: tuple[bool, str, bool]
) -> None:
    assert found.level == level and found.cell == cell


def test_where_no_move_is_wrong_there_is_no_difficulty() -> None:
    assert measured(RangeWar(size=10), 6) is not None  # five lower numbers, and only the nearest wins
    assert measured(RangeWar(size=3), 3, 2) is None  # stuck
    assert measured(SummationDuel()) is None  # every first move wins


def test_a_greedy_player_fails_where_the_wrong_moves_look_as_safe_as_the_right_one() -> None:
    # After 6, Player 2 must go lower: 5 leaves four for each side, every other number gives one away.
    found = measured(RangeWar(size=10), 6)
    assert found == Difficulty(0.8, 9, True) and found.level == 4


def test_the_depth_of_a_game_of_points_is_the_number_of_moves_left() -> None:
    found = measured(NumberSnatch(numbers=(2, 5, 7)))
    assert found is not None and found.depth == 3


def test_a_game_whose_theory_counts_no_plies_has_a_depth_all_the_same() -> None:
    game = RestrictedRemoval(9)  # the first player wins, and the general solver counts the plies
    found = measured(game)
    assert found is not None and found.depth == Retrograde(game).evaluate(game.start(Random(0))).remoteness


@table(
    "text",
    [
        "",
        "train=0.8",
        "train=1,test=0",
        "train=0.5,train=0.5",
        "train=nan,test=0.5",
        "../x=0.5,test=0.5",
        "train=0.5,test=\N{FULLWIDTH DIGIT ZERO}.5",
        ",".join(f"s{number}=0.0625" for number in range(16)),
    ],
)
def test_texts_that_are_no_splits_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^--splits [^\n]*$"):
        read_splits(text)
