"""`duel puzzle`: questions about a position that only looking ahead answers."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any

from numberduels.analysis.puzzles import LEVELS, NoPuzzle, Puzzle, find_puzzle, next_seed
from numberduels.cli.arguments import find_game, read_count
from numberduels.cli.console import RED, Console, shell_command, standard_console
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.play import fresh_seed, read_seed
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt_commands import SHORT, Quit, split_command, suggest_command
from numberduels.game import options, registry
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.formatting import plural
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.play import puzzle_log

ABOUT = """\
Answer a question about a position: which move is the only one that wins, which of two positions is won,
and the like. The level says how far ahead you must look: level 1 three or four moves, yours and theirs
together, each level two more; level 5 eleven or more. The same seed gives the same puzzle, and seeds that
follow each other do not repeat one soon.
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
    parser.add_argument(
        "--level", metavar="1..5", default="1", help="how far you must look ahead (default: 1)"
    )
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    parsed: argparse.Namespace = parser.parse_args(arguments)
    spec = None if parsed.game is None else find_game(parsed.game)
    level = read_count("--level", parsed.level, LEVELS[0], LEVELS[-1])
    seed = fresh_seed() if parsed.seed is None else read_seed(parsed.seed)
    try:
        return 0 if set_puzzles(standard_console(colour=not parsed.no_color), spec, level, seed) else 1
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


@dataclass(frozen=True, slots=True)
class PuzzleOutcome:
    """How somebody did on a puzzle."""

    solved: bool
    tries: int
    """Answers, the right one included."""
    hints: int


class PuzzleSession:
    """One puzzle at the prompt. Its result goes to the log of puzzles.

    `daily` says whether it is the puzzle of a day, whose seed is that day.
    """

    def __init__(self, console: Console, puzzle: Puzzle, *, daily: bool = False) -> None:
        self.console = console
        self.puzzle = puzzle
        self.daily = daily
        self.game_text = puzzle.game_text
        self._tries = 0
        self._hints = 0
        self._solved = False
        self.saved = True
        """False if there was a result and it could not be saved."""

    def run(self) -> PuzzleOutcome:
        """Ask until the puzzle is solved or its solution is shown. Quit and EOFError are not caught."""
        try:
            self.console.say(self._opening())
            while not self._turn():
                pass
            self.console.say(self._again())
        except (Quit, EOFError):
            # Through a pipe the prompt is the last line. On a terminal, Enter or Ctrl-D has ended it.
            self.console.say(self._again() if self.console.interactive else f"\n{self._again()}")
            raise
        finally:
            self._log()
        return PuzzleOutcome(self._solved, self._tries, self._hints)

    def _log(self) -> None:
        """Keep the result, unless nothing was answered; at a terminal, say where the player stands."""
        if not self._tries and not self._hints:
            return
        puzzle = self.puzzle
        day = date.fromisoformat(puzzle.seed) if self.daily else date.today()
        note = puzzle_log.append_result(
            puzzle_log.PuzzleResult(
                day,
                puzzle.spec.name,
                puzzle.level,
                puzzle.seed,
                self.daily,
                self._solved,
                self._tries,
                self._hints,
            )
        )
        self.saved = not note
        if note:
            self.console.say(f"{note}\n")
        elif self.console.interactive and self._solved:
            self.console.say(f"\n{self._standing()}\n")

    def _standing(self) -> str:
        results = puzzle_log.read_results()
        rating = f"Your puzzle rating: {puzzle_log.puzzle_rating(results)}."
        days = puzzle_log.streak(results, date.today())
        if not days:
            return rating
        return f"{rating} Your streak: {plural(days, 'day')} with the puzzle of the day."

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

    def _turn(self) -> bool:
        """Handle one line; True if the puzzle is over."""
        question = PROMPTS.get(self.puzzle.asks_for) or self.game_text.question(self.puzzle.state)
        line = self.console.ask(question, self._completions)
        name, _ = split_command(line)
        if name in COMMANDS:
            return bool(getattr(self, f"_{name}")())
        try:
            answer = self.puzzle.parse(line)
        except IllegalMove as fault:
            return self._refuse(fault)
        except Unreadable as fault:
            return self._refuse(Unreadable(f"{fault}{suggest_command(line, COMMANDS)}"))
        self._tries += 1
        if self.puzzle.is_right(answer):
            self._solved = True
            self.console.say(f"\nRight! {self._solution()}")
            return True
        self.console.say(f"\n{self.console.paint('Not that one.', RED)} {self._refutation(answer)}\n")
        return False

    def _solution(self) -> str:
        with ProgressBar("thinking"):
            return "".join(f"{line}\n" for line in self.puzzle.solution_lines())

    def _refutation(self, answer: str) -> str:
        with ProgressBar("thinking"):
            return "".join(f"{line}\n" for line in self.puzzle.refutation_lines(answer))

    def _refuse(self, fault: ValueError) -> bool:
        self.console.say(f"{self.console.paint(self.game_text.refusal(fault).rstrip(), RED)}\n\n")
        return False

    def _completions(self) -> list[str]:
        if self.puzzle.asks_for == "move":
            answers = [self.game_text.typed(move) for move in self.puzzle.table.moves]
        else:
            answers = list(self.puzzle.answers)
        return [*answers, *COMMANDS]

    # The commands. They return True if the puzzle is over.

    def _help(self) -> bool:
        lines = "".join(f"  {name:<10} {about}\n" for name, about in COMMANDS.items())
        self.console.say(f"{self.puzzle.task} Type your answer, or one of these:\n{lines}{SHORT}\n\n")
        return False

    def _rules(self) -> bool:
        from numberduels.cli.rules import show_rules

        show_rules(self.console, self.puzzle.spec)
        self.console.say("\n")
        return False

    def _moves(self) -> bool:
        if self.puzzle.asks_for == "number":
            first, *_, last = self.puzzle.answers
            self.console.say(f"Answers: {first} to {last}\n")
        for name, table in self._named():
            heading = f"Legal moves in {name}" if name else "Legal moves"
            self.console.say(f"{heading}: {self.game_text.list_moves(table.state)}")
        self.console.say("\n")
        return False

    def _board(self) -> bool:
        from numberduels.cli.drawn_board import format_board

        labels = (self.game_text.label(0), self.game_text.label(1))
        for name, table in self._named():
            heading = f"Position {name}\n" if name else ""
            self.console.say(f"{heading}{format_board(self.console, table, labels)}\n\n")
        return False

    def _history(self) -> bool:
        for name, table in self._named():
            told = "".join(f"\n{self.game_text.announce(*step).lstrip()}" for step in table.steps())
            heading = f"Position {name}\n" if name else ""
            self.console.say(f"{heading}{self.game_text.opening(table.start)}{told}\n")
        self.console.say(f"{self.puzzle.task}\n\n")
        return False

    def _hint(self) -> bool:
        with ProgressBar("thinking"):
            hints = self.puzzle.hints
        self.console.say(f"Hint: {hints[min(self._hints, len(hints) - 1)]}\n\n")
        self._hints = min(self._hints + 1, len(hints))
        return False

    def _show(self) -> bool:
        self.console.say(f"\n{self._solution()}")
        return True

    def _quit(self) -> bool:
        raise Quit
