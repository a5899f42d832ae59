"""The levels of play come out in order, in every game and in both seats.

Each score is the mean of many seeded games (a win 1, a tie or a game broken off 1/2), so the test gives
the same numbers on every run; that it is no accident, the distance in standard errors says.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import pytest

from numberduels import players
from numberduels.core import OTHER, Seat
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.oracles import strongest_moves
from numberduels.players import Player
from numberduels.players.levels import LEVELS, LevelPlayer
from numberduels.players.mcts import MctsPlayer
from numberduels.players.perfect import PerfectPlayer
from numberduels.solvers import TooLarge

ORDER = ("random", "beginner", "casual", "skilled", "expert", "perfect")
REFERENCE = "beginner"
"""Against whom all are measured: weak enough that a seat that is lost in theory can be won."""

GAMES = 2_000
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
    """Perfect moves are looked up once per position: the same moves, in a fraction of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("numberduels.players.perfect.strongest_moves", cache(strongest_moves))
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


@pytest.mark.parametrize(("game", "seat"), CASES, ids=repr)
def test_each_level_scores_more_than_the_one_below_against_the_same_opponent(game: Any, seat: Seat) -> None:
    scores = [score(game, name, seat, REFERENCE) for name in ORDER]
    for (weak, below), (strong, above) in pairwise(zip(ORDER, scores, strict=True)):
        assert above.above(below) > UNMISTAKABLE, f"{weak} {below.mean:.3f}, {strong} {above.mean:.3f}"


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=() if game == RangeWar(10) else pytest.mark.long)
        for game in dict.fromkeys(game for game, _ in CASES)
    ],
    ids=repr,
)
def test_each_level_beats_every_one_below_head_to_head(game: Any) -> None:
    """In either seat the stronger scores more against the weaker than the weaker does in its place.

    What one scores in a seat the other loses in it, so that one comparison says it for both seats.
    """
    for weak, strong in combinations(ORDER, 2):
        above, below = score(game, strong, 0, weak), score(game, weak, 0, strong)
        assert above.above(below) > UNMISTAKABLE, f"{strong} {above.mean:.3f}, {weak} {below.mean:.3f}"


def test_every_level_is_found_by_its_name_and_told_to_the_user() -> None:
    assert tuple(LEVELS) == ORDER[1:-1]
    for level in LEVELS:
        assert players.make_player(level).name == level and players.KINDS[level][1]


def test_beyond_what_is_known_a_level_thinks_and_comes_back_to_knowing() -> None:
    class Unknowing(PerfectPlayer):
        def solve_from(self, game: Any, start: Any) -> None:
            if game == RangeWar(9):
                raise TooLarge("beyond reach")
            super().solve_from(game, start)

    player = LevelPlayer("expert")
    player._perfect = Unknowing()
    for game, kind in ((RangeWar(9), MctsPlayer), (RangeWar(5), Unknowing)):
        player.prepare(game, game.start(Random()))
        assert isinstance(player._careful, kind)
