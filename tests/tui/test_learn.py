"""The list of lessons, and a lesson: text, game, mistakes that are stopped, and its ending."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual.pilot import Pilot

from numberduels.analysis.lessons import Lesson, lessons_of
from numberduels.game import registry
from numberduels.play import lessons
from numberduels.tui.board_view import BoardView
from numberduels.tui.learn import LearnScreen
from numberduels.tui.lesson import LessonScreen

from .driving import in_app, press, screen_text, settled, started, words

SMALL = (40, 20)
RANGE_WAR = registry.spec("range-war")
SUMMATION_DUEL = registry.spec("summation-duel")
NEAREST = lessons_of(RANGE_WAR)[1]
"""5 and 4 are taken of 9, and the learner goes up: only 6 keeps the win, then 7, 8 and 9."""


def opened(pilot: Pilot[int]) -> tuple[str, str]:
    """The game and the key of the lesson on the screen."""
    lesson = pilot.app.screen
    assert isinstance(lesson, LessonScreen)
    return lesson.spec.name, lesson.lesson.key


async def play(pilot: Pilot[int], *moves: str) -> None:
    """Type moves, one after each answer."""
    for move in moves:
        await press(pilot, *move, "enter")


@in_app
async def test_the_list_says_what_is_done_and_opens_lessons() -> None:
    lessons.mark_done("range-war", "first-game")
    screen = LearnScreen()
    async with started(screen, SMALL) as pilot:
        assert "Learn: 1 of 21 lessons done" in words(pilot)
        assert "1 Range War: 1 of 5 done ✓ A guided first game · Take the nearest" in words(pilot)
        assert screen.list.highlighted_id == "range-war/nearest"
        await pilot.click("#list", offset=(6, 3))
        await settled(pilot)
        assert opened(pilot) == ("range-war", "nearest")
        await press(pilot, "escape", "4", "down", "enter")
        assert opened(pilot) == ("summation-duel", "nothing-fits")
        await press(pilot, "escape", "n")
        assert opened(pilot)[0] == "summation-duel", "the game of the last lesson comes first"
        lessons.mark_done("range-war", "nearest")
        await pilot.resize_terminal(160, 45)
        await press(pilot, "escape")
        assert "2 of 21" in screen_text(pilot) and "✓ Take the nearest" in screen_text(pilot)
        await press(pilot, "1", "up")
        assert "Take the nearest: every number you skip becomes theirs." in screen_text(pilot)


@in_app
async def test_a_lesson_from_its_text_to_its_end() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen, SMALL) as pilot:
        assert "Take the nearest: every number you skip becomes theirs." in words(pilot)
        await press(pilot, "pagedown", "pagedown", "down")
        assert "keep it that way." in words(pilot)
        await press(pilot, "up", "pageup", "i", "escape", "enter")
        assert "Your turn. You are Player 1." in words(pilot) and "esc Back h Hint" in words(pilot)
        await play(pilot, "7")
        assert screen.phase.name == "STOPPED" and screen.table.played == (5, 4)
        assert "Stop! 7 gives the win away." in words(pilot)
        assert "After 7 they answer 6 and win." in words(pilot) and "Better: 6." not in words(pilot)
        await press(pilot, "l", "enter")  # the text, and back to the mistake
        await press(pilot, "b")
        assert "Better: 6." in words(pilot) and screen.board.view.move == "6"
        await press(pilot, "enter")  # the button Take it back has the focus
        assert screen.phase.name == "TURN" and screen.table.played == (5, 4)
        await press(pilot, "h")
        assert "Hint: 6. " in words(pilot) and screen.board.view.move == "6"
        await play(pilot, "6")
        assert screen.table.ply == 4
        await press(pilot, "l")
        assert "Go on (Enter)" in words(pilot)
        await press(pilot, "enter", "u")
        assert screen.table.played == (5, 4) and not screen.check_action("undo", ())
        await play(pilot, "6", "7", "8", "9")
        assert screen.phase.name == "OVER" and lessons.done("range-war") == {"nearest"}
        assert "You win! This lesson is done." in words(pilot) and "They are stuck" in words(pilot)
        assert "You were stopped once." in words(pilot)
        await press(pilot, "enter")
        following: Any = pilot.app.screen
        assert following.lesson.key == "longer-side" and "Go to the longer side" in words(pilot)
        await press(pilot, "enter")
        assert following.table.ply == 1 and "You are Player 2." in words(pilot), "the computer begins"
        assert "The computer plays: " in words(pilot) and not following.check_action("undo", ())


@in_app
async def test_the_buttons_can_be_clicked() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen) as pilot:
        await pilot.click("#start")
        assert isinstance(screen.focused, BoardView)
        await play(pilot, "8")
        await pilot.click("#better")
        assert "Better: 6." in words(pilot)
        await pilot.click("#take-back")
        assert screen.phase.name == "TURN"


@in_app
async def test_after_the_last_lesson_and_after_a_lost_game_it_can_be_played_again() -> None:
    first, *_, last = lessons_of(SUMMATION_DUEL)[1:]
    screen = LessonScreen(SUMMATION_DUEL, replace(first, key=last.key))  # 4 wins
    # On two numbers with the free opening Player 1 loses whatever happens, so no move is a mistake.
    lost = Lesson("lost", NEAREST.title, NEAREST.idea, NEAREST.task, options={"size": 2, "opening": "free"})
    async with started(screen) as pilot:
        await press(pilot, "enter")
        await play(pilot, "4")
        assert "That was the last lesson of Summation Duel." in words(pilot)
        assert not screen.offered["next"].display
        await press(pilot, "a")
        assert screen.phase.name == "TURN" and screen.table.played == (1, 5, 6, 8)
        again = LessonScreen(RANGE_WAR, lost)
        pilot.app.push_screen(again)
        await press(pilot, "enter")
        await play(pilot, "1")
        assert "The computer wins this time." in words(pilot) and "You are stuck" in words(pilot)
        assert not lessons.done("range-war")
        await press(pilot, "enter")
        assert again.phase.name == "TURN" and again.table.ply == 0


@in_app
async def test_a_guided_first_game_can_be_won_by_its_hints() -> None:
    spec = registry.spec("number-collision")
    screen = LessonScreen(spec, lessons_of(spec)[0])
    async with started(screen, SMALL) as pilot:
        await press(pilot, "enter")
        while screen.phase.name == "TURN":
            await press(pilot, "h", "enter")
            if screen.phase.name == "TURN" and "Hint:" in words(pilot):
                await press(pilot, "enter")
        assert "You win!" in words(pilot) and screen.run.mistakes == 0
