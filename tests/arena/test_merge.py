"""Merging runs: every game once, nothing contradictory, and a folder that is there whole or not at all."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.running import DUEL, duel, refused
from numberduels.arena.merge import join_games, read_run
from numberduels.arena.plan import Plan
from numberduels.arena.report import read_report
from numberduels.arena.results_file import GAMES, read_lines
from numberduels.arena.run import run_plan
from numberduels.players.external import ExternalSettings
from players.chat_server import ChatServer
from tables import table

PLAN = Plan(("greedy", "random"), ("range-war:size=10:opening=lower",), rounds=4)
OTHERS = replace(PLAN, players=("greedy", "perfect"), rounds=2)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("runs")
    run_plan(PLAN, str(folder / "one"))
    run_plan(OTHERS, str(folder / "two"))
    run_plan(replace(PLAN, seed="9"), str(folder / "seed9"))
    return folder


@pytest.fixture
def at(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The three runs in the current folder."""
    monkeypatch.chdir(shutil.copytree(runs, tmp_path / "at"))
    return tmp_path / "at"


def keys(folder: Path) -> list[tuple[str, str]]:
    return sorted((line["seed"], line["key"]) for line in read_lines(str(folder / GAMES)))


def change(folder: Path, number: int, edit: Callable[[dict[str, Any]], None]) -> None:
    """Change a line of a run; lines count from 0."""
    lines = list(read_lines(str(folder / GAMES)))
    edit(lines[number])
    (folder / GAMES).write_text("".join(json.dumps(line) + "\n" for line in lines))


def leftovers(folder: Path) -> list[str]:
    return [each for each in os.listdir(folder) if each.startswith(".")]


def test_a_merged_run_holds_every_game_of_its_parts_once(at: Path) -> None:
    shutil.copytree("one", "copy")
    done = duel("arena", "merge", "one", "two", "copy", "--out", "new/whole")
    assert done.status == 0 and done.out.startswith("12 games merged.")
    assert keys(at / "new/whole") == sorted(keys(at / "one") + keys(at / "two"))
    assert "not over" not in duel("arena", "report", "new/whole").out


@pytest.mark.long
def test_a_merged_run_goes_on_with_the_plan_of_both(at: Path, tmp_path: Path) -> None:
    assert duel("arena", "merge", "one", "two", "--out", "whole").status == 0
    together = replace(PLAN, players=("greedy", "random", "perfect"))
    assert run_plan(together, "whole") == 0
    run_plan(together, str(tmp_path / "at once"))
    assert keys(at / "whole") == keys(tmp_path / "at once") and len(keys(at / "whole")) == 24


def test_runs_of_different_seeds_are_merged_and_cannot_be_continued(at: Path) -> None:
    assert duel("arena", "merge", "one", "seed9", "--out", "whole").status == 0
    assert keys(at / "whole") == sorted(keys(at / "one") + keys(at / "seed9"))
    assert len(read_report("whole").games) == 16
    again = ["--players", "greedy,random", "--games", "range-war", "--rounds", "4", "--out", "whole"]
    refused(duel("arena", "run", *again), "merged runs of different plans")
    assert duel("arena", "merge", "whole", "two", "--out", "all").status == 0
    assert len(keys(at / "all")) == 20


def test_a_game_that_was_abandoned_gives_way_to_the_one_that_was_finished(at: Path) -> None:
    shutil.copytree("one", "broken")
    error = {"seat": 0, "cause": "error", "message": ""}

    def abandon(line: dict[str, Any]) -> None:
        line |= {"end": "error", "result": "*", "forfeit": error, "moves": line["moves"][:2]}
        line["record"] = line["record"].split("\n\n")[0].replace('"1-0"', '"*"').replace('"0-1"', '"*"')
        line["record"] += "\n\n1. " + " ".join(move["move"] for move in line["moves"]) + " *\n"

    change(at / "broken", 3, abandon)
    for order in (["broken", "one"], ["one", "broken"]):
        out = "-".join(order)
        assert duel("arena", "merge", *order, "--out", out).status == 0
        assert sorted(line["end"] for line in read_lines(f"{out}/{GAMES}")) == ["stuck"] * 8
        assert [game.end for game in join_games([*map(read_run, order)])] == ["stuck"] * 8, "in a report, too"
    games = Path("broken") / GAMES  # as a run leaves it that was continued: the game is there twice
    games.write_text(games.read_text() + (Path("one") / GAMES).read_text().splitlines(keepends=True)[3])
    assert duel("arena", "merge", "broken", "--out", "continued").status == 0
    assert sorted(line["end"] for line in read_lines(f"continued/{GAMES}")) == ["stuck"] * 8


def test_games_that_contradict_each_other_are_refused(at: Path) -> None:
    shutil.copytree("one", "other")
    change(at / "other", 5, lambda line: line["moves"][-1].update(verdict="kept" + "?"))
    refused(duel("arena", "merge", "one", "other", "--out", "whole"), "hold different games under the key")
    assert not (at / "whole").exists() and not leftovers(at)
    assert len(read_report("one", "other").games) == 9  # the report counts what was played


def test_times_and_versions_are_no_contradiction(at: Path) -> None:
    shutil.copytree("one", "other")
    change(
        at / "other", 0, lambda line: line.update(seconds=9.5, ended="2020-01-01T00:00:00Z", version="0.1")
    )
    assert duel("arena", "merge", "one", "other", "--out", "whole").status == 0
    assert keys(at / "whole") == keys(at / "one")


@table(
    "edit, fault",
    [
        (lambda line: line.update(key="x"), "does not fit its players and its round"),
        (lambda line: line.update(seed="8 range-war:size=10:opening=lower 1"), "is not in the plan"),
        (lambda line: line.update(sample=2, key=f"{line['key']} | sample 2"), "is not in the plan"),
        (lambda line: line.update(record="[Game"), "its record is damaged"),
        (lambda line: line["moves"].pop(), "its record has other moves"),
        (lambda line: line.update(result="1/2-1/2"), "another game or another result"),
        (lambda line: line.pop("moves"), 'there is no "moves"'),
    ],
)
def test_a_damaged_run_is_refused_with_the_line(
    at: Path, edit: Callable[[dict[str, Any]], None], fault: str
) -> None:
    whole = (at / "two" / GAMES).read_bytes()
    change(at / "two", 1, edit)
    refused(duel("arena", "merge", "one", "two", "--out", "whole"), "line 2: ", fault, "two")
    assert not (at / "whole").exists()
    (at / "two" / GAMES).write_bytes(whole)


def test_a_folder_that_is_there_is_never_changed(at: Path) -> None:
    before = (at / "two" / GAMES).read_bytes()
    refused(duel("arena", "merge", "one", "--out", "two"), "not an empty folder")
    assert (at / "two" / GAMES).read_bytes() == before
    refused(duel("arena", "merge", "one", "nowhere", "--out", "whole"), "'nowhere' holds no run")
    (at / "empty").mkdir()
    assert duel("arena", "merge", "one", "--out", "empty").status == 0


@pytest.mark.long
def test_a_full_disk_leaves_nothing_behind(at: Path) -> None:
    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, resource.RLIM_INFINITY))

    command = [DUEL, "arena", "merge", "one", "two", "--out", "whole"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=small)
    assert done.returncode == 2 and "'whole' cannot be written: " in done.stderr
    assert not (at / "whole").exists() and not leftovers(at)


@pytest.mark.long
def test_a_merge_that_is_killed_leaves_no_folder_of_that_name(at: Path) -> None:
    program = (
        "import os, signal\nfrom numberduels.cli.main import main\n"
        "os.rename = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "main(['arena', 'merge', 'one', 'two', '--out', 'whole'])\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -signal.SIGKILL
    assert not (at / "whole").exists()
    assert duel("arena", "merge", "one", "two", "--out", "whole").status == 0


@pytest.mark.long
def test_of_two_merges_into_one_folder_one_succeeds(at: Path) -> None:
    command = [DUEL, "arena", "merge", "one", "two", "--out", "whole"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    for each in both:
        each.communicate()
    assert sorted(each.returncode for each in both) == [0, 2]
    assert len(keys(at / "whole")) == 12 and not leftovers(at)


def test_models_with_other_settings_are_other_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with ChatServer() as server:
        for name, reasoning in (("aloud", True), ("short", False)):
            terms = ExternalSettings(base_url=server.url, reasoning=reasoning, attempts=1)
            run_plan(Plan(("chat:toy", "random"), PLAN.games, rounds=1, terms=terms), name)
    refused(duel("arena", "merge", "aloud", "short", "--out", "whole"), "had different settings")
    rows = read_report("aloud", "short").stats.players
    assert {row.player: row.started for row in rows} == {
        "chat:toy [aloud]": 2,
        "chat:toy [short]": 2,
        "random": 4,
    }


def test_a_report_on_several_runs_counts_every_game_once(at: Path) -> None:
    done = duel("arena", "report", "one", "two", "seed9", "one", "--json")
    assert json.loads(done.out)["games"] == 20 and not (at / "one" / "report.html").exists()
    assert duel("arena", "report", "one", "two", "--html", "both.html").status == 0
    assert (at / "both.html").read_text().count("<html") == 1
    refused(duel("arena", "report", "one", "nowhere"), "'nowhere' holds no run")
