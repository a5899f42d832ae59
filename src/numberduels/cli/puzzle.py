"""`duel puzzle`: positions in which one move keeps the win or the draw."""

from __future__ import annotations

import argparse
from collections.abc import Hashable
from random import Random

from numberduels import options, registry
from numberduels.analysis.puzzles import DEEPEST, LEVELS, TASKS, NoPuzzle, Puzzle, find_puzzle
from numberduels.cli.arguments import find_game, read_count
from numberduels.cli.console import RED, Console, shell_command, standard_console
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.play import fresh_seed, read_seed
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt_commands import SHORT, Quit, split_command, suggest_command
from numberduels.core import IllegalMove, Unreadable
from numberduels.spec import GameSpec
from numberduels.table import replay

ABOUT = """\
Find the only move that keeps the win or the draw. The level says how many moves of your own must be
seen ahead, this one included; level 5 is five or more. The same seed gives the same puzzle.
"""

COMMANDS = {
    "help": "this list",
    "rules": "how the game is played",
    "moves": "every legal move",
    "history": "how this position came about",
    "hint": "a little help; ask again for more",
    "show": "the solution",
    "quit": "leave",
}


def run(arguments: list[str]) -> int:
    """Set puzzles. The status is 0 if solved, shown or left by quit, 1 if the input ended."""
    parser = Parser("puzzle", ABOUT)
    parser.add_argument("game", metavar="GAME", nargs="?", help="any game (default: the seed chooses)")
    parser.add_argument("--seed", metavar="S", help="the same seed gives the same puzzle")
    parser.add_argument("--level", metavar="1..5", default="1", help="how much must be seen (default: 1)")
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    parsed: argparse.Namespace = parser.parse_args(arguments)
    spec = None if parsed.game is None else find_game(parsed.game)
    level = read_count("--level", parsed.level, LEVELS[0], LEVELS[-1])
    seed = fresh_seed() if parsed.seed is None else read_seed(parsed.seed)
    return _series(standard_console(colour=not parsed.no_color), spec, level, seed)


def _series(console: Console, spec: GameSpec | None, level: int, seed: str) -> int:
    """Set one puzzle; on a terminal more, as long as the user wants."""
    number, this = 1, seed
    while True:
        try:
            PuzzleSession(console, _set(spec, level, this)).run()
        except EOFError:
            return 1
        except Quit:
            return 0
        if not console.interactive or not _wanted(console):
            return 0
        number += 1
        this = f"{seed}.{number}"
        console.say("\n")


def _set(spec: GameSpec | None, level: int, seed: str) -> Puzzle:
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
    """One puzzle at the prompt."""

    def __init__(self, console: Console, puzzle: Puzzle) -> None:
        self.console = console
        self.puzzle = puzzle
        self.game_text = puzzle.game_text
        self._hints = 0
        # The order in which hints rule out wrong moves.
        self._wrong = list(puzzle.wrong)
        Random(f"{puzzle.seed} hints").shuffle(self._wrong)

    def run(self) -> None:
        """Ask until the puzzle is solved. Quit and EOFError are not caught."""
        self.console.say(self._opening())
        while not self._turn():
            pass

    def _opening(self) -> str:
        puzzle, game_text = self.puzzle, self.game_text
        sizes = ", ".join(
            f"{name} {text}" for name, text in options.format_options(puzzle.game).items() if text
        )
        title = f"{puzzle.spec.title} ({sizes})" if sizes else puzzle.spec.title
        seed = (f"--seed={puzzle.seed}",) if puzzle.seed.startswith("-") else ("--seed", puzzle.seed)
        again = shell_command("puzzle", puzzle.spec.name, "--level", str(puzzle.level), *seed)
        return (
            f"{title}\nLevel {puzzle.level}. The same puzzle again: {again}\n"
            f"{self._moves_so_far()}\n{game_text.position(puzzle.state)}\n{TASKS[puzzle.value]}\n\n"
        )

    def _moves_so_far(self) -> str:
        moves = [self.game_text.format_move(move) for move in self.puzzle.moves]
        return f"Moves so far: {' '.join(moves)}\n" if moves else "No move has been made yet.\n"

    def _turn(self) -> bool:
        """Handle one line; True if the puzzle is over."""
        line = self.console.ask(self.game_text.question(self.puzzle.state), self._completions)
        name, _ = split_command(line)
        if name in COMMANDS:
            return bool(getattr(self, f"_{name}")())
        try:
            move = self.game_text.parse_move(line)
            self.puzzle.game.play(self.puzzle.state, move)
        except IllegalMove as fault:
            return self._refuse(fault)
        except Unreadable as fault:
            return self._refuse(Unreadable(f"{fault}{suggest_command(line, COMMANDS)}"))
        if move == self.puzzle.solution:
            self.console.say(f"\nRight! {self._answer()}")
            return True
        self.console.say(f"\n{self.console.paint('Not that one.', RED)} {self._refutation(move)}\n")
        return False

    def _answer(self) -> str:
        with ProgressBar("thinking"):
            return "".join(f"{line}\n" for line in self.puzzle.answer())

    def _refutation(self, move: Hashable) -> str:
        with ProgressBar("thinking"):
            return "".join(f"{line}\n" for line in self.puzzle.refutation(move))

    def _refuse(self, fault: ValueError) -> bool:
        self.console.say(f"{self.console.paint(self.game_text.refusal(fault).rstrip(), RED)}\n\n")
        return False

    def _completions(self) -> list[str]:
        return [
            *(self.game_text.typed(move) for move in self.puzzle.game.moves(self.puzzle.state)),
            *COMMANDS,
        ]

    # The commands. They return True if the puzzle is over.

    def _help(self) -> bool:
        lines = "".join(f"  {name:<10} {about}\n" for name, about in COMMANDS.items())
        self.console.say(
            f"{TASKS[self.puzzle.value]} Type it as in the game, or one of these:\n{lines}{SHORT}\n\n"
        )
        return False

    def _rules(self) -> bool:
        self.console.say_paragraphs(f"{self.puzzle.spec.rulebook()}\n")
        return False

    def _moves(self) -> bool:
        self.console.say(f"Legal moves: {self.game_text.list_moves(self.puzzle.state)}\n")
        return False

    def _history(self) -> bool:
        puzzle = self.puzzle
        table = replay(puzzle.game, puzzle.moves)
        told = "".join(f"\n{self.game_text.announce(*step).lstrip()}" for step in table.steps())
        self.console.say(f"{self.game_text.opening(table.start)}{told}\n{TASKS[puzzle.value]}\n\n")
        return False

    def _hint(self) -> bool:
        self.console.say(f"Hint: {self._help_in_turn()}\n")
        self._hints += 1
        return False

    def _help_in_turn(self) -> str:
        """The next hint: first the depth, then one wrong move after another, until two moves are left."""
        puzzle = self.puzzle
        if not self._hints:
            return f"{_distance(puzzle.depth)}\n"
        ruled_out = self._wrong[: min(self._hints, len(self._wrong) - 1)]
        if self._hints > len(ruled_out):
            last = (move for move in puzzle.game.moves(puzzle.state) if move not in ruled_out)
            return f"it is {' or '.join(self.game_text.typed(move) for move in last)}.\n"
        return f"it is not {self.game_text.typed(ruled_out[-1])}. {self._refutation(ruled_out[-1])}"

    def _show(self) -> bool:
        self.console.say(f"\n{self._answer()}")
        return True

    def _quit(self) -> bool:
        raise Quit


def _distance(depth: int) -> str:
    """The depth of a puzzle as a hint."""
    if depth == 1:
        return "look at this one move: that is all there is to see."
    if depth == 2:
        return "look at the answers to each of your moves."
    more = " or more" if depth == DEEPEST else ""
    return f"look {depth} moves ahead{more}, yours and theirs together."
