"""Shared handling of command-line arguments: games, options, seats, numbers and files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numberduels.cli.console import error_reason
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.cli.seats import SeatSetup
from numberduels.game import options, registry
from numberduels.game.adopted import allow, is_adopted
from numberduels.game.contract import HUMAN
from numberduels.game.formatting import read_number, short
from numberduels.game.spec import GameSpec, RuleSet

if TYPE_CHECKING:
    from numberduels.game.record import Record
    from numberduels.players.external import ExternalSettings


def find_game(name: str) -> GameSpec:
    """The game with this name; CliError if there is none.

    A game of another library may run code, such as `python:FILE.py:NAME`: typing it allows that.
    """
    try:
        return typed_spec(name)
    except registry.UnknownGame as fault:
        raise CliError(str(fault)) from None


def typed_spec(name: str) -> GameSpec:
    """The game that the person at the keyboard named; UnknownGame if there is none."""
    if not is_adopted(name):
        return registry.find_spec(name)
    allow(name)
    return registry.adopted_spec(name)


def find_game_argument(arguments: list[str], flags: tuple[str, ...] = ()) -> GameSpec | None:
    """The game named by the arguments. It is needed before parsing, because it adds its own options.

    `flags` are the options that take no value.
    """
    rest = iter(arguments)
    for each in rest:
        if not each.startswith("-"):
            return find_game(each)
        if "=" not in each and each not in (*flags, "-h", "--help"):
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
    try:
        return spec.make(given)
    except ValueError as fault:
        raise CliError(str(fault)) from None


def make_seat(kind: str, name: str = "", settings: ExternalSettings | None = None) -> SeatSetup:
    """A seat for a human, or for a computer player of this kind."""
    if kind.lower() == HUMAN:
        return SeatSetup(name)
    if not kind.isprintable():
        raise CliError(f"{short(kind, 60)} cannot be printed, and so cannot play")
    from numberduels.players import make_player
    from numberduels.players.external import DEFAULT_SETTINGS

    kind = kind if ":" in kind else kind.lower()  # after a colon, capitals may matter
    try:
        return SeatSetup(name, kind, make_player(kind, settings or DEFAULT_SETTINGS))
    except ValueError as fault:
        raise CliError(str(fault)) from None


def check_seats(path: str, seats: tuple[str, str], given: tuple[str | None, str | None]) -> None:
    """Refuse a file that seats an external player, unless the command line names that seat."""
    from numberduels.players import allowed_in_files

    for number, (kind, asked) in enumerate(zip(seats, given, strict=True), 1):
        if asked is None and not allowed_in_files(kind):
            raise CliError(
                f"{short(path, 200)} seats {short(kind, 60)} as Player {number}; a file may seat only a human"
                f" or a built-in player: name that seat with --p{number}"
            )


def prepare_players(seats: tuple[SeatSetup, SeatSetup], game: Any, start: Any) -> None:
    """Let the computer players prepare; CliError if one cannot play this game."""
    with ProgressBar("getting ready") as bar:
        for seat_setup in seats:
            if seat_setup.player:
                seat_setup.player.progress = bar.update
                try:
                    seat_setup.player.prepare(game, start)
                except ValueError as fault:
                    raise CliError(str(fault)) from None


def read_names(text: str) -> tuple[str, str]:
    """Parse two names separated by a comma."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(name.isprintable() and 0 < len(name) <= 40 for name in names):
        raise CliError(f"--names takes two names of up to 40 letters, such as Alice,Bob, not {short(text)}")
    if names[0].casefold() == names[1].casefold():
        raise CliError(f"--names takes two different names, such as Alice,Bob, not {short(text)}")
    return names[0], names[1]


def read_delay(text: str) -> float:
    """Parse a delay in seconds, up to a minute."""
    seconds = _read_float(text)
    if not 0 <= seconds <= 60:
        raise CliError(f"--delay takes seconds from 0 to 60, such as 0.5, not {short(text)}")
    return seconds


def read_count(option: str, text: str, low: int, high: int) -> int:
    """Parse a whole number from low to high."""
    try:
        count = read_number(text)
    except ValueError:
        count = -1
    if not low <= count <= high:
        raise CliError(f"{option} takes a whole number from {low} to {high}, not {short(text)}")
    return count


def check_suffix(option: str, path: str, *suffixes: str) -> None:
    """Refuse a file name with the suffix of another format; no suffix is fine."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix and suffix not in suffixes:
        raise CliError(f"{option} writes {suffixes[0]} files only, not {short(suffix)}")


def read_number_between(option: str, text: str, low: float, high: float) -> float:
    """Parse a number from low to high, which need not be whole."""
    number = _read_float(text)
    if not low <= number <= high:
        raise CliError(f"{option} takes a number from {low:g} to {high:g}, not {short(text)}")
    return number


def _read_float(text: str) -> float:
    """The number in the text, -1 if there is none."""
    digits = text.replace(".", "", 1)
    return float(text) if digits.isascii() and digits.isdigit() and len(text) < 20 else -1.0


def read_ply(text: str | None, record: Record) -> int:
    """Parse --ply for a record; by default all its moves."""
    most = len(record.moves)
    return most if text is None else read_count("--ply", text, 0, most)


def add_goal(parser: Parser) -> None:
    """Add --goal, which says what the players want, to a parser."""
    parser.add_argument(
        "--goal",
        metavar="winner|length",
        choices=("winner", "length"),
        default="winner",
        help="what the players want: to win, or one of them a long game and the other one a short game",
    )


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

    try:
        if text is None:
            files.check_writable(path, force=force)
        else:
            files.write_text(path, text, begins=begins, force=force)
    except (OSError, ValueError) as fault:
        raise CliError(f"{short(path, 200)} cannot be written: {error_reason(fault)}") from None


class _TypedGame(argparse.Action):
    """Allows the game of another library that is typed; any other value is kept for the command."""

    def __call__(
        self, _parser: object, namespace: argparse.Namespace, value: Any, _option: str | None = None
    ) -> None:
        if is_adopted(value):
            find_game(value)
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


def load_record(path: str, number: str | None = None) -> Record:
    """Load a record, or one game of a match by its number; `path` may be the id of a kept game."""
    return load_record_and_text(path, number)[0]


def load_record_and_text(path: str, number: str | None = None) -> tuple[Record, str]:
    """Load a record and return the text of the file, too."""
    from numberduels.cli.saved import LAST, find_file
    from numberduels.game import files, record
    from numberduels.game.record import BadRecord
    from numberduels.play import series

    name, path = path, find_file(path)
    try:
        text = files.read_text(path, series.LONGEST)
        if not text.removeprefix("\ufeff").startswith(series.HEAD):
            found = [record.read(text)]
        else:
            found = list(series.read(text).played)
            if number is None and name != LAST:
                raise CliError(
                    f"{short(name, 200)} is a match: duel continue goes on with it, and"
                    " duel saved replay and duel review take --game N"
                )
            number = number or str(max(len(found), 1))
    except BadRecord as fault:
        raise CliError(f"{short(path, 200)}: {fault}") from None
    except (OSError, ValueError) as fault:
        raise CliError(f"{short(path, 200)} cannot be read: {error_reason(fault)}") from None
    index = 1 if number is None else read_count("--game", number, 1, max(len(found), 1))
    if not found:
        raise CliError(f"{short(path, 200)} is a match without a game")
    return found[index - 1], text
