"""`duel audit`: the table, the files, the exit status, and what an interrupted audit prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.running import duel
from numberduels.audit.checks import CHECKS
from numberduels.game import adopted
from tables import table

BROKEN = Path(__file__).parents[1] / "audit" / "broken_envs.py"
SMALL = ("--games", "4")


@pytest.fixture(autouse=True)
def nothing_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(adopted.ALLOWED, "")


def test_a_good_game_has_status_0() -> None:
    ran = duel("audit", "summation-duel:size=4:target=6", *SMALL)
    assert ran.status == 0, ran.out
    assert "none failed" in ran.out and "not checked: the outcome is its only word" in ran.out
    assert "best play" in ran.out and "perfect " in ran.out
    won_at_once = duel("audit", "range-war:size=6", *SMALL).out
    assert "wins, in 1 move\n" in won_at_once and ": 1 position\n" in won_at_once


def test_a_fault_has_status_1_and_its_moves() -> None:
    ran = duel("audit", f"python:{BROKEN}:GoesOn", *SMALL)
    assert ran.status == 1
    assert "FAILED  after-end" in ran.out and "(moves: " in ran.out and "1 failed (after-end)" in ran.out


@table(
    "arguments, fault",
    [
        (("nothing",), "there is no game called 'nothing'"),
        (("openspiel:kuhn_poker",), "chance plays a part"),
        (("python:nothing.py:X",), "there is no file"),
        (("range-war:size=0",), "size must be a whole number"),
        (("range-war", "--games", "0"), "--games takes a whole number from 1"),
        ((), "required: GAME"),
    ],
)
def test_bad_usage_has_status_2(arguments: tuple[str, ...], fault: str) -> None:
    ran = duel("audit", *arguments)
    assert ran.status == 2 and fault in ran.err.replace("\n", " ")


def test_the_report_is_printed_for_machines() -> None:
    ran = duel("audit", f"python:{BROKEN}:HiddenHeap", *SMALL, "--json")
    assert ran.status == 1
    report = json.loads(ran.out)
    assert report["failed"] == ["observation"] and report["complete"]
    found = next(each for each in report["findings"] if each["key"] == "observation")
    assert found["status"] == "failed" and isinstance(found["example"], list)


def test_an_interrupted_audit_prints_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setitem(CHECKS, "illegal", interrupted)
    ran = duel("audit", "range-war:size=4", *SMALL)
    assert ran.status == 130
    assert "ok      contract" in ran.out and "The audit was stopped" in ran.out and "spaces" not in ran.out
