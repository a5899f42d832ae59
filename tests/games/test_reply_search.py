"""Reply search agrees with the plain search, and its proof for five cells with two numbers is checked."""

from __future__ import annotations

from random import Random

import pytest

from numberduels.games.number_collision.line_search import LineGraph, ReplySearch
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_collision.theory import NumberCollisionTheory
from numberduels.solvers import LOSS, WIN, DepthFirstSearch, TooLarge
from numberduels.solvers.vertex_geography import VertexGeography
from tables import table

Cells = tuple[int, ...]


def forbidden(size: int, values: int) -> NumberCollision:
    return NumberCollision(size, values, "forbidden")


@table("size, values", [(2, 2), (3, 2), (4, 2), (3, 3), (4, 3), (5, 1), (6, 1)])
def test_every_move_of_random_games_is_worth_what_the_plain_search_says(size: int, values: int) -> None:
    game = forbidden(size, values)
    plain, search = DepthFirstSearch(game), ReplySearch(game)
    for seed in range(6):
        rng = Random(seed)
        state = game.start(rng)
        while game.moves(state):
            assert {move: each.value for move, each in search.evaluate_moves(state).items()} == {
                move: each.value for move, each in plain.evaluate_moves(state).items()
            }
            state = game.play(state, rng.choice(game.moves(state)))
        assert search.evaluate(state).value == LOSS


def placements(cells: Cells, values: int) -> set[Cells]:
    """The lines after each placement, written down from the rules once more."""
    found = set()
    for cell in (cell for cell, number in enumerate(cells) if not number):
        for number in range(1, values + 1):
            line = list(cells)
            equal = [side for side in (cell - 1, cell + 1) if 0 <= side < len(line) and line[side] == number]
            line[cell] = 0 if equal else number
            for side in equal:
                line[side] = 0
            found.add(tuple(line))
    return found


class ProofChecker:
    """Checks that a player wins: by the rules alone, guided by what the search says.

    Where the search has replies, the conditions of the theorem are checked; elsewhere every move of the loser
    is followed, and one of the winner.
    """

    def __init__(self, size: int, values: int) -> None:
        graph = LineGraph(forbidden(size, values))
        self.geography = VertexGeography(
            graph.after, [count % 2 for count in graph.empty_cells], graph.symmetries
        )
        self.lines = self._lines(size, values, graph)
        self.after = {cells: placements(cells, values) for cells in self.lines}
        self.numbers = {cells: number for number, cells in enumerate(self.lines)}
        self.checked: dict[tuple[int, int], bool] = {}
        self.replies_checked = 0

    @staticmethod
    def _lines(size: int, values: int, graph: LineGraph) -> list[Cells]:
        """The cells of each line of the graph, found along its edges."""
        game = forbidden(size, values)
        state = game.start(Random())
        listed: dict[int, Cells] = {graph.numbered(state)[0]: game.cells(state)}
        new = [state]
        for each in new:
            for move in game.moves(each):
                line = game.play(each, move)
                number = graph.numbered(line)[0]
                if number not in listed:
                    listed[number] = game.cells(line)
                    new.append(line)
        return [listed[number] for number in range(len(graph.after))]

    def mask(self, lines: set[Cells]) -> int:
        return sum(1 << self.numbers[line] for line in lines)

    def check(self, line: Cells, open_: set[Cells], mover_wins: bool) -> None:
        key = self.geography.position(self.numbers[line], self.mask(open_))
        if key in self.checked:
            assert self.checked[key] == mover_wins
            return
        moves = self.after[line] & open_
        if not self._checked_replies(line, open_, mover_wins):
            if mover_wins:
                mask = self.mask(open_)
                moves = {
                    next(
                        each
                        for each in sorted(moves)
                        if not self.geography.wins(self.numbers[each], mask & ~self.mask({each}))
                    )
                }
            for each in moves:
                self.check(each, open_ - {each}, not mover_wins)
        self.checked[key] = mover_wins

    def _checked_replies(self, line: Cells, open_: set[Cells], mover_wins: bool) -> bool:
        """Whether there are replies; if so, they have what the theorem asks for."""
        finder = self.geography.finder
        ask = finder.replies_of_mover if mover_wins else finder.replies_of_opponent
        found = ask(self.numbers[line], self.mask(open_))
        if found is None:
            return False
        replies = {self.lines[each]: self.lines[reply] for each, reply in found.items()}
        lasting = [reply for reply in replies.values() if self.after[reply] & open_]
        assert len(lasting) == len(set(lasting))
        assert not set(replies) & set(replies.values())
        assert all(reply in self.after[each] & open_ for each, reply in replies.items())
        left = set(replies.values()) | (set() if mover_wins else {line})
        assert all(self.after[each] & open_ <= set(replies) for each in left)
        assert line in replies if mover_wins else line not in replies.values()
        self.replies_checked += 1
        return True


@pytest.mark.long
def test_player_1_wins_on_five_cells_with_two_numbers_and_every_step_of_the_proof_holds() -> None:
    checker = ProofChecker(5, 2)
    assert len(checker.lines) == 99
    empty = (0,) * 5
    checker.check(empty, set(checker.lines) - {empty}, mover_wins=True)
    assert checker.replies_checked > 10


def test_five_cells_with_two_numbers_take_the_same_positions_everywhere() -> None:
    game = forbidden(5, 2)
    theory = NumberCollisionTheory(game)
    assert theory.evaluate(game.start(Random())).value == WIN
    assert theory.positions == 305


@table("size, values, seed", [(5, 2, 1), (5, 3, 1), (5, 3, 2)])
def test_the_middle_of_a_game_is_judged_and_best_play_keeps_its_word(
    size: int, values: int, seed: int
) -> None:
    game, rng = forbidden(size, values), Random(seed)
    theory = NumberCollisionTheory(game)
    state = game.play(game.start(rng), Place(1, 1))
    value = theory.evaluate(state).value
    assert value == (LOSS if size % 2 else WIN)  # the keeper wins, whatever the first move is
    winner = game.turn(state) if value == WIN else 1 - game.turn(state)
    while moves := game.moves(state):
        if game.turn(state) == winner:
            move = next(each for each in moves if theory.evaluate_move(state, each).value == WIN)
        else:
            move = rng.choice(moves)
        state = game.play(state, move)
    assert game.turn(state) != winner


def test_a_hard_position_is_refused_with_the_sizes_within_reach() -> None:
    game = forbidden(6, 2)
    with pytest.raises(TooLarge) as fault:
        NumberCollisionTheory(game, 2).evaluate(game.start(Random()))
    assert str(fault.value) == "there are more than 2 positions"
    assert fault.value.reach == "sizes up to 5 are within reach"


def test_the_limit_is_that_of_a_question_not_of_all_questions_together() -> None:
    game = forbidden(4, 2)
    search = ReplySearch(game, max_positions=10)
    for seed in range(40):
        state, rng = game.start(Random()), Random(seed)
        for _ in range(6):
            if game.moves(state):
                state = game.play(state, rng.choice(game.moves(state)))
        search.evaluate(state)
    assert search.positions > 10
