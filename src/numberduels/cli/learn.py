"""`duel learn GAME`: lessons. A move that gives something away is stopped, explained and taken back."""

from __future__ import annotations

from random import Random
from typing import Any

from numberduels.analysis.lessons import Lesson, Mistake, lessons_of
from numberduels.cli.argument_parser import Parser
from numberduels.cli.arguments import find_game
from numberduels.cli.commands import CliError
from numberduels.cli.console import RED, Console, standard_console
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt import Prompt, Quit, ask_yes_or_no
from numberduels.cli.seats import YOU
from numberduels.cli.session import about_computer
from numberduels.game import options, registry
from numberduels.game.contract import Unreadable
from numberduels.game.formatting import plural, short
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.game.text import AnyGameText
from numberduels.play.lessons import LessonRun, done, lesson_after, mark_done, next_lesson
from numberduels.players import COMPUTER

ABOUT = """\
Learn a game: first a guided game, then the lessons. Each ends with a game that you can win. If a move
gives something away, you are stopped, you see why, and you move again.
"""


def run(arguments: list[str]) -> int:
    """Give lessons. The status is 1 if the input ended or what is done could not be saved, otherwise 0."""
    parser = Parser("learn", ABOUT)
    parser.add_argument("game", metavar="GAME", help=", ".join(registry.names()))
    parser.add_argument(
        "lesson", metavar="LESSON", nargs="?", help="its number or word (default: the next one)"
    )
    parsed = parser.parse_args(arguments)
    spec = find_game(parsed.game)
    lesson = next_lesson(spec) if parsed.lesson is None else _find(spec, parsed.lesson)
    console = standard_console()
    console.say(f"{_overview(spec)}\n")
    try:
        return 0 if _give_lessons(console, spec, lesson) else 1
    except EOFError:
        return 1


def _give_lessons(console: Console, spec: GameSpec, lesson: Lesson) -> bool:
    """Give this lesson; on a terminal more, until the learner leaves. False if one could not be saved."""
    saved = True
    while True:
        session = LessonSession(console, spec, lesson)
        try:
            session.run()
            saved = saved and session.saved
            following = lesson_after(spec, lesson.key)
            if following is None:
                console.say(f"\nThat was the last lesson of {spec.title}. Now play: duel play {spec.name}\n")
                return saved
            question = f"\nThe next lesson, {following.title}?"
            if not console.interactive or not ask_yes_or_no(console, question, True):
                return saved
        except Quit:
            return saved
        console.say("\n")
        lesson = following


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


class LessonSession(Prompt):
    """One lesson at the prompt."""

    commands = {  # noqa: RUF012
        "help": "this list",
        "board": "the position once more",
        "rules": "how the game is played",
        "moves": "every legal move",
        "idea": "the lesson once more",
        "hint": "a good move, and why",
        "quit": "leave",
    }

    def __init__(self, console: Console, spec: GameSpec, lesson: Lesson) -> None:
        super().__init__(console, spec)
        self.lesson = lesson
        self.saved = True
        """False if it could not be saved that the lesson is done."""
        self.game = LessonRun(spec, lesson)
        names = (YOU, COMPUTER)
        self._game_text = spec.text_for(self.table.game, names[::-1] if lesson.seat else names)

    @property
    def table(self) -> Table[Any, Any]:
        """The game of the lesson."""
        return self.game.table

    @property
    def game_text(self) -> AnyGameText:
        """The game's text, with the learner and the computer as players."""
        return self._game_text

    def run(self) -> None:
        """Teach until the learner has won. Quit and EOFError are not caught."""
        title = f"{options.titled(self.spec.title, self.table.game)}\nLesson: {self.lesson.title}"
        self.say(f"{title}\n\n")
        self._command_idea("")
        self.say("Type a move, idea for the lesson once more, or help.\n\n")
        self.show_position(self.table)
        while True:
            while not self.table.outcome:
                if self.game.learner_to_move:
                    self.take_line(self.game_text.question(self.table.state))
                else:
                    self._reply()
            self.say(self.game_text.closing(self.table.state))
            if self.game.won:
                break
            self.say("\nThat game is lost. Once more from the start of the lesson.\n\n")
            self.game.restart()
            self.show_position(self.table)
        stops = self.game.mistakes
        how = "without a mistake" if not stops else f"after {plural(stops, 'mistake')} taken back"
        self.say(f"\nWell done: you have won {how}. This lesson is done.\n")
        if note := mark_done(self.spec.name, self.lesson.key):
            self.saved = False
            self.say(f"{note}\n")

    def take_answer(self, line: str) -> None:
        """Make the typed move, unless it is a mistake."""
        before = self.table.state
        try:
            move = self.game_text.parse_move(line)
        except Unreadable as fault:
            raise self.unreadable(fault, line) from None
        with ProgressBar("thinking"):
            mistake = self.game.play(move)
        if mistake:
            self._stop(mistake)
        else:
            self.say(f"{self.game_text.announce(before, move, self.table.state)}\n")

    def _stop(self, mistake: Mistake) -> None:
        """Explain a mistake, which is not made."""
        told = "\n".join(map(str, mistake.refutation))
        better = f"{self.game_text.spoken(mistake.better)} is better. {mistake.why}"
        stop = self.console.paint("Stop.", RED)
        self.say(f"\n{stop} {told}\n{better}\nThe move is taken back: move again.\n\n")

    def _reply(self) -> None:
        before = self.table.state
        move = self.game.reply(Random(f"{self.lesson.key} {self.game.attempt} {self.table.ply}"))
        told = about_computer(self.game_text.announce(before, move, self.table.state), COMPUTER)
        self.say(f"{told.lstrip()}\n")

    def _command_idea(self, _: str) -> None:
        lesson = self.lesson
        self.say(f"{lesson.idea}\n\n")
        if lesson.example:
            self.show_position(lesson.example_table(self.spec))
            self.say(f"{lesson.example}\n\n")
        self.say(f"{lesson.task}\n\n")

    def _command_hint(self, _: str) -> None:
        self.give_hint(Random(self.table.ply))
