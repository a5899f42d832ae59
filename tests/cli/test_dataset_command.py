"""`duel dataset` from the outside: files, datasheets, splits, and one line for everything that is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tables import table

from .running import DUEL, duel, refused


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_dataset_is_one_file_and_its_datasheet(tmp_path: Path) -> None:
    ran = duel("dataset", "range-war", "--positions", "20", "--seed", "7", "--out", str(tmp_path / "a.jsonl"))
    assert ran.status == 0 and ran.err == ""
    assert ran.out == "20 positions in a.jsonl; a.md says how they were made.\n"
    assert sorted(os.listdir(tmp_path)) == ["a.jsonl", "a.md"]
    rows = lines(tmp_path / "a.jsonl")
    assert len(rows) == 20 and {row["split"] for row in rows} == {"all"}
    sheet = (tmp_path / "a.md").read_text(encoding="utf-8")
    command = "duel dataset range-war:size=10:opening=lower --positions 20 --seed 7 --out a.jsonl"
    assert command in sheet and str(tmp_path) not in sheet


@pytest.mark.long
@table("suffix", ["jsonl", "parquet"])
def test_the_same_seed_makes_the_same_bytes_in_any_process(tmp_path: Path, suffix: str) -> None:
    files = []
    for hash_seed in ("1", "2"):
        folder = tmp_path / hash_seed
        folder.mkdir()
        subprocess.run(
            [DUEL, "dataset", "number-collision:size=4:repetition=forbidden", "number-snatch:size=5"]
            + ["--positions", "12", "--splits", "train=0.5,test=0.5", "--out", str(folder / f"a.{suffix}")],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
        )
        files.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert files[0] == files[1] and len(files[0]) == 3


def test_more_positions_than_exist_is_said_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    ran = duel("dataset", "restricted-removal", "range-war:size=2", "--positions", "500", "--out", str(path))
    assert ran.status == 0
    first, second = ran.err.splitlines()
    number = int(first.removeprefix("restricted-removal:size=10: only ").split()[0])
    assert first.endswith("positions in which a wrong move exists were found.")
    assert second == (
        "range-war:size=2:opening=lower: only 1 position in which a wrong move exists was found."
    )
    assert len(lines(path)) == number + 1 < 100


def test_trajectories_are_conversations(tmp_path: Path) -> None:
    ran = duel(
        "dataset",
        "range-war",
        *("--trajectories", "skilled", "--opponent", "perfect", "--episodes", "3", "--format", "messages"),
        *("--disguise", "--explain", "--out", str(tmp_path / "a.jsonl")),
    )
    assert ran.status == 0 and ran.out.startswith("6 rows in a.jsonl")
    rows = lines(tmp_path / "a.jsonl")
    assert {row["player"] for row in rows} == {"skilled", "perfect"}
    assert all("Seesaw" in row["messages"][0]["content"] for row in rows)
    sheet = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert "--trajectories skilled --opponent perfect --episodes 3" in sheet and "--disguise" in sheet


@table(
    "arguments, phrase",
    [
        ("range-war --positions 0", "--positions takes a whole number from 1 to 100000, not '0'"),
        ("range-war:size=0", "size must be a whole number"),
        ("range-war range-war:size=10", "named twice"),
        ("range-war --splits train=0.5", "--splits takes shares above 0 that add up to 1"),
        ("range-war --splits ../../x=0.5,y=0.5", "--splits takes names and shares"),
        ("range-war --trajectories human", "--trajectories takes built-in players"),
        ("range-war --trajectories os:system", "--trajectories takes built-in players"),
        ("range-war --trajectories perfect --episodes x", "--episodes takes a whole number"),
        ("range-war --trajectories perfect --format xml", "--format takes messages or prompt-completion"),
        ("range-war --trajectories perfect --positions 5", "--positions is about positions"),
        ("range-war --explain", "--explain is about --trajectories PLAYER"),
        ("restricted-removal:size=2000 --trajectories perfect", "perfect cannot finish this game"),
        ("range-war:size=1", "no position of range-war:size=1:opening=lower was found"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_and_nothing_is_written(
    tmp_path: Path, arguments: str, phrase: str
) -> None:
    refused(duel("dataset", *arguments.split(), "--out", str(tmp_path / "a.jsonl")), phrase)
    assert os.listdir(tmp_path) == []


@table("existing", ["a.jsonl", "a.md"])
def test_files_of_the_user_are_replaced_only_with_force(tmp_path: Path, existing: str) -> None:
    (tmp_path / existing).write_text("mine", encoding="utf-8")
    command = ("dataset", "range-war", "--positions", "3", "--out", str(tmp_path / "a.jsonl"))
    refused(duel(*command), "exists already, and --force would replace it")
    assert (tmp_path / existing).read_text(encoding="utf-8") == "mine"
    assert duel(*command, "--force").status == 0
    assert len(lines(tmp_path / "a.jsonl")) == 3


def test_without_pyarrow_parquet_is_refused_with_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused(duel("dataset", "range-war", "--out", str(tmp_path / "a.parquet")), "numberduels[data]")


FULL_DISK = """
import resource, signal, sys
from numberduels.cli.main import main
sys.dont_write_bytecode = True  # it would be cut short
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))  # a disk with room for 2,000 bytes
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@table("name", ["a.parquet", "a.jsonl"])
def test_a_full_disk_is_said_in_a_line_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, "dataset", "range-war", "--positions", "200"]
        + ["--out", str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and "cannot be written" in done.stderr
    assert os.listdir(tmp_path) == []
