"""`duel rules GAME`: the rules of a game, on a terminal formatted and through the pager."""

from __future__ import annotations

from numberduels.cli.arguments import GAME_HELP, find_game
from numberduels.cli.console import standard_console
from numberduels.cli.parser import Parser
from numberduels.cli.rule_text import show_rules


def run(arguments: list[str]) -> int:
    """Print the rules of a game."""
    parser = Parser("rules", "Print the rules of a game and how they are read.")
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--no-pager", action="store_true", help="print them at once, also on a terminal")
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    parsed = parser.parse_args(arguments)
    spec = find_game(parsed.game)
    show_rules(standard_console(colour=not parsed.no_color), spec, paged=not parsed.no_pager)
    return 0
