"""`duel puzzle --daily`: today's puzzles, the streak, and what is kept of them."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from numberduels.analysis.puzzles import Puzzle, daily_puzzle
from numberduels.game import registry
from numberduels.play.puzzles import PuzzleResult, append_result, read_results
from tables import table

from .running import GAMES, Ran, duel, lines

TODAY = date(2026, 11, 18)


@pytest.fixture(autouse=True)
def one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Midnight does not come while a test runs, and the puzzles are the same on every day."""

    class Today(date):
        @classmethod
        def today(cls) -> Today:
            return cls(TODAY.year, TODAY.month, TODAY.day)

    monkeypatch.setattr("numberduels.cli.puzzle.date", Today)


def todays(name: str, day: date = TODAY) -> Puzzle:
    """The puzzle of a game on this day."""
    found = daily_puzzle(registry.spec(name), day)
    assert found
    return found


def answers(puzzle: Puzzle) -> tuple[str, str]:
    """The right answer and a wrong one, found by asking the puzzle."""
    right = next(each for each in puzzle.answers if puzzle.is_right(each))
    return right, next(each for each in puzzle.answers if not puzzle.is_right(each))


def daily(*arguments: str, typed: tuple[str, ...] = ()) -> Ran:
    return duel("puzzle", "--daily", *arguments, typed=lines(*typed))


def solved_before(*days_ago: int) -> None:
    for ago in days_ago:
        append_result(PuzzleResult(TODAY - timedelta(ago), "range-war", 1, "7", daily=True))


@table("name", GAMES)
def test_every_game_has_a_puzzle_today_and_its_solution_is_kept(name: str) -> None:
    right, _ = answers(todays(name))
    ran = daily(name, typed=(right,))
    assert ran.status == 0
    assert "Right!" in ran.out
    assert ran.out.endswith(
        "Solved at the first try. Your streak: 1 day. You have solved one of today's puzzles.\n"
    )
    (result,) = read_results()
    assert (result.game, result.day, result.daily, result.solved) == (name, TODAY, True, True)


def test_a_streak_is_greeted_and_grows() -> None:
    solved_before(2, 1)
    right, _ = answers(todays("range-war"))
    out = daily("range-war", typed=(right,)).out
    assert "Your streak: 2 days. Solve one of today's puzzles to make it 3.\n" in out
    assert "Your streak: 3 days. You have solved one of today's puzzles.\n" in out


def test_without_a_game_the_first_that_is_not_solved_comes() -> None:
    right, _ = answers(todays(GAMES[0]))
    assert registry.spec(GAMES[0]).title in daily().out
    daily(GAMES[0], typed=(right,))
    out = daily().out
    assert f"\n{registry.spec(GAMES[1]).title} (" in out
    assert f"\n{registry.spec(GAMES[0]).title} (" not in out


def test_the_list_says_which_are_solved() -> None:
    append_result(PuzzleResult(TODAY, "range-war", 1, "7", daily=True))
    rows = {line.split()[0]: line.split()[-1] for line in daily().out.splitlines() if "level" in line}
    assert rows["range-war"] == "solved"
    assert rows["number-snatch"] == "waiting"


def test_input_that_ends_is_status_1_and_quit_is_0() -> None:
    assert daily("range-war").status == 1
    assert daily("range-war", typed=("quit",)).status == 0
    assert read_results() == []


def test_a_damaged_log_is_noted(own_home: Path) -> None:
    own_home.mkdir(parents=True)
    (own_home / "puzzles.jsonl").write_bytes(b"\xff\x1b[2J\n")
    ran = daily()
    assert "1 line is damaged" in ran.out
