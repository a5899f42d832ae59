"""Each check finds the environment that was written wrong for it, with an example; no other check does."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from numberduels.audit.checks import CHECKS
from numberduels.audit.report import NOT_CHECKED, PASSED, AuditReport, Budget
from numberduels.audit.run import Audit, audit_game
from numberduels.game import adopted
from tables import table

SAMPLES = Path(__file__).parents[1] / "adopted" / "sample_envs.py"
BROKEN = Path(__file__).with_name("broken_envs.py")
BUDGET = Budget(games=10, plies=60, positions=2_000)


def audited(file: Path, name: str) -> AuditReport:
    text = f"python:{file}:{name}"
    adopted.allow(text)
    return audit_game(text, BUDGET)


@pytest.fixture(autouse=True)
def nothing_allowed_and_nothing_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures take most of the time of an audit, and no check needs them."""
    monkeypatch.setenv(adopted.ALLOWED, "")
    monkeypatch.setattr(Audit, "_measure", lambda *_: None)


FAULTS = {
    "Exiting": ("contract", "a legal action fails: 'SystemExit: 3'"),
    "WrongSign": ("rewards", "has won, but the returns are"),
    "GlobalRandom": ("globals", "reset uses a global generator"),
    "IgnoredSeed": ("seeds", "gives different starts"),
    "Dice": ("deterministic", "when it is repeated|different legal actions"),
    "LeakingReset": ("independent", "reset after a game does not give the start of a new object"),
    "SmallSpace": ("spaces", "the observation is not in Box"),
    "HiddenHeap": ("observation", "two positions look alike, but"),
    "Endless": ("ends", "no end within 60 moves"),
    "IllegalAccepted": ("illegal", "the illegal action . was accepted with the reward"),
    "GoesOn": ("after-end", "after the end went on with the game"),
    "NoMoves": ("contract", "the game goes on, but there is no legal action"),
    "OnlyWinnerIsPaid": ("zero-sum", "the returns are . and ., which do not add up to 0"),
    "NotAccumulated": ("rewards", "nobody has won, but the returns are"),
}


@table("name", FAULTS)
def test_a_fault_is_found_by_its_check_alone(name: str) -> None:
    key, detail = FAULTS[name]
    report = audited(BROKEN, name)
    assert [each.key for each in report.failed] == [key], [(each.key, each.detail) for each in report.failed]
    found = report.failed[0]
    assert re.search(detail, found.detail), found.detail
    assert found.example is not None


def test_every_check_but_those_of_the_library_has_a_fault_here() -> None:
    assert {key for key, _ in FAULTS.values()} == set(CHECKS)


@table("name", ["CustomEnv", "PlainEnv", "NimAEC", "TwiceEnv"])
def test_good_environments_pass(name: str) -> None:
    report = audited(SAMPLES, name)
    assert report.failed == [] and report.complete
    assert report.kind == f"{'PettingZoo' if name == 'NimAEC' else 'Gymnasium'} environment of a Python file"
    status = {each.key: each.status for each in report.findings}
    assert list(status.values()).count(PASSED) >= 10
    if name == "PlainEnv":  # which does not tell whose turn it is
        assert status["zero-sum"] == status["rewards"] == NOT_CHECKED
    assert all(each.detail for each in report.findings if each.status == NOT_CHECKED)


def test_an_audit_leaves_the_global_generators_as_they_were() -> None:
    random.random(), np.random.random()  # so that no audit before this one has left this state
    before = random.getstate(), repr(np.random.get_state())
    audited(SAMPLES, "CustomEnv")
    assert (random.getstate(), repr(np.random.get_state())) == before


def test_a_limit_that_truncates_is_no_fault() -> None:
    report = audited(BROKEN, "Truncating")
    assert report.failed == []
    found = {each.key: each for each in report.findings}
    assert "truncated" in found["ends"].detail
    assert found["rewards"].status == PASSED  # only games with an end have a winner
