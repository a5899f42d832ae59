"""Who plays, as the command line names it: seats for people and players, options for programs and models."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from numberduels.cli.arguments import read_count, read_number_between, refusing
from numberduels.cli.commands import CliError
from numberduels.cli.progress import ProgressBar
from numberduels.game.contract import HUMAN
from numberduels.game.formatting import short
from numberduels.players.external import BOARDS, DEFAULT_SETTINGS, ExternalSettings

if TYPE_CHECKING:
    from numberduels.cli.argument_parser import Parser
    from numberduels.players import Player

YOU = "you"
"""What the player at this keyboard is called."""

LONGEST_KIND = 30


class SeatSetup(NamedTuple):
    """One seat: a name or "", a kind such as `human` or `mcts:400`, and the computer player if any."""

    name: str = ""
    """The name in the record."""
    kind: str = HUMAN
    player: Player | None = None


Seats = tuple[SeatSetup, SeatSetup]


def with_default_names(seats: Seats) -> Seats:
    """The seats with default names. A match needs names, because its players change seats."""
    kinds = [
        seat.kind if len(seat.kind) <= LONGEST_KIND else f"{seat.kind[: LONGEST_KIND - 1]}…" for seat in seats
    ]
    names = [kind if seat.player else YOU for kind, seat in zip(kinds, seats, strict=True)]
    if names[0] == names[1]:
        names = [f"{kind} {letter}" for kind, letter in zip(kinds, "AB", strict=True)]
    return seats[0]._replace(name=names[0]), seats[1]._replace(name=names[1])


def make_seat(kind: str, name: str = "", settings: ExternalSettings = DEFAULT_SETTINGS) -> SeatSetup:
    """A seat for a human, or for a computer player of this kind."""
    if kind.lower() == HUMAN:
        return SeatSetup(name)
    if not kind.isprintable():
        raise CliError(f"{short(kind, 60)} cannot be printed, and so cannot play")
    from numberduels.players import make_player

    kind = kind if ":" in kind else kind.lower()  # after a colon, capitals may matter
    with refusing():
        return SeatSetup(name, kind, make_player(kind, settings))


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
                with refusing():
                    seat_setup.player.prepare(game, start)


def read_names(text: str) -> tuple[str, str]:
    """Parse two names separated by a comma."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(name.isprintable() and 0 < len(name) <= 40 for name in names):
        raise CliError(f"--names takes two names of up to 40 letters, such as Alice,Bob, not {short(text)}")
    if names[0].casefold() == names[1].casefold():
        raise CliError(f"--names takes two different names, such as Alice,Bob, not {short(text)}")
    return names[0], names[1]


# Programs and language models

SWITCHES = {
    "--no-legal": "do not list the legal moves to models",
    "--answer-only": "no thinking aloud for models",
    "--disguise": "the games under other names and numbers",
}
"""The options without a value."""

LONGEST_FILE = 100_000


def add_external_options(parser: Parser, *, many: bool = False) -> None:
    """Add the options to a parser; those for experiments only where `many` games are played."""
    group = parser.add_argument_group("programs and models")

    def add(flag: str, metavar: str, default: float, about: str) -> None:
        group.add_argument(
            flag, metavar=metavar, default=str(default), help=f"{about} (default: {default:g})"
        )

    add("--seconds", "S", DEFAULT_SETTINGS.seconds, "for a move")
    add("--attempts", "N", DEFAULT_SETTINGS.attempts, "answers for a move")
    group.add_argument(
        "--model-options",
        metavar="FILE",
        default="",
        help="TOML: server, key variable, parameters and prices of each model",
    )
    if not many:
        return
    add("--concurrency", "N", DEFAULT_SETTINGS.concurrency, "questions to models that are open at once")
    group.add_argument(
        "--board",
        metavar="|".join(BOARDS),
        default=BOARDS[0],
        help=f"how models see the position (default: {BOARDS[0]})",
    )
    for flag, about in SWITCHES.items():
        group.add_argument(flag, action="store_true", help=about)


def read_external_settings(parsed: argparse.Namespace) -> ExternalSettings:
    """The settings from the parsed arguments."""
    settings = ExternalSettings(
        seconds=read_number_between("--seconds", parsed.seconds, 0.001, 86_400),
        attempts=read_count("--attempts", parsed.attempts, 1, 100),
        **_model_options(parsed.model_options),
    )
    if not hasattr(parsed, "board"):
        return settings
    if parsed.board not in BOARDS:
        raise CliError(f"--board takes {' or '.join(BOARDS)}, not {short(parsed.board)}")
    return replace(
        settings,
        legal=not parsed.no_legal,
        reasoning=not parsed.answer_only,
        disguise=parsed.disguise,
        concurrency=read_count("--concurrency", parsed.concurrency, 1, 1_000),
        board=parsed.board,
    )


def typed_external_options(parsed: argparse.Namespace) -> tuple[str, ...]:
    """The options that differ from their defaults, as typed, for a command that resumes the game."""
    path = parsed.model_options
    if path:
        from numberduels.game.files import absolute_path

        path = absolute_path(path)
    values = {
        "--seconds": (parsed.seconds, str(DEFAULT_SETTINGS.seconds)),
        "--attempts": (parsed.attempts, str(DEFAULT_SETTINGS.attempts)),
        "--model-options": (path, ""),
    }
    return tuple(part for flag, (text, default) in values.items() if text != default for part in (flag, text))


def _model_options(path: str) -> dict[str, Any]:
    """The options and the prices of models in a file."""
    if not path:
        return {}
    from numberduels.game.files import read_text
    from numberduels.players.model_options import options_for, read_model_options, write_options

    with refusing(f"--model-options {short(path, 200)}"):
        text = read_text(path, LONGEST_FILE)
        if len(text) > LONGEST_FILE:
            raise ValueError(f"it is longer than {LONGEST_FILE:,} characters")
        tables = read_model_options(text.removeprefix("\ufeff"))
    found = {name: options_for(tables, name) for name in tables}
    return {
        "models": tuple((name, write_options(table)) for name, table in found.items()),
        "prices": tuple(
            (name, *map(float, table["price"])) for name, table in found.items() if "price" in table
        ),
    }
