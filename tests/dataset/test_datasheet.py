"""The datasheet counts what the file holds."""

from __future__ import annotations

from numberduels.harness.dataset.writing import position_sheet, trajectory_sheet


def row(split: str, difficulty: int, value: str) -> dict[str, object]:
    return {
        "split": split,
        "difficulty": difficulty,
        "value": value,
        "greedy_fails": difficulty > 0,
        "wrong_share": 0.25 * difficulty,
    }


def test_positions_are_counted_by_split_difficulty_and_value() -> None:
    sheet = position_sheet(
        "duels",
        "duel dataset range-war --out duels.jsonl",
        {"range-war": [row("train", 0, "win"), row("test", 2, "win")], "b": [row("train", 3, "draw")]},
        disguised=False,
    )
    assert "3 positions of 2 games" in sheet
    assert "| train | 2 |" in sheet and "| test | 1 |" in sheet
    assert "| `range-war` | 1 | 0 | 1 | 0 | 0 | 2 |" in sheet
    assert "| `range-war` | 2 | 0 | 0 | 1 | 0.25 |" in sheet
    assert "| `b` | 0 | 1 | 0 | 1 | 0.75 |" in sheet
    assert "    duel dataset range-war --out duels.jsonl" in sheet
    assert "disguise" not in sheet and "## Licence" in sheet and "## Known limits" in sheet


def test_the_disguise_has_a_limit_of_its_own() -> None:
    sheet = position_sheet("duels", "", {"range-war": [row("all", 0, "win")]}, disguised=True)
    assert "In the disguise the reason is a general sentence" in sheet and "| split |" not in sheet


def test_trajectories_are_counted_by_outcome_and_verdict() -> None:
    rows = [
        {"player": "perfect", "outcome": "win", "moves": [{"verdict": "kept"}, {"verdict": "forced"}]},
        {"player": "random", "outcome": "loss", "moves": [{"verdict": "kept"}]},
    ]
    sheet = trajectory_sheet("duels", "", {"range-war": rows}, disguised=False, form="messages")
    assert "2 rows in the format `messages`" in sheet
    assert "| kept | 2 |" in sheet and "| `range-war` | 2 | 1 | 1 | 0 | 0 |" in sheet
