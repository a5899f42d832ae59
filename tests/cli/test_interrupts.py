"""Ctrl-C in the middle of a long computation: what is known by then is printed, and the status is 130."""

from __future__ import annotations

import csv
import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from numberduels.analysis.claims import Claim, Finding
from numberduels.cli import claims
from numberduels.cli.progress import ProgressBar
from numberduels.games.summation_duel import sum_tables

from .running import duel


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
