"""What only a batch promises: how games are held, which actions it takes, and some of its games at a time."""

from __future__ import annotations

import subprocess
import sys
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

from numberduels.envs import batch, batch_env
from numberduels.envs.batch_env import BatchEnv, make_batch
from numberduels.game import registry
from numberduels.game.batch import GameBatch, PlainBatch
from numberduels.game.batch.lookup import LookupBatch
from numberduels.game.contract import IllegalMove
from numberduels.games.number_collision.batch import NumberCollisionBatch
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.batch import NumberSnatchBatch
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.batch import RangeWarBatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.batch import RestrictedRemovalBatch
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.batch import SummationDuelBatch
from numberduels.games.summation_duel.rules import SummationDuel
from tables import table

from .variants import Cards, Counters, cards, counters

WAYS: list[tuple[type[GameBatch], Any]] = [
    (RangeWarBatch, RangeWar()),
    (NumberSnatchBatch, NumberSnatch()),
    (NumberCollisionBatch, NumberCollision()),
    (PlainBatch, NumberSnatch()),
    (PlainBatch, NumberCollision(repetition="forbidden")),  # with a history
    (LookupBatch, NumberCollision(size=4, values=3)),
]
each_way = table("kind, game", WAYS)


def held(kind: type[GameBatch], game: Any, n: int, limit: int | None = None) -> BatchEnv:
    """A batch whose games are held in this way, whichever it would have chosen itself."""
    with patch.object(batch_env, "make_batch", lambda _, game, n: kind(game, n)):
        found = BatchEnv(registry.spec_of(game), game, n, limit=limit)
    found.reset(1)
    return found


def told(games: BatchEnv) -> list[Any]:
    """All that a batch tells about its games."""
    states = [games.state(row) for row in range(games.n)]
    return [states, games.turn.tolist(), games.legal().tolist(), games.observe().tolist()]


def middle(games: BatchEnv) -> NDArray[np.intp]:
    """In each game a move from the middle, which ends none of these games soon."""
    return np.array([flags.nonzero()[0][flags.sum() // 2] for flags in games.legal()])


@table(
    "game, kind",
    [
        *((game(), LookupBatch) for game in (RangeWar, RestrictedRemoval, SummationDuel)),
        (NumberCollision(size=2, values=2, repetition="forbidden"), LookupBatch),
        (SummationDuel(size=64, target=3), LookupBatch),
        (Counters(5), LookupBatch),
        (RangeWar(size=64), RangeWarBatch),
        (RestrictedRemoval(size=65), RestrictedRemovalBatch),
        (SummationDuel(size=64, target=400), SummationDuelBatch),
        (NumberCollision(size=64, values=20), NumberCollisionBatch),
        (RangeWar(size=65), PlainBatch),
        (Cards(), PlainBatch),
    ],
)
def test_small_games_are_tables_larger_ones_their_own_and_the_rest_plain(
    game: Any, kind: type[GameBatch]
) -> None:
    spec = {Counters: counters, Cards: cards}.get(type(game)) or registry.spec_of(game)
    rows = make_batch(spec, game, 3)
    assert type(rows) is kind and rows.n == 3 and rows.game == game


def test_what_is_no_row_of_actions_is_refused_and_none_has_moved() -> None:
    games = batch("range-war", 3)
    games.reset(1)
    before = told(games)
    wrong: list[Any] = [
        *(0, [], [0, 0], [[0, 0, 0]], [0.0, 0.0, 0.0], [True, True, True], ["0", "0", "0"], None),
        *([[0], [0, 0], []], [0, 0, 10**30], [0, 0, -1], [10, 0, 0], np.array([0, -1, 0], dtype=np.int8)),
        np.array([0, 0, 1 << 63], dtype=np.uint64),
    ]
    for actions in wrong:
        with pytest.raises((TypeError, ValueError)) as fault:
            games.step(actions)
        assert not isinstance(fault.value, IllegalMove)
        assert told(games) == before, actions
    with pytest.raises(TypeError, match=r"^a step takes 3 whole numbers, not float64 of shape \(2,\)$"):
        games.step([0.5, 0.5])
    with pytest.raises(ValueError, match=r"^actions are the whole numbers from 0 to 9$"):
        games.step([0, 10, 0])


def test_there_are_no_games_before_the_first_reset() -> None:
    games = batch("range-war", 3)
    asked: list[Any] = [games.legal, games.observe, games.sample, lambda: games.turn, lambda: games.state(0)]
    for ask in (*asked, lambda: games.advance(np.array([0]), np.array([1]))):
        with pytest.raises(RuntimeError, match="reset"):
            ask()


def test_a_game_is_asked_for_by_its_place() -> None:
    games = held(PlainBatch, RangeWar(), 3)
    games.advance(games.games.sample(games.rng, np.array([2])), np.array([2]))
    assert games.state(-1) == games.state(2) != games.state(0) == games.state(-3)
    for row in (3, -4):
        with pytest.raises(IndexError):
            games.state(row)


@each_way
def test_samples_are_legal_and_repeat_with_the_seed(kind: type[GameBatch], game: Any) -> None:
    courses = []
    for games, seed in ((held(kind, game, 8), 7), (held(kind, game, 8), 7), (held(kind, game, 8), 8)):
        games.reset(seed)
        course = []
        for again in range(8):
            if again == 4:
                games.reset()  # which goes on with the generator
                assert games.turn.tolist() == [0] * 8
            actions = games.sample()
            assert games.legal()[np.arange(8), actions].all()
            course += [actions.tolist(), games.observe().tolist()]
            games.step(actions)
        assert course[:8] != course[8:]
        courses.append(course)
    assert courses[0] == courses[1] != courses[2]


@each_way
def test_to_advance_some_games_leaves_the_others_and_to_begin_them_anew_too(
    kind: type[GameBatch], game: Any
) -> None:
    games = held(kind, game, 6, limit=3)
    before = told(games)
    chosen: NDArray[np.intp] = np.array([4, 1])
    for _ in range(2):  # the second time for the same games at another position
        step, over = games.advance(middle(games)[chosen], chosen)
        assert len(step.rewards) == len(step.terminated) == len(step.truncated) == 2 and not len(over)
    after = told(games)
    for one, two in zip(before, after, strict=True):
        assert [row for row in range(6) if one[row] != two[row]] in ([1, 4], [])
    assert games.observe_games(chosen).tolist() == games.observe()[chosen].tolist()
    step, over = games.advance(middle(games)[chosen], chosen)
    assert step.truncated.tolist() == [True, True] and over.tolist() == [0, 1]
    games.restart(chosen[over])
    assert games.turn.tolist() == [0] * 6
    assert [games.state(row) for row in (0, 2, 3, 5)] == [before[0][row] for row in (0, 2, 3, 5)]


@pytest.mark.long
def test_a_batch_needs_nothing_but_numpy() -> None:
    program = (
        "import sys; sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None\n"
        "from numberduels import envs\n"
        "games = envs.batch('range-war', n=3); games.reset(1); games.step(games.sample())\n"
        "try: envs.aec('range-war')\n"
        "except ModuleNotFoundError as fault: print(fault)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.endswith(
        "is not installed; the environments need it: pip install 'numberduels[envs]'\n"
    )
