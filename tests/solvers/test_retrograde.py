"""Retrograde analysis: values by hand, values by theorem, and the facts about the five games."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from numberduels.game.contract import Outcome, Seat
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from numberduels.solvers import DRAW, LOSS, WIN, Margins, Nimbers, Retrograde, TooLarge, general_oracle
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


def test_values_do_not_depend_on_where_the_search_began() -> None:
    values = solved(by_hand())
    for place, turn in values:
        if place != "o":
            assert values.evaluate((place, turn))[:2] == BY_HAND[place]


def test_what_is_asked_later_stands_on_what_was_asked_before() -> None:
    game = SummationDuel(10, 20)
    start = game.start(Random())
    values: Retrograde[Any, Any] = Retrograde(game)
    for move in game.moves(start):
        values.evaluate(game.play(start, move))
    assert values.best_moves(start) == [3]


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


def test_a_long_row_is_solved_without_recursion() -> None:
    values = solved(LastCounter(10_000))
    assert values.evaluate((10_000, 0))[:2] == (WIN, 6_667)  # 3333 rounds of three, and the first of one
    assert values.evaluate((9_999, 1))[:2] == (LOSS, 6_666)
    assert all(values.value((counters, 0)) == (WIN if counters % 3 else LOSS) for counters in range(1, 99))


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
