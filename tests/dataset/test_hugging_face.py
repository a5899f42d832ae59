"""The files load with Hugging Face `datasets` as docs/datasets.md shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from numberduels.game.notation import read_game
from numberduels.harness.dataset.positions import read_splits
from numberduels.harness.dataset.trajectories import TrajectoryPlan
from numberduels.harness.dataset.writing import Target, write_positions, write_trajectories
from numberduels.players import make_player

pytestmark = pytest.mark.long


def test_positions_and_games_load_with_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    games = dict(map(read_game, ["range-war", "number-snatch"]))
    target = Target(str(tmp_path / "duels.parquet"), read_splits("train=0.8,test=0.2"))
    write_positions(target, games, 20, "7", command="")
    loaded = datasets.load_dataset("parquet", data_files=target.files, cache_dir=str(tmp_path / "cache"))
    assert {name: part.num_rows for name, part in loaded.items()} == {"train": 32, "test": 8}
    assert not set(loaded["train"]["equivalence_class"]) & set(loaded["test"]["equivalence_class"])
    player = make_player("perfect")
    target = Target(str(tmp_path / "games.jsonl"))
    write_trajectories(target, games, 2, "7", TrajectoryPlan((player, player)), "messages", command="")
    cache = str(tmp_path / "cache")
    row = datasets.load_dataset("json", data_files=target.path, split="train", cache_dir=cache)[0]
    assert row["messages"][-1]["role"] == "assistant" and set(row["rewards"]) == {0.0}
