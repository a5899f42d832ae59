"""`duel learn`: mistakes are stopped, explained and taken back; won lessons are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from numberduels.analysis.lessons import lessons_of
from numberduels.game import registry
from numberduels.play.lessons import LessonRun, done
from numberduels.solvers import make_oracle
from numberduels.solvers.choose import strongest_moves
from tables import table

from .running import GAMES, Ran, duel, lines, refused, rest, terminal


def learn(*arguments: str, typed: str = "") -> Ran:
    return duel("learn", *arguments, typed=lines(*typed.split("|")) if typed else b"")


def winning_line(name: str, key: str) -> list[str]:
    """Moves that win a lesson, found by the solver: every answer of the opponent is that of the lesson."""
    from random import Random

    spec = registry.spec(name)
    lesson = next(each for each in lessons_of(spec) if each.key == key)
    game, typed = LessonRun(spec, lesson), []
    oracle = make_oracle(game.table.game)
    text = spec.text_for(game.table.game)
    while not game.table.outcome:
        if game.learner_to_move:
            move = strongest_moves(oracle, game.table.state)[0]
            assert game.play(move) is None
            typed.append(text.typed(move))
        else:
            game.reply(Random(f"{lesson.key} 1 {game.table.ply}"))
    assert game.won
    return typed


def test_a_lesson_tells_its_idea_and_its_task_first() -> None:
    out = learn("range-war", "nearest").out
    assert out.startswith("Lessons of Range War\n  1  first-game     A guided first game\n")
    assert "\n\nRange War (size 9, opening lower)\nLesson: Take the nearest\n\n" in out
    assert out.index("Take the nearest: every number") < out.index("5 and 4 are taken")
    assert out.index("keep it that way") < out.index("Select a number: ")


def test_a_mistake_is_stopped_explained_and_taken_back() -> None:
    out = learn("range-war", "nearest", typed="9|6").out
    stop = out.split("Stop. ")[1].split("\n\n")[0]
    assert stop.startswith("After 9 they answer 8 and win.\n")
    assert "6 is better. " in stop
    assert stop.endswith("The move is taken back: move again.")
    assert "Player 1 (you) selected 9." not in out
    assert "Player 1 (you) selected 6." in out


@table("name", GAMES)
def test_every_lesson_can_be_won_and_is_kept_then(name: str) -> None:
    keys = [lesson.key for lesson in lessons_of(registry.spec(name))]
    for number, key in enumerate(keys, 1):
        ran = duel("learn", name, typed=lines(*winning_line(name, key)))
        assert ran.status == 0
        assert "Well done: you have won without a mistake. This lesson is done.\n" in ran.out
        assert done(name) == set(keys[:number])  # without a word, the next lesson comes
    assert "That was the last lesson" in ran.out
    assert duel("learn", name).out.count("(done)") == len(keys)


def test_a_lesson_that_is_left_is_not_done() -> None:
    assert learn("range-war", typed="quit").status == 0
    assert learn("range-war", typed="6").status == 1
    assert done("range-war") == set()


def test_the_commands_of_a_lesson_cost_nothing() -> None:
    out = learn("range-war", "2", typed="help|board|rules|moves|idea|hint|nonsense|99|quit").out
    assert "Type your move, or one of these:" in out
    assert "## How to play" in out
    assert "Legal moves: 6, 7, 8, 9" in out
    assert out.count("5 and 4 are taken") == 2
    assert "Hint: 6." in out
    assert out.count("Select a number: ") == 9
    assert "Stop." not in out


def test_a_lesson_is_found_by_number_word_or_beginning() -> None:
    for text in ("2", "nearest", "near", "NEAR"):
        assert "Lesson: Take the nearest" in learn("range", text).out
    refused(learn("range-war", "9"), "has no lesson '9'; choose 1 to 5, or first-game, nearest")
    refused(learn("range-war", ""), "has no lesson")
    refused(learn("chess"), "no game called 'chess'")
    refused(learn(), "GAME")


def test_a_lesson_that_cannot_be_marked_as_done_is_noted_and_the_status_is_1(own_home: Path) -> None:
    typed = "|".join(winning_line("range-war", "nearest"))
    own_home.write_text("a file where the folder should be")
    ran = learn("range-war", "nearest", typed=typed)
    assert ran.status == 1
    assert "Note: that you have finished this lesson cannot be saved (" in ran.out


@pytest.mark.long
def test_on_a_terminal_one_lesson_leads_to_the_next() -> None:
    with terminal("learn", "range-war", "nearest", columns=40, NO_COLOR="1") as screen:
        for typed in winning_line("range-war", "nearest"):
            screen.expect("Select a number: ")
            screen.send(f"{typed}\r")
        screen.expect("This lesson is\\s+done\\.")
        screen.expect("Enter for\\s+yes: ")
        screen.send("\r")
        screen.expect("Lesson: Go to the longer side")
        screen.expect("Select a number: ")
        screen.send("quit\r")
        rest(screen)
        assert screen.exitstatus == 0
    assert done("range-war") == {"nearest"}
