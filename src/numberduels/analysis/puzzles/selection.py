"""find_puzzle(), daily_puzzle() and puzzle_levels(): the puzzle of a seed, of a day, and what there is.

Seeds walk through the puzzles of a level: `5`, `6`, `7` and `x`, `x.2`, `x.3` do not repeat a puzzle before
all of the level have come. The seed of a daily puzzle is its day, such as `2026-11-17`.

The puzzles of a game are in a file, one in each line, as JSON:

    {"kind": "only-move", "level": 2, "depth": 5, "options": {"size": "14"}, "positions": [["3", "9"]],
     "answer": "6"}

Options and moves are written as in records. The file is data: nothing in it is executed, and a line that is
damaged or does not fit the rules is skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from numberduels.analysis.puzzles.generation import NoPuzzle, generate_puzzle
from numberduels.analysis.puzzles.kinds import KINDS
from numberduels.analysis.puzzles.model import LEVELS, Puzzle
from numberduels.analysis.puzzles.move_puzzles import WhichPosition
from numberduels.game import options, registry
from numberduels.game.contract import has_fixed_start
from numberduels.game.spec import GameSpec

WEEK = (1, 1, 2, 2, 3, 3, 4)
"""The level of the daily puzzle, from Monday to Sunday."""

NUMBERED = re.compile(r"(.*)\.(\d{1,9})")
"""A seed that continues a series, such as x.2."""

COUNTED = re.compile(r"(.*?)(\d{0,9})")
"""A seed and the number at its end."""

DAY = re.compile(r"\d{4}-\d\d-\d\d")

DAILY_WALK = "the day"
"""The name of the walk of daily puzzles. It has a blank, so that no address of a puzzle names it."""


def find_puzzle(spec: GameSpec | str, level: int = 1, seed: str = "") -> Puzzle:
    """The puzzle of this level and seed; NoPuzzle if the game has none of that level."""
    options.check_whole("level", level, LEVELS[0], LEVELS[-1])
    spec = registry.spec(spec) if isinstance(spec, str) else spec
    cache = read_cache(spec)
    entries = cache.get(level, ())
    for index in _walk(seed, len(entries)):
        puzzle = puzzle_of(spec, entries[index], seed)
        if puzzle:
            return puzzle
    if cache:
        there = ", ".join(map(str, cache))
        raise NoPuzzle(f"{spec.title} has no puzzles of level {level}: choose one of {there}")
    return generate_puzzle(spec, level, seed)


def _walk(seed: str, count: int) -> list[int]:
    """The order in which the puzzles of a level are tried for a seed."""
    if not count:
        return []
    name, steps = _split(seed)
    order = list(range(count))
    Random(f"{name} walk").shuffle(order)
    first = steps % count
    return order[first:] + order[:first]


def _split(seed: str) -> tuple[str, int]:
    """A seed as the name of a walk and the steps in it.

    >>> _split("7"), _split("7.2"), _split("x"), _split("x.3")
    (('', 7), ('', 8), ('x', 0), ('x', 2))
    """
    day = day_of(seed)
    if day:
        # The days of a week that have the same level follow each other.
        week, weekday = divmod(day.toordinal() - 1, 7)
        return DAILY_WALK, 2 * week + weekday % 2
    more = 0
    if numbered := NUMBERED.fullmatch(seed):
        seed, more = numbered[1], int(numbered[2]) - 1
    counted = COUNTED.fullmatch(seed)
    if counted is None:  # a seed with a line break
        return seed, more
    return counted[1], int(counted[2] or 0) + more


def day_of(seed: str) -> date | None:
    """The day whose daily puzzle has this seed; None for any other seed."""
    try:
        return date.fromisoformat(seed) if DAY.fullmatch(seed) else None
    except ValueError:
        return None


def next_seed(seed: str) -> str:
    """The seed after this one in a series of puzzles.

    >>> next_seed("x"), next_seed("x.2")
    ('x.2', 'x.3')
    """
    numbered = NUMBERED.fullmatch(seed)
    return f"{numbered[1]}.{int(numbered[2]) + 1}" if numbered else f"{seed}.2"


def puzzle_levels(spec: GameSpec) -> tuple[int, ...]:
    """The levels that a game has puzzles of; of a game without a file of puzzles, all that may be found."""
    return tuple(read_cache(spec)) or tuple(LEVELS)


def daily_level(spec: GameSpec, day: date) -> int:
    """The level of a game's puzzle of the day: that of the weekday, or the nearest that the game has."""
    wanted = WEEK[day.weekday()]
    return min(puzzle_levels(spec), key=lambda level: (abs(level - wanted), level))


def daily_puzzle(spec: GameSpec, day: date) -> Puzzle | None:
    """The puzzle of a day, the same for everybody with this version; None if the game has none."""
    try:
        return find_puzzle(spec, daily_level(spec, day), day.isoformat())
    except NoPuzzle:
        return None


FILE = "puzzles.jsonl"

LONGEST_LINE = 4_000
"""Characters of a line; longer ones are skipped."""

LONGEST_TEXT = 200
"""Characters of a text in a line."""

MOST_MOVES = 200
"""Moves to a position."""

LARGEST_DEPTH = 1_000


class Entry(NamedTuple):
    """One line of the file, checked for its form only."""

    kind: str
    level: int
    depth: int
    options: tuple[tuple[str, str], ...]
    positions: tuple[tuple[str, ...], ...]
    answer: str


@lru_cache(maxsize=32)
def read_cache(spec: GameSpec) -> dict[int, tuple[Entry, ...]]:
    """The puzzles of a game by level, in the order of the file; empty if it has no file."""
    text = spec.resource(FILE) or ""
    found: dict[int, list[Entry]] = {}
    for line in text.splitlines():
        entry = parse_entry(line)
        if entry:
            found.setdefault(entry.level, []).append(entry)
    return {level: tuple(found[level]) for level in sorted(found)}


def parse_entry(line: str) -> Entry | None:
    """The entry in a line; None if the line is not of the right form.

    >>> parse_entry('{"kind": "only-move"}')
    """
    if len(line) > LONGEST_LINE:
        return None
    try:
        value = json.loads(line)
        entry = Entry(
            value["kind"],
            value["level"],
            value["depth"],
            tuple((_text(name), _text(text)) for name, text in value["options"].items()),
            tuple(tuple(_text(move) for move in _list(moves)) for moves in _list(value["positions"])),
            _text(value["answer"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    tables = 2 if entry.kind == WhichPosition.kind else 1
    fits = (
        isinstance(entry.kind, str)
        and entry.kind in KINDS
        and type(entry.level) is int
        and entry.level in LEVELS
        and type(entry.depth) is int
        and 0 < entry.depth <= LARGEST_DEPTH
        and len(entry.positions) == tables
        and all(len(moves) <= MOST_MOVES for moves in entry.positions)
    )
    return entry if fits else None


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise ValueError("not a short text")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def puzzle_of(spec: GameSpec, entry: Entry, seed: str = "") -> Puzzle | None:
    """The puzzle that an entry means; None if it does not fit the rules of the game."""
    try:
        game = spec.make(dict(entry.options))
        if not has_fixed_start(game):
            return None
        parse_move = spec.text_for(game).parse_move
        positions = tuple(tuple(map(parse_move, moves)) for moves in entry.positions)
        puzzle = KINDS[entry.kind](spec, game, positions, entry.answer, entry.level, entry.depth, seed)
        over = any(table.outcome for table in puzzle.tables)
        return None if over or entry.answer not in puzzle.answers else puzzle
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return None


def format_entry(puzzle: Puzzle) -> str:
    """The line of a puzzle."""
    format_move = puzzle.game_text.format_move
    value = {
        "kind": puzzle.kind,
        "level": puzzle.level,
        "depth": puzzle.depth,
        "options": {name: text for name, text in options.format_options(puzzle.game).items() if text},
        "positions": [[format_move(move) for move in moves] for moves in puzzle.positions],
        "answer": puzzle.answer,
    }
    return json.dumps(value, ensure_ascii=True)


def format_cache(puzzles: Iterable[Puzzle]) -> str:
    """The content of the file."""
    return "".join(f"{format_entry(each)}\n" for each in puzzles)
