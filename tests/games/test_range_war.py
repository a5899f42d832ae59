"""Range War: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.table import Table
from numberduels.games.range_war import spec
from numberduels.games.range_war.rules import RangeWar
from tables import table


def after(*moves: int, size: int = 10, opening: str = "lower") -> Table[Any, Any]:
    return Table(RangeWar(size, opening), moves=moves)


class Naive:
    """The rule book read aloud."""

    def __init__(self, size: int, opening: str) -> None:
        self.numbers = list(range(1, size + 1))
        self.opening = opening
        self.claimed: list[int] = []

    def moves(self) -> list[int]:
        unclaimed = [number for number in self.numbers if number not in self.claimed]
        if not self.claimed:
            return unclaimed
        last = self.claimed[-1]
        if len(self.claimed) == 1:
            return [number for number in unclaimed if number < last or self.opening == "free"]
        upward = last > self.claimed[-2]
        return [number for number in unclaimed if (number < last) == upward]

    def play(self, move: int) -> None:
        self.claimed.append(move)

    def winner(self) -> int | None:
        return None if self.moves() else (len(self.claimed) - 1) % 2


# The words


@table(
    "played, opening, demand",
    [
        ((6,), "lower", "You must select a number lower than 6.\n"),
        ((6, 4), "lower", "You must select a number higher than 4.\n"),
        ((6,), "free", "You may select a number lower or higher than 6.\n"),
        ((6, 7), "free", "You must select a number lower than 7.\n"),
    ],
)
def test_the_prompt_says_which_way_to_go(played: tuple[int, ...], opening: str, demand: str) -> None:
    table = after(*played, opening=opening)
    assert demand in spec.text_for(table.game).question(table.state)


# Against the rule book read aloud


@table("opening", ["lower", "free"])
@table("size", [1, 2, 3, 4, 5, 6, 7])
def test_every_line_of_a_small_game_goes_by_the_book(
    size: int, opening: str, agree_everywhere: Callable[..., int]
) -> None:
    game = RangeWar(size, opening)
    agree_everywhere(game, game.start(Random()), Naive(size, opening), size)


@given(
    size=st.sampled_from([8, 10, 11, 12, 21, 22, 23, 60, 120]),
    opening=st.sampled_from(["lower", "free"]),
    seed=st.integers(0, 10**9),
)
def test_a_large_game_goes_by_the_book(
    agree: Callable[..., None], size: int, opening: str, seed: int
) -> None:
    game = RangeWar(size, opening)
    agree(game, game.start(Random()), Naive(size, opening), Random(seed))
