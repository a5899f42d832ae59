"""The counter of failures over several runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TESTS = """
from pathlib import Path

def test_that_passes(): pass

def test_that_fails_every_second_time():
    mark = Path(__file__).with_name("mark")
    failed_before = mark.exists()
    mark.unlink() if failed_before else mark.touch()
    assert failed_before
"""


def repeat(tests: Path, times: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.repeat", "--times", str(times), "--load", "1", "--", str(tests)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_failures_are_counted_by_test(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    done = repeat(tmp_path / "test_it.py", 3)
    assert done.returncode == 1
    assert re.search(
        r"^2 of 3 runs failed: \S*test_it::test_that_fails_every_second_time$", done.stdout, re.M
    )
    assert "test_that_passes" not in done.stdout


def test_a_run_that_breaks_at_collection_is_counted(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def")
    assert repeat(tmp_path / "test_it.py", 1).returncode == 1


def test_without_a_failure_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_that_passes(): pass")
    done = repeat(tmp_path / "test_it.py", 1)
    assert done.returncode == 0
    assert done.stdout.endswith("no failure in 1 runs beside 1 busy processes\n")
