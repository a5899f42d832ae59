"""`duel puzzle`: questions about a position that only looking ahead answers."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from random import Random
from typing import Any

from numberduels.analysis.puzzles import LEVELS, NoPuzzle, Puzzle, daily_puzzle, find_puzzle, next_seed
from numberduels.cli.argument_parser import Parser
from numberduels.cli.arguments import find_game, read_count, read_seed, refusing
from numberduels.cli.commands import CliError
from numberduels.cli.console import RED, Console, shell_command, standard_console
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt import Prompt, Quit, ask_yes_or_no, draw_position
from numberduels.game import options, registry
from numberduels.game.contract import Unreadable
from numberduels.game.formatting import plural, printable
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.game.text import AnyGameText
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

PROMPTS = {"choice": "Your answer, A or B: ", "number": "Your answer, a number: "}
"""What asks for an answer that is no move."""


def run(arguments: list[str]) -> int:
    """Set puzzles. The status is 1 if the input ended or a result could not be saved, otherwise 0."""
    parser = Parser("puzzle", ABOUT)
    parser.add_argument("game", metavar="GAME", nargs="?", help="any game (default: the seed chooses)")
    parser.add_argument("--seed", metavar="S", help="the same seed gives the same puzzle")
    parser.add_argument("--level", metavar="1..5", help="how far you must look ahead (default: 1)")
    parser.add_argument("--daily", action="store_true", help="today's puzzles that you have not solved")
    parsed = parser.parse_args(arguments)
    spec = None if parsed.game is None else find_game(parsed.game)
    if parsed.daily and (parsed.seed is not None or parsed.level is not None):
        raise CliError("--daily chooses the puzzles: leave out --seed and --level")
    level = read_count("--level", "1" if parsed.level is None else parsed.level, LEVELS[0], LEVELS[-1])
    seed = fresh_seed() if parsed.seed is None else read_seed(parsed.seed)
    console = standard_console()
    try:
        saved = _set_daily(console, spec) if parsed.daily else _set_puzzles(console, spec, level, seed)
    except EOFError:
        return 1
    return 0 if saved else 1


def _set_puzzles(console: Console, spec: GameSpec | None, level: int, seed: str) -> bool:
    """Set one puzzle; on a terminal more, until the user leaves. False if a result could not be saved."""
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
    """The puzzle of this seed. Each game draws a number, so that a new game seldom changes which it is."""
    if spec is None:
        spec = find_game(min(registry.names(), key=lambda name: Random(f"{seed} lot of {name}").random()))
    with refusing("", NoPuzzle), ProgressBar("looking for a puzzle"):
        return find_puzzle(spec, level, seed)


def _wanted(console: Console) -> bool:
    try:
        return ask_yes_or_no(console, "\nAnother puzzle?")
    except (EOFError, Quit):
        return False


class PuzzleSession(Prompt):
    """One puzzle at the prompt. Its result goes to the log of puzzles.

    `day` is that of a daily puzzle.
    """

    commands = {  # noqa: RUF012
        "help": "this list",
        "rules": "how the game is played",
        "moves": "every legal move, or every answer",
        "board": "the position, drawn",
        "history": "how the position came about",
        "hint": "where to look; ask again for more",
        "show": "the solution",
        "quit": "leave",
    }

    def __init__(self, console: Console, puzzle: Puzzle, *, day: date | None = None) -> None:
        super().__init__(console, puzzle.spec)
        self.puzzle = puzzle
        self.attempt = PuzzleAttempt(puzzle, daily=day is not None, day=day)
        self.saved = True
        """False if there was a result and it could not be saved."""

    @property
    def table(self) -> Table[Any, Any]:
        """The position, or the first of two."""
        return self.puzzle.tables[0]

    @property
    def game_text(self) -> AnyGameText:
        """The game's text."""
        return self.puzzle.game_text

    def run(self) -> PuzzleAttempt:
        """Ask until the puzzle is solved or its solution is shown. Quit and EOFError are not caught."""
        before = puzzle_rating(read_results()) if self.console.interactive else 0
        try:
            self.say(self._opening())
            while not self.attempt.over:
                question = PROMPTS.get(self.puzzle.asks_for) or self.game_text.question(self.puzzle.state)
                self.take_line(question)
            self.say(self._again())
        except (Quit, EOFError):
            # Through a pipe the prompt is the last line. On a terminal, Enter or Ctrl-D has ended it.
            self.say(self._again() if self.console.interactive else f"\n{self._again()}")
            raise
        finally:
            self._log(before)
        return self.attempt

    def _log(self, before: int) -> None:
        """Keep the result; at a terminal, say where the player stands."""
        note = self.attempt.log()
        self.saved = not note
        if note:
            self.say(f"{note}\n")
        elif self.console.interactive and self.attempt.solved:
            self.say(f"\n{standing(read_results(), date.today(), before)}\n")

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
        """The command that sets this puzzle again."""
        puzzle = self.puzzle
        seed = (f"--seed={puzzle.seed}",) if puzzle.seed.startswith("-") else ("--seed", puzzle.seed)
        level = ("--level", str(puzzle.level))
        command = shell_command("puzzle", puzzle.spec.name, *level, *seed)
        return f"The same puzzle again: {command}\n"

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

    def take_answer(self, line: str) -> None:
        """Judge an answer."""
        try:
            answer = self.attempt.answer(line)
        except Unreadable as fault:
            raise self.unreadable(fault, line) from None
        if self.attempt.solved:
            self.say(f"\nRight! {self._solution()}")
            return
        with ProgressBar("thinking"):
            told = "".join(f"{each}\n" for each in self.puzzle.refutation_lines(answer))
        self.say(f"\n{self.console.paint('Not that one.', RED)} {told}\n")

    def answers(self) -> list[str]:
        """The moves, or the other answers that are possible."""
        return super().answers() if self.puzzle.asks_for == "move" else list(self.puzzle.answers)

    def _solution(self) -> str:
        with ProgressBar("thinking"):
            return "".join(f"{line}\n" for line in self.puzzle.solution_lines())

    # The commands

    @property
    def help_head(self) -> str:
        """The question once more."""
        return f"{self.puzzle.task} Type your answer, or one of these:"

    def _command_moves(self, _: str) -> None:
        if self.puzzle.asks_for == "number":
            answers = self.puzzle.answers
            self.say(f"Answers: {answers[0]} to {answers[-1]}\n")
        for name, table in self._named():
            heading = f"Legal moves in {name}" if name else "Legal moves"
            self.say(f"{heading}: {self.game_text.list_moves(table.state)}")
        self.say("\n")

    def _command_board(self, _: str) -> None:
        for name, table in self._named():
            heading = f"Position {name}\n" if name else ""
            self.say(f"{heading}{draw_position(self.console, table, self.game_text)}\n\n")

    def _command_history(self, _: str) -> None:
        for name, table in self._named():
            told = "".join(f"\n{self.game_text.announce(*step).lstrip()}" for step in table.steps())
            heading = f"Position {name}\n" if name else ""
            self.say(f"{heading}{self.game_text.opening(table.start)}{told}\n")
        self.say(f"{self.puzzle.task}\n\n")

    def _command_hint(self, _: str) -> None:
        with ProgressBar("thinking"):
            hint = self.attempt.hint()
        self.say(f"Hint: {hint}\n\n")

    def _command_show(self, _: str) -> None:
        self.attempt.give_up()
        self.say(f"\n{self._solution()}")


# Today's puzzles


def _set_daily(console: Console, spec: GameSpec | None) -> bool:
    """Set today's puzzle of this game, or those that are not solved. False if a result could not be saved."""
    day, notes = date.today(), list[str]()
    results = read_results(notes)
    console.say("".join(f"{printable(note)}\n" for note in notes))
    console.say(f"The puzzles of {day.day} {day:%B %Y}\n")
    if line := streak_text(results, day):
        console.say(f"{line}\n")
    solved = {game for game, result in results_of_day(results, day).items() if result.solved}
    with ProgressBar("looking for today's puzzles"):
        found = [daily_puzzle(each, day) for each in ([spec] if spec else registry.specs())]
    puzzles = [puzzle for puzzle in found if puzzle]
    if spec and not puzzles:
        raise CliError(f"{spec.title} has no puzzle of the day")
    if not spec:
        for puzzle in puzzles:
            state = "solved" if puzzle.spec.name in solved else "waiting"
            console.say(f"  {puzzle.spec.name:<20} level {puzzle.level}  {state}\n")
        puzzles = [puzzle for puzzle in puzzles if puzzle.spec.name not in solved]
        if not puzzles:
            console.say("You have solved all of today's puzzles. To solve others: duel puzzle\n")
    console.say("\n")
    saved = True
    with suppress(Quit):
        for number, puzzle in enumerate(puzzles):
            question = f"\nThe next of today's puzzles, {puzzle.spec.title}?"
            if number and not (console.interactive and ask_yes_or_no(console, question, True)):
                break
            session = PuzzleSession(console, puzzle, day=day)
            try:
                attempt = session.run()
            finally:
                saved = saved and session.saved
            # On a terminal the session has told the streak.
            streak = "" if console.interactive else streak_text(read_results(), day)
            told = _how(attempt.solved, attempt.tries, attempt.hints)
            console.say(f"{told} {streak}".rstrip() + "\n")
    return saved


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
