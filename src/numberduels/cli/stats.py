"""`duel stats`: your games, how well you played them, and your puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from numberduels.cli.arguments import add_force, check_suffix, check_target, write_file
from numberduels.cli.console import standard_console
from numberduels.cli.parser import Parser
from numberduels.cli.progress import ProgressBar
from numberduels.game.formatting import csv_text, plural, printable
from numberduels.play.puzzle_log import PuzzleResult, puzzle_rating, read_results, streak
from numberduels.play.statistics import (
    PlayedGame,
    Tally,
    accuracy_over_time,
    csv_rows,
    percent,
    played_games,
    seat_name,
    tally,
)
from numberduels.players import opponent_name

COLUMNS = ("games", "won", "lost", "drawn", "open")
NARROW = 56
"""Below this width each count has a line of its own."""

DAYS = 14
"""The most days of the chart: the newest ones."""

LONGEST_BAR = 40
LONGEST_NAME = 30


def run(arguments: list[str]) -> int:
    """Print the statistics, or write them as CSV."""
    parser = Parser(
        "stats",
        "Your games by game, opponent and seat, how well you played over time, and your puzzles.\n"
        "All of it is computed from the games and logs on this machine.",
    )
    parser.add_argument("--csv", metavar="FILE", help="write every game and every puzzle into this file")
    add_force(parser)
    parsed = parser.parse_args(arguments)
    check_suffix("--csv", parsed.csv or "", ".csv")
    check_target(parsed.csv, parsed.force)
    notes: list[str] = []
    with ProgressBar("judging your games") as bar:
        games = played_games(progress=bar.update, notes=notes)
    puzzles = read_results(notes)
    console = standard_console()
    if parsed.csv is None:
        console.say(format_statistics(games, puzzles, console.width))
    else:
        write_file(parsed.csv, csv_text(csv_rows(games, puzzles)), parsed.force)
        console.say(f"{plural(len(games), 'game')} and {plural(len(puzzles), 'puzzle')} are written.\n")
    for note in notes:
        console.say(f"{printable(note)}\n")
    return 0


def format_statistics(
    games: Sequence[PlayedGame], puzzles: Sequence[PuzzleResult], width: int | None = None
) -> str:
    """The statistics as text for a terminal of this width."""
    parts = [_games(games, width), _accuracy(games, width), _puzzles(puzzles)]
    return "\n".join(part for part in parts if part)


def _games(games: Sequence[PlayedGame], width: int | None) -> str:
    if not games:
        return "You have played no game here yet. To play one: duel play GAME\n"
    keys: dict[str, Callable[[PlayedGame], str]] = {
        "By game": lambda each: each.record.spec.title,
        "By opponent": lambda each: opponent_name(each.opponent)[:LONGEST_NAME],
        "By seat": seat_name,
    }
    tables = {title: tally(games, key) for title, key in keys.items()}
    tables["By seat"].pop("", None)  # two people at this keyboard sat in both
    longest = max(len(name) for table in tables.values() for name in table)
    return "\n".join(
        "".join(_table(title, table, longest, width)) for title, table in tables.items() if table
    )


def _table(title: str, table: dict[str, Tally], longest: int, width: int | None) -> Iterator[str]:
    if width is not None and width < NARROW:
        yield f"{title}\n"
        for name, counts in table.items():
            figures = dict(zip(COLUMNS, _figures(counts), strict=True))
            told = ", ".join(f"{word} {number}" for word, number in figures.items() if number)
            yield f"  {name}: {told}\n"
        return
    yield f"{title:<{longest + 2}}{''.join(f'{word:>7}' for word in COLUMNS)}\n"
    for name, counts in table.items():
        yield f"  {name:<{longest}}{''.join(f'{number:>7}' for number in _figures(counts))}\n"


def _figures(counts: Tally) -> tuple[int, ...]:
    return counts.games, counts.won, counts.lost, counts.drawn, counts.unfinished


def _accuracy(games: Sequence[PlayedGame], width: int | None) -> str:
    days = accuracy_over_time(games)
    if not days:
        return ""
    kept, chances = sum(each.kept for each in games), sum(each.chances for each in games)
    lines = [
        f"Accuracy, day by day (right choices where a wrong one was possible): {percent(kept, chances)} %"
    ]
    room = min((width or 80) - 21, LONGEST_BAR)
    for day, share in days[-DAYS:]:
        filled = share * room // 100
        lines.append(f"  {day or 'unknown':<10}  {'#' * filled}{'.' * (room - filled)}  {share:>3} %")
    return "".join(f"{line}\n" for line in lines)


def _puzzles(puzzles: Sequence[PuzzleResult]) -> str:
    if not puzzles:
        return "You have tried no puzzle here yet. Today's: duel daily\n"
    solved = sum(each.solved for each in puzzles)
    daily = sum(each.solved and each.daily for each in puzzles)
    days = streak(puzzles, date.today())
    return (
        f"Puzzles: {len(puzzles)} tried, {solved} solved, {daily} of them daily ones.\n"
        f"Streak of daily puzzles: {plural(days, 'day')}. Rating: {puzzle_rating(puzzles)}.\n"
    )
