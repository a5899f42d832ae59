"""`duel puzzle` through a real pipe and on a real terminal."""

from __future__ import annotations

import io
import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from numberduels.analysis.puzzles import Puzzle, daily_puzzle, find_puzzle
from numberduels.analysis.puzzles.kinds import KINDS
from numberduels.cli.console import Console
from numberduels.cli.puzzle import PuzzleSession
from numberduels.game import registry
from numberduels.game.messages import Message
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.range_war.theory import RangeWarTheory
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.restricted_removal.theory import RestrictedRemovalTheory
from numberduels.play.puzzles import PuzzleResult, append_result, read_results
from tables import table

from .running import GAMES, GOLDEN, Ran, duel, lines, refused, rest, shell, terminal

AGAIN = re.compile(r"The same puzzle again: (.+)$", re.M)


def plain(text: str) -> str:
    """The text with the command as it is where `duel` is on the path."""
    return re.sub(r"again: .*duel puzzle", "again: duel puzzle", text)


def solve(puzzle: Puzzle, *typed: str) -> Ran:
    """The session of this puzzle."""
    return duel(
        *("puzzle", puzzle.spec.name, "--level", str(puzzle.level), "--seed", puzzle.seed),
        typed=lines(*typed),
    )


def session(puzzle: Puzzle, *typed: str) -> str:
    """The session of a puzzle that is made here, so that another file of puzzles does not change it."""
    out = io.StringIO()
    source = io.TextIOWrapper(io.BytesIO(lines(*typed)), encoding="utf-8")
    PuzzleSession(Console(source, out), puzzle).run()
    return plain(out.getvalue())


@pytest.fixture
def one_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solvers give one and the same reason for everything: what they say is tested elsewhere."""
    for theory in (RangeWarTheory, RestrictedRemovalTheory):
        monkeypatch.setattr(theory, "why", lambda *_: Message("That is a good move."))


@pytest.mark.usefixtures("one_reason")
def test_a_whole_session_with_a_bad_a_wrong_and_the_right_answer() -> None:
    game = RangeWar(11)
    puzzle = KINDS["highest-move"](registry.spec("range-war"), game, ((5, 3, 8, 4),), "7", 2, 6, "1")
    typed = ("help", "moves", "abc", "2", "hint", "10", "6", "hint", "hint", "7")
    assert session(puzzle, *typed) == (GOLDEN / "puzzle_range_war.txt").read_text(encoding="utf-8")


@pytest.mark.usefixtures("one_reason")
def test_two_positions_are_drawn_as_a_and_b() -> None:
    spec = registry.spec("restricted-removal")
    puzzle = KINDS["which-position"](spec, RestrictedRemoval(10), ((6,), (7,)), "B", 1, 4, "1")
    typed = ("moves", "board", "history", "maybe", "hint", "hint", "hint", "a", "b")
    expected = (GOLDEN / "puzzle_which_position.txt").read_text(encoding="utf-8")
    assert session(puzzle, *typed) == expected


@table("name", GAMES)
def test_the_printed_command_gives_the_same_puzzle(name: str) -> None:
    first = duel("puzzle", name, "--seed", "it's 5", typed=lines("quit"))
    found = AGAIN.search(first.out)
    assert found and first.status == 0
    assert plain(shell(found[1], lines("quit")).out) == plain(first.out)


def test_without_a_game_the_seed_chooses_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "names", lambda: list(GAMES))
    titles = {
        duel("puzzle", "--seed", str(seed), typed=lines("quit")).out.partition(" (")[0] for seed in range(8)
    }
    assert len(titles) >= 4
    again = [duel("puzzle", "--seed", "1", typed=lines("quit")) for _ in range(2)]
    assert again[0] == again[1] and again[0].status == 0


def test_show_tells_the_solution_and_ends_well() -> None:
    each = find_puzzle("summation-duel", 1, "1")
    ran = solve(each, "SHOW")
    assert each.solution_lines()[0] in ran.out and ran.status == 0


# The log of puzzles


def test_a_solved_puzzle_is_logged_with_its_tries_and_hints() -> None:
    each = find_puzzle("summation-duel", 1, "1")
    wrong = next(answer for answer in each.answers if answer != each.answer)
    solve(each, "hint", wrong, each.answer)
    assert read_results() == [
        PuzzleResult(date.today(), "summation-duel", each.level, each.seed, False, True, 2, 1)
    ]


@table("typed", [b"", b"1", b"hint\n", b"\n\n\n"])
def test_the_end_of_the_input_before_the_solution_is_status_1(typed: bytes) -> None:
    ran = duel("puzzle", "number-snatch", "--seed", "e", "--level", "2", typed=typed)
    assert (ran.status, ran.err) == (1, "")


# Refusals


@table("level", ["0", "6", "two", "", "-1", "1.5"])
def test_a_level_that_is_not_there_is_refused(level: str) -> None:
    refused(duel("puzzle", "range-war", f"--level={level}"), "--level takes a whole number from 1 to 5")


# On a terminal


@pytest.mark.long
def test_on_a_terminal_the_next_puzzle_is_offered_and_its_seed_follows() -> None:
    first, second = find_puzzle("range-war", 1, "t"), find_puzzle("range-war", 1, "t.2")
    prompts = {"move": "Select a number: ", "number": "Your answer, a number: "}
    with terminal("puzzle", "range-war", "--seed", "t", term="dumb") as screen:
        screen.expect_exact(prompts[first.asks_for])
        screen.sendline(first.answer)
        screen.expect_exact("Right!")
        screen.expect_exact("Your rating: ")
        screen.expect_exact("Another puzzle? Type yes or no: ")
        screen.sendline("yes")
        screen.expect_exact(prompts[second.asks_for])
        screen.sendline(second.answer)
        screen.expect_exact("--seed t.2")
        screen.expect_exact("Another puzzle? Type yes or no: ")
        screen.sendline("no")
        rest(screen)
        assert screen.exitstatus == 0


def test_a_result_that_cannot_be_saved_is_noted_and_the_status_is_1(own_home: Path) -> None:
    puzzle = find_puzzle("range-war", 1, "3")
    own_home.write_text("a file where the folder should be")
    assert solve(puzzle, "quit").status == 0, "nothing was tried, so there is nothing to save"
    ran = solve(puzzle, puzzle.answer)
    assert ran.status == 1
    assert "Note: the result of this puzzle cannot be saved (" in ran.out


# Today's puzzles

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
