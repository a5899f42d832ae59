"""Shared handling of command-line arguments: games, options, numbers and files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.console import error_reason
from numberduels.game import options, registry
from numberduels.game.adopted import allow, is_adopted
from numberduels.game.formatting import read_number, short
from numberduels.game.spec import GameSpec, RuleSet

if TYPE_CHECKING:
    from numberduels.game.record import Record
    from numberduels.play.series import Series


LONGEST_SEED = 100


@contextmanager
def refusing(what: str = "", *more: type[Exception]) -> Iterator[None]:
    """Turn a ValueError, an OSError or one of `more` into a CliError: its reason, after `what` if given."""
    kinds: tuple[type[Exception], ...] = (ValueError, OSError, *more)
    try:
        yield
    except kinds as fault:
        raise CliError(f"{what}: {error_reason(fault)}" if what else str(fault)) from None


def find_game(name: str) -> GameSpec:
    """The game with this name; CliError if there is none.

    A game of another library may run code, such as `python:FILE.py:NAME`: typing it allows that.
    """
    with refusing("", registry.UnknownGame):
        return typed_spec(name)


def typed_spec(name: str) -> GameSpec:
    """The game that the person at the keyboard named; UnknownGame if there is none."""
    if not is_adopted(name):
        return registry.find_spec(name)
    allow(name)
    return registry.adopted_spec(name)


def find_game_argument(arguments: list[str], parser: Parser) -> GameSpec | None:
    """The game named by the arguments. It is needed before parsing, because it adds its own options."""
    rest = iter(arguments)
    for each in rest:
        if not each.startswith("-"):
            return find_game(each)
        if "=" not in each and not parser.is_flag(each):
            next(rest, None)
    return None


GAME_HELP = "one of those that duel games lists"

OPTIONS_OF_THE_GAME = "duel {} GAME --help also lists the options of that game."


def add_options(parser: Parser, spec: GameSpec | None, *, leave_out: tuple[str, ...] = ()) -> None:
    """Add the options of a game to a parser."""
    if not spec:
        return
    own = parser.add_argument_group(f"options of {spec.name}")
    for each in options.declared(spec.rules):
        if each.name not in leave_out:
            default = options.format_value(each.default)
            own.add_argument(
                f"--{each.name}",
                metavar="|".join(each.metadata["choices"]) or each.name.upper(),
                help=each.metadata["about"] + (f" (default: {default})" if default else ""),
            )


def add_rule_set(parser: Parser, spec: GameSpec | None) -> None:
    """Add --rules, which chooses a rule set of the game, to a parser."""
    keys = "|".join(each.key for each in spec.rule_sets) if spec else "book|balanced"
    parser.add_argument("--rules", metavar=keys, help=_rule_set_help(spec))


def _rule_set_help(spec: GameSpec | None) -> str:
    if not spec:
        return "a rule set of the game, such as book or balanced (default: book); options override it"
    sets = " ".join(f"{each.key}: {each.about}" for each in spec.rule_sets)
    return f"{sets} (default: {spec.rule_sets[0].key}) Options override it.".replace("%", "%%")


def find_rule_set(spec: GameSpec, parsed: argparse.Namespace) -> RuleSet:
    """The rule set that --rules chooses, by its key or the beginning of it; without it the book's."""
    text = getattr(parsed, "rules", None)
    if text is None:
        return spec.rule_sets[0]
    found = [each for each in spec.rule_sets if text and each.key.startswith(text.lower())]
    if len(found) == 1:
        return found[0]
    keys = " or ".join(each.key for each in spec.rule_sets)
    raise CliError(f"--rules takes {keys} for {spec.title}, not {short(text)}")


def make_game(spec: GameSpec, parsed: argparse.Namespace, **fixed: str) -> Any:
    """Make the game from the parsed arguments; they override --rules, and `fixed` options override them."""
    chosen = find_rule_set(spec, parsed).options
    texts = {each.name: getattr(parsed, each.name, None) for each in options.declared(spec.rules)} | fixed
    given = {name: options.format_value(value) for name, value in chosen.items()}
    given |= {name: text for name, text in texts.items() if text is not None}
    if "" in given.values():
        raise CliError("an option of the game is empty: give it a value or leave it out")
    with refusing():
        return spec.make(given)


def read_count(option: str, text: str, low: int, high: int) -> int:
    """Parse a whole number from low to high."""
    try:
        count = read_number(text)
    except ValueError:
        count = -1
    if not low <= count <= high:
        raise CliError(f"{option} takes a whole number from {low} to {high}, not {short(text)}")
    return count


def read_seed(text: str) -> str:
    """Parse a seed: any printable text."""
    if not text.isprintable() or len(text) > LONGEST_SEED:
        raise CliError(f"--seed takes up to {LONGEST_SEED} printable characters, not {short(text)}")
    return text


def check_suffix(option: str, path: str, *suffixes: str) -> None:
    """Refuse a file name with the suffix of another format; no suffix is fine."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix and suffix not in suffixes:
        raise CliError(f"{option} writes {suffixes[0]} files only, not {short(suffix)}")


def read_number_between(option: str, text: str, low: float, high: float) -> float:
    """Parse a number from low to high, which need not be whole."""
    digits = text.replace(".", "", 1)
    number = float(text) if digits.isascii() and digits.isdigit() and len(text) < 20 else -1.0
    if not low <= number <= high:
        raise CliError(f"{option} takes a number from {low:g} to {high:g}, not {short(text)}")
    return number


def read_ply(text: str | None, record: Record) -> int:
    """Parse --ply for a record; by default all its moves."""
    most = len(record.moves)
    return most if text is None else read_count("--ply", text, 0, most)


def add_force(parser: Parser) -> None:
    """Add --force to a parser."""
    parser.add_argument("--force", action="store_true", help="replace a file that is there already")


def add_out(parser: Parser, about: str) -> None:
    """Add --out, which names a file and by its suffix the format; it may be given several times."""
    parser.add_argument("--out", metavar="FILE", action="append", default=[], help=about)


def check_outputs(paths: list[str], force: bool, *suffixes: str) -> None:
    """Check the files of --out before the work starts."""
    for path in paths:
        if os.path.splitext(path)[1].lower() not in suffixes:
            raise CliError(f"--out writes {' or '.join(suffixes)} files, not {short(path, 200)}")
        check_target(path, force)


def write_outputs(parsed: argparse.Namespace, writers: dict[str, Callable[[], str]]) -> None:
    """Write the files of --out, each by the writer for its suffix."""
    for path in parsed.out:
        write_file(path, writers[os.path.splitext(path)[1].lower()](), parsed.force)


def check_target(path: str | None, force: bool) -> None:
    """Check that a file can be written, before the work starts."""
    if path is not None:
        write_file(path, None, force)


def write_file(path: str, text: str | None, force: bool, *, begins: str = "") -> None:
    """Write a file; without a text, only check that it can be written."""
    from numberduels.game import files

    with refusing(f"{short(path, 200)} cannot be written"):
        if text is None:
            files.check_writable(path, force=force)
        else:
            files.write_text(path, text, begins=begins, force=force)


class _TypedGame(argparse.Action):
    """Allows the game of another library that is typed; any other value is kept for the command."""

    def __call__(
        self, _parser: object, namespace: argparse.Namespace, value: Any, _option: str | None = None
    ) -> None:
        if is_adopted(value):
            find_game(value)
            if self.metavar == "NAME":
                setattr(namespace, self.dest, value)
        elif self.metavar == "NAME":
            raise CliError(
                f"--game takes a game of another library, such as openspiel:nim, not {short(value)}"
            )
        else:
            setattr(namespace, self.dest, value)


OPENS = "open what is saved of this game of another library, such as openspiel:nim; no file can name one"


def add_game_names(parser: Parser) -> None:
    """Add --game, by which the user names a game of another library that a file has, to a parser."""
    parser.add_argument("--game", metavar="NAME", dest="named", action=_TypedGame, help=OPENS)


def add_game_number(parser: Parser) -> None:
    """Add --game, which selects one game of a match or names a game of another library, to a parser."""
    about = f"if FILE is a match: which game of it; or {OPENS}"
    parser.add_argument("--game", metavar="N|NAME", action=_TypedGame, help=about)


def typed_game(name: str) -> tuple[str, ...]:
    """The arguments that a command needs to open a file with this game."""
    return ("--game", name) if is_adopted(name) else ()


def read_game_file(name: str) -> tuple[str, str, Record | None, Series | None]:
    """The path, the text, and the game or the match of a file; `name` may be the id of a kept one."""
    from numberduels.cli.saved import find_file
    from numberduels.game import files, record
    from numberduels.play import series

    path = find_file(name)
    try:
        text = files.read_text(path, series.LONGEST)
        if text.removeprefix("\ufeff").startswith(series.HEAD):
            return path, text, None, series.read(text)
        return path, text, record.read(text), None
    except record.BadRecord as fault:
        raise CliError(f"{short(path, 200)}: {fault}") from None
    except (OSError, ValueError) as fault:
        raise CliError(f"{short(path, 200)} cannot be read: {error_reason(fault)}") from None


def load_record(name: str, number: str | None = None) -> Record:
    """Load a record, or one game of a match by its number; of the latest match by default its last game."""
    from numberduels.cli.saved import LAST

    _, _, found, match = read_game_file(name)
    if found:
        if number is not None:
            read_count("--game", number, 1, 1)
        return found
    assert match
    if not match.played:
        raise CliError(f"{short(name, 200)} is a match without a game")
    if number is None and name != LAST:
        raise CliError(
            f"{short(name, 200)} is a match: duel continue goes on with it, and"
            " duel saved replay and duel review take --game N"
        )
    games = len(match.played)
    return match.played[(games if number is None else read_count("--game", number, 1, games)) - 1]
