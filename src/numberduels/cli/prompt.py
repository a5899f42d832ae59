"""Prompt: what games, lessons and puzzles have in common when somebody types a move or a command."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from numberduels.cli.console import BOLD, CYAN, MAGENTA, RED, TOO_LONG, Console
from numberduels.cli.progress import ProgressBar
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.formatting import nearest

if TYPE_CHECKING:
    from numberduels.game.spec import GameSpec
    from numberduels.game.table import Table
    from numberduels.game.text import AnyGameText

# Other modules are imported where they are needed: the first prompt of `duel play` must not wait for them.


class Quit(Exception):
    """The player typed `quit`."""


ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit"}
"""Short names of commands."""

SHORT = "Short: ? or h for help, q for quit."


def split_command(line: str) -> tuple[str, str]:
    """Split a line into its first word, with aliases resolved, and the rest.

    >>> split_command(" Q "), split_command("save My Game.duel")
    (('quit', ''), ('save', 'My Game.duel'))
    """
    word, _, rest = line.strip().partition(" ")
    return ALIASES.get(word.lower(), word.lower()), rest.strip()


def suggest_command(line: str, commands: Iterable[str]) -> str:
    """A hint for a line that is no move: a similar command, or that help lists them.

    >>> suggest_command("udno", ["undo"]), suggest_command("3.5", ["undo"])
    (' Did you mean undo? Type help for all commands.', '')
    """
    word, _ = split_command(line)
    if not word[:1].isalpha():
        return ""
    meant = nearest(word, commands)
    return f" Did you mean {meant}? Type help for all commands." if meant else " Type help for all commands."


def ask_yes_or_no(console: Console, question: str, default: bool | None = None) -> bool:
    """Ask a yes-or-no question until it is answered; Quit if the user wants to leave."""
    enter = "" if default is None else f", or Enter for {'yes' if default else 'no'}"
    prompt = f"{question} Type yes or no{enter}: "
    while True:
        reply, _ = split_command(console.ask(prompt, lambda: ("yes", "no", "quit")))
        if reply in ("y", "yes", "n", "no"):
            return reply.startswith("y")
        if reply == "quit":
            raise Quit
        if not reply and default is not None:
            return default
        prompt = f"Please type yes or no{enter}: "


class Prompt(ABC):
    """Reads a line: a move, or a command, which is the method `_command_NAME`."""

    commands: Mapping[str, str]
    """Every command and what it does."""
    arguments: Mapping[str, str] = {}
    """What some commands take, such as FILE."""

    def __init__(self, console: Console, spec: GameSpec) -> None:
        self.console = console
        self.spec = spec

    @property
    @abstractmethod
    def table(self) -> Table[Any, Any]:
        """The game in progress."""

    @property
    @abstractmethod
    def game_text(self) -> AnyGameText:
        """How this game is told."""

    @property
    def available(self) -> Mapping[str, str]:
        """The commands that are allowed here."""
        return self.commands

    def take_line(self, question: str) -> None:
        """Ask for one line and do what it says; a bad line is refused and changes nothing."""
        line = self.console.ask(question, lambda: [*self.answers(), *self.available])
        name, rest = split_command(line)
        try:
            if line == TOO_LONG:
                raise Unreadable("That line is too long.")
            if name in self.commands:
                if rest and name not in self.arguments:
                    raise Unreadable(f"Type {name} alone.")
                getattr(self, f"_command_{name}")(rest)
            else:
                self.take_answer(line)
        except (Unreadable, IllegalMove) as fault:
            self.say(f"{self.console.paint(self.game_text.refusal(fault).rstrip(), RED)}\n\n")

    @abstractmethod
    def take_answer(self, line: str) -> None:
        """Handle a line that is no command."""

    def answers(self) -> list[str]:
        """What can be typed besides the commands."""
        return [self.game_text.typed(move) for move in self.table.moves]

    def unreadable(self, fault: Unreadable, line: str) -> Unreadable:
        """The fault with a hint for somebody who mistyped a command."""
        return Unreadable(f"{fault}{suggest_command(line, self.commands)}")

    def say(self, text: str) -> None:
        """Print a text."""
        self.console.say(text)

    def show_position(self, table: Table[Any, Any]) -> None:
        """A position, drawn where that is welcome, else in the lines of the book."""
        if self.console.draws:
            self.console.say(f"\n{draw_position(self.console, table, self.game_text)}\n\n")
        else:
            self.say(f"{self.game_text.position(table.state)}\n")

    # The commands

    @property
    def help_head(self) -> str:
        """The first line of the help."""
        return "Type your move, or one of these:"

    def _command_help(self, _: str) -> None:
        names = {name: f"{name} {self.arguments.get(name, '')}".rstrip() for name in self.available}
        width = max(10, *map(len, names.values()))
        lines = "".join(f"  {names[name]:<{width}} {about}\n" for name, about in self.available.items())
        self.say(f"{self.help_head}\n{lines}{SHORT}\n\n")

    def _command_board(self, _: str) -> None:
        self.show_position(self.table)

    def _command_rules(self, _: str) -> None:
        from numberduels.cli.rules import show_rules

        show_rules(self.console, self.spec)
        self.say("\n")

    def _command_moves(self, _: str) -> None:
        self.say(f"Legal moves: {self.game_text.list_moves(self.table.state)}\n")

    def give_hint(self, rng: Random) -> None:
        """Say a good move, and why."""
        from numberduels.analysis.solution import find_hint

        with ProgressBar("thinking"):
            move, why = find_hint(self.table.game, self.table.state, rng)
        self.say(f"Hint: {self.game_text.typed(move)}. {why}\n\n")

    def _command_quit(self, _: str) -> None:
        raise Quit


# The drawn board

COLOURS = {
    "open": "1;32",
    "closed": "2",
    "first": CYAN,
    "second": MAGENTA,
    "locked": RED,
    "removed": "2",
    "filled": BOLD,
    "note": BOLD,
    "legend": "2",
    "bar": "33",
    "chosen": "7",
    "touched": "4",
}
"""The colour of each style of `board_text`."""

WIDEST = 100
"""Boards are drawn no wider than this, so that the eye finds the next row."""


def draw_position(console: Console, table: Table[Any, Any], game_text: AnyGameText) -> str:
    """The board of a game, drawn and coloured for this console."""
    from numberduels.game.board import board_of
    from numberduels.game.board_text import draw_board

    board = board_of(table.game, table.state, table.played)
    width = min(console.width or WIDEST, WIDEST)
    lines = draw_board(board, width, labels=(game_text.label(0), game_text.label(1)))
    return "\n".join(
        "".join(console.paint(segment.text, COLOURS.get(segment.style, "")) for segment in line)
        for line in lines
    )
