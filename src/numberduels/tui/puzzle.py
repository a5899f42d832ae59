"""PuzzleScreen: one puzzle: its question, its boards, hints, wrong answers explained, and its ending."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from datetime import date
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from numberduels.analysis.puzzles import Puzzle
from numberduels.board import Board, Tile
from numberduels.core import IllegalMove, Unreadable
from numberduels.game_text import player_label
from numberduels.profile import puzzle_log
from numberduels.profile.puzzle_log import PuzzleResult, puzzle_rating, read_results
from numberduels.tui import puzzle_tasks
from numberduels.tui.base import ScrollPanel
from numberduels.tui.board_view import BoardView
from numberduels.tui.position_view import PositionView
from numberduels.tui.puzzle_text import (
    FAILED,
    SOLVED,
    daily_results,
    fresh_seed,
    level_name,
    share_line,
    standing,
)
from numberduels.tui.task_screen import TaskScreen

SIDES = ("A", "B")


class PuzzleScreen(TaskScreen):
    """A puzzle. Its result goes to the log when it is solved, shown, or left after an answer or a hint."""

    DEFAULT_CSS = """
    PuzzleScreen #boards { height: auto; }
    PuzzleScreen #boards > Vertical { width: 1fr; height: auto; margin-right: 1; }
    PuzzleScreen.-narrow #boards { layout: vertical; }
    PuzzleScreen #answers { margin-top: 1; }
    PuzzleScreen .side { color: $primary; text-style: bold; }
    PuzzleScreen #about { color: $text-muted; }
    PuzzleScreen #turn { margin-bottom: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("s", "solution", "Solution"),
        Binding("a", "side('A')", "A", show=False),
        Binding("b", "side('B')", "B", show=False),
        Binding("n", "next", "Next"),
        Binding("c", "copy", "Copy result"),
        Binding("i", "rules", "Rules"),
    ]
    BUTTONS: ClassVar[dict[str, str]] = {
        "next": "Next puzzle (n)",
        "back": "All puzzles (Esc)",
        "copy": "Copy result (c)",
    }

    def __init__(self, puzzle: Puzzle, daily: bool = False, *, today: date | None = None) -> None:
        """`daily` says that it is the puzzle of the day `today`."""
        super().__init__()
        self.puzzle = puzzle
        self.daily = daily
        self.today = today or date.today()
        self.heading_text = f"{'Today: ' if daily else ''}{puzzle.spec.title}, {level_name(puzzle.level)}"
        self.tries = 0
        self.hints = 0
        self.over = False
        self.busy = False
        """Whether the background process is asked."""
        self._logged = False
        self._giving_up = False
        """Whether the solution of a daily puzzle was asked for once."""
        self._wrong: list[str] = []
        self._shared = ""
        self._next: Puzzle | None = None

    # What is on the screen

    def body(self) -> ComposeResult:
        """The question, the positions, the answers if they are no moves, and what is said."""
        with ScrollPanel(id="table"):
            yield Static(id="turn", markup=False)
            yield Static(id="about", markup=False)
            if len(self.puzzle.tables) == 1:
                yield PositionView(self._labels(0))
            else:
                with Horizontal(id="boards"):
                    for index, name in enumerate(SIDES):
                        with Vertical():
                            yield Static(f"Position {name}: {self._mover(index)} is to move", classes="side")
                            yield PositionView(self._labels(index), name=f"position-{name}", most_rows=7)
            if self.puzzle.asks_for != "move":
                yield BoardView(name="answers", most_rows=3)
            yield Static(id="message", markup=False)
        yield from self.buttons()

    def _mover(self, index: int) -> str:
        return player_label(self.puzzle.tables[index].turn)

    def _labels(self, index: int) -> tuple[str, str]:
        """Who the players are: you are to move where a move is asked for."""
        if self.puzzle.asks_for != "move":
            return player_label(0), player_label(1)
        return ("You", "They") if self.puzzle.tables[index].turn == 0 else ("They", "You")

    def on_mount(self) -> None:
        """Show the question."""
        if self.puzzle.asks_for == "move":
            about = f"You are {self._mover(0)}, and it is your turn."
        elif len(self.puzzle.tables) == 1:
            about = f"{self._mover(0)} is to move."
        else:
            about = "Choose A or B with the arrow keys or the mouse; Enter answers."
        self.query_one("#about", Static).update(about)
        self._ask_for_answer()

    def _ask_for_answer(self, *lines: str, style: str = "") -> None:
        """Let the player answer."""
        self.busy = self._giving_up = False
        self.offer(())
        marks = dict.fromkeys(self._wrong, FAILED)
        if self.puzzle.asks_for == "move":
            position = self.query_one(PositionView)
            position.show(self.puzzle.tables[0], playing=True, marks=marks)
            position.view.focus(scroll_visible=False)
        else:
            for position, table in zip(self.query(PositionView), self.puzzle.tables, strict=True):
                position.show(table)
            answers = self.query_one("#answers", BoardView)
            tiles = tuple(Tile(answer, "open", answer) for answer in self.puzzle.answers)
            answers.show(Board(tiles), playing=True, marks=marks)
            answers.focus(scroll_visible=False)
        self.say(self.puzzle.task, *lines, *self._notes(), style=style)

    def _notes(self) -> list[str]:
        """What the player must know about the positions and does not see on the boards."""
        notes = self.puzzle.notes
        names = ("A: ", "B: ") if len(notes) == 2 else ("",)
        return [f"{name}{note}" for name, note in zip(names, notes, strict=True) if note]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only keys that do something now are shown and work."""
        asking = not self.over and not self.busy
        shown = {
            "hint": asking and self.hints < len(self.puzzle.hints),
            "solution": asking,
            "side": asking and self.puzzle.asks_for == "choice",
            "next": self.over and self._next is not None,
            "copy": bool(self._shared),
        }
        return shown[action] if action in shown else super().check_action(action, parameters)

    # What the player does

    def action_side(self, side: str) -> None:
        """Go to an answer; Enter gives it."""
        self.query_one("#answers", BoardView).point_at(side)

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """An answer was given."""
        if self.over or self.busy:
            return
        try:
            answer = self.puzzle.parse(event.move)
        except (IllegalMove, Unreadable) as fault:
            self.say(self.puzzle.task, str(fault), style="bad-news")
            return
        self.tries += 1
        if self.puzzle.is_right(answer):
            self.ask(self._end(solved=True))
        else:
            self.ask(self._refute(answer))

    def action_hint(self) -> None:
        """Say where to look; each time a little more."""
        self.hints += 1
        hints = self.puzzle.hints
        lines = [
            f"Hint {number} of {len(hints)}: {hint}" for number, hint in enumerate(hints[: self.hints], 1)
        ]
        self._ask_for_answer(*reversed(lines))

    def action_solution(self) -> None:
        """Show the solution; the puzzle counts as not solved. Of a daily puzzle, at the second press."""
        if self.daily and not self._giving_up:
            self._ask_for_answer("Press s again to see the solution. The puzzle then counts as not solved.")
            self._giving_up = True
            return
        self.ask(self._end(solved=False))

    def action_rules(self) -> None:
        """Show the rules of the game."""
        self.duel.show("rules", self.puzzle.spec)

    def action_copy(self) -> None:
        """Copy the line to share; terminals that cannot do that show it all the same."""
        self.app.copy_to_clipboard(self._shared)
        self.notify("Copied, if your terminal allows it.")

    def action_next(self) -> None:
        """Go on to the next puzzle."""
        assert self._next is not None, "only offered if there is one"
        self.duel.show_instead("puzzle", self._next, self.daily, today=self.today)

    # What the background process does

    def ask(self, work: Coroutine[Any, Any, None]) -> None:
        """Wait for the background process."""
        self.busy = True
        self.query_one("#turn", Static).update("thinking…")
        self.refresh_bindings()
        super().ask(work)

    def failed(self, reason: str) -> None:
        """Say so; the player can answer again."""
        if self.over:
            self.busy = False
            self.say("That did not work.", reason, style="bad-news")
            self.offer(("back",))
        else:
            self._ask_for_answer(reason, style="bad-news")

    @property
    def _found_again(self) -> tuple[str, int, str]:
        return self.puzzle.spec.name, self.puzzle.level, self.puzzle.seed

    async def _refute(self, answer: str) -> None:
        lines = await self.engine.run(puzzle_tasks.refutation, *self._found_again, answer)
        if answer not in self._wrong:
            self._wrong.append(answer)
        self._ask_for_answer(f"{FAILED} Not {self._spoken(answer)}.", *lines, "Try again.", style="bad-news")

    async def _end(self, *, solved: bool) -> None:
        lines = await self.engine.run(puzzle_tasks.solution, *self._found_again)
        before = puzzle_rating(read_results())
        self.over = True
        self._show_answer()
        self._notify(self._log(solved))
        results = read_results()
        self.say(
            self.puzzle.task,
            self._verdict(solved),
            standing(results, self.today, before),
            *([f"To share: {self._shared}"] if self._shared else ()),
            "",
            *lines,
            style="good-news" if solved else "bad-news",
        )
        self._next = await self._find_next(results)
        self.busy = False
        self.offer([name for name in self.BUTTONS if self.check_action(name, ())])

    def _verdict(self, solved: bool) -> str:
        if not solved:
            return f"{FAILED} Not solved. Here is the solution."
        return f"{SOLVED} Right{' at the first try' if self.tries == 1 else f' at try {self.tries}'}!"

    def _show_answer(self) -> None:
        """Show the right answer on the board."""
        if self.puzzle.asks_for == "move":
            self.query_one(PositionView).show(self.puzzle.tables[0], shown=self.puzzle.answer)
        else:
            answers = self.query_one("#answers", BoardView)
            answers.show(answers.board, shown=self.puzzle.answer)

    async def _find_next(self, results: Sequence[PuzzleResult]) -> Puzzle | None:
        """The next puzzle of today that was not tried; or the next one of this game and level."""
        if not self.daily:
            game, level, _ = self._found_again
            seed = fresh_seed(results, game, level)
            return await self.engine.run(puzzle_tasks.find, game, level, seed)
        tried = daily_results(results, self.today)
        waiting = [
            each
            for each in await self.engine.run(puzzle_tasks.puzzles_of_the_day, self.today)
            if each.spec.name not in tried
        ]
        return waiting[0] if waiting else None

    # What is kept

    def _log(self, solved: bool) -> str:
        """Keep the result; returns a note if that is impossible."""
        game, level, seed = self._found_again
        result = PuzzleResult(self.today, game, level, seed, self.daily, solved, self.tries, self.hints)
        self._logged = True
        if self.daily:
            self._shared = share_line(self.puzzle.spec.title, result)
        return puzzle_log.append_result(result)

    def _notify(self, note: str) -> None:
        if note:
            self.app.notify(note, severity="warning")

    def action_back(self) -> None:
        """Keep the result before the list of puzzles is shown again."""
        self._notify(self._log_if_left())
        self.dismiss()

    def on_unmount(self) -> None:
        """Keep the result also if the app ends. It has no screen any more to show a note on."""
        if note := self._log_if_left():
            self.duel.notes.append(note)

    def _log_if_left(self) -> str:
        """A puzzle that was tried and left is not solved; returns a note if that cannot be kept."""
        if self._logged or not (self.tries or self.hints):
            return ""
        return self._log(solved=False)

    def _spoken(self, answer: str) -> str:
        """An answer as a player would say it."""
        text = self.puzzle.game_text
        return text.spoken(text.parse_move(answer)) if self.puzzle.asks_for == "move" else answer
