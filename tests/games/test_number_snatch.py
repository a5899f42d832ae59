"""Number Snatch: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.bits import members
from numberduels.games.number_snatch.rules import NumberSnatch
from tables import table


class Naive:
    """The rule book read aloud."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.list = sorted(numbers)
        self.score = [0, 0]
        self.selected: list[int] = []

    def moves(self) -> list[int]:
        return list(self.list)

    def play(self, move: int) -> None:
        player, opponent = len(self.selected) % 2, (len(self.selected) + 1) % 2
        self.list.remove(move)
        self.score[player] += move
        if self.selected and move % self.selected[-1] == 0:
            deducted = min(self.selected[-1], self.score[opponent])
            self.score[opponent] -= deducted
            self.score[player] += deducted
        self.selected.append(move)

    def winner(self) -> int | None:
        if self.list:
            return None
        return 0 if self.score[0] > self.score[1] else 1


# Sizes and lists


def test_a_list_settles_the_size_and_lifts_the_top() -> None:
    game = NumberSnatch(numbers=(30, 4))
    assert (game.size, game.top, game.numbers) == (2, 30, (4, 30))
    assert NumberSnatch(numbers=(3, 4)).top == 20


# The deal


@given(top=st.integers(2, 300), data=st.data(), seed=st.integers(0, 10**9))
def test_a_dealt_list_has_its_size_and_an_odd_sum(top: int, data: st.DataObject, seed: int) -> None:
    size = data.draw(st.integers(1, top - 1))
    game = NumberSnatch(size=size, top=top)
    dealt = members(game.start(Random(seed))[0])
    assert len(dealt) == size and sum(dealt) % 2 == 1 and dealt[0] >= 1 and dealt[-1] <= top
    assert dealt == members(game.start(Random(seed))[0])
    assert game.with_start(game.start(Random(seed))).numbers == dealt


@table("size, top", [(3, 6), (2, 9), (1, 12), (11, 12)])
def test_every_odd_list_is_about_equally_likely(size: int, top: int) -> None:
    lists = [each for each in combinations(range(1, top + 1), size) if sum(each) % 2]
    game, rng, each = NumberSnatch(size=size, top=top), Random(0), 400
    seen = Counter(members(game.start(rng)[0]) for _ in range(each * len(lists)))
    assert sorted(seen) == lists
    # Five standard deviations on both sides.
    assert all(300 < count < 500 for count in seen.values())


# Against the rule book read aloud


@table("numbers", [(1,), (2, 4), (1, 2, 3), (2, 3, 4, 6), (1, 2, 4, 8, 16), (2, 3, 5, 6, 9)])
def test_every_line_of_a_small_game_goes_by_the_book(
    numbers: tuple[int, ...], agree_everywhere: Callable[..., int]
) -> None:
    game = NumberSnatch(numbers=numbers)
    agree_everywhere(game, game.start(Random()), Naive(numbers), len(numbers))


@given(numbers=st.sets(st.integers(1, 120), min_size=1, max_size=60), seed=st.integers(0, 10**9))
def test_a_large_game_goes_by_the_book(agree: Callable[..., None], numbers: set[int], seed: int) -> None:
    game = NumberSnatch(numbers=tuple(numbers))
    agree(game, game.start(Random()), Naive(tuple(numbers)), Random(seed))
