"""Long waits say what goes on, to a terminal only."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from threading import Event

import pytest

from numberduels.analysis.claims import Claim, Finding
from numberduels.cli import claims, progress
from numberduels.cli.progress import ProgressBar
from numberduels.games.summation_duel import sum_tables
from tables import table

from .running import PATIENCE, duel


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


# Ctrl-C: what is known by then is printed, and the status is 130


@pytest.fixture
def stop_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Press Ctrl-C at the tick of this number."""

    def stop(ticks: int) -> None:
        left = ticks

        def update(_bar: ProgressBar, _done: int, _total: int) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(ProgressBar, "update", update)

    return stop


def test_a_solution_that_is_stopped_early_says_so(stop_after: Callable[[int], None]) -> None:
    stop_after(3)
    ran = duel("solve", "restricted-removal", "--size", "62")
    assert ran.status == 130
    assert "The search was stopped before it was known who wins." in ran.out


def test_a_solution_that_is_stopped_has_the_moves_that_are_judged(stop_after: Callable[[int], None]) -> None:
    stop_after(1_000)
    ran = duel("solve", "restricted-removal", "--size", "62")
    whole = duel("solve", "restricted-removal", "--size", "62")  # Ctrl-C is not pressed again
    assert (ran.status, whole.status) == (130, 0)
    assert "Player 1 is to move, and Player 1 wins." in ran.out and "so far, " in ran.out
    assert "The search was stopped; this is what is known so far." in ran.out

    def moves(text: str, worth: str) -> set[str]:
        (line,) = [line for line in text.splitlines() if line.startswith(f"  {worth} ")]
        return set(line.split(maxsplit=1)[1].split(", "))

    for worth in ("win", "loss"):
        assert moves(ran.out, worth) < moves(whole.out, worth)


def test_a_stopped_solution_as_data(stop_after: Callable[[int], None]) -> None:
    stop_after(3)
    early = json.loads(duel("solve", "restricted-removal", "--size", "62", "--json").out)
    assert (early["partial"], early["winner"], early["value"], early["moves"]) == (True, None, None, [])
    stop_after(1_000)
    late = json.loads(duel("solve", "restricted-removal", "--size", "62", "--json").out)
    assert (late["partial"], late["winner"], late["value"]) == (True, 1, "win")
    assert late["unjudged"] + len(late["moves"]) == 61 and late["best"] == []


def test_a_sweep_that_is_stopped_keeps_its_rows(tmp_path: Path, stop_after: Callable[[int], None]) -> None:
    stop_after(100)
    table = tmp_path / "table.csv"
    ran = duel("sweep", "restricted-removal", "--size", "2..60", "--out", str(table))
    assert ran.status == 130
    *rows, last = ran.out.splitlines()[1:]
    size = int(rows[-1].split()[0])
    assert last == f"{size + 1:>6} stopped. The sizes above are complete."
    kept = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [int(row["size"]) for row in kept] == list(range(2, size + 1))


def test_a_table_of_winners_that_is_stopped_has_whole_sizes(
    tmp_path: Path, stop_after: Callable[[int], None]
) -> None:
    seen: list[bool] = []
    sum_tables.lost_rests(17, lambda done, total: seen.append(3 * done <= total))
    stop_after(sum(seen) + 1)  # the first tick of the second pass of three
    table = tmp_path / "table.csv"
    ran = duel("sweep", "summation-duel", "--size", "1..17", "--target", "all", "--out", str(table))
    assert ran.status == 130
    # The first pass solves the rests below 64; those of size 10 are 0 to 55, of size 11 0 to 66.
    assert "    10        55" in ran.out and "    11 stopped. The sizes above are complete." in ran.out
    assert "no exception" in ran.out
    kept = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    assert {int(row["size"]) for row in kept} == set(range(1, 11))


def test_a_sequence_that_is_stopped_says_how_far_it_came(stop_after: Callable[[int], None]) -> None:
    stop_after(100)
    ran = duel("sweep", "restricted-removal-nimbers", "--size", "2..60")
    assert ran.status == 130
    terms = [line for line in ran.out.splitlines() if not line.startswith("#")]
    assert ran.err == f"duel: stopped: {len(terms)} of 59 terms computed\n"


def test_a_dataset_that_is_stopped_says_that_nothing_is_written(
    tmp_path: Path, stop_after: Callable[[int], None]
) -> None:
    stop_after(1)
    ran = duel("dataset", "range-war", "--positions", "50", "--out", str(tmp_path / "a.jsonl"))
    assert (ran.status, ran.err) == (130, "Stopped: nothing was written.\n")
    assert not list(tmp_path.iterdir())


def test_claims_that_are_checked_are_printed_as_data(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> Finding:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("not reached")

    checked = Claim("range-war", 1, "It ends.", lambda: Finding("true", "It was played."))
    never = Claim("range-war", 2, "It is fair.", stop)
    monkeypatch.setattr(claims, "claims_of", lambda _: [checked, never])
    ran = duel("claims", "range-war", "--json")
    assert ran.status == 130
    assert [each["number"] for each in json.loads(ran.out)] == [1]
