"""Command-line options for programs and language models that play."""

from __future__ import annotations

import argparse
from typing import Any

from numberduels.cli.arguments import read_count
from numberduels.cli.console import error_reason
from numberduels.cli.parser import CliError, Parser
from numberduels.game.formatting import short
from numberduels.players.external import BOARDS, DEFAULT_SETTINGS, ExternalSettings

SWITCHES = {
    "--no-legal": "do not list the legal moves to models",
    "--answer-only": "no thinking aloud for models",
    "--disguise": "the games under other names and numbers",
}
"""The options without a value."""

LONGEST_FILE = 100_000

HELP_MODELS = "--help-models"

ABOUT = """\
A seat can also be taken by
  process:COMMAND      a program that reads positions and writes moves
  process2:COMMAND     the same, started once for many games
  chat:MODEL           a language model behind an HTTP interface
  package.module:name  a Python callable
"""


def add_external_options(parser: Parser, *, many: bool = False) -> None:
    """Add the options to a parser.

    The help lists them only if `many` games are played. For players they have a help of their own.
    """
    group = parser.add_argument_group("programs and models")

    def add(flag: str, metavar: str, default: float, about: str) -> None:
        group.add_argument(
            flag, metavar=metavar, default=str(default), help=f"{about} (default: {default:g})"
        )

    add("--seconds", "S", DEFAULT_SETTINGS.seconds, "for a move")
    add("--attempts", "N", DEFAULT_SETTINGS.attempts, "answers for a move")
    add("--concurrency", "N", DEFAULT_SETTINGS.concurrency, "questions to models that are open at once")
    group.add_argument(
        "--model-options",
        metavar="FILE",
        default="",
        help="TOML: server, key variable, parameters and prices of each model",
    )
    group.add_argument(
        "--board",
        metavar="|".join(BOARDS),
        default=BOARDS[0],
        help=f"how models see the position (default: {BOARDS[0]})",
    )
    for flag, about in SWITCHES.items():
        group.add_argument(flag, action="store_true", help=about)
    if not many:
        parser.hide(group, HELP_MODELS, ABOUT)


def read_external_settings(parsed: argparse.Namespace) -> ExternalSettings:
    """The settings from the parsed arguments."""
    if parsed.board not in BOARDS:
        raise CliError(f"--board takes {' or '.join(BOARDS)}, not {short(parsed.board)}")
    return ExternalSettings(
        seconds=_seconds("--seconds", parsed.seconds),
        attempts=read_count("--attempts", parsed.attempts, 1, 100),
        legal=not parsed.no_legal,
        reasoning=not parsed.answer_only,
        disguise=parsed.disguise,
        concurrency=read_count("--concurrency", parsed.concurrency, 1, 1_000),
        board=parsed.board,
        **_model_options(parsed.model_options),
    )


def typed_external_options(parsed: argparse.Namespace) -> tuple[str, ...]:
    """The options that differ from their defaults, as typed, for a command that resumes the game."""
    values = {
        "--seconds": (parsed.seconds, str(DEFAULT_SETTINGS.seconds)),
        "--attempts": (parsed.attempts, str(DEFAULT_SETTINGS.attempts)),
        "--model-options": (_absolute(parsed.model_options), ""),
        "--board": (parsed.board, BOARDS[0]),
    }
    given = [part for flag, (text, default) in values.items() if text != default for part in (flag, text)]
    switches = [flag for flag in SWITCHES if getattr(parsed, destination(flag))]
    return (*given, *switches)


def destination(flag: str) -> str:
    """The attribute of the parsed arguments for a flag."""
    return flag.strip("-").replace("-", "_")


def _absolute(path: str) -> str:
    if not path:
        return ""
    from numberduels.game.files import absolute_path

    return absolute_path(path)


def _model_options(path: str) -> dict[str, Any]:
    """The options and the prices of models in a file."""
    if not path:
        return {}
    from numberduels.game.files import read_text
    from numberduels.players.model_options import options_for, read_model_options, write_options

    try:
        text = read_text(path, LONGEST_FILE)
        if len(text) > LONGEST_FILE:
            raise ValueError(f"it is longer than {LONGEST_FILE:,} characters")
        tables = read_model_options(text.removeprefix("\ufeff"))
    except (OSError, ValueError) as fault:
        raise CliError(f"--model-options {short(path, 200)}: {error_reason(fault)}") from None
    found = {name: options_for(tables, name) for name in tables}
    return {
        "models": tuple((name, write_options(table)) for name, table in found.items()),
        "prices": tuple(
            (name, *map(float, table["price"])) for name, table in found.items() if "price" in table
        ),
    }


def _seconds(option: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise CliError(f"{option} takes a number above 0, such as 2.5, not {short(text)}")
    return seconds
