"""`duel rules` and `duel games`: the rules of a game, on a terminal through a pager; the list of games."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from numberduels.cli.console import BOLD, CYAN, Console, print_folded, standard_console
from numberduels.game.board_text import Line
from numberduels.game.spec import GameSpec


def run(arguments: list[str]) -> int:
    """Print the rules of a game."""
    from numberduels.cli.argument_parser import Parser
    from numberduels.cli.arguments import GAME_HELP, find_game

    parser = Parser("rules", "Print the rules of a game and how they are read.")
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    show_rules(standard_console(), find_game(parser.parse_args(arguments).game))
    return 0


def run_games(arguments: list[str]) -> int:
    """List every game with its summary and its options."""
    from numberduels.cli.argument_parser import Parser
    from numberduels.game import options, registry

    Parser("games", "List the games and their options.").parse_args(arguments)
    for name in registry.names():
        try:
            spec = registry.spec(name)
        except registry.UnknownGame as fault:
            print_folded(f"{name}\n    {fault}\n\n")
            continue
        print_folded(f"{name}\n    {spec.summary}\n")
        for each in options.declared(spec.rules):
            default = options.format_value(each.default)
            print_folded(f"    --{each.name} {f'{default} ' if default else ''}({each.metadata['about']})\n")
        for rules in spec.rule_sets[1:]:
            print_folded(f"    --rules {rules.key} ({rules.about})\n")
        print_folded("\n")
    print_folded("To play: duel play GAME\nTo read the rules: duel rules GAME\n")
    return 0


# Rules on the screen

UNDERLINED = "4"
COLOURS = {
    "title": f"{BOLD};{UNDERLINED}",
    "heading": BOLD,
    "strong": BOLD,
    "emphasis": UNDERLINED,
    "code": CYAN,
}
"""The colour of each style of `markdown_text`."""

WIDEST = 80
"""Texts are set no wider than this, so that the eye finds the next line."""


def show_rules(console: Console, spec: GameSpec) -> None:
    """Show the rules: formatted on a terminal, as they are written through a pipe."""
    if console.width is None:
        console.say(spec.rulebook())
        return
    from numberduels.game.markdown_text import format_markdown

    lines = format_markdown(spec.rulebook(), min(console.width, WIDEST))
    text = "".join(f"{_painted(console, line)}\n" for line in lines)
    if not (console.draws and _paged(text)):
        console.say(text)


def _painted(console: Console, line: Line) -> str:
    """A line with colours; without them a heading is underlined by characters."""
    if console.colour:
        return "".join(console.paint(segment.text, COLOURS.get(segment.style, "")) for segment in line)
    text = "".join(segment.text for segment in line)
    return f"{text}\n{'-' * len(text)}" if line and line[0].style == "heading" else text


# The pager: as git shows long texts, PAGER is respected and less is the default

LESS = "FRX"
"""What less does unless LESS says otherwise: leave at once if all fits, show colours, keep the screen."""

SHOWN = (0, 2)
"""The exit statuses of a pager that has shown the text; less returns 2 after Ctrl-C."""


def _paged(text: str) -> bool:
    """Show a text through the pager, which no shell starts; False if there is none or if it failed."""
    import shlex
    import subprocess

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the pager
    try:
        command = shlex.split(os.environ.get("PAGER", "less"))
        if not command:
            return False
        env = {"LESS": LESS, **os.environ}
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=env) as pager:
            try:
                with suppress(BrokenPipeError):  # the reader has seen enough
                    pager.communicate(text.encode("utf-8", "replace"))
            except BaseException:  # a signal to end
                pager.terminate()
                raise
        return pager.returncode in SHOWN
    except (OSError, ValueError):  # there is no such program, or PAGER is no command
        return False
    finally:
        signal.signal(signal.SIGINT, before)
