"""Logs for Inspect: about one player, the same each time, and read by Inspect where it is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.running import duel, refused
from numberduels.arena.inspect_log import SCORER
from numberduels.arena.plan import Plan
from numberduels.arena.report import read_report
from numberduels.arena.run import run_plan


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("inspect")
    run_plan(Plan(("greedy", "random"), ("range-war:size=9:opening=lower",), rounds=4), str(place / "run"))
    return place


@pytest.fixture
def log(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(folder)
    path = tmp_path / "log.json"
    assert duel("arena", "export", "run", "--inspect", str(path), "--player", "random").status == 0
    return path


def test_a_log_has_a_sample_for_each_decision_and_the_accuracy_of_the_report(log: Path, folder: Path) -> None:
    data = json.loads(log.read_text())
    stats = next(row for row in read_report(str(folder / "run")).stats.players if row.player == "random")
    metrics = {name: each["value"] for name, each in data["results"]["scores"][0]["metrics"].items()}
    assert len(data["samples"]) == len({each["id"] for each in data["samples"]}) == stats.decisions
    assert metrics["accuracy"] == pytest.approx(stats.accuracy.share)
    assert metrics["kept"] == pytest.approx(stats.kept.share)
    assert (
        data["samples"][0]["scores"][SCORER]["answer"]
        == data["samples"][0]["output"]["choices"][0]["message"]["content"]
    )


def test_the_same_run_gives_the_same_log(log: Path) -> None:
    before = log.read_bytes()
    arguments = ["run", "--inspect", str(log), "--player", "random"]
    assert duel("arena", "export", *arguments, "--force").status == 0
    assert log.read_bytes() == before


def test_a_log_is_about_one_player(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    refused(duel("arena", "export", "run", "--inspect", "x.json"), "about one player", "--player")


def test_inspect_reads_the_log(log: Path) -> None:
    inspect_log = pytest.importorskip("inspect_ai.log", reason="inspect_ai is not installed")
    read = inspect_log.read_eval_log(str(log))
    data = json.loads(log.read_text())
    assert (read.status, read.eval.model, len(read.samples)) == ("success", "random", len(data["samples"]))
    first, saved = read.samples[0], data["samples"][0]
    assert first.scores[SCORER].value == saved["scores"][SCORER]["value"]
    assert first.target == saved["target"] and first.metadata["legal"] == saved["metadata"]["legal"]
    assert read.results.scores[0].metrics["accuracy"].value == pytest.approx(
        data["results"]["scores"][0]["metrics"]["accuracy"]["value"]
    )
