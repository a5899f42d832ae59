"""Puzzles: one right move and only one, graded by how far must be seen, the same for the same seed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from random import Random
from typing import Any

import pytest

from game_records import record_of
from numberduels import registry
from numberduels.analysis.puzzles import (
    DEEPEST,
    LEVELS,
    LookAhead,
    NoPuzzle,
    Puzzle,
    depth_of,
    find_puzzle,
    level_of,
    only_keeper,
)
from numberduels.core import Scored
from numberduels.games import template
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from numberduels.oracles import make_oracle
from numberduels.record import read, write
from numberduels.solvers import DRAW, LOSS, WIN, Retrograde
from numberduels.spec import GameSpec
from numberduels.table import Table

FIVE = ["range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"]
SEEDS = {1: 10, 2: 8, 3: 4, 4: 2, 5: 1}
"""How many puzzles of each level are made: the deep ones take longer."""

SMALL: list[Any] = [
    RangeWar(7),
    RangeWar(7, "free"),
    NumberSnatch(numbers=(2, 3, 4, 6, 9)),
    RestrictedRemoval(11),
    SummationDuel(7, 18),
    NumberCollision(4, 3),
    NumberCollision(5, 1, "forbidden"),
    LastCounter(14),
]


def plain_value(game: Any, state: Any, plies: int) -> int:
    """What is seen within the plies, by nothing but the rules: no memory, no twins, no short cuts."""
    outcome = game.outcome(state)
    if outcome:
        return 0 if outcome.winner is None else 1 if outcome.winner == game.turn(state) else -1
    if not plies:
        return 0
    return max(-plain_value(game, game.play(state, move), plies - 1) for move in game.moves(state))


def plain_depth(game: Any, state: Any, solution: Any, most: int) -> int:
    """The smallest depth at which the solution alone is on top, or one more than the most."""
    for depth in range(1, most + 1):
        seen = {move: -plain_value(game, game.play(state, move), depth - 1) for move in game.moves(state)}
        if all(value < seen[solution] for move, value in seen.items() if move != solution):
            return depth
    return most + 1


class Made(dict[tuple[str, int], list[Puzzle]]):
    """Dozens of puzzles of every level of every game, made when they are asked for."""

    def __missing__(self, which: tuple[str, int]) -> list[Puzzle]:
        name, level = which
        self[which] = [find_puzzle(name, level, str(seed)) for seed in range(SEEDS[level])]
        return self[which]


@pytest.fixture(scope="module")
def made() -> Made:
    return Made()


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_exists_and_its_moves_lead_to_its_position(made: Made, name: str, level: int) -> None:
    for each in made[name, level]:
        assert (each.spec.name, each.level, level_of(each.depth)) == (name, level, level)
        record = record_of(each.game, each.moves)
        assert read(write(record)) == record
        table = record.table()
        assert table.state == each.state and table.outcome is None
        assert each.solution in table.moves and sorted([each.solution, *each.wrong]) == sorted(table.moves)
        assert each.wrong and each.why.endswith(".")


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("level", LEVELS)
def test_the_oracle_of_the_game_knows_the_solution_alone(made: Made, name: str, level: int) -> None:
    for each in made[name, level]:
        choices = make_oracle(each.game).evaluate_moves(each.state)
        assert only_keeper(choices) == each.solution
        assert choices[each.solution].value == each.value > max(choices[move].value for move in each.wrong)


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_retrograde_analysis_of_all_that_follows_agrees(made: Made, name: str, level: int) -> None:
    """By the plain solver, without folds and, for points, by wins alone: independent of every theory."""
    checked = 0
    for each in made[name, level]:
        solved: Retrograde[Any, Any] = Retrograde(each.game, 60_000, use_symmetry=False)
        if name == "number-collision" and each.game.size * each.game.values > 20 and level == 1:
            continue  # too many lines without folds
        values = {move: worth.value for move, worth in solved.evaluate_moves(each.state).items()}
        assert solved.evaluate(each.state).value == each.value in (WIN, DRAW)
        assert [move for move, value in values.items() if value == each.value] == [each.solution]
        assert len(values) > 1 and max(values[move] for move in each.wrong) < each.value
        checked += 1
    assert checked >= 3


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_depth_is_what_plain_looking_ahead_needs(made: Made, name: str, level: int) -> None:
    for each in made[name, level][:6]:
        left = len(each.wrong) + 1
        if left ** min(each.depth, left) < 50_000:
            assert plain_depth(each.game, each.state, each.solution, each.depth) == each.depth


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_plies_to_the_end_and_looking_ahead_give_the_same_depth_everywhere(game: Any) -> None:
    """The two ways in which depths are found, on every position of a whole game, where both can tell."""
    solved: Retrograde[Any, Any] = Retrograde(game, use_symmetry=False)
    start = game.start(Random(0))
    solved.evaluate(start)
    depths = Counter[int]()
    search = LookAhead(game, 10**7)
    for state in list(solved):
        choices = solved.evaluate_moves(state)
        solution = only_keeper(choices)
        if solution is not None:
            depth = depth_of(choices, solution)
            assert depth == search.depth(state, solution)
            depths[depth or 0] += 1
    assert depths and min(depths) >= 1 and max(depths) <= DEEPEST


@pytest.mark.parametrize("name", FIVE)
def test_more_must_be_seen_at_each_level(made: Made, name: str) -> None:
    """Somebody who looks 2n plies ahead solves every puzzle up to level n and none above it."""
    for level in LEVELS:
        for each in made[name, level]:
            assert 2 * level - 1 <= each.depth <= (2 * level if level < LEVELS[-1] else DEEPEST)


@pytest.mark.parametrize("name", FIVE)
def test_sizes_and_positions_vary(made: Made, name: str) -> None:
    puzzles = [each for level in LEVELS for each in made[name, level]]
    assert len({repr(each.game) for each in puzzles}) >= 8
    assert len({(repr(each.game), each.state) for each in puzzles}) >= len(puzzles) // 3


def test_draws_are_asked_for_too(made: Made) -> None:
    values = {each.value for each in made["number-collision", 1]}
    assert values == {WIN, DRAW}


def test_where_points_decide_the_only_winning_move_counts_and_not_the_margin(
    made: Made,
) -> None:
    for level in LEVELS:
        for each in made["number-snatch", level]:
            assert isinstance(each.game, Scored) and each.value == WIN
            for move in each.wrong:
                assert each.oracle.evaluate_move(each.state, move).value == LOSS


# The same everywhere

MAKE = """
from numberduels.analysis.puzzles import find_puzzle
for name in ("range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"):
    for level in (1, 2, 3):
        each = find_puzzle(name, level, "same")
        print(name, level, each.game, each.moves, each.state[:2], each.solution, each.depth)
"""


def test_the_same_seed_gives_the_same_puzzle_in_every_process() -> None:
    said = set()
    for order in ("0", "1", "42"):
        done = subprocess.run(
            [sys.executable, "-c", MAKE],
            env={**os.environ, "PYTHONHASHSEED": order},
            capture_output=True,
            text=True,
            check=True,
        )
        said.add(done.stdout)
    assert len(said) == 1 and len(said.pop().splitlines()) == 15


def test_another_seed_gives_another_puzzle_and_the_global_generator_plays_no_part() -> None:
    import random

    random.seed(1)
    before = random.getstate()
    positions = {find_puzzle("summation-duel", 2, str(seed)).moves for seed in range(10)}
    assert len(positions) > 5 and random.getstate() == before


def test_puzzles_do_not_depend_on_what_theory_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be judged decides which position comes first, so only the general methods find them."""
    with_theory = [find_puzzle(name, 3, "x") for name in FIVE]
    monkeypatch.setattr("numberduels.analysis.puzzles.make_oracle", lambda game: Retrograde(game))
    for one in with_theory:
        other = find_puzzle(one.spec, 3, "x")
        assert (one.game, one.moves, one.solution) == (other.game, other.moves, other.solution)


# Games of others


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_that_nobody_has_heard_of_has_puzzles(level: int) -> None:
    each = find_puzzle(template.spec, level, "t")
    assert each.state[0] % 3 == each.solution, "leave a multiple of three"


def test_a_game_without_puzzles_is_given_up_in_one_line() -> None:
    class Forced(LastCounter):
        def moves(self, state: Any) -> tuple[int, ...]:
            return (1,)[: state[0]]

    spec = GameSpec("forced", "Forced", "One move at a time.", Forced, template.spec.text)
    with pytest.raises(NoPuzzle, match=r"^no puzzle of level 2 was found for forced: try another [^\n]+$"):
        find_puzzle(spec, 2, "t")


def test_a_game_that_does_not_end_by_itself_is_given_up_too() -> None:
    class Endless(LastCounter):
        def play(self, state: Any, move: int) -> Any:
            return state[0], 1 - state[1]

    spec = GameSpec("endless", "Endless", "Nothing changes.", Endless, template.spec.text)
    with pytest.raises(NoPuzzle):
        find_puzzle(spec, 1, "t")


@pytest.mark.parametrize("level", [0, 6, -1])
def test_there_are_five_levels(level: int) -> None:
    with pytest.raises(ValueError, match="level must be a whole number from 1 to 5"):
        find_puzzle("range-war", level, "t")


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(registry.UnknownGame):
        find_puzzle("chess", 1, "t")


def test_a_table_can_be_played_on_from_a_puzzle() -> None:
    each = find_puzzle("restricted-removal", 2, "on")
    table = Table(each.game, each.game.start(Random(0)), each.moves)
    table.play(each.solution)
    assert Retrograde(each.game).evaluate(table.state).value == LOSS
