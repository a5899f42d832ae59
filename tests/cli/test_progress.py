"""Long waits say what goes on, to a terminal only."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stderr
from threading import Event

import pytest

from numberduels.cli import progress
from numberduels.cli.progress import ProgressBar
from tables import table

from .running import PATIENCE


class Watched(io.StringIO):
    """A terminal that notices when something is drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn = Event()

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2

    def clear(self) -> None:
        self.drawn.clear()
        self.seek(0)
        self.truncate()

    def write(self, text: str) -> int:
        self.drawn.set()
        return super().write(text)


@pytest.fixture
def stderr(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """A terminal with 40 columns for standard error, where progress is shown at once."""
    screen = Watched()
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((40, 20)))
    monkeypatch.setattr(progress, "SOON", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    return screen


def test_work_that_tells_nothing_shows_its_seconds_and_goes_away(stderr: Watched) -> None:
    with redirect_stderr(stderr), ProgressBar("thinking"):
        assert stderr.drawn.wait(PATIENCE)
    assert stderr.getvalue().startswith("\r\x1b[Kthinking ... 0 s")
    assert stderr.getvalue().endswith("\r\x1b[K")


@table("about", ["thinking", "checking number-collision, claim 12"])
def test_a_bar_fits_forty_columns(about: str, stderr: Watched) -> None:
    with redirect_stderr(stderr):
        bar = ProgressBar(about)
        bar.update(1, 2)
        with bar:
            assert stderr.drawn.wait(PATIENCE)
    drawn = stderr.getvalue().split("\r\x1b[K")[1]
    assert len(drawn) < 40 and drawn.startswith(about)
    assert about != "thinking" or drawn == "thinking [##########..........] 50 %"
    stderr.clear()


def test_a_terminal_that_takes_nothing_back_is_told_once(
    stderr: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(progress, "OFTEN", 0.0)
    with redirect_stderr(stderr), ProgressBar("thinking"):
        assert stderr.drawn.wait(PATIENCE)
    assert stderr.getvalue() == "thinking ...\n"


def test_without_a_terminal_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "SOON", 0.0)
    with ProgressBar("thinking") as bar:
        bar.update(1, 2)
    assert capsys.readouterr() == ("", "")
    assert not bar.seen


class Clock:
    """A clock that the test moves."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


class Unthreaded(ProgressBar):
    threaded = False


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(progress, "time", found)
    return found


def drawn_after(clock: Clock, bar: ProgressBar, *ticks: tuple[float, int, int]) -> str:
    """What is on standard error after these ticks: seconds since the beginning, done, total."""
    screen = io.StringIO()
    with redirect_stderr(screen):
        for seconds, done, total in ticks:
            clock.now = 100 + seconds
            bar.update(done, total)
    return screen.getvalue()


def test_a_search_without_a_known_end_shows_positions_and_the_rate(clock: Clock) -> None:
    bar = Unthreaded("solving")
    bar.seen = True
    drawn = drawn_after(clock, bar, (0, 0, 0), (10, 25_000, 0))
    assert drawn.endswith("solving: 25,000 positions, 2,500 a second")


def test_work_with_a_known_end_shows_the_time_left(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "terminal_width", lambda _: 100)
    bar = Unthreaded("playing", "games")
    bar.seen = True
    drawn = drawn_after(clock, bar, (0, 100, 400), (10, 200, 400))  # 100 were there from an earlier run
    figures = "50 %, 20 s left, 10 a second, 200 of 400 games"
    assert drawn == f"\r\x1b[Kplaying [{'#' * 15}{'.' * 15}] {figures}"
