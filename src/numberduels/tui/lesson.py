"""LessonScreen: one lesson: its text, then its game, in which mistakes are stopped and explained."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from numberduels.analysis.lessons import Lesson, Mistake
from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.game.text import AnyGameText
from numberduels.play.lessons import LessonRun, lesson_after, mark_done
from numberduels.play.live_text import ending_reason
from numberduels.solvers import WIN
from numberduels.tui import tasks
from numberduels.tui.base import TaskScreen
from numberduels.tui.board_view import BoardView, PositionView
from numberduels.tui.widgets import PlainText, Row, ScrollPanel

R = TypeVar("R")

YOU, THEY = "You", "The computer"


class Phase(Enum):
    """What the screen waits for."""

    TEXT = "the learner reads"
    TURN = "the learner is to move"
    WAITING = "the background process is asked"
    STOPPED = "a mistake was stopped"
    FAILED = "the background process gave no answer"
    OVER = "the game is over"


class LessonScreen(TaskScreen):
    """A lesson. Finishing it is noted in the profile."""

    DEFAULT_CSS = """
    LessonScreen #text { height: 1fr; padding: 0 1; }
    LessonScreen #text Static { height: auto; max-width: 76; }
    LessonScreen #text .label { color: $primary; text-style: bold; margin-top: 1; }
    LessonScreen #text PositionView { margin: 1 0 0 0; max-width: 76; }
    LessonScreen #game { height: 1fr; }
    LessonScreen #turn { dock: top; background: $background; }
    LessonScreen #side { width: 30%; min-width: 26; max-width: 46; height: auto; max-height: 100%; }
    LessonScreen.-narrow #side { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("u", "undo", "Undo"),
        Binding("t", "take_back", "Take it back"),
        Binding("b", "better", "Better move"),
        Binding("n", "next", "Next"),
        Binding("a", "again", "Again"),
        Binding("s", "start", "Start"),
        Binding("l", "read", "Lesson"),
        Binding("i", "rules", "Rules"),
    ]

    BUTTONS: ClassVar[dict[str, str]] = {
        "start": "Start (Enter)",
        "take-back": "Take it back (t)",
        "better": "Better move (b)",
        "next": "Next lesson (n)",
        "again": "Play it again (a)",
        "back": "All lessons (Esc)",
    }

    def __init__(self, spec: GameSpec, lesson: Lesson) -> None:
        super().__init__(f"{spec.title}: {lesson.title}")
        self.spec = spec
        self.lesson = lesson
        labels = (YOU, THEY) if lesson.seat == 0 else (THEY, YOU)
        self.board = PositionView(labels)
        self.text = ScrollPanel(id="text")
        self.example = PositionView(labels, name="example", most_rows=8) if lesson.example else None
        self.play_area = Row(id="game")
        self.run = LessonRun(spec, lesson)
        self.phase = Phase.TEXT
        self._begun = False
        self._stopped: Mistake | None = None
        self._next: Lesson | None = None

    @property
    def table(self) -> Table[Any, Any]:
        """The game of the lesson."""
        return self.run.table

    @property
    def game_text(self) -> AnyGameText:
        """How moves are written."""
        return self.spec.text_for(self.table.game)

    # What is on the screen

    def body(self) -> ComposeResult:
        """The text, the game with the idea beside it, and the buttons of what can be done now."""
        with self.text:
            yield PlainText("The idea", classes="label")
            yield PlainText(str(self.lesson.idea))
            if self.example:
                yield PlainText("For example", classes="label")
                yield PlainText(str(self.lesson.example))
                yield self.example
            yield PlainText("Your task", classes="label")
            yield PlainText(str(self.lesson.task))
        with self.play_area:
            with self.page:
                yield from (self.turn, self.board, self.message)
            with ScrollPanel(id="side", classes="panel") as side:
                side.border_title = "The idea"
                yield PlainText(f"{self.lesson.idea}\n\n{self.lesson.task}")
        yield from self.buttons()

    def on_mount(self) -> None:
        """Show the text."""
        self.watch(self.text, "virtual_size", self._layout_changed, init=False)
        if self.example:
            self.example.show(self.lesson.example_table(self.spec))
        self._enter(Phase.TEXT)

    def _enter(self, phase: Phase) -> None:
        """Change the phase: what is shown, which keys work, and what has the focus."""
        self.phase = phase
        reading = phase is Phase.TEXT
        self.text.display = reading
        self.play_area.display = not reading
        self.offer(self._offered)
        if phase is Phase.TURN:
            self.focus_on(self.board.view)

    @property
    def _offered(self) -> tuple[str, ...]:
        """The buttons that are shown now."""
        return {
            Phase.TEXT: ("start",),
            Phase.STOPPED: ("take-back", "better"),
            Phase.FAILED: ("again",),
            Phase.OVER: ("next", "again") if self._next else ("again", "back"),
        }.get(self.phase, ())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only keys that do something now are shown and work."""
        phases = {
            "hint": (Phase.TURN,),
            "undo": (Phase.TURN, Phase.OVER),
            "take_back": (Phase.STOPPED,),
            "better": (Phase.STOPPED,),
            "again": (Phase.OVER, Phase.FAILED),
            "next": (Phase.OVER,),
            "read": (Phase.TURN, Phase.STOPPED, Phase.OVER),
            "start": (Phase.TEXT,),
        }.get(action)
        if action == "undo" and not self.run.can_undo:
            return False
        if action == "next" and not self._next:
            return False
        return super().check_action(action, parameters) if phases is None else self.phase in phases

    @property
    def scrolled(self) -> ScrollPanel:
        """The text while it is read, then the table."""
        return self.text if self.phase is Phase.TEXT else self.page

    def _your_turn(self, *lines: str) -> None:
        """Ask for a move."""
        self._stopped = None
        self.board.show(self.table, playing=True)
        self.say(f"Your turn. You are Player {self.lesson.seat + 1}.", *lines)
        self._enter(Phase.TURN)

    # What the learner does

    def action_start(self) -> None:
        """Begin the game, or go on with it."""
        if self._begun and self._stopped is None and not self.table.outcome:
            self._your_turn()
        elif self._begun and self._stopped:
            self._show_mistake(self._stopped)
        elif self._begun:
            self._over()
        else:
            self._begin()

    def _begin(self) -> None:
        self._begun = True
        self._next, self._stopped = None, None
        if self.run.learner_to_move:
            self._your_turn()
        else:
            self._reply()

    def action_again(self) -> None:
        """Play the game of the lesson again from its start; the computer may choose otherwise."""
        self.run.restart()
        self._begin()

    def action_read(self) -> None:
        """Read the text again."""
        self.offered["start"].label = "Go on (Enter)"
        self._enter(Phase.TEXT)

    def action_rules(self) -> None:
        """Show the rules of the game."""
        self.open("rules", self.spec)

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Judge the move before it is made."""
        if self.phase is Phase.TURN:
            self.board.show(self.table, shown=event.move)
            self.say("Looking at your move…")
            self._wait_for(
                tasks.judge, self.run.record_text(), event.move, then=partial(self._judged, event.move)
            )

    def action_hint(self) -> None:
        """Show a good move and its reason."""
        self.say("Looking for a good move…")
        self._wait_for(tasks.hint, self.run.record_text(), then=self._give_hint)

    def action_undo(self) -> None:
        """Take back the last move of the learner, and the answer to it."""
        self.run.undo()
        self._your_turn("Your last move is taken back.")

    def action_take_back(self) -> None:
        """Try again after a mistake."""
        self._your_turn("Your move is taken back. Try another one.")

    def action_better(self) -> None:
        """Show the move that the learner should have made."""
        assert self._stopped is not None, "only offered after a mistake"
        self._show_mistake(self._stopped, with_better=True)

    def action_next(self) -> None:
        """Go on to the next lesson."""
        assert self._next is not None, "only offered if there is one"
        self.open_instead("lesson", self.spec, self._next)

    # What the background process does

    def _wait_for(self, function: Callable[..., R], *arguments: Any, then: Callable[[R], None]) -> None:
        self._enter(Phase.WAITING)
        self.ask("lesson", function, *arguments, then=then)

    def identity(self, slot: str) -> object:
        """Questions are about a position of an attempt."""
        return self.run.attempt, self.table.played

    def no_answer(self, slot: str, reason: str) -> None:
        """Say so; the game can be played again."""
        self.say("That did not work.", reason, style="bad-news")
        self._enter(Phase.FAILED)

    def _judged(self, move: str, stopped: Mistake | None) -> None:
        """Make a move of the learner, or stop it."""
        if stopped:
            self.run.stop()
            self._show_mistake(stopped)
            return
        self.run.make(self.game_text.parse_move(move))
        if self.table.outcome:
            self._end()
        else:
            self._reply()

    def _reply(self) -> None:
        """Ask for the move of the computer."""
        self.board.show(self.table)
        self.say("The computer is thinking…")
        self._wait_for(tasks.choose_move, self.run.record_text(), self.lesson.opponent, then=self._replied)

    def _replied(self, text: str) -> None:
        """Make the move of the computer."""
        self.run.make(self.game_text.parse_move(text))
        if self.table.outcome:
            self._end()
        else:
            self._your_turn(f"The computer plays: {self._spoken(text)}.")

    def _give_hint(self, found: tuple[str, Message]) -> None:
        move, why = found
        self._your_turn(f"Hint: {self._spoken(move)}. {why}")
        self.board.view.point_at(move)

    def _end(self) -> None:
        self.board.show(self.table)
        self._over()
        if self.run.won:
            note = mark_done(self.spec.name, self.lesson.key)
            if note:
                self.notify(note, severity="warning")
            self.ask("next", lesson_after, self.spec, self.lesson.key, then=self._found_next)

    def _found_next(self, lesson: Lesson | None) -> None:
        self._next = lesson
        if self.phase is Phase.OVER:
            self._over()

    # What is said

    def _show_mistake(self, stopped: Mistake, *, with_better: bool = False) -> None:
        self._stopped = stopped
        gone = "win" if stopped.lost == WIN else "draw"
        text = self.game_text
        better = [f"Better: {text.typed(stopped.better)}. {stopped.why}"] if with_better else []
        self.board.show(self.table, shown=text.format_move(stopped.better if with_better else stopped.move))
        self.say(
            f"✗ Stop! {text.typed(stopped.move)} gives the {gone} away.",
            *better,
            *stopped.refutation,
            style="bad-news",
        )
        self._enter(Phase.STOPPED)

    def _spoken(self, move: str) -> str:
        """A move as a player would type it."""
        return self.game_text.typed(self.game_text.parse_move(move))

    def _over(self) -> None:
        assert self.table.outcome is not None, "the game is over"
        ending = ending_reason(self.table.outcome, self.lesson.seat, (YOU, THEY))
        if not self.run.won:
            lost = "Nobody wins." if self.table.outcome.winner is None else "The computer wins this time."
            self.say(lost, ending, "Try it again: you can win it.", style="bad-news")
        else:
            mistakes = self.run.mistakes
            times = "once" if mistakes == 1 else f"{mistakes} times"
            how = f"You were stopped {times}." if mistakes else "And without a single mistake!"
            done = (
                f"Next: {self._next.title}."
                if self._next
                else f"That was the last lesson of {self.spec.title}."
            )
            self.say("✓ You win! This lesson is done.", f"{ending} {how}".strip(), done, style="good-news")
        self._enter(Phase.OVER)
