"""States of stopped computations that released versions have written are resumed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tables import table

from .running import duel

SAMPLES = Path(__file__).parents[1] / "samples" / "states"
COMMANDS = {
    "winners": ("sweep", "restricted-removal", "--size", "2..40", "--winner"),
    "lengths": ("sweep", "restricted-removal", "--size", "2..44", "--goal", "length"),
    "targets": ("sweep", "summation-duel", "--size", "1..17", "--target", "all"),
    "rows": ("sweep", "range-war", "--size", "2..6"),
}


def answers(text: str) -> list[list[str]]:
    """The rows of a sweep without positions and seconds, which later versions may improve."""
    return [line.split()[:-2] for line in text.splitlines() if re.match(r" +\d+ ", line)]


@table("name", COMMANDS)
@table("version", sorted(path.name for path in SAMPLES.iterdir()))
def test_a_sweep_that_an_earlier_version_began_is_finished(version: str, name: str, tmp_path: Path) -> None:
    state = shutil.copy(SAMPLES / version / f"{name}.jsonl", tmp_path)
    resumed, whole = duel(*COMMANDS[name], "--state", str(state)), duel(*COMMANDS[name])
    assert (resumed.status, resumed.err) == (0, "")
    assert answers(resumed.out) == answers(whole.out) and answers(whole.out)


@pytest.mark.long
@table("version", sorted(path.name for path in SAMPLES.iterdir()))
def test_a_search_that_an_earlier_version_began_is_finished(version: str, tmp_path: Path) -> None:
    state = shutil.copy(SAMPLES / version / "proof.jsonl", tmp_path)
    ran = duel("solve", "restricted-removal", "--size", "104", "--winner", "--state", str(state))
    assert ran.status == 0 and "Player 1 is to move, and Player 1 wins." in ran.out
