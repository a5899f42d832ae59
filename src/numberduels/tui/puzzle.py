"""PuzzleScreen: one puzzle: its question, its boards, hints, wrong answers explained, and its ending."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from numberduels.analysis.puzzles import LEVEL_NAMES, Puzzle, find_puzzle
from numberduels.game.board import Board, Tile
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.text import player_label
from numberduels.play.puzzles import (
    PuzzleAttempt,
    puzzle_rating,
    puzzles_of_the_day,
    read_results,
    results_of_day,
    standing,
    unmet_seed,
)
from numberduels.tui.base import TaskScreen
from numberduels.tui.board_view import BoardView, PositionView
from numberduels.tui.widgets import Column, PlainText, Row

SIDES = ("A", "B")
SOLVED, FAILED = "✓", "✗"


def level_name(level: int) -> str:
    """A level in words.

    >>> level_name(2)
    'level 2, medium'
    """
    return f"level {level}, {LEVEL_NAMES[level]}"


class PuzzleScreen(TaskScreen):
    """A puzzle. Its result goes to the log when it is solved, shown, or left after an answer or a hint."""

    DEFAULT_CSS = """
    PuzzleScreen #boards { height: auto; }
    PuzzleScreen #boards > Column { width: 1fr; height: auto; margin-right: 1; }
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
        super().__init__(f"{'Today: ' if daily else ''}{puzzle.spec.title}, {level_name(puzzle.level)}")
        self.puzzle = puzzle
        self.about = PlainText(name="about")
        several = len(puzzle.tables) > 1
        self.positions = [
            PositionView(
                self._labels(index),
                name=f"position-{SIDES[index]}" if several else "position",
                most_rows=7 if several else 0,
            )
            for index in range(len(puzzle.tables))
        ]
        self.answers = BoardView(name="answers", most_rows=3)
        """The answers, if they are no moves."""
        self.attempt = PuzzleAttempt(puzzle, daily=daily, day=today)
        self._told: list[str] = []
        """What is said at the end, before the solution."""
        self._giving_up = False
        """Whether the solution of a daily puzzle was asked for once."""
        self._next: Puzzle | None = None

    # What is on the screen

    def body(self) -> ComposeResult:
        """The question, the positions, the answers if they are no moves, and what is said."""
        with self.page:
            yield from (self.turn, self.about)
            if len(self.positions) == 1:
                yield from self.positions
            else:
                with Row(id="boards"):
                    for index, name in enumerate(SIDES):
                        mover = PlainText(f"Position {name}: {self._mover(index)} is to move", classes="side")
                        yield Column(mover, self.positions[index])
            if self.puzzle.asks_for != "move":
                yield self.answers
            yield self.message
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
        self.about.write(about)
        self._ask_for_answer()

    def _ask_for_answer(self, *lines: str, style: str = "") -> None:
        """Let the player answer."""
        self._giving_up = False
        self.offer(())
        marks = dict.fromkeys(self.attempt.wrong, FAILED)
        if self.puzzle.asks_for == "move":
            self.positions[0].show(self.puzzle.tables[0], playing=True, marks=marks)
            self.focus_on(self.positions[0].view)
        else:
            for position, table in zip(self.positions, self.puzzle.tables, strict=True):
                position.show(table)
            tiles = tuple(Tile(answer, "open", answer) for answer in self.puzzle.answers)
            self.answers.show(Board(tiles), playing=True, marks=marks)
            self.focus_on(self.answers)
        self.say(self.puzzle.task, *lines, *self._notes(), style=style)

    def _notes(self) -> list[str]:
        """What the player must know about the positions and does not see on the boards."""
        notes = self.puzzle.notes
        names = ("A: ", "B: ") if len(notes) == 2 else ("",)
        return [f"{name}{note}" for name, note in zip(names, notes, strict=True) if note]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only keys that do something now are shown and work."""
        asking = not self.attempt.over and not self.busy
        shown = {
            "hint": asking and self.attempt.hints < len(self.puzzle.hints),
            "solution": asking,
            "side": asking and self.puzzle.asks_for == "choice",
            "next": self.attempt.over and self._next is not None,
            "copy": bool(self.attempt.share_line()),
        }
        return shown[action] if action in shown else super().check_action(action, parameters)

    # What the player does

    def action_side(self, side: str) -> None:
        """Go to an answer; Enter gives it."""
        self.answers.point_at(side)

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """An answer was given."""
        if self.attempt.over or self.busy:
            return
        try:
            answer = self.attempt.answer(event.move)
        except (IllegalMove, Unreadable) as fault:
            self.say(self.puzzle.task, str(fault), style="bad-news")
            return
        if self.attempt.solved:
            self._end()
        else:
            self.turn.write("thinking…")
            self.ask("answer", self.puzzle.refutation_lines, answer, then=partial(self._refute, answer))
            self.refresh_bindings()

    def action_hint(self) -> None:
        """Say where to look; each time a little more."""
        self.attempt.hint()
        hints, given = self.puzzle.hints, self.attempt.hints
        lines = [f"Hint {number} of {len(hints)}: {hint}" for number, hint in enumerate(hints[:given], 1)]
        self._ask_for_answer(*reversed(lines))

    def action_solution(self) -> None:
        """Show the solution; the puzzle counts as not solved. Of a daily puzzle, at the second press."""
        if self.attempt.daily and not self._giving_up:
            self._ask_for_answer("Press s again to see the solution. The puzzle then counts as not solved.")
            self._giving_up = True
            return
        self.attempt.give_up()
        self._end()

    def action_rules(self) -> None:
        """Show the rules of the game."""
        self.open("rules", self.puzzle.spec)

    def action_copy(self) -> None:
        """Copy the line to share; terminals that cannot do that show it all the same."""
        self.app.copy_to_clipboard(self.attempt.share_line())
        self.notify("Copied, if your terminal allows it.")

    def action_next(self) -> None:
        """Go on to the next puzzle."""
        assert self._next is not None, "only offered if there is one"
        self.open_instead("puzzle", self._next, self.attempt.daily, today=self.attempt.day)

    # What the background process does

    @property
    def busy(self) -> bool:
        """Whether an answer is being judged, or the solution written."""
        return self.asking("answer")

    def no_answer(self, slot: str, reason: str) -> None:
        """Say why; the player can answer again, or go back."""
        if self.attempt.over:
            self._say_end("That did not work.", reason)
            self._offer_end()
        else:
            self._ask_for_answer(reason, style="bad-news")

    def _refute(self, answer: str, lines: Sequence[str]) -> None:
        self._ask_for_answer(f"{FAILED} Not {self._spoken(answer)}.", *lines, "Try again.", style="bad-news")

    def _end(self) -> None:
        """The puzzle is over: keep the result at once; the solution and the next puzzle follow."""
        before = puzzle_rating(read_results())
        self._log()
        self._show_answer()
        self._told = [self._verdict(), standing(read_results(), self.attempt.day, before)]
        self._told += [f"To share: {shared}"] if (shared := self.attempt.share_line()) else []
        self._say_end()
        self.ask("answer", self.puzzle.solution_lines, then=self._show_solution)
        self._offer_end()

    def _say_end(self, *lines: str) -> None:
        style = "good-news" if self.attempt.solved else "bad-news"
        self.say(self.puzzle.task, *self._told, *(("", *lines) if lines else ()), style=style)

    def _offer_end(self) -> None:
        self.offer([name for name in self.BUTTONS if self.check_action(name, ())])

    def _show_solution(self, lines: Sequence[str]) -> None:
        self._say_end(*lines)
        if self.attempt.daily:
            self.ask("next", puzzles_of_the_day, self.attempt.day, then=self._choose_next)
        else:
            game, level = self.puzzle.spec.name, self.puzzle.level
            seed = unmet_seed(read_results(), game, level)
            self.ask("next", find_puzzle, game, level, seed, then=self._set_next)

    def _choose_next(self, puzzles: Sequence[Puzzle]) -> None:
        """The next puzzle of today that was not tried."""
        tried = results_of_day(read_results(), self.attempt.day)
        self._set_next(next((each for each in puzzles if each.spec.name not in tried), None))

    def _set_next(self, puzzle: Puzzle | None) -> None:
        self._next = puzzle
        self._offer_end()

    def _verdict(self) -> str:
        if not self.attempt.solved:
            return f"{FAILED} Not solved. Here is the solution."
        tries = self.attempt.tries
        return f"{SOLVED} Right{' at the first try' if tries == 1 else f' at try {tries}'}!"

    def _show_answer(self) -> None:
        """Show the right answer on the board."""
        if self.puzzle.asks_for == "move":
            self.positions[0].show(self.puzzle.tables[0], shown=self.puzzle.answer)
        else:
            self.answers.show(self.answers.board, shown=self.puzzle.answer)

    # What is kept

    def _log(self) -> None:
        if note := self.attempt.log():
            self.app.notify(note, severity="warning")

    def action_back(self) -> None:
        """Keep the result before the list of puzzles is shown again."""
        self._log()
        self.leave()

    def on_unmount(self) -> None:
        """Keep the result also if the app ends. It has no screen any more to show a note on."""
        if note := self.attempt.log():
            self.duel.notes.append(note)

    def _spoken(self, answer: str) -> str:
        """An answer as a player would say it."""
        text = self.puzzle.game_text
        return text.spoken(text.parse_move(answer)) if self.puzzle.asks_for == "move" else answer
