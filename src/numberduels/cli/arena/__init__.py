"""`duel arena`: play many games between players and report how well they played."""

from __future__ import annotations

from importlib import import_module

from numberduels.cli.commands import SUBCOMMANDS
from numberduels.cli.console import print_folded
from numberduels.cli.parser import CliError
from numberduels.game.formatting import nearest, short

ABOUT = "Find out how well players play: many games, both seats, every move judged by a proof."


def run(arguments: list[str]) -> int:
    """Run a command of the arena: `duel arena report` is the module `report_command`, and so on."""
    commands = SUBCOMMANDS["arena"]
    name = arguments[0] if arguments else "--help"
    if name in commands:
        module = import_module(f"numberduels.cli.arena.{name}_command")
        status: int = module.run(arguments[1:])
        return status
    if name not in ("-h", "--help"):
        meant = nearest(name, commands)
        question = f"; did you mean {meant}? There" if meant else "; there"
        raise CliError(f"there is no arena {short(name)}{question} are {', '.join(commands)}")
    lines = "".join(f"  duel arena {each:<8} {about}\n" for each, about in commands.items())
    print_folded(
        f"usage: duel arena COMMAND ...\n\n{ABOUT}\n\n{lines}\nduel arena COMMAND --help tells more.\n"
    )
    return 0
