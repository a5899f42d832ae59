"""The parity strategy of Number Collision without repetition: its lemmas, its replies, who wins."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import pytest

import numberduels
from numberduels.game.table import Table
from numberduels.games.number_collision import theory as strategy
from numberduels.games.number_collision.line_search import count_lines
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_collision.theory import NumberCollisionTheory
from numberduels.players.ladder import PerfectPlayer
from numberduels.solvers import DepthFirstSearch, TooLarge
from tables import table

Cells = tuple[int, ...]


def forbidden(size: int, values: int) -> NumberCollision:
    return NumberCollision(size, values, "forbidden")


def all_lines(size: int, values: int) -> list[Cells]:
    lines = product(range(values + 1), repeat=size)
    return [line for line in lines if all(one != two or not one for one, two in pairwise(line))]


def lines_after(cells: Cells, values: int) -> list[tuple[Cells, int]]:
    """Every line after a placement, and how many numbers vanished with the placed one, as the rules say."""
    found = []
    for cell, filled in enumerate(cells):
        for number in range(1, values + 1) if not filled else ():
            line = list(cells)
            equal = [
                each for each in (cell - 1, cell + 1) if 0 <= each < len(cells) and cells[each] == number
            ]
            for each in equal:
                line[each] = 0
            if not equal:
                line[cell] = number
            found.append((tuple(line), len(equal)))
    return found


def bad_pairs(cells: Cells) -> int:
    filled = [cell for cell, number in enumerate(cells) if number]
    return sum(cells[one] == cells[two] and (two - one) % 2 == 0 for one, two in pairwise(filled))


@table("size, values", [(5, 3), (6, 2)])
def test_a_move_on_a_calm_line_removes_no_two_and_makes_one_bad_pair_at_most(size: int, values: int) -> None:
    calm = [line for line in all_lines(size, values) if strategy.is_calm(line)]
    assert calm and all(bad_pairs(line) == 0 for line in calm)
    for line in calm:
        for after, removed in lines_after(line, values):
            assert removed < 2 and bad_pairs(after) <= 1


@table("size, values", [(4, 3), (5, 4), (6, 2)])
def test_every_line_is_in_one_class_and_the_sizes_add_up(size: int, values: int) -> None:
    classes = list(strategy.line_classes(size, values))
    assert sum(strategy.class_size(each, values) for each in classes) == count_lines(size, values)
    assert len(classes) == len(
        {min(strategy.renamed(each), strategy.renamed(each[::-1])) for each in classes}
    )


@table("size, values", [(3, 3), (4, 3)])
def test_the_exhaustive_search_says_the_same(size: int, values: int) -> None:
    game = forbidden(size, values)
    assert strategy.keeper_has_replies(size, values)
    value = DepthFirstSearch(game).evaluate(game.start(Random(0))).value
    assert value == (1 if strategy.keeper(size) == 0 else -1)


@table("size", range(3, 8))
def test_where_the_theorem_promises_replies_the_matching_finds_them(size: int) -> None:
    assert strategy.covered_by_theorem(size, max(3, size - 1))
    assert strategy.keeper_has_replies(size, max(3, size - 1))


def test_the_theorem_is_silent_with_few_numbers_and_long_lines() -> None:
    assert not strategy.covered_by_theorem(3, 2)
    assert not strategy.covered_by_theorem(10, 5) and strategy.covered_by_theorem(10, 9)
    assert strategy.keeper_has_replies(7, 3) and not strategy.keeper_has_replies(8, 3)
    with pytest.raises(ValueError, match="three numbers"):
        strategy.keeper_has_replies(5, 2)


def chosen_replies(size: int, values: int) -> dict[Cells, Cells]:
    """A reply for each line of the keeper, no reply twice, found on the lines themselves."""
    calm = [
        line
        for line in all_lines(size, values)
        if line.count(0) % 2 == 0 and line.count(0) > 1 and strategy.is_calm(line)
    ]
    wanted = {line for each in calm for line, _ in lines_after(each, values) if 1 < line.count(0) < size}
    allowed = {line for line in calm if size - line.count(0) > 1}
    taken: dict[Cells, Cells] = {}

    def assign(line: Cells, seen: set[Cells]) -> bool:
        for reply, removed in lines_after(line, values):
            if removed < 2 and reply in allowed and reply not in seen:
                seen.add(reply)
                if reply not in taken or assign(taken[reply], seen):
                    taken[reply] = line
                    return True
        return False

    assert all(assign(line, set()) for line in sorted(wanted))
    return {line: reply for reply, line in taken.items()}


@table("size, values", [(5, 3), (6, 3)])
def test_the_keeper_wins_every_game_with_the_chosen_replies(size: int, values: int) -> None:
    game, replies = forbidden(size, values), chosen_replies(size, values)
    for seed in range(60):
        rng, table = Random(seed), Table(game)
        while not table.outcome:
            cells = game.cells(table.state)
            if table.turn != strategy.keeper(size) or not any(cells):
                table.play(rng.choice(table.moves))
            elif cells.count(0) == 1:
                table.play(next(move for move in table.moves if not game.play(table.state, move)[0]))
            else:
                table.play(
                    next(m for m in table.moves if game.cells(game.play(table.state, m)) == replies[cells])
                )
        assert table.outcome.winner == strategy.keeper(size)


def test_mirroring_fails_when_they_take_a_number_back() -> None:
    """The natural guess for the second player of an even line: answer in the opposite cell."""
    game = forbidden(6, 3)
    table = Table(game, moves=(Place(1, 1), Place(1, 6)))  # the answer in the opposite cell
    table.play(Place(1, 2))  # takes the first number back
    assert game.cells(table.state) == (0, 0, 0, 0, 0, 1)
    assert Place(1, 5) not in table.moves  # the mirrored answer would bring the empty line back


@table("size, values, winner", [(5, 3, 0), (6, 5, 1), (7, 3, 0), (20, 20, 1)])
def test_solve_answers_for_the_start_and_every_first_move(size: int, values: int, winner: int) -> None:
    solution = numberduels.solve(forbidden(size, values))
    assert solution.winner == winner
    assert len(solution.moves) == size * values
    assert {worth.value for worth in solution.moves.values()} == {1 if winner == 0 else -1}


@pytest.mark.long
def test_the_second_player_wins_the_line_of_the_book_without_repetition() -> None:
    assert numberduels.solve(forbidden(10, 5)).winner == 1


def test_a_player_who_needs_every_position_is_refused_as_before() -> None:
    game = forbidden(6, 5)
    with pytest.raises(ValueError, match="sizes up to 5 are within reach, and from the start sizes up to 10"):
        PerfectPlayer(2_000).prepare(game, game.start(Random(0)))


def test_a_position_after_the_start_is_not_answered_by_the_start() -> None:
    game = forbidden(6, 5)
    later = game.play(game.start(Random(0)), Place(1, 1))
    assert NumberCollisionTheory(game).evaluate_start(later) is None


def test_too_many_lines_are_refused_at_once() -> None:
    game = forbidden(40, 5)
    assert NumberCollisionTheory(game, 1_000).evaluate_start(game.start(Random(0))) is None
    with pytest.raises(TooLarge):
        numberduels.solve(game, max_positions=200)
