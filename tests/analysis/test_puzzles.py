"""Puzzles: what every puzzle can do, which one a seed gives, and that the answers are right."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date, timedelta
from typing import Any

import pytest

from numberduels.analysis.puzzles import (
    LEVELS,
    NoPuzzle,
    Puzzle,
    daily_puzzle,
    find_puzzle,
    next_seed,
)
from numberduels.analysis.puzzles.selection import read_cache
from numberduels.game import registry
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.spec import GameSpec
from numberduels.games import template
from numberduels.games.template.rules import LastCounter
from tables import table

from .shipped import FIVE, shipped

every_game = table("name", FIVE)


def one_of_each_kind(name: str) -> list[Puzzle]:
    """The first puzzle of each kind and level."""
    found = {(puzzle.kind, puzzle.level): puzzle for puzzle in reversed(shipped(name))}
    return list(found.values())


# What every puzzle can do


@every_game
def test_every_answer_is_read_and_only_one_is_right(name: str) -> None:
    for puzzle in one_of_each_kind(name):
        right = [answer for answer in puzzle.answers if puzzle.is_right(puzzle.parse(answer))]
        assert right == [puzzle.answer]
        if puzzle.asks_for == "move":
            for move in puzzle.table.moves:
                assert puzzle.parse(puzzle.game_text.typed(move)) == puzzle.game_text.format_move(move)
        else:
            assert puzzle.parse(f" {puzzle.answer.lower()} ") == puzzle.answer
        for text in ("", "?", "A B", "-1", "99999", "9" * 400, "\x00", "1@"):
            with pytest.raises((Unreadable, IllegalMove)) as refused:
                puzzle.parse(text)
            assert "\n" not in str(refused.value)


@every_game
def test_hints_give_no_answer_away_and_rule_out_no_right_one(name: str) -> None:
    for puzzle in one_of_each_kind(name):
        if puzzle.asks_for == "move":
            last = puzzle.hints[-1]
            assert puzzle.game_text.spoken(puzzle.game_text.parse_move(puzzle.answer)) in (
                last.values["one"],
                last.values["other"],
            )
        elif puzzle.asks_for == "number":
            values = puzzle.hints[-1].values
            assert values["low"] <= int(puzzle.answer) <= values["high"]


# The same seed, the same puzzle

MAKE = """
from numberduels.analysis.puzzles import find_puzzle
for name in ("range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"):
    for level in (1, 2, 3):
        each = find_puzzle(name, level, "same")
        print(name, level, each.kind, each.game, each.positions, each.answer, each.depth)
"""


@pytest.mark.long
def test_the_same_seed_gives_the_same_puzzle_in_every_process() -> None:
    said = set()
    for order in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", MAKE],
            env={**os.environ, "PYTHONHASHSEED": order},
            capture_output=True,
            text=True,
            check=True,
        )
        said.add(done.stdout)
    assert len(said) == 1 and len(said.pop().splitlines()) == 15


@every_game
@table("first", ["1", "x", "a7"])
def test_seeds_that_follow_each_other_give_all_puzzles_before_one_comes_again(name: str, first: str) -> None:
    count = len(read_cache(registry.spec(name))[2])
    seeds = [first]
    while len(seeds) < count:
        seeds.append(next_seed(seeds[-1]))
    found = [find_puzzle(name, 2, seed) for seed in seeds]
    assert len({(each.kind, each.game, each.positions) for each in found}) == count


def test_a_seed_can_be_any_text() -> None:
    for seed in ("", "\n", "x\ny.3", "9" * 400, "2026-13-45", "é.2", "."):
        assert find_puzzle("range-war", 1, seed).seed == seed


# The puzzle of the day


@every_game
def test_the_week_becomes_harder_from_monday_to_sunday(name: str) -> None:
    monday = date(2026, 1, 5)
    week = [daily_puzzle(registry.spec(name), monday + timedelta(days=each)) for each in range(7)]
    levels = [each.level for each in week if each]
    assert levels == sorted(levels) and (levels[0], levels[-1]) == (1, 4)


@every_game
def test_the_puzzles_of_twelve_weeks_differ(name: str) -> None:
    spec = registry.spec(name)
    days = [daily_puzzle(spec, date(2026, 3, 1) + timedelta(days=each)) for each in range(84)]
    assert len({(each.kind, each.game, each.positions) for each in days if each}) == 84


# Games of others


@table("level", LEVELS)
def test_a_game_that_declares_nothing_has_puzzles(level: int) -> None:
    puzzle = find_puzzle(template.spec, level, "t")
    assert puzzle.state[0] % 3 == int(puzzle.answer), "leave a multiple of three"
    assert puzzle == find_puzzle(template.spec, level, "t")
    assert puzzle.hints and puzzle.solution_lines()


def test_a_game_without_puzzles_is_given_up_in_one_line() -> None:
    class Forced(LastCounter):
        def moves(self, state: Any) -> tuple[int, ...]:
            return (1,)[: state[0]]

    spec = GameSpec("forced", "Forced", "One move at a time.", Forced, template.spec.text)
    with pytest.raises(NoPuzzle, match=r"^no puzzle of level 2 was found for forced: try another [^\n]+$"):
        find_puzzle(spec, 2, "t")
    assert daily_puzzle(spec, date(2026, 11, 17)) is None


@table("level", [0, 6, -1])
def test_there_are_five_levels(level: int) -> None:
    with pytest.raises(ValueError, match="level must be a whole number from 1 to 5"):
        find_puzzle("range-war", level, "t")
