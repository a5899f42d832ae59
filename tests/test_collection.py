"""What is collected is the same in every process, and tests mean the games that they name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

OTHER_GAME = """\
from dataclasses import dataclass
from numberduels.games.template.rules import LastCounter
from numberduels.games.template.text import LastCounterText
from numberduels.game.spec import GameSpec

@dataclass(frozen=True)
class Zebra(LastCounter):
    pass

spec = GameSpec("zebra", "Zebra", "Take one or two counters.", Zebra, LastCounterText)
"""


LISTING = (
    "tests/test_registry.py",
    "tests/test_documents.py",
    "tests/cli/test_claims_command.py",
    "tests/cli/test_command_line.py",
    "tests/cli/test_options.py",
    "tests/cli/test_prompt.py",
    "tests/cli/test_puzzle_command.py",
    "tests/cli/test_terminal.py",
    "tests/arena/test_plan.py",
    "tests/envs/test_openspiel.py",
    "tests/envs/test_single_agent.py",
    "tests/web/test_api.py",
    "tests/web/test_match_service.py",
    "tests/web/test_pages.py",
)
"""Tests of what asks which games there are, in the terminal, on the pages and in the environments."""


@pytest.fixture
def other_game(tmp_path: Path) -> Path:
    """A folder with a package in it that offers one more game, which needs no more than the contract asks."""
    (tmp_path / "zebra").mkdir()
    (tmp_path / "zebra" / "__init__.py").write_text(OTHER_GAME, encoding="utf-8")
    (tmp_path / "zebra" / "rules.md").write_text("# Zebra\n\nTake counters.\n", encoding="utf-8")
    (tmp_path / "zebra-0.dist-info").mkdir()
    entry = "[numberduels.games]\nzebra = zebra:spec\n"
    (tmp_path / "zebra-0.dist-info" / "entry_points.txt").write_text(entry, encoding="utf-8")
    return tmp_path


def pytest_in(*arguments: str, **environment: str) -> str:
    """What pytest prints in a process with this environment."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_every_process_collects_the_same_tests(other_game: Path) -> None:
    collect = ("--collect-only", "-q", "-p", "no:randomly")
    here = pytest_in(*collect, PYTHONHASHSEED="1", TZ="UTC")
    there = pytest_in(*collect, PYTHONHASHSEED="2", TZ="Asia/Kolkata", LC_ALL="C", PYTHONPATH=str(other_game))
    # The last line tells how long it took.
    assert here.splitlines()[:-1] == there.splitlines()[:-1]


@pytest.mark.long
def test_one_more_game_breaks_no_test(other_game: Path) -> None:
    pytest_in(*LISTING, "-q", "-m", "not long", PYTHONPATH=str(other_game))
