"""`duel dataset`: write positions with the exact value of every move, or whole games as conversations."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.arguments import add_force, read_count, read_seed, refusing
from numberduels.cli.console import error_reason, print_folded
from numberduels.cli.progress import ProgressBar
from numberduels.cli.seats import SWITCHES
from numberduels.game.adopted import allow, is_adopted, split_text
from numberduels.game.formatting import plural, short

if TYPE_CHECKING:
    from numberduels.harness.dataset.writing import Target
    from numberduels.players.external import ExternalSettings

ABOUT = """\
Write a dataset: positions in which a wrong move exists, with the exact value of every move, the best
moves and a reason in words, balanced over difficulty; or, with --trajectories, whole games as
conversations with an exact reward for every move. A datasheet is written beside it."""

GAMES = """\
games: a name and its options, such as range-war:size=12:opening=free or number-snatch:numbers=2+5+7.
The file name decides the format: .parquet (pip install 'numberduels[data]') or .jsonl."""

FORMATS = ("messages", "prompt-completion")

MOST = 100_000
"""The most positions, or trajectories, of one game."""

ABOUT_TRAJECTORIES = (
    ("--trajectories", "PLAYER", None, "games of this player against itself: perfect, expert, skilled, ..."),
    ("--opponent", "PLAYER", None, "the other player (default: the same)"),
    ("--episodes", "N", None, "games to play of each game (default: 100)"),
    ("--opening", "N", None, "first moves that are drawn, where nothing is dealt (default: 2)"),
    ("--format", "FORMAT", None, f"{' or '.join(FORMATS)} (default: {FORMATS[0]})"),
)


def run(arguments: list[str]) -> int:
    """Write a dataset."""
    parsed = _parser().parse_args(arguments)
    games = _games(parsed.games)
    read_seed(parsed.seed)
    target = _target(parsed)
    settings = _settings(parsed, games)
    if parsed.trajectories is None:
        _refuse(
            parsed, "is about --trajectories PLAYER", "opponent", "episodes", "opening", "format", "explain"
        )
        told = _write_positions(parsed, target, games, settings)
    else:
        _refuse(parsed, "is about positions: leave out --trajectories", "positions", "splits")
        told = _write_trajectories(parsed, target, games, settings)
    names = " and ".join(os.path.basename(path) for path in target.files.values())
    print_folded(f"{told} in {names}; {os.path.basename(target.datasheet)} says how they were made.\n")
    return 0


def _parser() -> Parser:
    parser = Parser("dataset", ABOUT, GAMES)
    parser.add_argument(
        "games", metavar="GAME", nargs="*", help="which games (default: all, as in the books)"
    )
    parser.add_argument("--out", metavar="FILE", required=True, help="a .parquet or .jsonl file")
    parser.add_argument("--positions", metavar="N", help="positions of each game (default: 1000)")
    parser.add_argument(
        "--seed", metavar="S", default="0", help="the same seed gives the same file (default: 0)"
    )
    parser.add_argument(
        "--splits", metavar="LIST", help="one file for each split, such as train=0.8,test=0.2"
    )
    add_force(parser)
    group = parser.add_argument_group("games as conversations")
    for flag, metavar, default, about in ABOUT_TRAJECTORIES:
        group.add_argument(flag, metavar=metavar, default=default, help=about)
    group.add_argument("--explain", action="store_true", help="the assistant says why before its move")
    group = parser.add_argument_group("prompts")
    for flag, about in SWITCHES.items():
        group.add_argument(flag, action="store_true", help=about)
    return parser


def _refuse(parsed: argparse.Namespace, why: str, *names: str) -> None:
    for name in names:
        if getattr(parsed, name) not in (None, False):
            raise CliError(f"--{name} {why}")


def _games(texts: list[str]) -> dict[str, Any]:
    """The games by their full text."""
    from numberduels.game import registry

    games: dict[str, Any] = {}
    for text in texts or registry.names():
        if is_adopted(text):
            allow(split_text(text)[0])
        with refusing("", registry.UnknownGame):
            name, game = registry.read_game(text)
        if name in games:
            raise CliError(f"the game {short(name, 80)} is named twice")
        games[name] = game
    return games


def _target(parsed: argparse.Namespace) -> Target:
    """Where the dataset goes, checked before the work."""
    from numberduels.game.files import absolute_path
    from numberduels.harness.dataset.positions import WHOLE, read_splits
    from numberduels.harness.dataset.writing import Target

    with refusing():
        splits = WHOLE if parsed.splits is None else read_splits(parsed.splits)
    target = Target(absolute_path(parsed.out), splits, parsed.force)
    with refusing(f"{short(parsed.out, 200)} cannot be written"):
        target.check()
    return target


def _settings(parsed: argparse.Namespace, games: dict[str, Any]) -> ExternalSettings:
    """The settings of the prompts; CliError if a game has no disguise."""
    from numberduels.harness.dataset.positions import ShownGame
    from numberduels.players.external import ExternalSettings

    settings = ExternalSettings(
        legal=not parsed.no_legal, reasoning=not parsed.answer_only, disguise=parsed.disguise
    )
    with refusing():
        for game in games.values():
            ShownGame(game, settings)
    return settings


def _command(parsed: argparse.Namespace, games: dict[str, Any], **values: str | None) -> str:
    """The command that makes the same dataset, for the datasheet; the folder does not matter."""
    import shlex

    parts = ["duel", "dataset", *games]
    for flag, value in {**values, "seed": parsed.seed, "splits": parsed.splits}.items():
        parts += [f"--{flag}", value] if value is not None else []
    switches = (*SWITCHES, "--explain")
    parts += [flag for flag in switches if getattr(parsed, flag.strip("-").replace("-", "_"))]
    return shlex.join([*parts, "--out", os.path.basename(parsed.out)])


@contextmanager
def _writing(parsed: argparse.Namespace, about: str, unit: str) -> Iterator[ProgressBar]:
    """Show the progress, and tell a fault in one line."""
    with ProgressBar(about, unit) as bar:
        try:
            yield bar
        except ValueError as fault:
            raise CliError(str(fault)) from None
        except OSError as fault:
            raise CliError(f"{short(parsed.out, 200)} cannot be written: {error_reason(fault)}") from None
        except KeyboardInterrupt:
            with bar.printing():
                print("Stopped: nothing was written.", file=sys.stderr, flush=True)
            raise


def _write_positions(
    parsed: argparse.Namespace, target: Target, games: dict[str, Any], settings: ExternalSettings
) -> str:
    """Write positions; returns how many."""
    from numberduels.harness.dataset.writing import write_positions

    count = read_count("--positions", parsed.positions or "1000", 1, MOST)
    command = _command(parsed, games, positions=str(count))
    with _writing(parsed, "looking for positions", "positions") as bar:
        found = write_positions(
            target, games, count, parsed.seed, command=command, settings=settings, progress=bar.update
        )
    for text, number in found.items():
        if number < count:
            print(
                f"{text}: only {plural(number, 'position')} in which a wrong move exists"
                f" {'was' if number == 1 else 'were'} found.",
                file=sys.stderr,
            )
    return plural(sum(found.values()), "position")


def _write_trajectories(
    parsed: argparse.Namespace, target: Target, games: dict[str, Any], settings: ExternalSettings
) -> str:
    """Write games as conversations; returns how many rows."""
    from numberduels.harness.dataset.trajectories import TrajectoryPlan
    from numberduels.harness.dataset.writing import write_trajectories
    from numberduels.players import allowed_in_files, make_player

    form = parsed.format or FORMATS[0]
    if form not in FORMATS:
        raise CliError(f"--format takes {' or '.join(FORMATS)}, not {short(form)}")
    count = read_count("--episodes", parsed.episodes or "100", 1, MOST)
    opening = read_count("--opening", parsed.opening or "2", 0, 20)
    kinds = parsed.trajectories, parsed.opponent or parsed.trajectories
    for kind in kinds:
        if not allowed_in_files(kind) or kind.lower() == "human":
            raise CliError(
                f"--trajectories takes built-in players, such as perfect or mcts:400, not {short(kind)}"
            )
    with refusing():
        players = make_player(kinds[0].lower()), make_player(kinds[1].lower())
    plan = TrajectoryPlan(players, opening, parsed.explain, settings)
    command = _command(
        parsed,
        games,
        trajectories=parsed.trajectories,
        opponent=parsed.opponent,
        episodes=str(count),
        opening=str(opening),
        format=form,
    )
    with _writing(parsed, "playing", "games") as bar:
        found = write_trajectories(
            target, games, count, parsed.seed, plan, form, command=command, progress=bar.update
        )
    return plural(sum(found.values()), "row")
