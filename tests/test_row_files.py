"""Rows as Parquet and as JSON lines: the same data in both, written completely or not at all."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from numberduels.harness.dataset import row_files
from numberduels.harness.dataset.row_files import row_writer, write_rows
from tables import table

COLUMNS = {
    "game": str,
    "ply": int,
    "share": float,
    "forced": bool,
    "moves": [str],
    "worths": [{"move": str, "margin": int}],
}
ROWS: list[dict[str, Any]] = [
    {
        "game": "Zoë's",
        "ply": 1,
        "share": 0.25,
        "forced": False,
        "moves": ["3", "4"],
        "worths": [{"move": "3", "margin": -2}, {"move": "4", "margin": None}],
    },
    {"game": "b", "ply": None, "share": None, "forced": None, "moves": [], "worths": []},
]


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_both_formats_hold_the_same_rows(tmp_path: Path) -> None:
    assert write_rows(str(tmp_path / "a.parquet"), COLUMNS, iter(ROWS)) == 2
    assert write_rows(str(tmp_path / "a.jsonl"), COLUMNS, iter(ROWS)) == 2
    assert parquet.read_table(tmp_path / "a.parquet").to_pylist() == ROWS
    assert lines(tmp_path / "a.jsonl") == ROWS


def test_the_columns_have_the_described_types_even_where_all_values_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_rows(str(path), COLUMNS, ROWS[1:])
    schema = parquet.read_schema(path)
    assert schema.field("ply").type == pyarrow.int64()
    assert schema.field("moves").type == pyarrow.list_(pyarrow.string())
    assert schema.field("worths").type.value_type.field("margin").type == pyarrow.int64()


def test_rows_keep_their_order_over_several_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_files, "CHUNK", 3)
    rows = [{"number": number} for number in range(10)]
    for name in ("a.parquet", "a.jsonl"):
        assert write_rows(str(tmp_path / name), {"number": int}, rows) == 10
    assert parquet.read_table(tmp_path / "a.parquet").to_pylist() == rows == lines(tmp_path / "a.jsonl")


@table("name", ["a.parquet", "a.jsonl"])
def test_the_same_rows_are_the_same_bytes(tmp_path: Path, name: str) -> None:
    (tmp_path / "b").mkdir()
    for folder in (tmp_path, tmp_path / "b"):
        write_rows(str(folder / name), COLUMNS, ROWS)
    assert (tmp_path / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@table("name", ["a.parquet", "a.jsonl"])
def test_an_error_while_rows_are_made_leaves_the_old_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("old", encoding="utf-8")

    def broken() -> Any:
        yield ROWS[0]
        raise RuntimeError("the game is lost")

    with pytest.raises(RuntimeError, match="the game is lost"):
        write_rows(str(tmp_path / name), COLUMNS, broken(), force=True)
    assert os.listdir(tmp_path) == [name] and (tmp_path / name).read_text(encoding="utf-8") == "old"


def test_a_row_with_other_columns_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match=r"columns: ply, plies$|columns: plies, ply$"),
        row_writer(str(tmp_path / "a.jsonl"), {"ply": int}) as writer,
    ):
        writer.write({"plies": 1})
    assert os.listdir(tmp_path) == []


@table("name", ["a.csv", "a", "parquet"])
def test_other_formats_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"must end with \.parquet or \.jsonl"):
        write_rows(str(tmp_path / name), {"ply": int}, [])


def test_without_pyarrow_the_message_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"pip install 'numberduels\[data\]'"):
        write_rows(str(tmp_path / "a.parquet"), {"ply": int}, [])
    write_rows(str(tmp_path / "a.jsonl"), {"ply": int}, [{"ply": 1}])
