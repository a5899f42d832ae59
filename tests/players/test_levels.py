"""The levels of play come out in order, in every game and in both seats.

Each score is the mean of many seeded games (a win 1, a tie or a game broken off 1/2), so the test gives
the same numbers on every run; that it is no accident, the distance in standard errors says.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import pytest

from numberduels import players
from numberduels.game import registry
from numberduels.game.contract import OTHER, Seat
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.players import Player
from numberduels.players.ladder import SLIPS, LevelPlayer, PerfectPlayer, slip_of
from numberduels.players.search import MctsPlayer, moves_in_sight
from numberduels.solvers import Retrograde, TooLarge
from numberduels.solvers.choose import engaging_moves, tempting_moves
from tables import table

ORDER = ("random", "beginner", "casual", "skilled", "expert", "perfect")
REFERENCE = "beginner"
"""Against whom all are measured: weak enough that a seat that is lost in theory can be won."""

GAMES = 3_000
UNMISTAKABLE = 3.0
"""Standard errors between two scores."""

LONGEST = 12
"""Plies after which Number Collision, which need not end, counts as half: losses avoided so far."""

CASES: list[tuple[Any, Seat]] = [
    (RangeWar(10), 0),
    (RangeWar(10, "free"), 1),
    (NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17)), 0),
    (NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17)), 1),
    (RestrictedRemoval(12), 0),
    (RestrictedRemoval(15), 1),
    (SummationDuel(10, 42), 0),
    (SummationDuel(10, 44), 1),
    (NumberCollision(4, 3), 0),
    (NumberCollision(5, 3), 1),
]
"""Each game from both seats, at a variant where that seat need not lose, if there is one."""


class Score(NamedTuple):
    """A mean of many games, and the variance of that mean."""

    mean: float
    variance: float

    def above(self, other: Score) -> float:
        """By how many standard errors this is the higher."""
        return (self.mean - other.mean) / sqrt(self.variance + other.variance or 1e-9)


@pytest.fixture(scope="module", autouse=True)
def _remembering() -> Any:
    """What is asked of a position is computed once: the same moves, in a fraction of the time."""
    engaging, in_sight = cache(engaging_moves), cache(moves_in_sight)

    @cache
    def mistakes(oracle: Any, state: Any, moves: tuple[Any, ...]) -> list[Any]:
        return tempting_moves(oracle, state, moves)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("numberduels.players.ladder.engaging_moves", engaging)
        patch.setattr("numberduels.players.ladder.moves_in_sight", in_sight)
        patch.setattr(
            "numberduels.players.ladder.tempting_moves",
            lambda oracle, state, moves: mistakes(oracle, state, tuple(moves)),
        )
        yield


@cache
def player(game: Any, name: str) -> Player:
    """One player for a whole game, so that nothing is solved twice."""
    found = players.make_player(name)
    found.prepare(game, game.start(Random(0)))
    return found


@cache
def score(game: Any, name: str, seat: Seat, opponent: str) -> Score:
    """What the player scores in this seat against the opponent."""
    rng = Random(f"{name} {seat} {opponent}")
    sides = {seat: player(game, name), OTHER[seat]: player(game, opponent)}
    results = [_result(game, sides, seat, rng) for _ in range(GAMES)]
    mean = sum(results) / GAMES
    return Score(mean, sum((each - mean) ** 2 for each in results) / GAMES**2)


def _result(game: Any, sides: dict[Seat, Player], seat: Seat, rng: Random) -> float:
    state = game.start(Random(0))
    for _ in range(getattr(game, "max_plies", LONGEST) + 1):
        outcome = game.outcome(state)
        if outcome:
            return 0.5 if outcome.winner is None else float(outcome.winner == seat)
        state = game.play(state, sides[game.turn(state)].choose(game, state, rng))
    return 0.5


def test_each_level_scores_more_than_the_one_below_in_the_smallest_game() -> None:
    check_order(RangeWar(10), 0)


@pytest.mark.long
@table("game, seat", CASES)
def test_each_level_scores_more_than_the_one_below_against_the_same_opponent(game: Any, seat: Seat) -> None:
    check_order(game, seat)


def check_order(game: Any, seat: Seat) -> None:
    scores = [score(game, name, seat, REFERENCE) for name in ORDER]
    for (weak, below), (strong, above) in pairwise(zip(ORDER, scores, strict=True)):
        assert above.above(below) > UNMISTAKABLE, f"{weak} {below.mean:.3f}, {strong} {above.mean:.3f}"


def test_the_levels_slip_less_and_less_in_every_game() -> None:
    for spec in registry.specs():
        slips = [slip_of(level, spec.rules()) for level in SLIPS]
        assert slips == sorted(slips, reverse=True) and len(set(slips)) == len(slips)
    assert slip_of("beginner", NumberSnatch()) < SLIPS["beginner"], "a game may declare its own"


@table("game", [RangeWar(8, "free"), SummationDuel(6, 15), NumberCollision(4, 3)])
def test_without_a_slip_a_level_keeps_the_value(game: Any) -> None:
    values: Retrograde[Any, Any] = Retrograde(game, use_symmetry=False)
    values.evaluate(game.start(Random(0)))
    level = LevelPlayer("casual", slip=0.0)
    for state in values:
        if game.moves(state):
            move = level.choose(game, state, Random(0))
            assert values.evaluate_move(state, move).value == values.value(state)


def test_a_mistake_leaves_the_opponent_as_few_good_replies_as_can_be() -> None:
    """1 to 5 win. After 6 one reply wins, after 7 two do, and more after a higher number."""
    game, level = RangeWar(), LevelPlayer("casual", slip=0.5)
    start = game.start(Random(0))
    chosen = Counter(level.choose(game, start, Random(seed)) for seed in range(400))
    mistakes = {move: count for move, count in chosen.items() if move > 5}
    assert set(mistakes) == {6, 7, 8, 9, 10}  # a second slip on the same turn leads anywhere
    assert mistakes[6] + mistakes[7] > 2 * (mistakes[8] + mistakes[9] + mistakes[10])


def test_who_slips_once_still_sees_what_can_be_seen_at_once() -> None:
    """The target is 4 away: a win at once is missed only by a second slip, one turn in eleven."""
    game, level = SummationDuel(10, 20), LevelPlayer("casual", slip=0.3)
    state = game.play(game.play(game.start(Random(0)), 10), 6)
    wins = sum(level.choose(game, state, Random(seed)) == 4 for seed in range(400))
    assert wins > 400 * (1 - 0.09) * 0.95


def test_beyond_what_is_known_a_level_searches_and_comes_back_to_knowing() -> None:
    class Unknowing(PerfectPlayer):
        def solve_from(self, game: Any, start: Any) -> None:
            if game == RangeWar(9):
                raise TooLarge("beyond reach")
            super().solve_from(game, start)

    searched: list[Any] = []

    class Search(MctsPlayer):
        def choose(self, game: Any, state: Any, rng: Random) -> Any:
            searched.append(game)
            return super().choose(game, state, rng)

    for slip in (0.0, 0.9):
        player = LevelPlayer("expert", Unknowing(), slip)
        player._search = Search(20)
        for game in (RangeWar(9), RangeWar(5), RangeWar(9)):
            start = game.start(Random())
            player.prepare(game, start)
            assert player.choose(game, start, Random(1)) in game.moves(start)
    assert searched == [RangeWar(9), RangeWar(9)]
