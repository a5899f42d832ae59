"""The file of puzzles is data: it is checked when it is read, and damaged lines are skipped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from numberduels.analysis.puzzles import NoPuzzle, find_puzzle, puzzle_levels
from numberduels.analysis.puzzles.selection import (
    FILE,
    format_entry,
    parse_entry,
    puzzle_of,
    read_cache,
)
from numberduels.game import registry
from numberduels.game.spec import GameSpec
from tables import table

from .shipped import FIVE, shipped

GOOD: dict[str, Any] = {
    "kind": "only-move",
    "level": 1,
    "depth": 3,
    "options": {"size": "10", "target": "42"},
    "positions": [[]],
    "answer": "6",
}


def line(**changes: Any) -> str:
    return json.dumps(GOOD | changes)


@table("name", FIVE)
def test_a_puzzle_is_read_as_it_was_written(name: str) -> None:
    for puzzle in shipped(name, 9):
        entry = parse_entry(format_entry(puzzle))
        assert entry and puzzle_of(puzzle.spec, entry, "t") == puzzle


BAD: dict[str, list[Any]] = {
    "kind": ["eval", ["only-move"], {}],
    "level": [0, 6, "1", True, 1e99],
    "depth": [0, 10**9, None],
    "options": [[], {"size": 10}, {"size": "9" * 500}],
    "positions": [[], [[], []], "ab", ["12"], [[1, 2]], [["1"] * 300]],
    "answer": [6, "6" * 5_000, None],
}
NO_ENTRIES = ("", "[]", "null", "7", '"only-move"', "{", "[" * 3_000, "{}", "\x00" * 40)


@table("text", [*NO_ENTRIES, *(line(**{name: value}) for name in BAD for value in BAD[name])])
def test_a_line_that_is_not_of_the_right_form_is_skipped(text: str) -> None:
    assert parse_entry(text) is None


@table(
    "changes",
    [
        {"options": {"size": "0"}},
        {"options": {"size": "ten"}},
        {"options": {"length": "10"}},
        {"options": {"__class__": "10"}},
        {"positions": [["1", "1"]]},
        {"positions": [["11"]]},
        {"positions": [["import os"]]},
        {"answer": "11"},
        {"answer": "A"},
        {"answer": ""},
        {"options": {"size": "3", "target": "6"}, "positions": [["1", "2", "3"]]},
        {"kind": "margin"},
        {"kind": "which-position", "positions": [[], ["99"]], "answer": "A"},
    ],
)
def test_a_line_that_does_not_fit_the_rules_is_no_puzzle(changes: dict[str, Any]) -> None:
    entry = parse_entry(line(**changes))
    assert entry is not None
    assert puzzle_of(registry.spec("summation-duel"), entry) is None


def test_a_deal_that_is_missing_is_no_puzzle() -> None:
    entry = parse_entry(line(options={"size": "5"}, kind="margin"))
    assert entry and puzzle_of(registry.spec("number-snatch"), entry) is None


@pytest.fixture
def file_of_puzzles(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The lines of Summation Duel's file, to be filled by the test."""
    lines: list[str] = []
    resource = GameSpec.resource

    def read(self: GameSpec, name: str) -> str | None:
        return "\n".join(lines) if name == FILE else resource(self, name)

    monkeypatch.setattr(GameSpec, "resource", read)
    read_cache.cache_clear()
    yield lines
    read_cache.cache_clear()


def test_damaged_lines_do_not_hide_the_good_ones(file_of_puzzles: list[str]) -> None:
    file_of_puzzles += ["{", line(options={"size": "0"}), line(answer="99"), line(), "\x00"]
    for seed in range(9):
        assert find_puzzle("summation-duel", 1, str(seed)).answer == "6"
    assert puzzle_levels(registry.spec("summation-duel")) == (1,)


def test_a_level_that_is_not_in_the_file_is_refused_in_one_sentence(file_of_puzzles: list[str]) -> None:
    file_of_puzzles += [line(), line(level=3)]
    with pytest.raises(NoPuzzle, match=r"^Summation Duel has no puzzles of level 2: choose one of 1, 3$"):
        find_puzzle("summation-duel", 2, "x")


def test_without_a_file_puzzles_are_made(file_of_puzzles: list[str]) -> None:
    puzzle = find_puzzle("summation-duel", 1, "x")
    assert not file_of_puzzles and puzzle.level == 1
    assert puzzle.solve(puzzle.oracle) == puzzle.answer
    assert puzzle == find_puzzle("summation-duel", 1, "x")
