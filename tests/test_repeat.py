"""Repeated runs of the tests, their table, and what a run of the quick tests says about itself."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import announcement
import repeat

REPORT = """<testsuites><testsuite>
<testcase classname="tests.test_it" name="test_that_passes"/>
<testcase classname="tests.test_it" name="test_that_is_skipped"><skipped/></testcase>
<testcase classname="tests.test_it" name="test_it">{}</testcase>
</testsuite></testsuites>"""


def test_a_line_for_each_run_and_failures_are_counted_by_test(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four runs: two without load, a failure in the second and the third, the fourth broken at collection."""
    loads: list[int] = []
    seeds: list[str] = []

    @contextmanager
    def busy(count: int) -> Iterator[None]:
        loads.append(count)
        yield

    def run(command: list[str]) -> subprocess.CompletedProcess[str]:
        number = len(loads)
        seeds.append(re.findall(r"--randomly-seed=(\d+)", " ".join(command))[0])
        assert command[3:5] == ["-n", "2"]
        (report,) = (each.partition("=")[2] for each in command if each.startswith("--junit-xml="))
        if number < 4:
            text = REPORT.format("" if number == 1 else "<failure/>" if number == 2 else "<error/>")
            Path(report).write_text(text, encoding="utf-8")
        return subprocess.CompletedProcess(command, 0 if number == 1 else 1)

    monkeypatch.setattr(repeat, "_busy", busy)
    monkeypatch.setattr("repeat.subprocess.run", run)
    assert repeat.main(["--times", "4", "--quiet", "2", "--load", "3", "--", "-n", "2"]) == 1
    out = capsys.readouterr().out
    assert "2 of 4 runs failed: tests.test_it::test_it\n" in out and "test_that_passes" not in out
    lines = [line.split() for line in out.splitlines()[-5:]]
    assert lines[0] == ["run", "load", "passed", "failed", "seconds", "seed"]
    assert [line[:4] for line in lines[1:]] == [
        ["1", "0", "2", "0"],
        ["2", "0", "1", "1"],
        ["3", "3", "1", "1"],
        ["4", "3", "0", "broken"],
    ]
    assert [line[5] for line in lines[1:]] == seeds and len(set(seeds)) == 4 and loads == [0, 0, 3, 3]


def test_a_run_says_how_long_the_last_one_took_here() -> None:
    config: Any = Config()
    assert announcement.text(config) == (
        "the quick tests in random order, on 2 processes: about one minute on two quiet cores"
    )
    announcement.remember(config, 5104, 94.6)
    assert announcement.text(config) == (
        "5,104 quick tests in random order, on 2 processes: 95 s in the last run here"
    )
    config.cache = None  # -p no:cacheprovider
    announcement.remember(config, 1, 1.0)
    assert "about one minute" in announcement.text(config)


class Config:
    """What the announcement asks of pytest's configuration."""

    def __init__(self) -> None:
        self.cache: Any = self
        self.kept: dict[str, Any] = {}
        self.option = type("Options", (), {"numprocesses": 2})()

    def get(self, name: str, default: Any) -> Any:
        return self.kept.get(name, default)

    def set(self, name: str, value: Any) -> None:
        self.kept[name] = value
