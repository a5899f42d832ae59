"""`duel rules GAME`: print the rules of a game."""

from __future__ import annotations

from numberduels.cli.arguments import find_game
from numberduels.cli.console import standard_console
from numberduels.cli.parser import Parser


def run(arguments: list[str]) -> int:
    """Print the rules of a game."""
    parser = Parser("rules", "Print the rules of a game and how they are read.")
    parser.add_argument("game", metavar="GAME")
    standard_console().say_paragraphs(find_game(parser.parse_args(arguments).game).rulebook())
    return 0
