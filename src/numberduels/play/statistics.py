"""Statistics: games by game, opponent and seat, accuracy over time, puzzles, lessons; from the saved files.

How well a game was played is computed once, within a limit of positions, and cached by a hash of its record.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from hashlib import sha256
from typing import Any

from numberduels.game import files, options, record, registry
from numberduels.game.board_text import Line, Segment, wrap_sentence
from numberduels.game.contract import HUMAN, OTHER, ProgressCallback, Seat
from numberduels.game.formatting import plural
from numberduels.game.record import UNKNOWN_DATE, Record
from numberduels.play.game_in_progress import person_of
from numberduels.play.lessons import done
from numberduels.play.puzzles import PuzzleResult, puzzle_rating, read_results, streak
from numberduels.play.saved_games import SavedGame, UnopenedGame, listed
from numberduels.play.storage import append_line, read_lines
from numberduels.players import opponent_name

POSITION_LIMIT = 20_000
"""The most positions that judging one game may solve; earlier moves of a larger game are not judged."""

JUDGED_GAMES = 300
"""The most games that are judged: the newest ones."""

CACHE = "accuracy.jsonl"
METHOD = f"1/{POSITION_LIMIT}"
"""How games are judged; with another method the cached figures are not used."""

WON, LOST, DRAWN, UNFINISHED = "won", "lost", "drawn", "unfinished"
RESULTS = (WON, LOST, DRAWN, UNFINISHED)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One kept game, as the statistics count it."""

    record: Record
    seat: Seat | None
    """Where the player sat; None if two people played at this keyboard."""
    kept: int = 0
    """Right choices where a wrong one was possible."""
    chances: int = 0
    """Choices where a wrong one was possible; 0 if none was judged."""

    @property
    def day(self) -> str:
        """The day on which it was begun, such as 2026-11-16; empty if unknown."""
        return "" if self.record.date == UNKNOWN_DATE else self.record.date.replace(".", "-")

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.record.spec.name

    @property
    def opponent(self) -> str:
        """Who played against the player: human, or a computer player."""
        return HUMAN if self.seat is None else self.record.seats[OTHER[self.seat]]

    @property
    def result(self) -> str:
        """won, lost, drawn or unfinished; empty for a finished game between two people at this keyboard."""
        result = self.record.result
        if result == record.UNFINISHED:
            return UNFINISHED
        if result == "1/2-1/2":
            return DRAWN
        if self.seat is None:
            return ""
        return WON if (result == "1-0") == (self.seat == 0) else LOST

    @property
    def accuracy(self) -> int | None:
        """The right choices in percent; None if no choice was judged."""
        return percent(self.kept, self.chances)


def percent(kept: int, chances: int) -> int | None:
    """A share in percent, rounded down, so that 100 means no mistake; None without a chance."""
    return 100 * kept // chances if chances else None


def played_games(
    *, judged: bool = True, progress: ProgressCallback | None = None, notes: list[str] | None = None
) -> list[PlayedGame]:
    """Every kept game in which a person played, also those of matches, oldest first.

    With `judged`, finished games have an accuracy. Computing it may take a while the first time.
    """
    found: list[Record] = []
    unopened = 0
    for each in reversed(listed(notes=notes)):
        if isinstance(each, UnopenedGame):
            unopened += 1
        else:
            found += [each.record] if isinstance(each, SavedGame) else each.series.played
    if unopened and notes is not None:
        verb = "is" if unopened == 1 else "are"
        notes.append(f"Note: {plural(unopened, 'file')} with games of other libraries {verb} left out.")
    games = [PlayedGame(each, person_of(each.seats)) for each in found if HUMAN in each.seats]
    return _judged(games, progress) if judged else games


def _judged(games: Sequence[PlayedGame], progress: ProgressCallback | None) -> list[PlayedGame]:
    """The games with their accuracy, as far as it is cached or can be computed."""
    waiting = [each for each in games if each.seat is not None and each.result != UNFINISHED]
    waiting = waiting[-JUDGED_GAMES:]
    cached = _cached_figures()
    figures: dict[int, tuple[int, int]] = {}
    for number, each in enumerate(waiting):
        if progress:
            progress(number, len(waiting))
        assert each.seat is not None, "only games with one person are judged"
        kept = cached.get(_hash(each.record)) or _compute_figures(each.record)
        figures[id(each)] = kept[2 * each.seat], kept[2 * each.seat + 1]
    return [PlayedGame(each.record, each.seat, *figures.get(id(each), (0, 0))) for each in games]


Figures = tuple[int, int, int, int]
"""Right choices and chances of both seats."""


def _cached_figures() -> dict[str, Figures]:
    """The figures of games that were judged before, by a hash of their records."""
    found: dict[str, Figures] = {}
    for value in read_lines(os.path.join(files.data_folder(), CACHE)):
        figures = _sound(value.get("figures"))
        if figures and value.get("method") == METHOD and isinstance(value.get("record"), str):
            found[value["record"]] = figures
    return found


def _compute_figures(game: Record) -> Figures:
    """Judge a game, and keep the figures."""
    from numberduels.analysis.review import review_game

    first, second = review_game(game, oracle=_oracle(game.game), reasons=False).accuracy
    figures = first.kept, first.chances, second.kept, second.chances
    with suppress(OSError):  # then it is computed again the next time
        path = os.path.join(files.data_folder(), CACHE)
        append_line(path, {"record": _hash(game), "method": METHOD, "figures": figures})
    return figures


@lru_cache(1)
def _oracle(game: Any) -> Any:
    from numberduels.solvers import make_oracle

    return make_oracle(game, POSITION_LIMIT)


def _hash(game: Record) -> str:
    return sha256(record.write(game).encode()).hexdigest()


def _sound(value: Any) -> Figures | None:
    """The cached figures; None if they cannot be the accuracy of a game."""
    if not isinstance(value, list) or len(value) != 4:
        return None
    if not all(type(each) is int and 0 <= each <= 1_000_000 for each in value):
        return None
    right, choices, others_right, others_choices = value
    if right > choices or others_right > others_choices:
        return None
    return right, choices, others_right, others_choices


@dataclass(slots=True)
class Tally:
    """How many games were won, lost, drawn and left unfinished."""

    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    unfinished: int = 0


def tally(games: Iterable[PlayedGame], key: Callable[[PlayedGame], str]) -> dict[str, Tally]:
    """The games counted by a key, in the order of their first appearance."""
    found: dict[str, Tally] = {}
    for each in games:
        counted = found.setdefault(key(each), Tally())
        counted.games += 1
        if each.result:
            setattr(counted, each.result, getattr(counted, each.result) + 1)
    return found


SEATS = ("moving first", "moving second")


def accuracy_over_time(games: Iterable[PlayedGame]) -> list[tuple[str, int]]:
    """For each day with judged choices, oldest first: the right choices in percent."""
    days: dict[str, list[int]] = {}
    for each in games:
        if each.chances:
            figures = days.setdefault(each.day, [0, 0])
            figures[0] += each.kept
            figures[1] += each.chances
    return [(day, 100 * kept // chances) for day, (kept, chances) in sorted(days.items())]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Everything that is counted about the player, as plain data."""

    by_game: dict[str, Tally]
    by_opponent: dict[str, Tally]
    by_seat: dict[str, Tally]
    accuracy: int | None
    """The right choices of all judged games in percent; None if there were none."""
    accuracy_by_day: list[tuple[str, int]]
    """Oldest first."""
    puzzles_solved: int
    puzzles_tried: int
    streak: int
    rating: int
    lessons: dict[str, tuple[int, int]]
    """By the title of the game: lessons done, and how many there are."""
    notes: list[str]
    """What could not be read."""

    @property
    def empty(self) -> bool:
        """Whether nothing was played, solved or learned yet."""
        lessons_done = any(done for done, _ in self.lessons.values())
        return not self.by_game and not self.puzzles_tried and not lessons_done


def collect(today: date, progress: ProgressCallback | None = None) -> Statistics:
    """Read everything that is kept on this machine, and judge the games that are not judged yet."""
    from numberduels.analysis.lessons import lessons_of

    notes: list[str] = []
    games = played_games(progress=progress, notes=notes)
    results = read_results(notes)
    alone = [each for each in games if each.seat is not None]
    return Statistics(
        by_game=tally(games, lambda each: each.record.spec.title),
        by_opponent=tally(games, lambda each: opponent_name(each.opponent)),
        by_seat=tally(alone, lambda each: SEATS[each.seat or 0]),
        accuracy=percent(sum(each.kept for each in games), sum(each.chances for each in games)),
        accuracy_by_day=accuracy_over_time(games),
        puzzles_solved=sum(each.solved for each in results),
        puzzles_tried=len(results),
        streak=streak(results, today),
        rating=puzzle_rating(results),
        lessons={spec.title: (len(done(spec.name)), len(lessons_of(spec))) for spec in registry.specs()},
        notes=notes,
    )


CSV_COLUMNS = (
    "kind",
    "day",
    "game",
    "options",
    "opponent",
    "seat",
    "result",
    "moves",
    "right_choices",
    "choices",
    "accuracy_percent",
    "level",
    "seed",
    "daily",
    "tries",
    "hints",
)
"""The columns of the CSV file. A row is a game or a puzzle."""


def csv_rows(games: Iterable[PlayedGame], puzzles: Iterable[PuzzleResult]) -> Iterator[list[str]]:
    """The rows of the CSV file, the head first."""
    yield list(CSV_COLUMNS)
    for game in games:
        texts = options.format_options(game.record.game).items()
        seat = "" if game.seat is None else str(game.seat + 1)
        accuracy = "" if game.accuracy is None else str(game.accuracy)
        figures = [str(len(game.record.moves)), str(game.kept), str(game.chances), accuracy]
        options_text = " ".join(f"{name}={text}" for name, text in texts)
        yield [
            *("game", game.day, game.game, options_text, game.opponent, seat, game.result),
            *figures,
            *("", game.record.seed, "", "", ""),
        ]
    for each in puzzles:
        result = "solved" if each.solved else "not solved"
        daily = "yes" if each.daily else "no"
        yield [
            *("puzzle", each.day.isoformat(), each.game, "", "", "", result, "", "", "", ""),
            *(str(each.level), each.seed, daily, str(each.tries), str(each.hints)),
        ]


# In words

DAYS = 8
"""The most days that have a bar of their own: the newest ones."""
LONGEST_BAR = 40
LEVELS = "▁▂▃▄▅▆▇█"

COLUMNS = {"games": "games", "won": "won", "lost": "lost", "drawn": "drawn", "unfinished": "open"}
"""The counts of a table, and their headings."""

EMPTY = (
    "Nothing here yet. Play a game, solve a puzzle or take a lesson,"
    " and this page tells you how well you are doing."
)


def statistics_lines(statistics: Statistics, width: int, *, plain: bool = False) -> Iterator[Line]:
    """Tables of games, the accuracy over time, puzzles and lessons; `plain` is for every terminal."""
    if statistics.empty:
        yield from wrap_sentence(EMPTY, width)
    tables = {
        "Games": statistics.by_game,
        "Opponents": statistics.by_opponent,
        "Your seat": statistics.by_seat,
    }
    longest = max(len(name) for title, rows in tables.items() for name in (title, *rows))
    for title, rows in tables.items():
        if rows:
            yield from _table(title, rows, longest, width)
            yield ()
    if statistics.accuracy_by_day:
        yield from _accuracy(statistics, width, plain=plain)
        yield ()
    if statistics.puzzles_tried:
        yield from _puzzles(statistics, width)
        yield ()
    if any(done for done, _ in statistics.lessons.values()):
        yield (Segment("Lessons done", "heading"),)
        for title, (done, total) in statistics.lessons.items():
            yield (Segment(f"{title}: {done} of {total}", "strong" if done >= total else ""),)
        yield ()
    for note in statistics.notes:
        yield from wrap_sentence(note, width)


def _table(title: str, rows: Mapping[str, Tally], longest: int, width: int) -> Iterator[Line]:
    """Counts by name; columns without any count are left out."""
    shown = [
        column
        for column in COLUMNS
        if column in ("games", "won", "lost") or any(getattr(each, column) for each in rows.values())
    ]
    wide = {column: len(COLUMNS[column]) + 1 for column in shown}
    room = max(min(longest, width - sum(wide.values())), 6)
    head = "".join(f"{COLUMNS[column]:>{wide[column]}}" for column in shown)
    yield Segment(_cut(title, room), "heading"), Segment(" " * (room - len(_cut(title, room))) + head)
    for name, counted in rows.items():
        figures = "".join(f"{getattr(counted, column):>{wide[column]}}" for column in shown)
        yield Segment(f"{_cut(name, room):<{room}}", "strong"), Segment(figures)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _accuracy(statistics: Statistics, width: int, *, plain: bool) -> Iterator[Line]:
    days = statistics.accuracy_by_day
    yield (Segment("Right choices", "heading"), Segment(f"  {statistics.accuracy}% in all"))
    if len(days) > DAYS and not plain:
        course = "".join(LEVELS[min(share * len(LEVELS) // 100, len(LEVELS) - 1)] for _, share in days)
        room = width - len("all days ")
        yield Segment("all days "), Segment(course[-room:], "code")
    for day, share in days[-DAYS:]:
        name = day or "no date"
        room = min(width - len(f"{name:<10}  100%"), LONGEST_BAR)
        filled = round(room * share / 100)
        yield (
            Segment(f"{name:<10} "),
            Segment(("#" if plain else "█") * filled, "code"),
            Segment(f"{('.' if plain else '·') * (room - filled)} {share:>3}%"),
        )
    yield from wrap_sentence("Only turns where you could go wrong count.", width, "emphasis")


def _puzzles(statistics: Statistics, width: int) -> Iterator[Line]:
    yield (Segment("Puzzles", "heading"),)
    yield from wrap_sentence(f"{statistics.puzzles_solved} of {statistics.puzzles_tried} solved", width)
    yield from wrap_sentence(f"streak of daily puzzles: {plural(statistics.streak, 'day')}", width)
    yield from wrap_sentence(f"rating: {statistics.rating}", width)
