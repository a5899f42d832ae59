"""`duel daily`: the puzzles of the day, one for each game, and the streak."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from numberduels.cli.arguments import find_game
from numberduels.cli.choices import ask_yes_or_no
from numberduels.cli.console import Console, standard_console
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt_commands import Quit
from numberduels.cli.streak_text import describe_streak
from numberduels.game import registry
from numberduels.game.formatting import plural, printable
from numberduels.game.spec import GameSpec
from numberduels.play.puzzle_log import read_results

if TYPE_CHECKING:
    from numberduels.analysis.puzzles import Puzzle

ABOUT = """\
Today's puzzles: one for each game, the same for everybody with this version. Solve at least one every day,
and your streak grows.
"""


def run(arguments: list[str]) -> int:
    """Set today's puzzles. The status is 1 if the input ended or a result could not be saved, otherwise 0."""
    parser = Parser("daily", ABOUT)
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="of this game (default: the first one that is not solved)"
    )
    parser.add_argument("--list", action="store_true", help="only list today's puzzles")
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    parsed = parser.parse_args(arguments)
    console = standard_console(colour=not parsed.no_color)
    today = Today(console, date.today())
    spec = None if parsed.game is None else find_game(parsed.game)
    if parsed.list:
        today.say_list()
        return 0
    try:
        return 0 if today.run(spec) else 1
    except EOFError:
        return 1


class Today:
    """The puzzles of one day at the prompt."""

    def __init__(self, console: Console, day: date) -> None:
        self.console = console
        self.day = day
        notes: list[str] = []
        self.results = read_results(notes)
        self._saved = True
        """Whether every result could be saved."""
        console.say("".join(f"{printable(note)}\n" for note in notes))

    def run(self, spec: GameSpec | None = None) -> bool:
        """Set the puzzle of this game, or one after the other; False if a result could not be saved.

        EOFError is not caught.
        """
        self._greet()
        with suppress(Quit):
            self._set_puzzles(spec)
        return self._saved

    def _set_puzzles(self, spec: GameSpec | None) -> None:
        if spec is not None:
            puzzle = self._puzzle(spec)
            if puzzle is None:
                raise CliError(f"{spec.title} has no puzzle of the day")
            self._set(puzzle)
            return
        waiting = self._waiting()
        if not waiting:
            self.console.say("You have solved all of today's puzzles. To solve others: duel puzzle\n")
        for number, puzzle in enumerate(waiting):
            if number:
                question = f"\nThe next of today's puzzles, {puzzle.spec.title}?"
                if not self.console.interactive or not ask_yes_or_no(self.console, question, True):
                    return
            self._set(puzzle)

    def say_list(self) -> None:
        """Print which puzzles there are today, and which of them are solved."""
        self._greet()
        solved = self._solved()
        for spec in registry.specs():
            if puzzle := self._puzzle(spec):
                state = "solved" if spec.name in solved else "waiting"
                self.console.say(f"  {spec.name:<20} level {puzzle.level}  {state}\n")

    def _greet(self) -> None:
        self.console.say(f"The puzzles of {self.day.day} {self.day:%B %Y}\n")
        if line := describe_streak(self.results, self.day):
            self.console.say(f"{line}\n")
        self.console.say("\n")

    def _puzzle(self, spec: GameSpec) -> Puzzle | None:
        from numberduels.analysis.puzzles import daily_puzzle

        with ProgressBar("looking for today's puzzle"):
            return daily_puzzle(spec, self.day)

    def _waiting(self) -> Sequence[Puzzle]:
        """Today's puzzles that are not solved, in the order of the games."""
        solved = self._solved()
        found = (self._puzzle(spec) for spec in registry.specs() if spec.name not in solved)
        return [puzzle for puzzle in found if puzzle]

    def _solved(self) -> set[str]:
        """The games whose puzzle of today is solved."""
        return {each.game for each in self.results if each.daily and each.solved and each.day == self.day}

    def _set(self, puzzle: Puzzle) -> None:
        """Set one puzzle; the session keeps its result."""
        from numberduels.cli.puzzle import PuzzleSession

        session = PuzzleSession(self.console, puzzle, daily=True)
        try:
            outcome = session.run()
        finally:
            self._saved = self._saved and session.saved
        self.results = read_results()
        told = _how(outcome.solved, outcome.tries, outcome.hints)
        # On a terminal the session has told the streak.
        streak = "" if self.console.interactive else describe_streak(self.results, self.day)
        self.console.say(f"{told} {streak}".rstrip() + "\n")


def _how(solved: bool, tries: int, hints: int) -> str:
    """How a puzzle was solved.

    >>> _how(True, 2, 1), _how(True, 1, 0)
    ('Solved with 2 tries and 1 hint.', 'Solved at the first try.')
    """
    if not solved:
        return "Not solved: you can try it again today."
    if tries + hints <= 1:
        return "Solved at the first try."
    helped = f" and {plural(hints, 'hint')}" if hints else ""
    return f"Solved with {plural(tries, 'try', 'tries')}{helped}."
