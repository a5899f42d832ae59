"""The logs of puzzles and lessons: nothing lost by several writers, damaged lines left out."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numberduels.play import lessons, puzzles, storage
from numberduels.play.puzzles import (
    FIRST_RATING,
    PuzzleResult,
    append_result,
    puzzle_rating,
    read_results,
    streak,
)
from tables import table

TODAY = date(2026, 11, 16)


def result(day: date = TODAY, **changes: object) -> PuzzleResult:
    values: dict[str, object] = {"day": day, "game": "range-war", "level": 2, "seed": "7", "daily": True}
    return PuzzleResult(**(values | changes))  # type: ignore[arg-type]


def test_results_are_read_as_they_were_appended() -> None:
    results = [result(), result(solved=False, tries=3, hints=1), result(daily=False, seed="ä")]
    assert [append_result(each) for each in results] == ["", "", ""]
    assert read_results() == results


def test_without_a_log_there_are_no_results() -> None:
    assert read_results() == []
    assert lessons.done("range-war") == set()


def log(home: Path) -> Path:
    home.mkdir(exist_ok=True)
    return home / puzzles.FILE


@table(
    "line",
    [
        b"\xff\xfe\x00",
        b"[]",
        b'{"day": "2026-11-16"}',
        b'{"day":"yesterday","game":"x","level":1,"seed":"1","daily":true,"solved":true,"tries":1,"hints":0}',
        b'{"day":"2026-11-16","game":7,"level":1,"seed":"1","daily":true,"solved":true,"tries":1,"hints":0}',
        b'{"day":"2026-11-16","game":"x","level":true,"seed":"1","daily":1,"solved":1,"tries":1,"hints":0}',
        b'{"day":"2026-11-16","game":"\\u001b","level":1,"seed":"1","daily":true,"solved":true,"tries":1,'
        b'"hints":0}',
        b"[" * 1_900,
        b"x" * 100_000,
    ],
)
def test_damaged_lines_are_left_out_and_noted(line: bytes, own_home: Path) -> None:
    append_result(result())
    with log(own_home).open("ab") as file:
        file.write(line)  # without a line end, as after a crash
    append_result(result(seed="8"))
    notes: list[str] = []
    assert [each.seed for each in read_results(notes)] == ["7", "8"]
    assert len(notes) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(own_home: Path, data: bytes) -> None:
    log(own_home).write_bytes(data)
    read_results()
    append_result(result())
    assert read_results()[-1] == result()


def test_of_a_huge_log_the_newest_lines_are_read(own_home: Path) -> None:
    with log(own_home).open("wb") as file:
        file.truncate(1 << 40)  # sparse: it takes no room on the disk
    append_result(result())
    assert read_results() == [result()]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_pipe_in_the_place_of_a_log_does_not_block(own_home: Path) -> None:
    os.mkfifo(log(own_home))
    notes: list[str] = []
    assert read_results(notes) == []
    assert "not a file" in notes[0]
    assert "not a file" in append_result(result())


def test_a_full_disk_is_reported_and_leaves_whole_lines(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_result(result())
    before = log(own_home).read_bytes()
    write = os.write

    def half(handle: int, data: bytes) -> int:
        if len(data) > 10:
            return write(handle, data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", half)
    assert "No space left on device" in append_result(result())
    assert log(own_home).read_bytes() == before


def test_every_result_that_cannot_be_saved_is_reported(own_home: Path) -> None:
    own_home.write_text("a file where the folder should be")
    assert "cannot be saved" in append_result(result())
    assert "cannot be saved" in append_result(result())
    assert "cannot be saved" in lessons.mark_done("range-war", "first")


PROGRAM = """
import sys
from datetime import date
from numberduels.play.puzzles import PuzzleResult, append_result
for number in range(200):
    append_result(PuzzleResult(date(2026, 11, 16), "x" * 150, 1, f"{sys.argv[1]} {number}"))
"""


def test_a_log_is_locked_before_it_is_written(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append_result(result())
    path = log(own_home)
    before, found = path.read_bytes(), []
    monkeypatch.setattr(storage, "lock_file", lambda _handle: found.append(path.read_bytes()))
    append_result(result(seed="8"))
    assert found == [before] and len(read_results()) == 2


@pytest.mark.long
def test_processes_that_append_at_once_lose_nothing() -> None:
    running = [subprocess.Popen([sys.executable, "-c", PROGRAM, name]) for name in "abc"]
    assert [each.wait() for each in running] == [0, 0, 0]
    seeds = [each.seed for each in read_results()]
    assert sorted(seeds) == sorted(f"{name} {number}" for name in "abc" for number in range(200))


# The streak


def test_a_streak_counts_days_in_a_row_up_to_today_or_yesterday() -> None:
    days = [TODAY - timedelta(back) for back in (0, 1, 2, 4)]
    results = [result(day) for day in days]
    assert streak(results, TODAY) == 3
    assert streak(results, TODAY + timedelta(1)) == 3
    assert streak(results, TODAY + timedelta(2)) == 0


def test_only_solved_daily_puzzles_count_for_the_streak() -> None:
    assert streak([result(solved=False), result(daily=False)], TODAY) == 0
    assert streak([result(solved=False), result(), result()], TODAY) == 1


def test_a_streak_goes_on_over_a_change_of_the_year() -> None:
    results = [result(date(2026, 12, 31)), result(date(2027, 1, 1))]
    assert streak(results, date(2027, 1, 1)) == 2


# The rating


def test_the_rating_moves_by_the_expected_score_of_chess() -> None:
    assert puzzle_rating([]) == FIRST_RATING
    # A puzzle of level 2 is rated 1100: the expected score is 1 / (1 + 10 ** (100 / 400)) = 0.36.
    assert puzzle_rating([result()]) == round(1000 + 40 * (1 - 0.35994))
    assert puzzle_rating([result(solved=False)]) == round(1000 - 40 * 0.35994)


def test_harder_puzzles_gain_more_and_hints_less() -> None:
    gains = [puzzle_rating([result(level=level)]) for level in (1, 2, 3)]
    assert gains == sorted(set(gains))
    assert puzzle_rating([result(hints=1)]) < puzzle_rating([result()])
    assert puzzle_rating([result(tries=2)]) < puzzle_rating([result()])


def test_solving_the_same_puzzle_again_gains_nothing() -> None:
    assert puzzle_rating([result()] * 5) == puzzle_rating([result()])
    assert puzzle_rating([result(solved=False), result()]) == puzzle_rating([result(solved=False)])


# Lessons


def test_finished_lessons_are_kept_by_game() -> None:
    for key in ("first", "second", "first"):
        assert lessons.mark_done("range-war", key) == ""
    assert lessons.done("range-war") == {"first", "second"}
    assert lessons.done("number-snatch") == set()


def test_a_damaged_lesson_log_is_no_error(own_home: Path) -> None:
    own_home.mkdir()
    (own_home / lessons.FILE).write_bytes(b'{"game":"range-war","lesson":["x"]}\nrubbish\n')
    notes: list[str] = []
    assert lessons.done("range-war", notes) == set()
    assert notes
    lessons.mark_done("range-war", "first")
    assert lessons.done("range-war") == {"first"}
