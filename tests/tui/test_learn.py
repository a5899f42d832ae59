"""The list of lessons, and a lesson: text, game, mistakes that are stopped, and its ending."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, OptionList

from numberduels.analysis.lessons import Lesson, lessons_of
from numberduels.game import registry
from numberduels.play import lessons
from numberduels.tui.board_view import BoardView
from numberduels.tui.learn import LearnScreen
from numberduels.tui.lesson import LessonScreen, Phase

from .driving import (
    in_app,
    press,
    screen_text,
    settled,
    started,
    until,
    words,
)

SMALL = (40, 20)
RANGE_WAR = registry.spec("range-war")
NEAREST = lessons_of(RANGE_WAR)[1]
"""5 and 4 are taken of 9, and the learner goes up: only 6 keeps the win, then 7, 8 and 9."""


async def filled(pilot: Pilot[int], screen: LearnScreen) -> OptionList:
    """The list, when the lessons are there."""
    listed = screen.query_one(OptionList)
    await until(pilot, lambda: listed.highlighted is not None)
    await settled(pilot)
    return listed


async def in_phase(pilot: Pilot[int], screen: LessonScreen, *phases: Phase) -> None:
    await until(pilot, lambda: screen.phase in phases)
    await settled(pilot)


async def play(pilot: Pilot[int], screen: LessonScreen, *moves: str) -> None:
    """Type moves, one after each answer."""
    for move in moves:
        await in_phase(pilot, screen, Phase.TURN)
        await press(pilot, *move, "enter")
        await in_phase(pilot, screen, Phase.TURN, Phase.STOPPED, Phase.OVER)


# The list


@in_app
async def test_all_games_and_lessons_are_listed_with_what_is_done() -> None:
    lessons.mark_done("range-war", "first-game")
    screen = LearnScreen()
    async with started(screen, SMALL) as pilot:
        listed = await filled(pilot, screen)
        assert "Learn: 1 of 21 lessons done" in words(pilot)
        assert "1 Range War: 1 of 5 done" in words(pilot)
        assert "✓ A guided first game · Take the nearest" in " ".join(
            str(listed.get_option_at_index(index).prompt).strip() for index in (1, 2)
        )
        option = listed.highlighted_option
        assert option is not None and option.id == "range-war/nearest"


@in_app
async def test_digits_go_to_a_game_and_enter_begins_a_lesson() -> None:
    screen = LearnScreen()
    async with started(screen, SMALL) as pilot:
        await filled(pilot, screen)
        await press(pilot, "4", "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        lesson = pilot.app.screen
        assert isinstance(lesson, LessonScreen)
        assert (lesson.spec.name, lesson.lesson.key) == ("summation-duel", "nothing-fits")
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is screen)


@in_app
async def test_n_begins_the_first_lesson_that_is_not_done() -> None:
    lessons.mark_done("range-war", "first-game")
    screen = LearnScreen()
    async with started(screen) as pilot:
        await filled(pilot, screen)
        await press(pilot, "n")
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        lesson = pilot.app.screen
        assert isinstance(lesson, LessonScreen)
        assert (lesson.spec.name, lesson.lesson.key) == ("range-war", "nearest")


@in_app
async def test_a_click_begins_a_lesson() -> None:
    screen = LearnScreen()
    async with started(screen, SMALL) as pilot:
        await filled(pilot, screen)
        await pilot.click("#list", offset=(6, 3))
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        lesson = pilot.app.screen
        assert isinstance(lesson, LessonScreen) and lesson.lesson.key == "nearest"


@in_app
async def test_a_wide_terminal_shows_what_the_lesson_is_about() -> None:
    screen = LearnScreen()
    async with started(screen, (160, 45)) as pilot:
        await filled(pilot, screen)
        await press(pilot, "down")
        await settled(pilot)
        assert "Take the nearest: every number you skip becomes theirs." in screen_text(pilot)


@in_app
async def test_a_lesson_done_meanwhile_is_ticked_when_the_list_comes_back() -> None:
    screen = LearnScreen()
    async with started(screen) as pilot:
        await filled(pilot, screen)
        await press(pilot, "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        lessons.mark_done("range-war", "nearest")
        await press(pilot, "escape")
        await until(pilot, lambda: "1 of 21" in screen_text(pilot))
        assert "✓ Take the nearest" in screen_text(pilot)


# A lesson


@in_app
async def test_a_lesson_begins_with_its_text_and_enter_starts_the_game() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen, SMALL) as pilot:
        assert "Take the nearest: every number you skip becomes theirs." in words(pilot)
        assert "5 and 4 are taken" in words(pilot)
        await press(pilot, "pagedown", "pagedown", "down")
        await settled(pilot)
        assert "keep it that way." in words(pilot)
        await press(pilot, "up", "pageup", "enter")
        await in_phase(pilot, screen, Phase.TURN)
        assert "Your turn. You are Player 1." in words(pilot)
        assert "esc Back h Hint" in words(pilot)
        assert isinstance(screen.focused, BoardView)


@in_app
async def test_a_mistake_is_stopped_explained_and_taken_back() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen, SMALL) as pilot:
        await press(pilot, "s")
        await play(pilot, screen, "7")
        assert screen.phase is Phase.STOPPED
        assert screen.table.played == (5, 4)
        assert "Stop! 7 gives the win away." in words(pilot)
        assert "After 7 they answer 6 and win." in words(pilot)
        assert "Better: 6." not in words(pilot)
        await press(pilot, "b")
        await settled(pilot)
        assert "Better: 6." in words(pilot)
        assert screen.query_one("#position BoardView", BoardView).move == "6"
        await press(pilot, "enter")  # the button Take it back has the focus
        await in_phase(pilot, screen, Phase.TURN)
        assert screen.table.played == (5, 4)


@in_app
async def test_the_buttons_can_be_clicked() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen) as pilot:
        await pilot.click("#start")
        await play(pilot, screen, "8")
        await pilot.click("#better")
        await settled(pilot)
        assert "Better: 6." in words(pilot)
        await pilot.click("#take-back")
        await in_phase(pilot, screen, Phase.TURN)
        await play(pilot, screen, "6", "7", "8", "9")
        await pilot.click("#next")
        await until(pilot, lambda: pilot.app.screen is not screen)


@in_app
async def test_a_won_game_ends_the_lesson_and_enter_goes_on() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen, SMALL) as pilot:
        await press(pilot, "enter")
        await play(pilot, screen, "6", "7", "8", "9")
        assert screen.phase is Phase.OVER
        assert "You win! This lesson is done." in words(pilot)
        assert "They are stuck" in words(pilot)
        assert lessons.done("range-war") == {"nearest"}
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.screen is not screen)
        following: Any = pilot.app.screen
        assert following.lesson.key == "longer-side"
        assert "Go to the longer side" in words(pilot)


@in_app
async def test_after_the_last_lesson_of_a_game_there_is_no_next_one() -> None:
    screen = LessonScreen(registry.spec("summation-duel"), one_move_left())
    async with started(screen) as pilot:
        await press(pilot, "enter")
        await play(pilot, screen, "4")
        assert "That was the last lesson of Summation Duel." in words(pilot)
        assert not screen.query_one("#next", Button).display
        await press(pilot, "a")
        await in_phase(pilot, screen, Phase.TURN)
        assert screen.table.played == (1, 5, 6, 8)


def one_move_left() -> Lesson:
    """A lesson of Summation Duel in which 4 wins, under the key of the last lesson."""
    first, *_, last = lessons_of(registry.spec("summation-duel"))[1:]
    return replace(first, key=last.key)


@in_app
async def test_the_computer_begins_where_the_learner_is_the_second_player() -> None:
    screen = LessonScreen(RANGE_WAR, lessons_of(RANGE_WAR)[2])
    async with started(screen) as pilot:
        await press(pilot, "enter")
        await in_phase(pilot, screen, Phase.TURN)
        assert screen.table.ply == 1
        assert "The computer plays: " in words(pilot)
        assert "You are Player 2." in words(pilot)
        assert not screen.check_action("undo", ())


@in_app
async def test_a_hint_names_a_move_and_its_reason_and_points_at_it() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen) as pilot:
        await press(pilot, "enter", "h")
        await in_phase(pilot, screen, Phase.TURN)
        assert "Hint: 6. " in words(pilot)
        assert screen.query_one("#position BoardView", BoardView).move == "6"


@in_app
async def test_undo_takes_back_the_move_and_its_answer() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen) as pilot:
        await press(pilot, "enter")
        await play(pilot, screen, "6")
        assert screen.table.ply == 4
        await press(pilot, "u")
        await settled(pilot)
        assert screen.table.played == (5, 4)
        assert not screen.check_action("undo", ())


@in_app
async def test_the_text_can_be_read_again_and_the_game_goes_on_where_it_was() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen) as pilot:
        await press(pilot, "enter")
        await play(pilot, screen, "6")
        await press(pilot, "l")
        await settled(pilot)
        assert "Go on (Enter)" in words(pilot)
        await press(pilot, "enter")
        await in_phase(pilot, screen, Phase.TURN)
        assert screen.table.ply == 4
        await play(pilot, screen, "9")
        await press(pilot, "l", "enter")
        await in_phase(pilot, screen, Phase.STOPPED)


@in_app
async def test_i_shows_the_rules_and_escape_comes_back_to_the_lesson() -> None:
    screen = LessonScreen(RANGE_WAR, NEAREST)
    async with started(screen) as pilot:
        await press(pilot, "i")
        await until(pilot, lambda: "Range War: the rules" in screen_text(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is screen)


@in_app
async def test_a_lost_game_can_be_played_again() -> None:
    # On two numbers with the free opening Player 1 loses whatever happens, so no move is a mistake.
    lost = Lesson("lost", NEAREST.title, NEAREST.idea, NEAREST.task, options={"size": 2, "opening": "free"})
    screen = LessonScreen(RANGE_WAR, lost)
    async with started(screen) as pilot:
        await press(pilot, "enter")
        await play(pilot, screen, "1")
        assert "The computer wins this time." in words(pilot)
        assert "You are stuck" in words(pilot)
        assert not lessons.done("range-war")
        await press(pilot, "enter")
        await in_phase(pilot, screen, Phase.TURN)
        assert screen.table.ply == 0


@in_app
async def test_leaving_while_the_computer_thinks_is_possible() -> None:
    learn = LearnScreen()
    async with started(learn) as pilot:
        await filled(pilot, learn)
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        await press(pilot, "enter", "escape")
        await until(pilot, lambda: pilot.app.screen is learn)


@pytest.mark.parametrize("name", registry.OURS)
@in_app
async def test_every_guided_first_game_can_be_won_by_its_hints(name: str) -> None:
    spec = registry.spec(name)
    screen = LessonScreen(spec, lessons_of(spec)[0])
    async with started(screen, (40, 20)) as pilot:
        await press(pilot, "enter")
        await in_phase(pilot, screen, Phase.TURN)
        while screen.phase is Phase.TURN:
            await press(pilot, "h")
            await in_phase(pilot, screen, Phase.TURN)
            await press(pilot, "enter")
            await in_phase(pilot, screen, Phase.TURN, Phase.STOPPED, Phase.OVER)
        assert "You win!" in words(pilot)
        assert screen.run.mistakes == 0
