"""Restricted Removal: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from numberduels.games.restricted_removal.rules import RestrictedRemoval
from tables import table


class Naive:
    """The rule book read aloud."""

    def __init__(self, size: int) -> None:
        self.list = list(range(2, size + 1))
        self.removed: list[int] = []

    def moves(self) -> list[int]:
        return [each for each in self.list if not any(self.locks(gone, each) for gone in self.removed)]

    @staticmethod
    def locks(gone: int, each: int) -> bool:
        """A removed number bars itself, its multiples and its factors."""
        return each % gone == 0 or gone % each == 0

    def play(self, move: int) -> None:
        self.removed.append(move)

    def winner(self) -> int | None:
        return None if self.moves() else (len(self.removed) - 1) % 2


# Against the rule book read aloud


@table("size", range(2, 11))
def test_every_line_of_a_small_game_goes_by_the_book(size: int, agree_everywhere: Callable[..., int]) -> None:
    game = RestrictedRemoval(size)
    agree_everywhere(game, game.start(Random()), Naive(size), size)


@given(size=st.integers(11, 130), seed=st.integers(0, 10**9))
def test_a_large_game_goes_by_the_book(agree: Callable[..., None], size: int, seed: int) -> None:
    game = RestrictedRemoval(size)
    agree(game, game.start(Random()), Naive(size), Random(seed))
