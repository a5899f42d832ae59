"""`duel puzzle`: questions about a position that only looking ahead answers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from random import Random
from typing import Any

from numberduels.analysis.puzzles import LEVELS, NoPuzzle, Puzzle, daily_puzzle, find_puzzle, next_seed
from numberduels.cli.arguments import find_game, read_count
from numberduels.cli.choices import ask_yes_or_no
from numberduels.cli.console import RED, Console, shell_command, standard_console
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.play import read_seed
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt_commands import SHORT, Quit, split_command, suggest_command
from numberduels.game import options, registry
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.formatting import plural, printable
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.play.live_game import fresh_seed
from numberduels.play.puzzles import (
    PuzzleAttempt,
    puzzle_rating,
    read_results,
    results_of_day,
    standing,
    streak_text,
)

ABOUT = """\
Answer a question about a position: which move is the only one that wins, which of two positions is won,
and the like. The level says how far ahead you must look: level 1 three or four moves, yours and theirs
together, each level two more; level 5 eleven or more. The same seed gives the same puzzle, and seeds that
follow each other do not repeat one soon. With --daily: today's puzzles, one for each game, the same for
everybody with this version. Solve at least one every day, and your streak grows.
"""

COMMANDS = {
    "help": "this list",
    "rules": "how the game is played",
    "moves": "every legal move, or every answer",
    "board": "the position, drawn",
    "history": "how the position came about",
    "hint": "where to look; ask again for more",
    "show": "the solution",
    "quit": "leave",
}

PROMPTS = {"choice": "Your answer, A or B: ", "number": "Your answer, a number: "}
"""What asks for an answer that is no move."""


def run(arguments: list[str]) -> int:
    """Set puzzles. The status is 1 if the input ended or a result could not be saved, otherwise 0."""
    parser = Parser("puzzle", ABOUT)
    parser.add_argument("game", metavar="GAME", nargs="?", help="any game (default: the seed chooses)")
    parser.add_argument("--seed", metavar="S", help="the same seed gives the same puzzle")
    parser.add_argument("--level", metavar="1..5", help="how far you must look ahead (default: 1)")
    parser.add_argument("--daily", action="store_true", help="today's puzzles that you have not solved")
    parser.add_argument("--list", action="store_true", help="with --daily: only list today's puzzles")
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    parsed: argparse.Namespace = parser.parse_args(arguments)
    spec = None if parsed.game is None else find_game(parsed.game)
    if parsed.daily and (parsed.seed is not None or parsed.level is not None):
        raise CliError("--daily chooses the puzzles: leave out --seed and --level")
    if parsed.list and not parsed.daily:
        raise CliError("--list goes with --daily")
    level = read_count("--level", "1" if parsed.level is None else parsed.level, LEVELS[0], LEVELS[-1])
    seed = fresh_seed() if parsed.seed is None else read_seed(parsed.seed)
    console = standard_console(colour=not parsed.no_color)
    try:
        if parsed.daily:
            return 0 if Today(console, date.today()).run(spec, only_list=parsed.list) else 1
        return 0 if set_puzzles(console, spec, level, seed) else 1
    except EOFError:
        return 1


def set_puzzles(console: Console, spec: GameSpec | None, level: int, seed: str) -> bool:
    """Set one puzzle; on a terminal more, until the user leaves. False if a result could not be saved.

    EOFError is not caught.
    """
    saved = True
    while True:
        session = PuzzleSession(console, _find(spec, level, seed))
        try:
            session.run()
        except Quit:
            return saved and session.saved
        saved = saved and session.saved
        if not console.interactive or not _wanted(console):
            return saved
        seed = next_seed(seed)
        console.say("\n")


def _find(spec: GameSpec | None, level: int, seed: str) -> Puzzle:
    """Find the puzzle of this seed."""
    try:
        with ProgressBar("looking for a puzzle"):
            return find_puzzle(spec or find_game(_chosen(seed)), level, seed)
    except NoPuzzle as fault:
        raise CliError(str(fault)) from None


def _chosen(seed: str) -> str:
    """The game for a seed. Each game draws a number, so that a newly installed game seldom changes it."""
    return min(registry.names(), key=lambda name: Random(f"{seed} lot of {name}").random())


def _wanted(console: Console) -> bool:
    try:
        reply = console.ask("\nAnother puzzle? Type yes or no: ", lambda: ("yes", "no"))
    except EOFError:
        return False
    return reply.strip().lower() in ("y", "yes")


class PuzzleSession:
    """One puzzle at the prompt. Its result goes to the log of puzzles.

    `day` is that of a daily puzzle.
    """

    def __init__(self, console: Console, puzzle: Puzzle, *, day: date | None = None) -> None:
        self.console = console
        self.puzzle = puzzle
        self.attempt = PuzzleAttempt(puzzle, daily=day is not None, day=day)
        self.game_text = puzzle.game_text
        self.saved = True
        """False if there was a result and it could not be saved."""

    def run(self) -> PuzzleAttempt:
        """Ask until the puzzle is solved or its solution is shown. Quit and EOFError are not caught."""
        before = puzzle_rating(read_results()) if self.console.interactive else 0
        try:
            self.console.say(self._opening())
            while not self.attempt.over:
                self._turn()
            self.console.say(self._again())
        except (Quit, EOFError):
            # Through a pipe the prompt is the last line. On a terminal, Enter or Ctrl-D has ended it.
            self.console.say(self._again() if self.console.interactive else f"\n{self._again()}")
            raise
        finally:
            self._log(before)
        return self.attempt

    def _log(self, before: int) -> None:
        """Keep the result; at a terminal, say where the player stands."""
        note = self.attempt.log()
        self.saved = not note
        if note:
            self.console.say(f"{note}\n")
        elif self.console.interactive and self.attempt.solved:
            self.console.say(f"\n{standing(read_results(), date.today(), before)}\n")

    def _opening(self) -> str:
        puzzle = self.puzzle
        sizes = ", ".join(
            f"{name} {text}" for name, text in options.format_options(puzzle.game).items() if text
        )
        title = f"{puzzle.spec.title} ({sizes})" if sizes else puzzle.spec.title
        boards = "".join(
            f"{self._position(name, table, note or '')}\n"
            for (name, table), note in zip(self._named(), puzzle.notes, strict=True)
        )
        return f"{title}\nLevel {puzzle.level}.\n{boards}{puzzle.task}\n\n"

    def _again(self) -> str:
        """The command that sets this puzzle again; on a narrow terminal in lines that a shell joins."""
        puzzle = self.puzzle
        seed = (f"--seed={puzzle.seed}",) if puzzle.seed.startswith("-") else ("--seed", puzzle.seed)
        level = ("--level", str(puzzle.level))
        command = shell_command("puzzle", puzzle.spec.name, *level, *seed)
        line = f"The same puzzle again: {command}"
        if len(line) <= (self.console.width or len(line)):
            return f"{line}\n"
        head, _, rest = command.partition(" --level")
        return f"The same puzzle again:\n  {head} \\\n    --level{rest}\n"

    def _named(self) -> list[tuple[str, Table[Any, Any]]]:
        """The positions; if there are two, with their names."""
        tables = self.puzzle.tables
        return [("", tables[0])] if len(tables) == 1 else list(zip("AB", tables, strict=True))

    def _position(self, name: str, table: Table[Any, Any], note: str) -> str:
        """The moves to a position, and the position; whose turn it is, where the prompt does not say it."""
        game_text = self.game_text
        moves = " ".join(map(game_text.format_move, table.played))
        told = f"Moves so far: {moves}\n" if moves else "No move has been made yet.\n"
        turn = ""
        if self.puzzle.asks_for != "move":
            turn = game_text.heading(table.state) + game_text.status(table.state)
        heading = f"\nPosition {name}\n" if name else ""
        more = f"{note}\n" if note else ""
        return f"{heading}{told}\n{game_text.position(table.state)}{turn}{more}"

    def _turn(self) -> None:
        """Handle one line."""
        question = PROMPTS.get(self.puzzle.asks_for) or self.game_text.question(self.puzzle.state)
        line = self.console.ask(question, self._completions)
        name, _ = split_command(line)
        if name in COMMANDS:
            getattr(self, f"_{name}")()
            return
        try:
            answer = self.attempt.answer(line)
        except IllegalMove as fault:
            self._refuse(fault)
        except Unreadable as fault:
            self._refuse(Unreadable(f"{fault}{suggest_command(line, COMMANDS)}"))
        else:
            if self.attempt.solved:
                self.console.say(f"\nRight! {self._solution()}")
            else:
                wrong = self.console.paint("Not that one.", RED)
                self.console.say(f"\n{wrong} {self._refutation(answer)}\n")

    def _solution(self) -> str:
        with ProgressBar("thinking"):
            return "".join(f"{line}\n" for line in self.puzzle.solution_lines())

    def _refutation(self, answer: str) -> str:
        with ProgressBar("thinking"):
            return "".join(f"{line}\n" for line in self.puzzle.refutation_lines(answer))

    def _refuse(self, fault: ValueError) -> None:
        self.console.say(f"{self.console.paint(self.game_text.refusal(fault).rstrip(), RED)}\n\n")

    def _completions(self) -> list[str]:
        if self.puzzle.asks_for == "move":
            answers = [self.game_text.typed(move) for move in self.puzzle.table.moves]
        else:
            answers = list(self.puzzle.answers)
        return [*answers, *COMMANDS]

    # The commands

    def _help(self) -> None:
        lines = "".join(f"  {name:<10} {about}\n" for name, about in COMMANDS.items())
        self.console.say(f"{self.puzzle.task} Type your answer, or one of these:\n{lines}{SHORT}\n\n")

    def _rules(self) -> None:
        from numberduels.cli.rules import show_rules

        show_rules(self.console, self.puzzle.spec)
        self.console.say("\n")

    def _moves(self) -> None:
        if self.puzzle.asks_for == "number":
            first, *_, last = self.puzzle.answers
            self.console.say(f"Answers: {first} to {last}\n")
        for name, table in self._named():
            heading = f"Legal moves in {name}" if name else "Legal moves"
            self.console.say(f"{heading}: {self.game_text.list_moves(table.state)}")
        self.console.say("\n")

    def _board(self) -> None:
        from numberduels.cli.drawn_board import format_board

        labels = (self.game_text.label(0), self.game_text.label(1))
        for name, table in self._named():
            heading = f"Position {name}\n" if name else ""
            self.console.say(f"{heading}{format_board(self.console, table, labels)}\n\n")

    def _history(self) -> None:
        for name, table in self._named():
            told = "".join(f"\n{self.game_text.announce(*step).lstrip()}" for step in table.steps())
            heading = f"Position {name}\n" if name else ""
            self.console.say(f"{heading}{self.game_text.opening(table.start)}{told}\n")
        self.console.say(f"{self.puzzle.task}\n\n")

    def _hint(self) -> None:
        with ProgressBar("thinking"):
            hint = self.attempt.hint()
        self.console.say(f"Hint: {hint}\n\n")

    def _show(self) -> None:
        self.attempt.give_up()
        self.console.say(f"\n{self._solution()}")

    def _quit(self) -> None:
        raise Quit


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

    def run(self, spec: GameSpec | None = None, *, only_list: bool = False) -> bool:
        """Set the puzzle of this game, or one after the other; False if a result could not be saved.

        EOFError is not caught.
        """
        self.console.say(f"The puzzles of {self.day.day} {self.day:%B %Y}\n")
        if line := streak_text(self.results, self.day):
            self.console.say(f"{line}\n")
        self.console.say("\n")
        if only_list:
            self._list()
        else:
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

    def _list(self) -> None:
        """Print which puzzles there are today, and which of them are solved."""
        solved = self._solved()
        for spec in registry.specs():
            if puzzle := self._puzzle(spec):
                state = "solved" if spec.name in solved else "waiting"
                self.console.say(f"  {spec.name:<20} level {puzzle.level}  {state}\n")

    def _puzzle(self, spec: GameSpec) -> Puzzle | None:
        with ProgressBar("looking for today's puzzle"):
            return daily_puzzle(spec, self.day)

    def _waiting(self) -> Sequence[Puzzle]:
        """Today's puzzles that are not solved, in the order of the games."""
        solved = self._solved()
        found = (self._puzzle(spec) for spec in registry.specs() if spec.name not in solved)
        return [puzzle for puzzle in found if puzzle]

    def _solved(self) -> set[str]:
        """The games whose puzzle of today is solved."""
        found = results_of_day(self.results, self.day)
        return {game for game, result in found.items() if result.solved}

    def _set(self, puzzle: Puzzle) -> None:
        """Set one puzzle; the session keeps its result."""
        session = PuzzleSession(self.console, puzzle, day=self.day)
        try:
            attempt = session.run()
        finally:
            self._saved = self._saved and session.saved
        self.results = read_results()
        told = _how(attempt.solved, attempt.tries, attempt.hints)
        # On a terminal the session has told the streak.
        streak = "" if self.console.interactive else streak_text(self.results, self.day)
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
