"""From the words of a command line to a spec, chairs and records; every fault is one line."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from numberduels import options, registry
from numberduels.cli.console import error_reason
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.cli.session import HUMAN, SeatSetup
from numberduels.spec import GameSpec
from numberduels.text import read_number, short

if TYPE_CHECKING:
    from numberduels.players.external import ExternalSettings
    from numberduels.record import Record


def find_game(name: str) -> GameSpec:
    """The spec of the game that the command line names."""
    try:
        return registry.find_spec(name)
    except registry.UnknownGame as fault:
        raise CliError(str(fault)) from None


def find_game_argument(arguments: list[str], flags: tuple[str, ...] = ()) -> GameSpec | None:
    """The spec of the game among the arguments, found before they are parsed: the parser needs its options.

    Flags are the options that take no value.
    """
    rest = iter(arguments)
    for each in rest:
        if not each.startswith("-"):
            return find_game(each)
        if "=" not in each and each not in (*flags, "-h", "--help"):
            next(rest, None)
    return None


def add_options(parser: Parser, spec: GameSpec | None, *, leave_out: tuple[str, ...] = ()) -> None:
    """Put the options of a game into a parser."""
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


def make_game(spec: GameSpec, parsed: argparse.Namespace, **settled: str) -> Any:
    """The game that the command line asks for, with some options settled otherwise."""
    texts = {each.name: getattr(parsed, each.name, None) for each in options.declared(spec.rules)} | settled
    given = {name: text for name, text in texts.items() if text is not None}
    if "" in given.values():
        raise CliError("an option of the game is empty: give it a value or leave it out")
    try:
        return spec.make(given)
    except ValueError as fault:
        raise CliError(str(fault)) from None


def make_seat(kind: str, name: str = "", settings: ExternalSettings | None = None) -> SeatSetup:
    """A chair for a human, or for a computer player of this kind."""
    if kind.lower() == HUMAN:
        return SeatSetup(name)
    if not kind.isprintable():
        raise CliError(f"{short(kind, 60)} cannot be printed, and so cannot play")
    from numberduels.players import make_player
    from numberduels.players.external import DEFAULT_SETTINGS

    kind = kind if ":" in kind else kind.lower()  # behind a colon, large letters may matter
    try:
        return SeatSetup(name, kind, make_player(kind, settings or DEFAULT_SETTINGS))
    except ValueError as fault:
        raise CliError(str(fault)) from None


def check_seats(path: str, seats: tuple[str, str], given: tuple[str | None, str | None]) -> None:
    """Refuse a file that seats anybody but a human or a built-in player where the command line does not."""
    from numberduels.players import allowed_in_files

    for number, (kind, asked) in enumerate(zip(seats, given, strict=True), 1):
        if asked is None and not allowed_in_files(kind):
            raise CliError(
                f"{short(path, 200)} seats {short(kind, 60)} as Player {number}; a file may seat only a human"
                f" or a built-in player: name that seat with --p{number}"
            )


def prepare_players(seats: tuple[SeatSetup, SeatSetup], game: Any, start: Any) -> None:
    """Let the computer players prepare for a game, or say why they cannot play it."""
    with ProgressBar("getting ready") as bar:
        for seat_setup in seats:
            if seat_setup.player:
                seat_setup.player.progress = bar.update
                try:
                    seat_setup.player.prepare(game, start)
                except ValueError as fault:
                    raise CliError(str(fault)) from None


def read_names(text: str) -> tuple[str, str]:
    """Two names, parted by a comma."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(name.isprintable() and 0 < len(name) <= 40 for name in names):
        raise CliError(f"--names takes two names of up to 40 letters, such as Alice,Bob, not {short(text)}")
    if names[0].casefold() == names[1].casefold():
        raise CliError(f"--names takes two different names, such as Alice,Bob, not {short(text)}")
    return names[0], names[1]


def read_delay(text: str) -> float:
    """Seconds, up to a minute."""
    digits = text.replace(".", "", 1)
    seconds = float(text) if digits.isascii() and digits.isdigit() and len(text) < 20 else -1
    if not 0 <= seconds <= 60:
        raise CliError(f"--delay takes seconds from 0 to 60, such as 0.5, not {short(text)}")
    return seconds


def read_count(option: str, text: str, low: int, high: int) -> int:
    """A whole number between two others."""
    try:
        count = read_number(text)
    except ValueError:
        count = -1
    if not low <= count <= high:
        raise CliError(f"{option} takes a whole number from {low} to {high}, not {short(text)}")
    return count


def check_suffix(option: str, path: str, *suffixes: str) -> None:
    """Refuse a file name whose suffix promises another format than is written; none at all is fine."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix and suffix not in suffixes:
        raise CliError(f"{option} writes {suffixes[0]} files only, not {short(suffix)}")


def read_number_between(option: str, text: str, low: float, high: float) -> float:
    """A number between two others, which need not be whole."""
    digits = text.replace(".", "", 1)
    number = float(text) if digits.isascii() and digits.isdigit() and len(text) < 20 else -1.0
    if not low <= number <= high:
        raise CliError(f"{option} takes a number from {low:g} to {high:g}, not {short(text)}")
    return number


def read_ply(text: str | None, record: Record) -> int:
    """How many moves of a record are meant; without a number, all of them."""
    most = len(record.moves)
    return most if text is None else read_count("--ply", text, 0, most)


def add_force(parser: Parser) -> None:
    """Put --force into a parser."""
    parser.add_argument("--force", action="store_true", help="replace a file that is there already")


def check_target(path: str | None, force: bool) -> None:
    """See that a file can be written, before any work is done for it."""
    if path is not None:
        write_file(path, None, force)


def write_file(path: str, text: str | None, force: bool, *, begins: str = "") -> None:
    """Write a text; without one, only see that it could be written."""
    from numberduels import files

    try:
        if text is None:
            files.check_writable(path, force=force)
        else:
            files.write_text(path, text, begins=begins, force=force)
    except (OSError, ValueError) as fault:
        raise CliError(f"{short(path, 200)} cannot be written: {error_reason(fault)}") from None


def add_game_number(parser: Parser) -> None:
    """Put the choice of a game of a match into a parser."""
    parser.add_argument("--game", metavar="N", help="if FILE is a match: which game of it")


def load_record(path: str, number: str | None = None) -> Record:
    """The record in a file, or the game with this number where the file holds a match."""
    return load_record_and_text(path, number)[0]


def load_record_and_text(path: str, number: str | None = None) -> tuple[Record, str]:
    """The record in a file, and the text of the file."""
    from numberduels import files, record, series
    from numberduels.record import BadRecord

    try:
        text = files.read_text(path, series.LONGEST)
        if not text.removeprefix("\ufeff").startswith(series.HEAD):
            found = [record.read(text)]
        else:
            found = list(series.read(text).played)
            if number is None:
                raise CliError(
                    f"{short(path, 200)} is a match: duel match --resume FILE goes on with it, and"
                    " duel replay and duel review take --game N"
                )
    except BadRecord as fault:
        raise CliError(f"{short(path, 200)}: {fault}") from None
    except (OSError, ValueError) as fault:
        raise CliError(f"{short(path, 200)} cannot be read: {error_reason(fault)}") from None
    index = 1 if number is None else read_count("--game", number, 1, max(len(found), 1))
    if not found:
        raise CliError(f"{short(path, 200)} is a match without a game")
    return found[index - 1], text
