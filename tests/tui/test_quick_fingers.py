"""Keys that come faster than the app, answers that come too late, and faults: the table never crashes."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen

from numberduels.analysis.lessons import lessons_of
from numberduels.analysis.puzzles import find_puzzle
from numberduels.game import registry
from numberduels.play.live_game import LiveGame
from numberduels.play.puzzles import PuzzleResult, append_result
from numberduels.play.saved_games import saved_games
from numberduels.play.settings import load_settings, settings_path, update_settings
from numberduels.play.setup import Setup, start_game
from numberduels.tui import app as app_module
from numberduels.tui import play
from numberduels.tui.app import SCREENS, fault_log_path, log_fault
from numberduels.tui.base import DuelScreen
from numberduels.tui.board_view import BoardView
from numberduels.tui.home import HomeScreen, Menu
from numberduels.tui.learn import LearnScreen
from numberduels.tui.lesson import LessonScreen
from numberduels.tui.new_game import NewGameScreen
from numberduels.tui.play import PlayScreen
from numberduels.tui.puzzle import PuzzleScreen
from numberduels.tui.puzzles import PuzzlesScreen
from numberduels.tui.review import ReviewScreen
from numberduels.tui.saved_games import SavedGamesScreen
from numberduels.tui.settings import SettingsScreen
from numberduels.tui.text_pages import RulesScreen, StatisticsScreen
from numberduels.tui.widgets import PlainText

from .driving import (
    PATIENCE,
    duel,
    engine_of,
    in_app,
    press,
    screen_text,
    settled,
    started,
    type_keys,
    until,
    words,
)

RANGE_WAR = registry.spec("range-war")
DAY = date(2026, 11, 17)
MARKUP = "[/x][red]"
"""Text that ends the app if it is read as markup."""


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "PAUSE", 0.0)


def game(*moves: str, opponent: str = "perfect", name: str = "range-war") -> LiveGame:
    """A kept game after these moves."""
    setup = Setup(registry.spec(name), "book", opponent, "1")
    found = start_game(setup, ("Ada", ""), "7")
    for move in moves:
        found.play(move)
    found.save()
    return found


def over() -> LiveGame:
    """A game that is over: nothing is lower than 1."""
    return game("1")


def puzzle_screen() -> PuzzleScreen:
    return PuzzleScreen(find_puzzle(RANGE_WAR, 2, "1"), today=DAY)


def lesson_screen() -> LessonScreen:
    return LessonScreen(RANGE_WAR, lessons_of(RANGE_WAR)[1])


WAITING: dict[str, tuple[Callable[[], Screen[Any]], tuple[str, ...], str]] = {
    "play: the computer moves": (lambda: PlayScreen(game()), ("6", "enter"), "The computer (perfect): 5"),
    "play: a hint": (lambda: PlayScreen(game()), ("h",), "Hint: "),
    "play: where it was decided": (lambda: PlayScreen(over()), (), "winning"),
    "review": (lambda: ReviewScreen(game("6", "5").record_text()), (), "threw away a win"),
    "puzzles": (lambda: PuzzlesScreen(DAY), (), "Today, 2026-11-17: 0 of 5 solved"),
    "puzzles: another one": (lambda: PuzzlesScreen(DAY), ("z",), "esc Back h Hint"),
    "puzzle: a wrong answer": (puzzle_screen, ("right", "enter"), "Try again."),
    "puzzle: the solution": (puzzle_screen, ("s",), "Next puzzle (n)"),
    "learn": (LearnScreen, (), "0 of 21 lessons done"),
    "lesson: a mistake": (lesson_screen, ("enter", "7", "enter"), "Stop! 7 gives the win away."),
    "statistics": (StatisticsScreen, (), "Nothing here yet"),
}
"""Every screen that waits for an answer: how it is opened, what is asked, and what the answer shows."""


@pytest.mark.parametrize("name", WAITING)
@in_app
async def test_an_answer_may_come_at_once_late_never_as_an_error_or_after_its_screen(
    name: str,
) -> None:
    make, keys, shown = WAITING[name]
    async with started() as pilot:
        engine, app = engine_of(pilot), duel(pilot)

        async def ask() -> Screen[Any]:
            screen = make()
            app.push_screen(screen)
            if "another" in name:  # the list itself is not waited for
                await settled(pilot)
                engine.hold()
            await press(pilot, *keys)
            return screen

        async def back() -> None:
            for _ in range(4):
                if not isinstance(app.screen, HomeScreen):
                    await press(pilot, "escape")
            assert isinstance(app.screen, HomeScreen), words(pilot)

        await ask()
        engine.hand_over()
        await settled(pilot)
        assert shown in words(pilot), "at once"
        await back()
        engine.hold()
        await ask()
        assert shown not in words(pilot) and engine.unanswered, "never"
        await press(pilot, "question_mark", "escape", "up", "down")  # it answers keys all the time
        engine.hand_over()
        await settled(pilot)
        unwanted = "another" in name  # after these keys
        assert (shown in words(pilot)) is not unwanted, "late"
        await back()
        engine.hold()
        await ask()
        engine.refuse = "The process that computed this has ended. Try it again."
        engine.hand_over()
        await settled(pilot)
        assert shown not in words(pilot) and "Traceback" not in words(pilot), "with an error"
        engine.refuse = ""
        await back()
        engine.hold()
        await ask()
        await back()
        before = words(pilot)
        engine.hand_over()
        await settled(pilot)
        assert words(pilot) == before, "after the screen has gone"


class Quick(NamedTuple):
    """Keys that come faster than answers: those before, which are answered, and what is asked meanwhile."""

    keys: str
    asks: str
    before: str = ""
    screen: Callable[[], Screen[Any]] | None = None


ROWS = {
    "a level while the puzzles are fetched": Quick("z 1 5 escape t 3 z t escape", "offered_puzzles"),
    "screens left at once": Quick("t escape l escape s escape k escape e escape", "all_lessons"),
    "every screen one after the other": Quick("p t z l k s e escape escape escape escape", ""),
    "a game continued twice": Quick("6 enter escape home down enter enter enter", "choose_move", "p enter"),
    "a rematch while the review is computed": Quick(
        "6 enter g g n 6 enter g g w escape n g g o", "review", "p enter"
    ),
    "a puzzle left after an answer": Quick(
        "right enter escape p escape", "refutation_lines", "", puzzle_screen
    ),
    "a puzzle left before its solution": Quick("h s escape t enter", "solution_lines", "", puzzle_screen),
    "a lesson left after a move": Quick("7 enter escape l enter escape", "judge", "enter", lesson_screen),
    "a lesson left before a hint": Quick("h escape l enter h escape", "hint", "enter", lesson_screen),
}
"""What crashed the app, and what the background process is asked for while the keys come."""


@in_app
async def test_quick_fingers_crash_nothing() -> None:
    update_settings(game="range-war", first="1")
    async with started() as pilot:
        engine = engine_of(pilot)
        for name, row in ROWS.items():
            if row.screen:
                pilot.app.push_screen(row.screen())
            await press(pilot, *row.before.split())
            engine.hold()
            engine.asked.clear()
            await press(pilot, *row.keys.split())
            assert not row.asks or row.asks in engine.asked, name
            engine.hand_over()
            while not isinstance(pilot.app.screen, HomeScreen):
                await press(pilot, "escape")
            assert not os.path.exists(fault_log_path()), name


@in_app
async def test_a_level_that_is_chosen_while_the_puzzles_are_fetched_stays_chosen() -> None:
    screen = PuzzlesScreen(DAY, endless=True)
    async with started() as pilot:
        engine_of(pilot).hold()
        pilot.app.push_screen(screen)
        await press(pilot, "4", "5")
        assert "for experts" in words(pilot)
        engine_of(pilot).hand_over()
        await settled(pilot)
        assert screen.level == 5 and "level 5" in words(pilot)


@in_app
async def test_a_page_of_a_list_that_is_hidden_is_no_fault() -> None:
    screen = ReviewScreen(game("6", "5").record_text())
    async with started(screen, (30, 8)) as pilot:
        for action in ("page_down", "page_up"):
            await screen.moves.run_action(action)
        await press(pilot, "pagedown", "pageup")


@in_app
async def test_keys_are_handled_in_the_order_in_which_they_were_pressed() -> None:
    screen = PlayScreen(game(opponent="human"))
    update_settings(game="range-war")
    async with started() as pilot:
        pilot.app.push_screen(screen)
        await press(pilot, "3", "enter", "9")
        assert list(screen.game.table.played) == [3]
        await press(pilot, "2", "enter", "u", "1", "enter", "9")
        assert list(screen.game.table.played) == [3, 1]
        await press(pilot, "escape", "p", "down", "enter")
        assert load_settings().game == "number-snatch" and isinstance(pilot.app.screen, PlayScreen)
        await press(pilot, "escape", "e", "up", *"Adam", "backspace", *"xy", *["backspace"] * 2, "escape")
        assert load_settings().name == "Ada"
        type_keys(pilot, "e", "up", "end", "m")
        duel(pilot).post_message(events.Paste("mm"))  # pasted text keeps its place among the keys
        await press(pilot, "a", "backspace", "backspace", "backspace", "escape", "p", "tab", "up", "enter")
        assert load_settings().name == "Adam" and isinstance(pilot.app.screen, PlayScreen)


@in_app
async def test_ctrl_c_overtakes_all_keys() -> None:
    async with started() as pilot:
        type_keys(pilot, *"plplplplpl", "ctrl+c")
        for _ in range(100):
            await asyncio.sleep(0)
        assert duel(pilot)._exit


@in_app
async def test_a_game_has_one_owner() -> None:
    game("6", "5")
    async with started() as pilot:
        home = pilot.app.screen
        assert isinstance(home, HomeScreen)
        entry = next(each for each in home.menu.entries if each.action == "resume(0)")
        for _ in range(3):  # as a triple click does
            home.menu.post_message(Menu.Opened(entry))
        await settled(pilot)
        assert [type(each).__name__ for each in pilot.app.screen_stack[1:]] == ["HomeScreen", "PlayScreen"]
        engine_of(pilot).hold()
        await press(pilot, "7", "enter", "escape", "c", "escape", "c", "escape", "c")
        engine_of(pilot).hand_over()
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        assert saved_games()[0].record.moves == screen.game.table.played
        assert screen.game.table.played[:3] == (6, 5, 7) and screen.game.table.ply == 4


# Text that looks like markup


@in_app
async def test_no_text_of_a_user_a_file_or_a_model_is_read_as_markup() -> None:
    Path(settings_path()).parent.mkdir(parents=True, exist_ok=True)
    Path(settings_path()).write_text(
        json.dumps(
            {
                "sizes": {"range-war": {"size": MARKUP}},
                "rule_set": "sizes",
                "game": "range-war",
                "name": MARKUP,
                "opponent": MARKUP,
            }
        )
    )
    setup = Setup(RANGE_WAR, "book", "human", "1")
    kept = start_game(setup, (MARKUP, MARKUP), "7")
    kept.play("6")
    kept.save()
    append_result(PuzzleResult(DAY, MARKUP, 1, MARKUP, daily=True))
    async with started() as pilot:
        engine_of(pilot).refuse = MARKUP
        for keys in ("p", "c", "1", "t", "z", "l", "k", "s", "e"):
            await press(pilot, *keys, "down", "enter", "question_mark", "escape", "h", "v", "d", "x", "enter")
            while not isinstance(pilot.app.screen, HomeScreen):
                await press(pilot, "escape")
        for screen in (
            ReviewScreen(kept.record_text(), MARKUP),
            PlayScreen(kept),
            NewGameScreen(),
            SavedGamesScreen(),
        ):
            pilot.app.push_screen(screen)
            await press(pilot, "l", "m", *"[/x]", "enter")
            pilot.app.notify(MARKUP)
            await settled(pilot)
            assert "[/x]" in screen_text(pilot)


def test_widgets_that_read_markup_or_may_be_missing_are_not_used() -> None:
    for path in (Path(play.__file__).parent).glob("*.py"):
        text = path.read_text()
        if path.name != "widgets.py":
            assert "from textual.widgets import" not in text and "from textual.containers" not in text, path
        assert ".query" not in text and "run_worker" not in text and "@work" not in text, path


# Faults


class BrokenText(PlainText):
    """A text that cannot be drawn, or not be arranged."""

    def __init__(self, where: str) -> None:
        super().__init__("broken")
        self.where = where

    def render(self) -> Any:
        if self.where == "render":
            raise RuntimeError("in render")
        return super().render()

    def get_content_height(self, *arguments: Any) -> int:
        if self.where == "height":
            raise RuntimeError("in height")
        return super().get_content_height(*arguments)


def test_the_log_of_faults_keeps_the_earlier_ones_until_it_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        assert log_fault(ValueError(name))
    log = Path(fault_log_path())
    assert log.read_text().count("ValueError: ") == 2
    monkeypatch.setattr(app_module, "LARGEST", log.stat().st_size - 1)
    assert log_fault(ValueError("three"))
    assert log.read_text().count("ValueError: ") == 1 and "ValueError: three" in log.read_text()


class BrokenScreen(DuelScreen):
    """A screen that fails where it is told to."""

    def __init__(self, where: str) -> None:
        super().__init__("broken")
        self.where = where

    def body(self) -> Any:
        if self.where == "body":
            raise RuntimeError(f"in {self.where}")
        yield BrokenText(self.where) if self.where in ("render", "height") else BoardView()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if self.where == "check_action":
            raise RuntimeError("in check_action")
        return True

    def on_mount(self) -> None:
        if self.where == "on_mount":
            raise RuntimeError(f"in {self.where}")

    def on_key(self, event: events.Key) -> None:
        if self.where == "on_key" and event.key == "x":
            raise RuntimeError(f"in {self.where}")

    def key_x(self) -> None:
        if self.where == "answer":
            self.ask("x", len, "abc", then=self._answered)
        elif self.where == "task":
            self.ask("x", int.from_bytes, "abc", then=self._answered)
        elif self.where == "callback":
            self.call_after_refresh(self._answered, 3)
        elif self.where == "timer":
            self.set_timer(0.001, partial(self._answered, 3))
        elif self.where == "the app":
            self.app.call_later(self._answered, 3)

    def _answered(self, _: int) -> None:
        raise RuntimeError(f"in {self.where}")


PLACES = ["body", "on_mount", "render", "height", "check_action", "on_key", "answer", "task"]
PLACES += ["callback", "timer", "the app"]


@in_app
async def test_a_fault_is_logged_and_told_and_the_app_goes_on() -> None:
    kept, log = game("6", "5", opponent="human"), Path(fault_log_path())
    async with started(faults=[RuntimeError, TypeError]) as pilot:
        for where in PLACES:
            await press(pilot, "c")
            pilot.app.push_screen(BrokenScreen(where))
            await press(pilot, "x")
            await until(pilot, log.exists)
            await settled(pilot)
            text = log.read_text()
            assert "Traceback" in text and (f"in {where}" in text or where == "task"), where
            assert "Something went wrong" in words(pilot), where
            await press(pilot, *["escape"] * 3)
            log.unlink()
            pilot.app.clear_notifications()
            await press(pilot, "c", "7", "enter")
            assert isinstance(pilot.app.screen, PlayScreen), where
            assert pilot.app.screen.game.table.played == saved_games()[0].record.moves == (6, 5, 7), where
            await press(pilot, "u", "escape")
    assert duel(pilot).return_code in (0, None) and kept.path


@in_app
async def test_a_fault_saves_the_game() -> None:
    screen = PlayScreen(game("6", "5", opponent="human"))
    async with started(screen, faults=[RuntimeError]) as pilot:
        screen.game.play("7")
        duel(pilot).report(RuntimeError("before it was saved"))
        assert saved_games()[0].record.moves == (6, 5, 7)


@in_app
async def test_the_exit_status_is_not_0_if_home_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no home")

    async with started(RulesScreen(RANGE_WAR), faults=[RuntimeError]) as pilot:
        monkeypatch.setattr(HomeScreen, "body", broken)
        pilot.app.push_screen(BrokenScreen("body"))
        for _ in range(2_000):
            await asyncio.sleep(0)
            if duel(pilot)._exit:
                break
    assert duel(pilot).return_code == 1 and "Something went wrong" in duel(pilot).notes[0]


# State may be set at any time


@in_app
async def test_parts_may_be_changed_before_they_are_shown_and_after_the_screen_was_left() -> None:
    async with started() as pilot:
        screens: list[Screen[Any]] = [
            PlayScreen(game("6", "5")),
            lesson_screen(),
            puzzle_screen(),
            LearnScreen(),
        ]
        for screen in screens:
            for _ in range(2):
                for part in vars(screen).values():
                    if hasattr(part, "write"):
                        part.write("[/x] early")
            pilot.app.push_screen(screen)
            await press(pilot, "escape", "escape")
            assert isinstance(pilot.app.screen, HomeScreen)
            for part in vars(screen).values():
                if hasattr(part, "write"):
                    part.write("[/x] late")
            if isinstance(screen, PlayScreen):
                screen._show()
                screen._say("late")
            if isinstance(screen, LessonScreen):
                screen.action_start()
        await settled(pilot)


# Nothing happens while nobody does anything


IDLE = [name for name in SCREENS if name not in ("keys",)]


@in_app
async def test_idle_the_app_has_nothing_to_do() -> None:
    made: dict[str, Callable[[], Screen[Any]]] = {
        "home": HomeScreen,
        "new-game": NewGameScreen,
        "play": lambda: PlayScreen(game("6", "5")),
        "games": SavedGamesScreen,
        "review": lambda: ReviewScreen(game("6", "5").record_text()),
        "puzzles": lambda: PuzzlesScreen(DAY),
        "puzzle": puzzle_screen,
        "learn": LearnScreen,
        "lesson": lesson_screen,
        "statistics": StatisticsScreen,
        "settings": SettingsScreen,
        "rules": lambda: RulesScreen(RANGE_WAR),
    }
    assert set(made) == set(IDLE)
    async with started() as pilot:
        loop: Any = asyncio.get_running_loop()
        for name, make in made.items():
            pilot.app.push_screen(make())
            await settled(pilot)
            for key in ("m", "x"):  # in some screens they open a field to type in
                for _ in range(PATIENCE):
                    painted = _count_frames(pilot)
                    for _ in range(50):
                        await asyncio.sleep(0)
                    if not painted and all(each.cancelled() for each in loop._scheduled):
                        break
                    await asyncio.sleep(0.01)
                else:
                    raise AssertionError(f"{name} never rests")
                if name in ("play", "statistics"):
                    await press(pilot, key)


def _count_frames(pilot: Pilot[int]) -> list[bool]:
    """A list that grows by one for each frame."""
    painted: list[bool] = []
    app, display = pilot.app, pilot.app._display

    def counted(*arguments: Any) -> None:
        painted.append(True)
        display(*arguments)

    app._display = counted  # type: ignore[method-assign,assignment]
    return painted
