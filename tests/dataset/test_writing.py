"""The files of a dataset: the datasheet counts what they hold, no column is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from numberduels.cli.main import main
from numberduels.game.registry import read_game
from numberduels.harness.dataset.positions import read_splits
from numberduels.harness.dataset.writing import Target, position_sheet, trajectory_sheet, write_positions
from tables import table


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


def test_trajectories_are_counted_by_outcome_and_verdict() -> None:
    rows = [
        {"player": "perfect", "outcome": "win", "moves": [{"verdict": "kept"}, {"verdict": "forced"}]},
        {"player": "random", "outcome": "loss", "moves": [{"verdict": "kept"}]},
    ]
    sheet = trajectory_sheet("duels", "", {"range-war": rows}, disguised=False, form="messages")
    assert "2 rows in the format `messages`" in sheet
    assert "| kept | 2 |" in sheet and "| `range-war` | 2 | 1 | 1 | 0 | 0 |" in sheet


@pytest.mark.long
def test_positions_load_with_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    target = Target(str(tmp_path / "duels.parquet"), read_splits("train=0.8,test=0.2"))
    write_positions(target, dict([read_game("range-war")]), 20, "7", command="")
    loaded = datasets.load_dataset("parquet", data_files=target.files, cache_dir=str(tmp_path / "cache"))
    assert {name: part.num_rows for name, part in loaded.items()} == {"train": 16, "test": 4}


SAMPLES = Path(__file__).parents[1] / "samples" / "datasets" / "1.0.0"
COMMANDS = {
    "positions": "range-war --positions 1",
    "messages": "range-war:size=4 --trajectories perfect --episodes 1 --format messages",
    "prompt_completion": "range-war:size=4 --trajectories perfect --episodes 1 --format prompt-completion",
}


def shape(value: Any) -> Any:
    """A value with its type in place of each text and number."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    return [shape(each) for each in value[:1]] if isinstance(value, list) else type(value).__name__


def first_row(path: Path) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    return row


@table("name", COMMANDS)
def test_every_column_of_1_0_is_written(name: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    assert main(["dataset", *COMMANDS[name].split(), "--seed", "1", "--out", str(out)]) == 0
    known, now = shape(first_row(SAMPLES / f"{name}.jsonl")), shape(first_row(out))
    assert known.items() <= now.items()
