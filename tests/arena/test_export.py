"""Exported decisions: every one a row, with the values that an independent solver finds."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.running import duel, refused
from numberduels.arena.export import COLUMNS, decision_rows
from numberduels.arena.plan import Plan
from numberduels.arena.report import read_report
from numberduels.arena.run import run_plan
from numberduels.arena.run_folder import PROMPTS, read_lines, read_run
from numberduels.game.table import Table
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.players.external import ExternalSettings
from numberduels.solvers import Retrograde
from players.chat_server import ChatServer

PLAN = Plan(
    ("greedy", "random"),
    (
        "summation-duel:size=8:target=20",
        "number-snatch:size=5:top=12",
        "number-collision:size=5:values=2:repetition=allowed",
    ),
    rounds=3,
    limit=30,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "run"
    run_plan(PLAN, str(folder))
    return folder


@pytest.fixture
def at(run: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A current folder, from which the run is `run`."""
    (tmp_path / "run").symlink_to(run)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_decision_is_a_row_and_the_counts_are_those_of_the_report(at: Path) -> None:
    done = duel("arena", "export", "run", "--jsonl", "moves.jsonl")
    rows = jsonl(at / "moves.jsonl")
    assert done.out.startswith(f"{len(rows)} decisions: ")
    assert all(list(row) == list(COLUMNS) for row in rows)
    for stats in read_report("run").stats.players:
        own = [row for row in rows if row["player"] == stats.player]
        risky = [row for row in own if row["kept"] is not None and row["losing"]]
        assert len(own) == stats.decisions
        # Over several games the report averages; so compare the counts that add up.
        assert len(risky) == sum(share.of for share in stats.depths.values())
        assert sum(row["kept"] for row in risky) == sum(share.hits for share in stats.depths.values())


def test_the_values_are_those_of_retrograde_analysis(run: Path) -> None:
    game = SummationDuel(size=8, target=20)
    plain: Retrograde[Any, Any] = Retrograde(game, use_symmetry=False)
    rows = [row for row in decision_rows([read_run(str(run))]) if row["game"] == "summation-duel"]
    assert rows
    for row in rows:
        assert json.loads(row["options"]) == {"size": "8", "target": "20"}
        table = Table(game, game.start(Random(0)), tuple(map(int, row["history"])))
        assert row["legal"] == [str(move) for move in table.moves] and row["ply"] == table.ply + 1
        worths = {move: plain.evaluate_move(table.state, move) for move in table.moves}
        assert row["values"] == [
            {"move": str(move), "value": worth.value_name, "margin": None, "remoteness": worth.remoteness}
            for move, worth in worths.items()
        ]
        assert row["value_before"] == plain.evaluate(table.state).value_name
        assert row["value_after"] == worths[int(row["choice"])].value_name
        assert set(row["best"]) == {str(move) for move in plain.best_moves(table.state)}
        assert row["seat"] == 1 + table.ply % 2 and row["opponent"] != row["player"]


def test_parquet_holds_the_same_rows_with_the_described_types(at: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arguments = ["--jsonl", "moves.jsonl", "--parquet", "moves.parquet"]
    assert duel("arena", "export", "run", *arguments).status == 0
    table = parquet.read_table(at / "moves.parquet")
    assert table.to_pylist() == jsonl(at / "moves.jsonl")
    kinds = {"int64": int, "double": float, "bool": bool, "string": str}
    assert {f.name: kinds[str(f.type)] for f in table.schema if str(f.type) in kinds} == {
        name: kind for name, kind in COLUMNS.items() if isinstance(kind, type)
    }


def test_a_decision_without_a_move_has_its_cause_and_its_answers(tmp_path: Path) -> None:
    from players.chat_server import say

    with ChatServer(otherwise=say("I resign.")) as server:
        terms = ExternalSettings(base_url=server.url, attempts=2, prices=(("toy", 1.0, 2.0),))
        games = ("range-war:size=6:opening=lower",)
        run_plan(Plan(("chat:toy",), games, positions=2, terms=terms), str(tmp_path / "run"))
    for row in decision_rows([read_run(str(tmp_path / "run"))]):
        assert (row["choice"], row["verdict"], row["kept"], row["opponent"]) == (None, "no move", False, None)
        assert row["forfeit"] and row["attempts"] == row["faults"] == 2
        ids = {line["id"] for line in read_lines(str(tmp_path / "run" / PROMPTS))}
        assert set(row["prompt_hashes"]) <= ids and row["prompt_hashes"]
        assert row["answers"] == ["I resign."] * 2 and row["tokens_in"] > 0 and row["cost"] > 0


def test_what_cannot_be_exported_is_refused_in_one_line(at: Path) -> None:
    refused(duel("arena", "export", "run"), "say --parquet or --jsonl and a FILE")
    refused(duel("arena", "export", "nowhere", "--jsonl", "x.jsonl"), "'nowhere' holds no run")
    (at / "there.jsonl").write_text("mine")
    refused(duel("arena", "export", "run", "--jsonl", "there.jsonl"), "exists already")
    assert duel("arena", "export", "run", "--jsonl", "there.jsonl", "--force").status == 0
