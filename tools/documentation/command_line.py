"""The page about the command line, from the parsers of all commands."""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from textwrap import dedent

from numberduels.cli.argument_parser import Parser, parser_of
from numberduels.cli.commands import GROUPS, SUBCOMMANDS, load_command


def command_line() -> str:
    """All commands with their arguments and options, as Markdown."""
    parts: list[str] = []
    for group, commands in GROUPS.items():
        parts.append(f"## {group}")
        for name, about in commands.items():
            parts += _command(name, about)
    return "\n\n".join(parts)


def _command(name: str, about: str) -> Iterator[str]:
    yield f"### duel {name}"
    run = load_command(name)
    if name not in SUBCOMMANDS:
        yield from _described(parser_of(run), about)
        return
    yield f"{_sentence(about)} It consists of these commands:"
    for each, text in SUBCOMMANDS[name].items():
        yield f"#### duel {name} {each}"
        yield from _described(parser_of(run, each), text)


def _described(parser: Parser | None, about: str) -> Iterator[str]:
    """What a parser says: its description, its usage, its options, and the text behind them."""
    if parser is None:
        yield f"{_sentence(about)} (It needs an extra that was not installed when this page was built.)"
        return
    yield _description(parser.description or about)
    yield f"```text\n{dedent(parser.format_usage().replace('usage: ', ' ' * 7)).strip()}\n```"
    hidden = []
    rows = ["| argument | meaning |", "|---|---|"]
    for action in parser._actions:
        if type(action).__name__ == "PrintGroup":
            hidden.append(action.option_strings[0])
        if action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction):
            rows.append(f"| {_names(action)} | {_cell(parser, action)} |")
    if len(rows) > 2:
        yield "\n".join(rows)
    for flag in hidden:
        yield f"`{flag}` prints:"
        yield f"```text\n{_printed(parser, flag)}\n```"
    if parser.epilog:
        yield f"```text\n{parser.epilog.strip()}\n```"


def _names(action: argparse.Action) -> str:
    """How an argument is written."""
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if not metavar and action.choices:
        metavar = "|".join(str(choice) for choice in action.choices)
    if not action.option_strings:
        return f"`{metavar or action.dest.upper()}`"
    takes = "" if action.nargs == 0 else f" {metavar or action.dest.upper()}"
    return ", ".join(f"`{flag}{takes}`" for flag in action.option_strings)


def _cell(parser: Parser, action: argparse.Action) -> str:
    """The help of an argument as the cell of a table."""
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _printed(parser: Parser, flag: str) -> str:
    """What the parser prints for a flag that prints more help."""
    printed = io.StringIO()
    with redirect_stdout(printed), suppress(SystemExit):
        parser.parse_args([flag])
    return printed.getvalue().strip("\n")


def _description(text: str) -> str:
    """The description of a command as Markdown: prose, or as it stands if it has columns."""
    text = text.strip()
    return f"```text\n{text}\n```" if "\n  " in text else text.replace("<", "&lt;")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
