"""Number Collision: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberduels.game.contract import IllegalMove, Outcome, Unreadable
from numberduels.game.table import Table
from numberduels.games.number_collision import spec
from numberduels.games.number_collision.rules import NumberCollision, Place
from tables import table

VARIANTS = ["allowed", "forbidden"]


class Naive:
    """The rule book read aloud."""

    def __init__(self, size: int, values: int, repetition: str) -> None:
        self.line = [0] * size
        self.values = values
        self.forbidden = repetition == "forbidden"
        self.stood = [list(self.line)]

    def moves(self) -> list[Place]:
        return [
            Place(number, index + 1)
            for index, cell in enumerate(self.line)
            if not cell
            for number in range(1, self.values + 1)
            if not (self.forbidden and self.placed(number, index) in self.stood)
        ]

    def placed(self, number: int, index: int) -> list[int]:
        """The line after the placement, with every connected cell of that number taken off if it touches."""
        line = list(self.line)
        line[index] = number
        left = right = index
        while left > 0 and line[left - 1] == number:
            left -= 1
        while right + 1 < len(line) and line[right + 1] == number:
            right += 1
        if left < right:
            line[left : right + 1] = [0] * (right - left + 1)
        return line

    def play(self, move: Place) -> None:
        self.line = self.placed(move.number, move.position - 1)
        self.stood.append(self.line)

    def winner(self) -> int | None:
        return None if self.moves() else len(self.stood) % 2


# Reading 3: repetition


def test_forbidden_repetition_refuses_a_line_that_stood_earlier() -> None:
    game = NumberCollision(4, 2, "forbidden")
    table = Table(game, moves=[Place(1, 2)])
    with pytest.raises(IllegalMove, match=r"^That would bring back a line that stood earlier\.$"):
        table.play(Place(1, 3))  # the empty line of the start
    assert Place(1, 3) not in table.moves and Place(2, 3) in table.moves
    assert table.ply == 1


def test_who_has_only_forbidden_moves_is_stuck_beside_empty_cells() -> None:
    # One number, two cells: 1 _, and every answer would bring back the empty line.
    game = NumberCollision(2, 1, "forbidden")
    line = game.play(game.start(Random()), Place(1, 1))
    assert line[0], "a cell is empty"
    assert game.moves(line) == ()
    assert game.outcome(line) == Outcome(winner=0, why="stuck")
    assert NumberCollision(2, 1).outcome(NumberCollision(2, 1).start(Random())) is None
    assert spec.text_for(game).closing(line) == (
        "\nEvery empty cell would bring back an earlier line, so Player 2 is stuck. Player 1 wins!\n"
    )


# The words


@table(
    "text",
    ["place 3 at 5", "PLACE 3 AT 5", " 3 5 ", "3@5", "3 @ 5", "3 at 5", "place 3@5", "put 3 at position 5"],
)
def test_a_move_may_be_typed_in_several_ways(text: str) -> None:
    assert spec.text_for(NumberCollision()).parse_move(text) == Place(3, 5)


@table("text", ["", "  ", "3", "place 3", "place 3 5", "3 at", "a b", "3 5 7", "3-5", "-1 2"])
def test_anything_else_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        spec.text_for(NumberCollision()).parse_move(text)


# Against the rule book read aloud


@table("repetition", VARIANTS)
@table("size, values, depth", [(1, 1, 9), (1, 3, 9), (2, 1, 6), (2, 2, 7), (3, 1, 6), (3, 2, 5), (4, 2, 4)])
def test_every_line_of_a_small_game_goes_by_the_book(
    size: int, values: int, depth: int, repetition: str, agree_everywhere: Callable[..., int]
) -> None:
    game = NumberCollision(size, values, repetition)
    agree_everywhere(game, game.start(Random()), Naive(size, values, repetition), depth)


@settings(max_examples=60)
@given(
    size=st.integers(1, 40),
    values=st.integers(1, 9),
    repetition=st.sampled_from(VARIANTS),
    seed=st.integers(0, 10**9),
)
def test_a_large_game_goes_by_the_book(
    agree: Callable[..., None], size: int, values: int, repetition: str, seed: int
) -> None:
    game = NumberCollision(size, values, repetition)
    agree(game, game.start(Random()), Naive(size, values, repetition), Random(seed), 60)
