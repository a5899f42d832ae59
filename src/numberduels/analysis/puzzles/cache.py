"""The file of puzzles of a game: one puzzle in each line, as JSON.

    {"kind": "only-move", "level": 2, "depth": 5, "options": {"size": "14"}, "positions": [["3", "9"]],
     "answer": "6"}

Options and moves are written as in records. The file is data: nothing in it is executed, and a line that is
damaged or does not fit the rules is skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from numberduels.analysis.puzzles.kinds import KINDS
from numberduels.analysis.puzzles.model import LEVELS, Puzzle
from numberduels.analysis.puzzles.position_kind import WhichPosition
from numberduels.game import options
from numberduels.game.contract import has_fixed_start
from numberduels.game.spec import GameSpec

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
