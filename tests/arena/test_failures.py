"""Failures in a report: apart from bad play, counted or left out, with both figures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.running import duel
from numberduels.arena.report import RunReport
from numberduels.arena.results import COUNT, FAILURES, LEAVE_OUT, read_result
from numberduels.arena.tables import render_text
from players.chat_server import ChatServer, fail, slow
from tables import table

from .run_lines import line, move

ATTEMPT = {"answer": "well", "fault": "No.", "cause": "truncated"}


def failed(seat: int, cause: str = "truncated", **more: Any) -> dict[str, Any]:
    """A game that this seat forfeited after one good move of each; a wrong move existed."""
    last = move(seat, move=None, verdict="no move", attempts=[ATTEMPT])
    moves = [move(0, losing=2), move(1, losing=2), last | {"losing": 2}]
    return line(
        "0-1" if seat == 0 else "1-0",
        end="forfeit",
        forfeit={"seat": seat, "cause": cause},
        moves=moves,
        **more,
    )


def report(lines: list[dict[str, Any]], failures: str = COUNT) -> RunReport:
    games = [read_result(number, each) for number, each in enumerate(lines, 1)]
    return RunReport(games, {"players": ["a", "b"]}, failures=failures)


def test_failures_are_losses_and_mistakes_or_neither() -> None:
    won = line("1-0", moves=[move(0, losing=2), move(1, losing=2)])
    counted, left_out = (report([failed(0), won], failures).stats.players[0] for failures in FAILURES)
    assert (counted.win_rate.hits, counted.win_rate.of) == (1, 2)
    assert (left_out.win_rate.hits, left_out.win_rate.of) == (1, 1)
    assert (counted.accuracy.hits, counted.accuracy.of) == (2, 3)
    assert (left_out.accuracy.hits, left_out.accuracy.of) == (2, 2)
    assert (counted.ends["lost"], counted.left_out, left_out.ends["lost"], left_out.left_out) == (1, 0, 0, 1)
    assert counted.forfeits["truncated"] == left_out.forfeits["truncated"] == 1
    assert counted.unanswered == left_out.unanswered == 1, "it is still told"


@table("failures", FAILURES)
def test_both_figures_are_in_the_report_whichever_is_chosen(failures: str) -> None:
    lines = [failed(0), line("1-0", moves=[move(0, losing=2), move(1, losing=2)])]
    told = report(lines, failures)
    note = f"The other tables have failures {'counted' if failures == COUNT else 'left out'}."
    assert note in " ".join(render_text(told).split())
    row = next(each for each in render_text(told).split("With and without")[1].split("\n") if each[0] == "a")
    assert re.findall(r"(\d+)%", row) == ["50", "100", "67", "100"]
    data = told.data()
    assert data["failures"] == failures
    found = {
        each["failures"]: each["accuracy"]
        for each in data["with_and_without_failures"]
        if each["player"] == "a"
    }
    assert found[COUNT] != found[LEAVE_OUT]


def test_refused_answers_are_counted_by_cause_even_if_a_better_one_followed() -> None:
    attempts = [ATTEMPT, ATTEMPT | {"cause": "tool call"}, {"answer": "MOVE: 4"}]
    told = report([line("1-0", moves=[move(0, attempts=attempts), move(1)])])
    assert told.stats.players[0].refused == {"truncated": 1, "tool call": 1}
    text = render_text(told)
    assert "Refused answers by cause" in text and "tool call" in text and "With and without" not in text


def test_a_run_of_an_earlier_version_has_causes_that_nobody_saved() -> None:
    old = {"answer": "well", "fault": "No."}
    told = report([line("1-0", moves=[move(0, attempts=[old]), move(1)])])
    assert told.stats.players[0].refused == {"unknown": 1}
    assert "Refused answers by cause" not in render_text(told)


def test_a_model_that_does_not_answer_is_in_the_table_of_causes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberduels.players.endpoint.FIRST_WAIT", 0.0)
    script = [fail(403, "No."), *[slow(60)] * 5]
    with ChatServer(script):
        duel(
            *("arena", "run", "--players", "chat:m", "--positions", "3", "--games", "range-war:size=7"),
            *("--concurrency", "1", "--seconds", "0.2", "--out", str(tmp_path)),
        )
    ran = duel("arena", "report", str(tmp_path), "--json")
    (row,) = json.loads(ran.out)["players"]
    assert row["refused_answers"]["error"] == 1 and row["refused_answers"]["timeout"] >= 1, row
