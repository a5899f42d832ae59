"""The example study runs from its configuration to tables and figures, with a scripted model."""

from __future__ import annotations

import csv
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from players.chat_server import Answer, Asked, ChatServer, legal, say

STUDY = Path(__file__).parent.parent / "examples" / "study"

CONFIG = """
title = "A & B_1 at 100 %"
players = ["chat:one", "chat:two", "greedy"]
opponents = ["random"]
games = ["range-war:size=5", "range-war:size=6", "range-war:size=7"]
rounds = 2
vary = ["legal", "disguise"]
base_url = "{url}"
options = ["--attempts", "1"]
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(STUDY / "study.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def only_with_a_list(asked: Asked) -> Answer:
    """There is no answer unless the prompt lists the legal moves."""
    listed = "Legal moves:" in asked.prompt
    return say(f"MOVE: {legal(asked.prompt)[0]}" if listed else "I do not know.")(asked)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.long
def test_a_study_of_models_writes_tables_and_figures(tmp_path: Path) -> None:
    config, out = tmp_path / "study.toml", tmp_path / "out"
    with ChatServer(otherwise=only_with_a_list) as server:
        config.write_text(CONFIG.format(url=server.url), encoding="utf-8")
        done = run(str(config), "--out", str(out))
        assert done.returncode == 0, done.stderr
        asked = len(server.asked)
        assert run(str(config), "--out", str(out)).returncode == 0
        assert len(server.asked) == asked  # the same command goes on, and nothing was left to play
    results = rows(out / "results.csv")
    assert len(results) == 3 * (4 + 4 + 1)  # three sizes; four variants of each model, and greedy
    assert [row["Game"].split(":")[1] for row in results[::9]] == ["size=5", "size=6", "size=7"]
    silent = [row for row in results if "legal=no" in row["Player"]]
    assert silent and all(row["Games won"].startswith("0 (") for row in silent)
    assert len(rows(out / "seats.csv")) == 2 * len(results)
    effects = rows(out / "conditions.csv")
    assert {row["Model"] for row in effects} == {"chat:one", "chat:two"}
    assert all(row["Accuracy"].startswith("-") for row in effects if row["Condition"] == "legal")
    assert r"A \& B\_1 at 100 \%" in (out / "results.tex").read_text(encoding="utf-8")
    assert (out / "results.md").read_text(encoding="utf-8").startswith("| Player | Game |")
    for name in ("accuracy.svg", "conditions.svg"):
        assert ET.parse(out / name).getroot().tag.endswith("svg")


def test_what_is_wrong_with_a_configuration_is_said_in_a_line(tmp_path: Path) -> None:
    for text, phrase in (
        ("players = [", "study.toml"),
        ("colour = 1", "there is no setting 'colour'"),
        ("players = []", "players must be a list of names"),
    ):
        (tmp_path / "study.toml").write_text(text, encoding="utf-8")
        done = run(str(tmp_path / "study.toml"), "--out", str(tmp_path / "out"))
        assert done.returncode == 1 and phrase in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
