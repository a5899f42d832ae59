"""One person at a puzzle, and one learner at a lesson."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from numberduels.analysis.lessons import lessons_of
from numberduels.analysis.puzzles import Puzzle, find_puzzle
from numberduels.game import record, registry
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.play.lessons import LessonRun, done, lesson_after, mark_done, next_lesson
from numberduels.play.puzzles import PuzzleAttempt, read_results

RANGE_WAR = registry.spec("range-war")
DAY = date(2026, 11, 17)


@pytest.fixture
def puzzle() -> Puzzle:
    return find_puzzle(RANGE_WAR, 1, "3")


def wrong(puzzle: Puzzle) -> str:
    return next(each for each in puzzle.answers if not puzzle.is_right(each))


# Puzzles


def test_answers_and_hints_count_and_the_result_is_logged_once(puzzle: Puzzle) -> None:
    attempt = PuzzleAttempt(puzzle, daily=True, day=DAY)
    for _ in range(2):
        attempt.answer(wrong(puzzle))
    attempt.hint()
    assert not attempt.over and attempt.wrong == [wrong(puzzle)]
    attempt.answer(puzzle.answer)
    assert attempt.over and attempt.solved
    assert attempt.log() == attempt.log() == ""
    (result,) = read_results()
    assert (result.day, result.daily, result.solved, result.tries, result.hints) == (DAY, True, True, 3, 1)
    assert attempt.share_line() == "Number Duels 2026-11-17 Range War: solved, 3 tries, 1 hint"


def test_what_is_no_answer_does_not_count(puzzle: Puzzle) -> None:
    attempt = PuzzleAttempt(puzzle)
    for text in ("", "x", "999999"):
        with pytest.raises((Unreadable, IllegalMove)):
            attempt.answer(text)
    assert attempt.tries == 0


def test_a_puzzle_that_is_left_is_not_solved_and_one_that_was_only_looked_at_is_not_logged(
    puzzle: Puzzle,
) -> None:
    assert PuzzleAttempt(puzzle).log() == "" and read_results() == []
    given_up = PuzzleAttempt(puzzle)
    given_up.give_up()
    given_up.log()
    left = PuzzleAttempt(puzzle)
    left.hint()
    left.log()
    assert [each.solved for each in read_results()] == [False, False]


def test_hints_go_on_to_the_last_one_and_stay_there(puzzle: Puzzle) -> None:
    attempt = PuzzleAttempt(puzzle)
    told = [attempt.hint() for _ in range(len(puzzle.hints) + 2)]
    assert told == [*puzzle.hints, puzzle.hints[-1], puzzle.hints[-1]]
    assert attempt.hints == len(puzzle.hints)


# Lessons


def test_a_mistake_is_stopped_and_a_good_move_is_made() -> None:
    run = LessonRun(RANGE_WAR, lessons_of(RANGE_WAR)[1])
    before = run.table.played
    mistake = run.play(7)
    assert mistake and mistake.better == 6 and run.table.played == before and run.mistakes == 1
    with pytest.raises(IllegalMove):
        run.play(5)
    assert run.play(6) is None and not run.learner_to_move
    run.reply(Random(0))
    assert run.learner_to_move and run.can_undo
    run.undo()
    assert run.table.played == before and not run.can_undo


def test_the_game_of_a_lesson_begins_again_with_another_seed() -> None:
    run = LessonRun(RANGE_WAR, lessons_of(RANGE_WAR)[1])
    seeds = {record.read(run.record_text()).seed}
    run.stop()
    run.make(6)
    run.restart()
    assert (run.mistakes, run.attempt, run.can_undo) == (0, 2, False)
    assert record.read(run.record_text()).seed not in seeds


def test_the_next_lesson_is_the_first_that_is_not_done() -> None:
    keys = [lesson.key for lesson in lessons_of(RANGE_WAR)]
    for key in keys:
        assert next_lesson(RANGE_WAR).key == key
        mark_done("range-war", key)
    assert next_lesson(RANGE_WAR).key == keys[0] and done("range-war") == {*keys}
    assert lesson_after(RANGE_WAR, keys[-1]) is None
