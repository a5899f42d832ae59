"""Command-line options for programs and language models that play."""

from __future__ import annotations

import argparse
from typing import Any

from numberduels.cli.arguments import read_count
from numberduels.cli.console import error_reason
from numberduels.cli.parser import CliError, Parser
from numberduels.game.formatting import short
from numberduels.players.external import ANSWERS, BOARDS, DEFAULT_SETTINGS, ExternalSettings

SWITCHES = {
    "--no-legal": "do not list the legal moves to models",
    "--answer-only": "no thinking aloud for models",
    "--disguise": "the games under other names and numbers",
}
"""The options without a value."""

CHOICES = {"board": BOARDS, "answer": ANSWERS}
"""The options with a few values; the default comes first."""
ABOUT_CHOICES = {"board": "how models see the position", "answer": "the form of a model's answer"}

FILES = {
    "--model-options": "TOML: server, key variable, parameters and prices of each model",
    "--system": "the system message to models, as a template",
    "--prompt": "the user message to models, as a template",
}
"""The options that name a file."""
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
    add("--start-seconds", "S", DEFAULT_SETTINGS.start_seconds, "for a program process2: to get ready")
    add("--attempts", "N", DEFAULT_SETTINGS.attempts, "answers for a move")
    add("--concurrency", "N", DEFAULT_SETTINGS.concurrency, "questions to models that are open at once")
    group.add_argument(
        "--price",
        metavar="chat:MODEL=IN,OUT",
        action="append",
        default=[],
        help="what a million tokens cost, in and out",
    )
    group.add_argument("--base-url", metavar="URL", default="", help="where models answer")
    for flag, about in FILES.items():
        group.add_argument(flag, metavar="FILE", default="", help=about)
    for name, choices in CHOICES.items():
        values = "|".join(choices)
        group.add_argument(
            f"--{name}",
            metavar=values,
            default=choices[0],
            help=f"{ABOUT_CHOICES[name]} (default: {choices[0]})",
        )
    for flag, about in SWITCHES.items():
        group.add_argument(flag, action="store_true", help=about)
    if not many:
        parser.hide(group, HELP_MODELS, ABOUT)


def read_external_settings(parsed: argparse.Namespace) -> ExternalSettings:
    """The settings from the parsed arguments."""
    return ExternalSettings(
        seconds=_seconds("--seconds", parsed.seconds),
        start_seconds=_seconds("--start-seconds", parsed.start_seconds),
        attempts=read_count("--attempts", parsed.attempts, 1, 100),
        base_url=parsed.base_url,
        legal=not parsed.no_legal,
        reasoning=not parsed.answer_only,
        disguise=parsed.disguise,
        concurrency=read_count("--concurrency", parsed.concurrency, 1, 1_000),
        board=_choice("board", parsed.board),
        answer=_choice("answer", parsed.answer),
        system_template=_template("--system", parsed.system),
        prompt_template=_template("--prompt", parsed.prompt),
        **_model_options(parsed.model_options, tuple(map(_price, parsed.price))),
    )


def typed_external_options(parsed: argparse.Namespace) -> tuple[str, ...]:
    """The options that differ from their defaults, as typed, for a command that resumes the game."""
    values = {
        "--seconds": (parsed.seconds, str(DEFAULT_SETTINGS.seconds)),
        "--start-seconds": (parsed.start_seconds, str(DEFAULT_SETTINGS.start_seconds)),
        "--attempts": (parsed.attempts, str(DEFAULT_SETTINGS.attempts)),
        "--base-url": (parsed.base_url, ""),
    }
    values |= {flag: (_absolute(getattr(parsed, destination(flag))), "") for flag in FILES}
    values |= {f"--{name}": (getattr(parsed, name), choices[0]) for name, choices in CHOICES.items()}
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


def read_option_file(flag: str, path: str) -> str:
    """The text of a file that an option names."""
    from numberduels.game.files import read_text

    try:
        text = read_text(path, LONGEST_FILE)
    except (OSError, ValueError) as fault:
        raise CliError(f"{flag} {short(path, 200)} cannot be read: {error_reason(fault)}") from None
    if len(text) > LONGEST_FILE:
        raise CliError(f"{flag} {short(path, 200)} is longer than {LONGEST_FILE:,} characters")
    return text.removeprefix("\ufeff")


def _template(flag: str, path: str) -> str | None:
    """The template in a file; None if no file is named. An empty one is only for the system message."""
    if not path:
        return None
    from numberduels.players.prompt_texts import check_template

    text = read_option_file(flag, path).strip()
    if not text and flag != "--system":
        raise CliError(f"{flag} {short(path, 200)} is empty")
    try:
        check_template(text)
    except ValueError as fault:
        raise CliError(f"{flag} {short(path, 200)}: {fault}") from None
    return text


def _model_options(path: str, prices: tuple[tuple[str, float, float], ...]) -> dict[str, Any]:
    """The options and the prices of models. Prices that were typed come before those of the file."""
    if not path:
        return {"prices": prices}
    from numberduels.players.model_options import options_for, read_model_options, write_options

    try:
        tables = read_model_options(read_option_file("--model-options", path))
    except ValueError as fault:
        raise CliError(f"--model-options {short(path, 200)}: {fault}") from None
    found = {name: options_for(tables, name) for name in tables}
    more = tuple((name, *map(float, table["price"])) for name, table in found.items() if "price" in table)
    models = tuple((name, write_options(table)) for name, table in found.items())
    return {"models": models, "prices": (*prices, *more)}


def _choice(name: str, text: str) -> str:
    if text not in CHOICES[name]:
        raise CliError(f"--{name} takes {' or '.join(CHOICES[name])}, not {short(text)}")
    return text


def _seconds(option: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise CliError(f"{option} takes a number above 0, such as 2.5, not {short(text)}")
    return seconds


def _price(text: str) -> tuple[str, float, float]:
    model, _, prices = text.removeprefix("chat:").rpartition("=")
    try:
        price_in, price_out = (float(price) for price in prices.split(","))
        if not (model and 0 <= price_in < 1e9 and 0 <= price_out < 1e9):
            raise ValueError
    except ValueError:
        raise CliError(
            "--price takes a model and what a million tokens cost, in and out,"
            f" such as chat:llama3.1=0.5,1.5, not {short(text)}"
        ) from None
    return model, price_in, price_out
