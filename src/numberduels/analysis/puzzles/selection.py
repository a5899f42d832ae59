"""find_puzzle(), daily_puzzle() and puzzle_levels(): the puzzle of a seed, of a day, and what there is.

Seeds walk through the puzzles of a level: `5`, `6`, `7` and `x`, `x.2`, `x.3` do not repeat a puzzle before
all of the level have come. The seed of a daily puzzle is its day, such as `2026-11-17`.
"""

from __future__ import annotations

import re
from datetime import date
from random import Random

from numberduels.analysis.puzzles.cache import puzzle_of, read_cache
from numberduels.analysis.puzzles.generation import NoPuzzle, generate_puzzle
from numberduels.analysis.puzzles.model import LEVELS, Puzzle
from numberduels.game import options, registry
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
