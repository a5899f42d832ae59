"""What can be typed after each command, collected from the commands and their parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from numberduels.cli.commands import COMMANDS, SUBCOMMANDS, load_command
from numberduels.cli.parser import Parser, parser_of
from numberduels.game import registry
from numberduels.game.contract import HUMAN

SHELLS = ("bash", "zsh", "fish")
FILES, IDS, GAMES = "<files>", "<ids>", "<games>"
"""Values that the shell finds when Tab is pressed: files, ids of kept games, and names of games."""

GLOBAL = {
    "--plain": "the menu, line by line",
    "--completion": "print shell completion",
    "--version": "print the version",
    "--help": "print the commands",
}
"""The options of `duel` itself."""


class Option(NamedTuple):
    """An option: what it is about, whether a value follows, and the values that can be offered."""

    flag: str
    about: str
    takes_value: bool
    values: tuple[str, ...] = ()


class Words(NamedTuple):
    """What can be typed after a command."""

    command: str
    about: str
    options: tuple[Option, ...]
    arguments: tuple[str, ...]
    """The values of its positional arguments."""
    game_options: dict[str, tuple[Option, ...]]
    """By game, the options that it adds."""


def collect() -> Iterator[Words]:
    """What can be typed after each command."""
    games = registry.names()
    for name, about in COMMANDS.items():
        run = load_command(name)
        if name in SUBCOMMANDS:
            parsers = [parser_of(run, each) for each in SUBCOMMANDS[name]]
            options = {each.flag: each for parser in parsers if parser for each in _options(parser)}
            yield Words(name, about, tuple(options.values()), tuple(SUBCOMMANDS[name]), {})
            continue
        parser = parser_of(run)
        if parser is None:
            yield Words(name, about, (), (), {})
            continue
        own = _options(parser)
        flags = {each.flag for each in own}
        added = {}
        if GAMES in (kinds := _arguments(parser)):
            for game in games:
                whole = parser_of(run, game)
                more = tuple(each for each in _options(whole) if each.flag not in flags) if whole else ()
                added[game] = more
        yield Words(name, about, own, kinds, {game: more for game, more in added.items() if more})


def _options(parser: Parser) -> tuple[Option, ...]:
    """The options that the help of a parser lists."""
    return tuple(
        Option(
            action.option_strings[-1],
            _about(action),
            action.nargs is None,
            _values(action) if action.nargs is None else (),
        )
        for action in parser._actions
        if action.option_strings and action.help != argparse.SUPPRESS
    )


def _arguments(parser: Parser) -> tuple[str, ...]:
    """The values of the positional arguments."""
    return tuple(
        value for action in parser._actions if not action.option_strings for value in _values(action)
    )


def _about(action: argparse.Action) -> str:
    """The first part of the help of an option, in one line."""
    return " ".join((action.help or "").replace("%%", "%").split()).partition(" (default")[0]


def _values(action: argparse.Action) -> tuple[str, ...]:
    """The values that a metavar stands for: GAME, FILE|ID, lower|free, 1..5; none if they are free."""
    metavar = str(action.metavar or "")
    low, dots, high = metavar.partition("..")
    if dots and low.isdigit() and high.isdigit():
        return tuple(str(number) for number in range(int(low), int(high) + 1))
    found: list[str] = []
    for word in metavar.split("|"):
        if word in KINDS:
            found += KINDS[word]()
        elif "|" in metavar:
            found.append(word)
    return tuple(found)


def _players() -> list[str]:
    from numberduels.players import KINDS as PLAYERS

    return [HUMAN, *PLAYERS]


def _settings() -> list[str]:
    from numberduels.play.settings import KEYS

    return list(KEYS)


KINDS = {
    "GAME": lambda: [GAMES],
    "FILE": lambda: [FILES],
    "FILE.svg": lambda: [FILES],
    "DIR": lambda: [FILES],
    "ID": lambda: [IDS],
    "WHO": _players,
    "KEY": _settings,
}
"""What the words in metavars stand for."""
