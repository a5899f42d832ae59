"""Runs of every version since 0.4 are still reported on and continued."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from numberduels.arena.report import read_report
from numberduels.cli.main import main
from tables import table

SAMPLES = Path(__file__).parents[1] / "samples" / "runs"
VERSIONS = sorted(path.name for path in SAMPLES.iterdir())


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()]


def test_there_is_a_run_of_every_version_since_the_arena_began() -> None:
    assert VERSIONS == ["0.4.0", "0.5.0", "1.0.0"]


@table("version", VERSIONS)
def test_the_report_counts_the_games_as_their_records_tell_them(version: str) -> None:
    folder = SAMPLES / version / "games"
    won: Counter[str] = Counter()
    for row in rows(folder):
        result = re.search(r'\[Result "(.*)"\]', row["record"])
        assert result
        if result[1] in ("1-0", "0-1"):
            won[row["players"][result[1] == "0-1"]] += 1
    players = read_report(str(folder)).stats.players
    assert {each.player: each.ends["won"] for each in players} == {
        name: won[name] for name in ("greedy", "process:python3 client.py", "chat:small-model")
    }


@table("version", VERSIONS)
def test_a_run_goes_on_with_the_same_command(
    version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(SAMPLES / version / "positions", folder)
    complete = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "games.jsonl").write_text("".join(complete[:-1]), encoding="utf-8")
    options = "--players greedy,random --games range-war:size=6 --positions 3 --seed 1 --workers 1"
    assert main(["arena", "run", "--out", str(folder), *options.split()]) == 0
    assert "All decisions of this run are judged." in capsys.readouterr().out
    kept = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    assert kept[:-1] == complete[:-1]
    assert json.loads(kept[-1])["key"] == json.loads(complete[-1])["key"]
