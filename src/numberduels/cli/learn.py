"""`duel learn GAME`: lessons. A move that gives something away is stopped, explained and taken back."""

from __future__ import annotations

import argparse
from random import Random
from typing import Any

from numberduels.analysis.lessons import Lesson, Mistake, lessons_of
from numberduels.cli.arguments import find_game
from numberduels.cli.choices import ask_yes_or_no
from numberduels.cli.console import RED, Console, standard_console
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt_commands import SHORT, Quit, split_command, suggest_command
from numberduels.cli.seats import YOU
from numberduels.cli.session import about_computer
from numberduels.game import options, registry
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.formatting import plural, short
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.play.lessons import LessonRun, done, lesson_after, mark_done, next_lesson
from numberduels.players import COMPUTER

ABOUT = """\
Learn a game: first a guided game, then the lessons. Each ends with a game that you can win. If a move
gives something away, you are stopped, you see why, and you move again.
"""

COMMANDS = {
    "help": "this list",
    "board": "the position once more",
    "rules": "how the game is played",
    "moves": "every legal move",
    "idea": "the lesson once more",
    "hint": "a good move, and why",
    "quit": "leave",
}


def run(arguments: list[str]) -> int:
    """Give lessons. The status is 1 if the input ended or what is done could not be saved, otherwise 0."""
    parser = Parser("learn", ABOUT)
    parser.add_argument("game", metavar="GAME", help=", ".join(registry.names()))
    parser.add_argument(
        "lesson", metavar="LESSON", nargs="?", help="its number or word (default: the next one)"
    )
    parser.add_argument("--list", action="store_true", help="only list the lessons of the game")
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    parsed: argparse.Namespace = parser.parse_args(arguments)
    spec = find_game(parsed.game)
    console = standard_console(colour=not parsed.no_color)
    if parsed.list:
        console.say(_overview(spec))
        return 0
    lesson = next_lesson(spec) if parsed.lesson is None else _find(spec, parsed.lesson)
    try:
        return 0 if give_lessons(console, spec, lesson) else 1
    except EOFError:
        return 1


def give_lessons(console: Console, spec: GameSpec, lesson: Lesson | None = None) -> bool:
    """Give this lesson, by default the next one; on a terminal more, until the learner leaves.

    Returns False if it could not be saved that a lesson is done. EOFError is not caught.
    """
    lesson = lesson or next_lesson(spec)
    saved = True
    if console.interactive:
        console.say(f"\n{_overview(spec)}\n")
    while True:
        session = LessonSession(console, spec, lesson)
        try:
            session.run()
            saved = saved and session.saved
            following = _offer_following(console, spec, lesson)
        except Quit:
            return saved
        if following is None:
            return saved
        lesson = following


def _offer_following(console: Console, spec: GameSpec, lesson: Lesson) -> Lesson | None:
    """The lesson after this one, if there is one and the learner wants it; Quit is not caught."""
    following = lesson_after(spec, lesson.key)
    if following is None:
        console.say(f"\nThat was the last lesson of {spec.title}. Now play: duel play {spec.name}\n")
        return None
    if not console.interactive or not ask_yes_or_no(console, f"\nThe next lesson, {following.title}?", True):
        return None
    console.say("\n")
    return following


def _overview(spec: GameSpec) -> str:
    """The lessons of a game, and which of them are finished."""
    finished = done(spec.name)
    lines = "".join(
        f"  {number}  {lesson.key:<14} {lesson.title}{' (done)' if lesson.key in finished else ''}\n"
        for number, lesson in enumerate(lessons_of(spec), 1)
    )
    return f"Lessons of {spec.title}\n{lines}"


def _find(spec: GameSpec, text: str) -> Lesson:
    """The lesson with this number, or whose key begins so."""
    lessons = {str(number): lesson for number, lesson in enumerate(lessons_of(spec), 1)}
    if text in lessons:
        return lessons[text]
    found = [lesson for lesson in lessons.values() if text and lesson.key.startswith(text.lower())]
    if len(found) == 1:
        return found[0]
    keys = ", ".join(lesson.key for lesson in lessons.values())
    raise CliError(f"{spec.title} has no lesson {short(text)}; choose 1 to {len(lessons)}, or {keys}")


class LessonSession:
    """One lesson at the prompt."""

    def __init__(self, console: Console, spec: GameSpec, lesson: Lesson) -> None:
        self.console = console
        self.spec = spec
        self.lesson = lesson
        self.saved = True
        """False if it could not be saved that the lesson is done."""
        self.game = LessonRun(spec, lesson)
        names = (YOU, COMPUTER)
        self.game_text = spec.text_for(self.table.game, names[::-1] if lesson.seat else names)

    @property
    def table(self) -> Table[Any, Any]:
        """The game of the lesson."""
        return self.game.table

    def run(self) -> None:
        """Teach until the learner has won. Quit and EOFError are not caught."""
        self._tell()
        while True:
            while not self.table.outcome:
                if self.game.learner_to_move:
                    self._turn()
                else:
                    self._reply()
            self.console.say(self.game_text.closing(self.table.state))
            if self.game.won:
                break
            self.console.say("\nThat game is lost. Once more from the start of the lesson.\n\n")
            self.game.restart()
            self._show_table(self.table)
        self._finish()

    def _tell(self) -> None:
        """The lesson, and the position in which the learner starts."""
        title = f"{options.titled(self.spec.title, self.table.game)}\nLesson: {self.lesson.title}"
        self.console.say(f"{title}\n\n")
        self._idea()
        self.console.say("Type a move, idea for the lesson once more, or help.\n\n")
        self._show_table(self.table)

    def _idea(self) -> None:
        lesson, say = self.lesson, self.console.say
        say(f"{lesson.idea}\n\n")
        if lesson.example:
            self._show_table(lesson.example_table(self.spec))
            say(f"{lesson.example}\n\n")
        say(f"{lesson.task}\n\n")

    def _show_table(self, table: Table[Any, Any]) -> None:
        """A position, drawn where that is welcome, else in the lines of the book."""
        if self.console.draws:
            from numberduels.cli.drawn_board import format_board

            labels = self.game_text.label(0), self.game_text.label(1)
            self.console.say(f"{format_board(self.console, table, labels)}\n\n")
        else:
            self.console.say(f"{self.game_text.position(table.state)}\n")

    # The turns

    def _turn(self) -> None:
        line = self.console.ask(self.game_text.question(self.table.state), self._completions)
        name, _ = split_command(line)
        if name in COMMANDS:
            getattr(self, f"_command_{name}")()
            return
        before = self.table.state
        try:
            move = self.game_text.parse_move(line)
            with ProgressBar("thinking"):
                mistake = self.game.play(move)
        except IllegalMove as fault:
            self._refuse(fault)
        except Unreadable as fault:
            self._refuse(Unreadable(f"{fault}{suggest_command(line, COMMANDS)}"))
        else:
            if mistake:
                self._stop(mistake)
            else:
                self.console.say(f"{self.game_text.announce(before, move, self.table.state)}\n")

    def _stop(self, mistake: Mistake) -> None:
        """Explain a mistake, which is not made."""
        console, spoken = self.console, self.game_text.spoken
        told = "\n".join(map(str, mistake.refutation))
        better = f"{spoken(mistake.better)} is better. {mistake.why}"
        console.say(
            f"\n{console.paint('Stop.', RED)} {told}\n{better}\nThe move is taken back: move again.\n\n"
        )

    def _reply(self) -> None:
        before = self.table.state
        move = self.game.reply(Random(f"{self.lesson.key} {self.game.attempt} {self.table.ply}"))
        told = about_computer(self.game_text.announce(before, move, self.table.state), COMPUTER)
        self.console.say(f"{told.lstrip()}\n")

    def _finish(self) -> None:
        stops = self.game.mistakes
        how = "without a mistake" if not stops else f"after {plural(stops, 'mistake')} taken back"
        self.console.say(f"\nWell done: you have won {how}. This lesson is done.\n")
        if note := mark_done(self.spec.name, self.lesson.key):
            self.saved = False
            self.console.say(f"{note}\n")

    def _refuse(self, fault: ValueError) -> None:
        self.console.say(f"{self.console.paint(self.game_text.refusal(fault).rstrip(), RED)}\n\n")

    def _completions(self) -> list[str]:
        return [*(self.game_text.typed(move) for move in self.table.moves), *COMMANDS]

    # The commands

    def _command_help(self) -> None:
        lines = "".join(f"  {name:<10} {about}\n" for name, about in COMMANDS.items())
        self.console.say(f"Type your move, or one of these:\n{lines}{SHORT}\n\n")

    def _command_board(self) -> None:
        self._show_table(self.table)

    def _command_rules(self) -> None:
        from numberduels.cli.rules import show_rules

        show_rules(self.console, self.spec)
        self.console.say("\n")

    def _command_moves(self) -> None:
        self.console.say(f"Legal moves: {self.game_text.list_moves(self.table.state)}\n")

    def _command_idea(self) -> None:
        self._idea()

    def _command_hint(self) -> None:
        from numberduels.analysis.hints import find_hint

        with ProgressBar("thinking"):
            move, why = find_hint(self.table.game, self.table.state, Random(self.table.ply))
        self.console.say(f"Hint: {self.game_text.typed(move)}. {why}\n\n")

    def _command_quit(self) -> None:
        raise Quit
