"""No shipped puzzle falls to a shortcut, and its level says how far a search must look."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from numberduels.analysis.puzzles import LEVELS, Puzzle
from numberduels.analysis.puzzles.generation import Workshop, longest
from numberduels.analysis.puzzles.model import DEEPEST, level_of
from numberduels.analysis.puzzles.selection import FILE, read_cache
from numberduels.analysis.puzzles.shortcuts import (
    falls_to,
    falls_to_greedy,
    shortcut_answers,
)
from numberduels.game import registry
from numberduels.solvers import TooLarge
from tables import table

from .shipped import FIVE, shipped

every_game = table("name", FIVE)
GAMES = Path(registry.__file__).parents[1] / "games"


@every_game
def test_there_are_enough_puzzles_of_every_level(name: str) -> None:
    cache = read_cache(registry.spec(name))
    assert tuple(cache) == tuple(LEVELS)
    assert all(len(entries) >= (30 if level < LEVELS[-1] else 20) for level, entries in cache.items())
    assert (GAMES / name.replace("-", "_") / FILE).stat().st_size < 150_000


@every_game
def test_no_puzzle_is_there_twice(name: str) -> None:
    count = Counter((puzzle.kind, puzzle.game, puzzle.positions) for puzzle in shipped(name))
    assert set(count.values()) == {1}


@every_game
def test_no_puzzle_falls_to_the_largest_smallest_or_nearest_number_or_to_a_recipe(name: str) -> None:
    plan = registry.spec(name).load("puzzles")
    for puzzle in shipped(name):
        answers = shortcut_answers(puzzle, plan)
        assert puzzle.answer not in answers.values(), puzzle
        if puzzle.asks_for == "move" and all(isinstance(move, int) for move in puzzle.table.moves):
            moves = sorted(puzzle.table.moves)
            assert int(puzzle.answer) not in (moves[0], moves[-1]), "neither the smallest nor the largest"
            if puzzle.moves:
                last = puzzle.moves[-1]
                assert isinstance(last, int)
                distances = [abs(move - last) for move in moves]
                assert abs(int(puzzle.answer) - last) > min(distances) or distances.count(min(distances)) > 1


@every_game
def test_some_puzzles_do_not_fall_to_greedy(name: str) -> None:
    assert not any(map(falls_to_greedy, shipped(name, 15)))


@pytest.mark.long
@every_game
def test_no_puzzle_falls_to_greedy(name: str) -> None:
    assert not any(map(falls_to_greedy, shipped(name)))


# Levels


def check_depth(puzzle: Puzzle, most: int) -> bool:
    """Whether the depth is the first from which on a search is right; False if that takes too long."""
    search = Workshop(puzzle.spec, puzzle.game, max_seen=most).search
    try:
        if puzzle.depth == DEEPEST:
            depths = range(DEEPEST - 1, longest(puzzle))  # deeper ones are not distinguished
            assert any(puzzle.seen_by(search, depth) != {puzzle.answer} for depth in depths)
        else:
            assert puzzle.seen_by(search, puzzle.depth - 1) != {puzzle.answer}, "one ply less is not enough"
            assert puzzle.seen_by(search, puzzle.depth) == {puzzle.answer}
            assert puzzle.seen_by(search, puzzle.depth + 1) == {puzzle.answer}
    except TooLarge:
        return False
    return True


@every_game
def test_the_depth_of_some_puzzles_is_what_a_search_needs(name: str) -> None:
    puzzles = shipped(name, 15)
    assert all(level_of(puzzle.depth) == puzzle.level for puzzle in puzzles)
    easy = [puzzle for puzzle in puzzles if puzzle.level <= 2]
    assert sum(check_depth(puzzle, 5_000) for puzzle in easy) > len(easy) / 3


@pytest.mark.long
@every_game
def test_the_depth_of_all_puzzles_is_what_a_search_needs(name: str) -> None:
    puzzles = shipped(name)
    assert sum(check_depth(puzzle, 400_000) for puzzle in puzzles) > 0.9 * len(puzzles)


def test_a_shortcut_is_recognised() -> None:
    """The puzzles of earlier versions: the answer was the nearest number."""
    from numberduels.analysis.puzzles.move_puzzles import OnlyMove
    from numberduels.games.range_war.rules import RangeWar

    spec = registry.spec("range-war")
    puzzle = OnlyMove(spec, RangeWar(11), ((9, 5, 6, 3, 8, 4),), answer="7")
    assert puzzle.solve(puzzle.oracle) == "7"
    assert falls_to(puzzle, spec.load("puzzles")) == "smallest"
