"""The general solvers: values by hand, values by theorem, each against another one, and their limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberduels.game.contract import Outcome, Seat
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from numberduels.solvers import (
    DRAW,
    LOSS,
    WIN,
    DepthFirstSearch,
    Margins,
    Nimbers,
    Oracle,
    Retrograde,
    TooLarge,
    general_oracle,
)
from tables import table


class Paths:
    """A game on a map of paths: move along one of them.

    Three places end the game: at W the player to move has won, at L lost, and T is a tie.
    """

    def __init__(self, start: str, **paths: str) -> None:
        self.first = start
        self.paths = paths

    def start(self, rng: Random) -> tuple[str, Seat]:
        return self.first, 0

    def turn(self, state: tuple[str, Seat]) -> Seat:
        return state[1]

    def moves(self, state: tuple[str, Seat]) -> str:
        return self.paths.get(state[0], "")

    def play(self, state: tuple[str, Seat], move: str) -> tuple[str, Seat]:
        return move, 0 if state[1] else 1

    def outcome(self, state: tuple[str, Seat]) -> Outcome | None:
        place, turn = state
        if place in self.paths:
            return None
        winner: dict[str, Seat | None] = {"W": turn, "L": 0 if turn else 1, "T": None}
        return Outcome(winner[place], "arrived")


def solved(game: Any, **keywords: Any) -> Retrograde[Any, Any]:
    values: Retrograde[Any, Any] = Retrograde(game, **keywords)
    values.evaluate(game.start(Random(0)))
    return values


def winning_moves(game: Any) -> list[Any]:
    start, values = game.start(Random(0)), solved(game)
    return [move for move in game.moves(start) if values.evaluate_move(start, move).value == WIN]


# By hand


BY_HAND = {
    "W": (WIN, 0),
    "L": (LOSS, 0),
    "T": (DRAW, None),
    "a": (WIN, 1),  # to L
    "b": (LOSS, 1),  # to W only
    "c": (DRAW, None),  # to T only
    "d": (DRAW, None),  # round and round with e
    "e": (DRAW, None),
    "f": (DRAW, None),  # stays where it is rather than go to W
    "g": (DRAW, None),  # a tie rather than a, which is a win for them
    "h": (WIN, 2),  # b rather than a tie
    "j": (WIN, 2),  # b rather than a
    "k": (LOSS, 3),  # a is lost in 2 and j in 3: the loser delays
    "m": (WIN, 2),  # b ends sooner than k: the winner hurries
    "n": (WIN, 4),  # k is the only way that wins
    "p": (LOSS, 2),  # q is the only way, and q need not come back
    "q": (WIN, 1),
    "r": (DRAW, None),  # a tie rather than s
    "s": (WIN, 1),
    "u": (DRAW, None),  # may go round for ever or tie, but must not go to a
}


def by_hand() -> Paths:
    paths = {"a": "L", "b": "W", "c": "T", "d": "e", "e": "d", "f": "fW", "g": "aT", "h": "Tb", "j": "ab"}
    paths |= {"k": "aj", "m": "kb", "n": "ak", "p": "q", "q": "pL", "r": "sT", "s": "rL", "u": "dTa"}
    return Paths("o", o="".join(paths), **paths)


@table("place, worth", BY_HAND.items())
@table("turn", [0, 1])
def test_a_value_found_by_hand(place: str, worth: tuple[int, int | None], turn: Seat) -> None:
    game = by_hand()
    assert solved(Paths(place, **game.paths)).evaluate((place, turn))[:2] == worth


def test_what_is_asked_later_stands_on_what_was_asked_before() -> None:
    game = SummationDuel(10, 20)
    start = game.start(Random())
    values: Retrograde[Any, Any] = Retrograde(game)
    for move in game.moves(start):
        values.evaluate(game.play(start, move))
    assert values.best_moves(start) == [3]


LOOPS = "defpqrsuo"
"""Places from which one can go round and round: a depth-first search is for games that must end."""


@table("place, worth", [(place, worth) for place, worth in BY_HAND.items() if place not in LOOPS])
def test_a_depth_first_search_finds_the_same_values(place: str, worth: tuple[int, int | None]) -> None:
    assert DepthFirstSearch[Any, Any](by_hand()).evaluate((place, 0)).value == worth[0]


@table(
    "place, keeping",
    [
        ("k", ["a", "j"]),
        ("m", ["k", "b"]),
        ("n", ["k"]),
        ("g", ["T"]),
        ("u", ["d", "T"]),
        ("f", ["f"]),
        ("W", []),
        ("T", []),
    ],
)
def test_the_moves_that_keep_the_value(place: str, keeping: list[str]) -> None:
    assert solved(by_hand()).best_moves((place, 0)) == keeping


# Too large


def test_more_positions_than_allowed_are_refused() -> None:
    game = RestrictedRemoval(10)
    exactly = solved(game).positions
    assert solved(game, max_positions=exactly).positions == exactly
    with pytest.raises(TooLarge, match=f"more than {exactly - 1} positions"):
        solved(game, max_positions=exactly - 1)


def test_the_solver_that_fits_is_chosen_by_what_the_game_offers() -> None:
    snatch, war = NumberSnatch(numbers=(2, 3, 6)), RangeWar(4)
    assert isinstance(general_oracle(snatch), Margins)
    assert isinstance(general_oracle(RestrictedRemoval()), Nimbers)
    assert isinstance(general_oracle(war), Retrograde)
    with pytest.raises(TooLarge):
        general_oracle(war, max_positions=3).evaluate(war.start(Random()))


# The five games


@table(
    "game, winning",
    [
        (RangeWar(10), [1, 2, 3, 4, 5]),
        (RangeWar(10, "free"), []),
        (RangeWar(9, "free"), [5]),
        (RestrictedRemoval(10), [6]),
        (RestrictedRemoval(12), [2, 3]),
        (RestrictedRemoval(4), []),
        (SummationDuel(10, 50), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (SummationDuel(10, 44), []),
        (SummationDuel(10, 42), [6]),
        (NumberCollision(1, 5), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]),
        (NumberCollision(2, 5), []),
        (NumberCollision(4, 2), []),
    ],
)
def test_the_first_moves_that_win(game: Any, winning: list[Any]) -> None:
    assert winning_moves(game) == winning


def test_number_collision_on_eight_cells_has_901_wins_379_losses_and_2151_draws() -> None:
    game = NumberCollision(8)
    values = solved(game)
    assert values.positions == 3_431
    assert Counter(values.value(line) for line in values) == {WIN: 901, LOSS: 379, DRAW: 2_151}
    assert values.value(game.start(Random())) == DRAW


# Margins

Row = tuple[tuple[int, ...], int, int, Seat]


class Ends:
    """Take a coin from either end of a row; level purses are a tie."""

    def __init__(self, *coins: int) -> None:
        self.coins = coins

    def start(self, rng: Random) -> Row:
        return self.coins, 0, 0, 0

    def turn(self, state: Row) -> Seat:
        return state[3]

    def moves(self, state: Row) -> tuple[int, ...]:
        return (0, -1)[: len(state[0])]

    def play(self, state: Row, move: int) -> Row:
        coins, mine, theirs, turn = state
        rest = coins[:-1] if move else coins[1:]
        return rest, theirs, mine + coins[move], 0 if turn else 1

    def outcome(self, state: Row) -> Outcome | None:
        if state[0]:
            return None
        first, second = self.scores(state)
        winner: Seat | None = None if first == second else 0 if first > second else 1
        return Outcome(winner, "coins", (first, second))

    def scores(self, state: Row) -> tuple[int, int]:
        _, mine, theirs, turn = state
        return (theirs, mine) if turn else (mine, theirs)

    def without_scores(self, state: Row) -> Row:
        return state[0], 0, 0, state[3]

    def tie_winner(self) -> None:
        return None

    def points_left(self, state: Row) -> int:
        return sum(state[0])


@table(
    "coins, margin, value",
    [
        ((), 0, DRAW),
        ((3,), 3, WIN),
        ((1, 1), 0, DRAW),
        ((1, 2, 1), 0, DRAW),  # whoever waits gets the 2
        ((1, 5, 1), -3, LOSS),
        ((5, 3, 7, 10), 5, WIN),
        ((8, 15, 3, 7), 11, WIN),
    ],
)
def test_a_margin_found_by_hand(coins: tuple[int, ...], margin: int, value: int) -> None:
    game = Ends(*coins)
    start = game.start(Random())
    assert Margins(game).evaluate(start) == (value, None, margin, None)


@cache
def best_margin(left: frozenset[int], last: int) -> int:
    """Plain minimax on Number Snatch: how much the player to move gains on the other from here."""
    if not left:
        return 0
    # A snatch takes the last number from them and adds it to us.
    return max(
        number + (2 * last if last and number % last == 0 else 0) - best_margin(left - {number}, number)
        for number in left
    )


@settings(max_examples=60)
@given(st.sets(st.integers(1, 24), min_size=1, max_size=7))
def test_margins_agree_with_plain_minimax(numbers: set[int]) -> None:
    game = NumberSnatch(numbers=tuple(numbers))
    start = game.start(Random())
    margins: Margins[Any, Any] = Margins(game)
    assert margins.evaluate(start).margin == best_margin(frozenset(numbers), 0)
    for move in game.moves(start):
        assert margins.evaluate_move(start, move).margin == move - best_margin(
            frozenset(numbers - {move}), move
        )


@settings(max_examples=40)
@given(st.sets(st.integers(1, 12), min_size=1, max_size=5))
def test_values_agree_with_retrograde_analysis_in_every_position(numbers: set[int]) -> None:
    # Even lists are among these: there a level end is a win for the second player.
    game: Any = NumberSnatch(numbers=tuple(numbers))
    plain: Retrograde[Any, Any] = Retrograde(game)
    plain.evaluate(game.start(Random()))
    margins: Margins[Any, Any] = Margins(game)
    for state in plain:
        assert margins.value(state) == plain.value(state)


# Nimbers

Heaps = tuple[tuple[int, ...], Seat]


class Subtraction:
    """Heaps of counters: take one, two or three from one of them; the last one wins."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def start(self, rng: Random) -> Heaps:
        return tuple(sorted(heap for heap in self.heaps if heap)), 0

    def turn(self, state: Heaps) -> Seat:
        return state[1]

    def moves(self, state: Heaps) -> list[tuple[int, int]]:
        return [(i, n) for i, heap in enumerate(state[0]) for n in (1, 2, 3) if n <= heap]

    def play(self, state: Heaps, move: tuple[int, int]) -> Heaps:
        left = list(state[0])
        left[move[0]] -= move[1]
        return tuple(sorted(heap for heap in left if heap)), 0 if state[1] else 1

    def outcome(self, state: Heaps) -> Outcome | None:
        return None if state[0] else Outcome(0 if state[1] else 1, "last")

    def components(self, state: Heaps) -> Sequence[Heaps]:
        return [((heap,), 0) for heap in state[0]]


def nimber(game: Any) -> int | None:
    return Nimbers[Any, Any](game).evaluate(game.start(Random(0))).nimber


def test_heaps_of_the_subtraction_game_count_modulo_four() -> None:
    for heaps in ((), (1,), (4,), (7,), (3, 5), (5, 6, 7), (2, 2), (9, 10, 11, 12)):
        expected = 0
        for heap in heaps:
            expected ^= heap % 4
        assert nimber(Subtraction(*heaps)) == expected


@table("heaps", [(3, 4, 5), (1, 2, 3), (4, 4), (2, 5, 6)])
def test_nimbers_and_retrograde_analysis_agree_everywhere(heaps: tuple[int, ...]) -> None:
    game = Subtraction(*heaps)
    plain, known = Retrograde[Any, Any](game), Nimbers[Any, Any](game)
    plain.evaluate(game.start(Random(0)))
    for state in plain:
        assert known.value(state) == plain.value(state)


# Limits


@table(
    "solver, game",
    [
        (Margins, NumberSnatch(numbers=tuple(range(1, 13)))),
        (Nimbers, RestrictedRemoval(40)),
        (DepthFirstSearch, RangeWar(12, "free")),
        (Retrograde, RangeWar(9)),
    ],
)
def test_more_positions_than_allowed_are_too_many(solver: type[Oracle[Any, Any]], game: Any) -> None:
    with pytest.raises(TooLarge, match="more than 50 positions"):
        solver(game, 50).evaluate(game.start(Random(0)))


@table(
    "solver, game",
    [
        (Margins, NumberSnatch(size=3_000, top=4_000)),
        (Nimbers, Subtraction(5_000)),
        (DepthFirstSearch, LastCounter(5_000)),
    ],
)
def test_a_game_too_deep_for_recursion_is_refused_and_not_a_crash(
    solver: type[Oracle[Any, Any]], game: Any
) -> None:
    with pytest.raises(TooLarge, match="longer than the search is deep"):
        solver(game, 10**9).evaluate(game.start(Random(0)))
