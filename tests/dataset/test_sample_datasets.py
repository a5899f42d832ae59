"""Datasets keep the columns that programs read: none is gone, and none has another type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from numberduels.cli.main import main
from tables import table

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
