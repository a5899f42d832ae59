"""Batches: many positions moved by one call, beside the rules that move one: every way to hold a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import sqrt
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from numberduels.game.batch import (
    ALL,
    FIRST,
    SECOND,
    GameBatch,
    PlainBatch,
    random_below,
    smallest_dtype,
)
from numberduels.game.batch.lookup import LookupBatch, make_position_table
from numberduels.game.bits import members
from numberduels.game.contract import IllegalMove
from numberduels.games.number_collision.batch import NumberCollisionBatch
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch import batch as snatch_batch
from numberduels.games.number_snatch.batch import NumberSnatchBatch
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.batch import RangeWarBatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.batch import RestrictedRemovalBatch
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.batch import SummationDuelBatch
from numberduels.games.summation_duel.rules import SummationDuel
from tables import table

KERNELS: dict[type[Any], type[GameBatch]] = {
    RangeWar: RangeWarBatch,
    NumberSnatch: NumberSnatchBatch,
    RestrictedRemoval: RestrictedRemovalBatch,
    SummationDuel: SummationDuelBatch,
    NumberCollision: NumberCollisionBatch,
}
LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)
"""Number Snatch: the book's list, with an odd sum."""

SMALL = [  # every way holds these
    RangeWar(size=1),
    RangeWar(size=2, opening="free"),
    RangeWar(),
    RangeWar(opening="free"),
    RangeWar(size=6, ending="misere"),
    NumberSnatch(numbers=(1,), top=1),
    NumberSnatch(numbers=(1, 2, 3)),  # an even sum: it can end level
    NumberSnatch(numbers=(2, 4, 6, 12), top=12),
    NumberSnatch(numbers=(1, 2, 3, 6, 64)),
    RestrictedRemoval(size=2),
    RestrictedRemoval(),
    SummationDuel(size=1, target=1),
    SummationDuel(),
    SummationDuel(size=64, target=8),
    NumberCollision(size=1, values=1),
    NumberCollision(size=2, values=20),
    NumberCollision(size=9, values=1),
    NumberCollision(size=4, values=3),
]
MIDDLE = [  # too many positions for tables
    RangeWar(size=23, opening="free"),
    RangeWar(size=64),
    RangeWar(size=64, opening="free"),
    NumberSnatch(size=1, top=1),
    NumberSnatch(size=3, top=6),
    NumberSnatch(),
    NumberSnatch(size=5, top=64),
    NumberSnatch(size=63, top=64),
    NumberSnatch(numbers=LIST),
    NumberSnatch(numbers=tuple(range(1, 65))),
    RestrictedRemoval(size=34),
    RestrictedRemoval(size=65),
    SummationDuel(size=20, target=60),
    SummationDuel(size=64, target=64 * 65 // 2),
    NumberCollision(),
    NumberCollision(size=10, values=20),
    NumberCollision(size=11, values=3),
    NumberCollision(size=64, values=3),
]
LARGE = [  # too long for one word, or with a memory
    RangeWar(size=65),
    NumberSnatch(size=10, top=65),
    NumberSnatch(numbers=(1, 65, 130)),
    RestrictedRemoval(size=66),
    SummationDuel(size=65, target=500),
    NumberCollision(size=65, values=2),
    NumberCollision(size=6, values=3, repetition="forbidden"),
]
TINY = [  # with a memory, and yet only a few positions
    NumberCollision(size=1, values=1, repetition="forbidden"),
    NumberCollision(size=2, values=2, repetition="forbidden"),
]
HELD = [  # plain rows only call the rules: a few games show it
    *((kind, game) for game in SMALL for kind in (LookupBatch, KERNELS[type(game)])),
    *((KERNELS[type(game)], game) for game in MIDDLE),
    *((PlainBatch, game) for game in LARGE),
    *((kind, game) for game in TINY for kind in (LookupBatch, PlainBatch)),
]
BOOKS = [  # each way of holding a game, once
    (LookupBatch, RangeWar()),
    (LookupBatch, NumberCollision(size=4, values=3)),
    *((kind, kind_of()) for kind_of, kind in KERNELS.items()),
    (PlainBatch, NumberSnatch()),
]


every_way = table("kind, game", HELD)
each_way = table("kind, game", BOOKS)


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(seed))


def new_batch(kind: type[GameBatch], game: Any, n: int, seed: int = 1) -> GameBatch:
    batch = kind(game, n)
    batch.reset(ALL, generator(seed))
    return batch


def states(batch: GameBatch) -> list[Any]:
    return [batch.state(row) for row in range(batch.n)]


def choose(game: Any, state: Any, chance: Random) -> Any:
    """Now and then a move from the middle, which makes some games long."""
    moves = game.moves(state)
    return chance.choice(moves) if chance.random() < 0.6 else moves[len(moves) // 2]


@cache
def places(game: Any) -> dict[Any, int]:
    """The action of every move."""
    return {move: action for action, move in enumerate(game.all_moves())}


def actions_of(game: Any, moves: Sequence[Any]) -> NDArray[np.intp]:
    return np.array([places(game)[move] for move in moves], dtype=np.intp)


def middle_moves(game: Any, batch: GameBatch) -> list[Any]:
    """In each row the move that stands in the middle, which ends none of these games soon."""
    return [moves[len(moves) // 2] for moves in map(game.moves, states(batch))]


def walked(kind: type[GameBatch], game: Any, n: int, plies: int, seed: int = 1) -> GameBatch:
    """A batch that have gone some way, each its own; those whose game is over wait there."""
    batch, chance = new_batch(kind, game, n, seed), Random(seed)
    for ply in range(plies):
        going = [row for row in range(n) if (row + ply) % 3 and game.moves(batch.state(row))]
        moves = [choose(game, batch.state(row), chance) for row in going]
        batch.play(actions_of(game, moves), np.array(going, dtype=np.intp))
    return batch


def even(counts: Sequence[int] | NDArray[Any]) -> None:
    """All of them are about as frequent as the others: chi-square, within five deviations."""
    found = np.asarray(counts, dtype=np.float64)
    freedom = len(found) - 1
    expected = found.sum() / len(found)
    assert ((found - expected) ** 2 / expected).sum() <= freedom + 5 * sqrt(2 * freedom) + 1e-9


# What all rows owe: to do what the rules do


def same_as_the_rules(batch: GameBatch, game: Any, expected: list[Any]) -> None:
    assert states(batch) == expected
    turn, legal, view = batch.turn(), batch.legal(), batch.observe()
    assert turn.dtype == np.int8 and turn.tolist() == [game.turn(state) for state in expected]
    assert legal.dtype == np.bool_ and legal.shape == (batch.n, len(places(game)))
    for flags, state in zip(legal, expected, strict=True):
        assert flags.nonzero()[0].tolist() == sorted(actions_of(game, game.moves(state)).tolist())
    assert view.dtype == smallest_dtype(game.features()) and view.tolist() == [
        list(game.observe(state)) for state in expected
    ]


@every_way
def test_games_chosen_in_any_order_move_as_the_rules_do(kind: type[GameBatch], game: Any) -> None:
    batch, chance, rng = new_batch(kind, game, 6), Random(1), generator(2)
    expected = states(batch)
    for _ in range(25):
        same_as_the_rules(batch, game, expected)
        going = [row for row in range(6) if game.moves(expected[row]) and chance.random() < 0.8]
        chance.shuffle(going)
        moves = [choose(game, expected[row], chance) for row in going]
        which, how, flags = batch.play(actions_of(game, moves), np.array(going, dtype=np.intp))
        ends = {}
        for place, (row, move) in enumerate(zip(going, moves, strict=True)):
            expected[row] = game.play(expected[row], move)
            outcome = game.outcome(expected[row])
            if outcome is not None:
                ends[place] = SECOND if outcome.winner else FIRST
        assert dict(zip(which.tolist(), how.tolist(), strict=True)) == ends
        assert flags.tolist() == [place in ends for place in range(len(going))]
        over = [row for row in range(6) if game.outcome(expected[row]) and chance.random() < 0.5]
        batch.reset(np.array(over, dtype=np.intp), rng)
        for row in over:
            expected[row] = batch.state(row)
            a_start(game, expected[row])
    same_as_the_rules(batch, game, expected)


@every_way
def test_keys_are_equal_where_positions_are_equal(kind: type[GameBatch], game: Any) -> None:
    batch = walked(kind, game, 12, 3)
    keys, positions = batch.keys(), states(batch)
    assert [batch.keys(np.array([row]))[0] for row in range(12)] == keys
    for key, position in zip(keys, positions, strict=True):
        assert [key == other for other in keys] == [position == other for other in positions]
    assert len(set(keys)) == len(set(positions))  # they can be hashed


@every_way
def test_all_games_move_as_the_rules_do(kind: type[GameBatch], game: Any) -> None:
    batch, chance = new_batch(kind, game, 5), Random(2)
    expected = states(batch)
    for _ in range(70):
        if not all(game.moves(state) for state in expected):
            break
        moves = [choose(game, state, chance) for state in expected]
        finished = batch.play(actions_of(game, moves))
        expected = [game.play(state, move) for state, move in zip(expected, moves, strict=True)]
        outcomes = [game.outcome(state) for state in expected]
        assert finished.indices.tolist() == [row for row, outcome in enumerate(outcomes) if outcome]
        assert finished.results.tolist() == [FIRST + outcome.winner for outcome in outcomes if outcome]
        assert finished.mask.tolist() == [outcome is not None for outcome in outcomes]
        same_as_the_rules(batch, game, expected)


# Choices of rows


@each_way
def test_what_some_games_tell_is_what_they_tell_among_all(kind: type[GameBatch], game: Any) -> None:
    batch = walked(kind, game, 9, 5)
    turn, legal, view = batch.turn(), batch.legal(), batch.observe()
    choices: list[Any] = [np.array([4]), np.array([8, 0, 3]), np.arange(9), slice(None), slice(1, 8, 2)]
    for chosen in choices:
        assert batch.turn(chosen).tolist() == turn[chosen].tolist()
        assert batch.legal(chosen).tolist() == legal[chosen].tolist()
        assert batch.observe(chosen).tolist() == view[chosen].tolist()
        sampled = batch.sample(generator(), chosen)
        assert sampled.shape == turn[chosen].shape
        for action, flags in zip(sampled, legal[chosen], strict=True):
            assert flags[action] or not flags.any()


@each_way
def test_games_that_are_not_chosen_stay_where_they_are(kind: type[GameBatch], game: Any) -> None:
    batch = walked(kind, game, 9, 2)
    before = states(batch)
    chosen = np.array([7, 2])
    assert all(game.moves(before[row]) for row in chosen)
    batch.play(batch.sample(generator(3), chosen), chosen)
    after = states(batch)
    assert [row for row in range(9) if after[row] != before[row]] == [2, 7]
    batch.reset(np.array([5, 7]), generator(4))
    again = states(batch)
    assert [again[row] for row in range(9) if row not in (5, 7)] == [
        after[row] for row in range(9) if row not in (5, 7)
    ]
    for row in (5, 7):
        a_start(game, again[row])


@each_way
def test_a_choice_of_no_games_is_empty_and_changes_nothing(kind: type[GameBatch], game: Any) -> None:
    batch = walked(kind, game, 3, 2)
    before = states(batch)
    none = np.array([], dtype=np.intp)
    batch.reset(none, generator())
    which, how, _ = batch.play(none, none)
    assert len(which) == len(how) == len(batch.turn(none)) == len(batch.sample(generator(), none)) == 0
    assert batch.legal(none).shape == (0, batch.num_actions)
    assert batch.observe(none).shape == (0, len(game.features()))
    assert states(batch) == before


@each_way
def test_what_games_return_is_the_callers_to_spoil(kind: type[GameBatch], game: Any) -> None:
    batch = walked(kind, game, 4, 2)
    before = states(batch)
    for chosen in (ALL, np.array([1, 3])):
        unpack_with_columns: list[NDArray[Any]] = [
            batch.turn(chosen),
            batch.legal(chosen),
            batch.observe(chosen),
        ]
        unpack_with_columns.append(batch.sample(generator(), chosen))
        for array in unpack_with_columns:
            array[...] = 1
    assert states(batch) == before
    same_as_the_rules(batch, game, before)
    actions = batch.sample(generator(), ALL)
    given_away = actions.copy()
    batch.play(given_away)
    assert given_away.tolist() == actions.tolist()
    after = states(batch)
    given_away[:] = 0
    assert states(batch) == after


# Illegal actions


@every_way
def test_what_the_rules_refuse_is_refused_in_their_words_and_no_row_moves(
    kind: type[GameBatch], game: Any
) -> None:
    """Every action, in positions from the start to the end of a game."""
    moves = list(game.all_moves())
    tried = set()
    for plies in (0, 1, 2, 5, 12):
        batch = walked(kind, game, 4, plies, seed=plies)
        before = states(batch)
        for row, state in enumerate(before):
            allowed = set(game.moves(state))
            refused = [action for action, move in enumerate(moves) if move not in allowed]
            for action in refused[:: max(1, len(refused) // 12)]:
                with pytest.raises(IllegalMove) as by_the_rules:
                    game.play(state, moves[action])
                with pytest.raises(IllegalMove) as by_the_batch:
                    batch.play(np.array([action]), np.array([row]))
                assert str(by_the_batch.value) == f"Game {row}: {by_the_rules.value}"
                tried.add(plies)
        assert states(batch) == before
    assert tried  # every game has come to its end, or to a taken number, by then


@each_way
def test_one_illegal_action_among_legal_ones_moves_nothing(kind: type[GameBatch], game: Any) -> None:
    batch = new_batch(kind, game, 5)
    taken = actions_of(game, middle_moves(game, batch))
    batch.play(taken)
    before = states(batch)
    actions = batch.sample(generator(), ALL)
    actions[3:] = taken[3:]
    with pytest.raises(IllegalMove, match=r"^Game 3: "):
        batch.play(actions)
    assert states(batch) == before
    with pytest.raises(IllegalMove, match=r"^Game 4: "):  # the first in the order that they are given
        batch.play(actions[[0, 4, 3, 1]], np.array([0, 4, 3, 1]))
    with pytest.raises(IllegalMove, match=r"^Game 3: "):
        batch.play(actions[1::2], slice(1, None, 2))
    assert states(batch) == before
    same_as_the_rules(batch, game, before)


# Chance: deals and samples


def a_start(game: Any, state: Any) -> None:
    """The one start, or a dealt list of the right size, from the right numbers, with an odd sum."""
    if not isinstance(game, NumberSnatch) or game.numbers:
        assert state == game.start(Random(0))
        return
    numbers = members(state[0])
    assert len(numbers) == game.size and set(numbers) <= set(range(1, game.top + 1))
    assert sum(numbers) % 2 == 1
    assert state[1:] == (0, 0, 0)


@table("method", ["listed", "_guessed", "_shuffled", None])
def test_every_list_with_an_odd_sum_is_dealt_equally_often(
    method: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three of six: half of the twenty lists; and two of twelve: 36 of 66."""
    for size, top, count in ((3, 6, 10), (2, 12, 36)):
        game = NumberSnatch(size=size, top=top)
        odd = {each for each in combinations(range(1, top + 1), size) if sum(each) % 2}
        assert len(odd) == count
        if method in ("_guessed", "_shuffled"):
            monkeypatch.setattr(snatch_batch, "MAX_LISTED_TOP", 0)
            for other in ("_guessed", "_shuffled"):
                monkeypatch.setattr(NumberSnatchBatch, other, getattr(NumberSnatchBatch, method))
        batch = new_batch(NumberSnatchBatch if method else PlainBatch, game, 4_000)
        found = Counter(members(state[0]) for state in states(batch))
        assert set(found) == odd
        even(list(found.values()))


@table(
    "kind, game",
    [
        *BOOKS,
        (RangeWarBatch, RangeWar(size=11)),
        (RangeWarBatch, RangeWar(size=12)),
        (RangeWarBatch, RangeWar(size=64)),
        (RestrictedRemovalBatch, RestrictedRemoval(size=45)),
        (SummationDuelBatch, SummationDuel(size=44, target=500)),
        (NumberSnatchBatch, NumberSnatch(size=60, top=64)),
        (NumberCollisionBatch, NumberCollision(size=64, values=3)),
        (NumberCollisionBatch, NumberCollision(size=3, values=20)),
        (PlainBatch, NumberCollision(size=3, values=3, repetition="forbidden")),
    ],
)
def test_every_legal_action_is_sampled_equally_often(kind: type[GameBatch], game: Any) -> None:
    n = 4_000
    batch = new_batch(kind, game, n)
    everyone = np.arange(n)
    for ply in range(3):
        legal = batch.legal()
        actions = batch.sample(generator(ply), ALL)
        assert actions.dtype == np.intp and actions.shape == (n,)
        assert legal[everyone, actions].all()
        ranks = legal.cumsum(axis=1)[everyone, actions] - 1  # of a dealt list: the first, the second, ...
        count = int(legal[0].sum())
        assert (legal.sum(axis=1) == count).all()
        even(np.bincount(ranks, minlength=count))
        some = everyone[::2]
        even(np.bincount(legal.cumsum(axis=1)[some, batch.sample(generator(ply), some)] - 1, minlength=count))
        batch.play((legal.cumsum(axis=1) == count // 2 + 1).argmax(axis=1))  # the one in the middle


# The tools: sets as words


def raw(*words: int) -> np.random.Generator:
    """A generator whose raw words are these."""
    supply = iter(words)
    source = SimpleNamespace(
        random_raw=lambda size: np.array([next(supply) for _ in range(size)], dtype=np.uint64)
    )
    return cast(np.random.Generator, SimpleNamespace(bit_generator=source))


LAST_WORD = (1 << 64) - 1


@table("dtype", [np.uint8, np.uint32, np.uint64, np.int64])
def test_below_goes_from_none_to_one_less_than_the_count(dtype: type[Any]) -> None:
    counts = np.array([1, 2, 3, 64, 200], dtype=dtype)
    assert random_below(counts[:0], generator()).tolist() == []
    assert random_below(counts[:3] * 0, generator()).tolist() == [0, 0, 0]
    assert random_below(counts, raw(0, 0, 0)).tolist() == [0] * 5
    assert random_below(counts, raw(LAST_WORD, LAST_WORD, LAST_WORD)).tolist() == [0, 1, 2, 63, 199]
    assert counts.tolist() == [1, 2, 3, 64, 200]
    half = 1 << 31 | 1 << 63
    assert random_below(counts, raw(half, half, half)).tolist() == [0, 1, 1, 32, 100]


# Which games fit


@table(
    "kind, fits, too_large",
    [
        (RangeWarBatch, RangeWar(size=64), RangeWar(size=65)),
        (NumberSnatchBatch, NumberSnatch(size=9, top=64), NumberSnatch(size=9, top=65)),
        (NumberSnatchBatch, NumberSnatch(numbers=(1, 64)), NumberSnatch(numbers=(1, 65))),
        (RestrictedRemovalBatch, RestrictedRemoval(size=65), RestrictedRemoval(size=66)),
        (SummationDuelBatch, SummationDuel(size=64), SummationDuel(size=65)),
        (NumberCollisionBatch, NumberCollision(size=64, values=20), NumberCollision(size=65, values=1)),
        (NumberCollisionBatch, NumberCollision(), NumberCollision(repetition="forbidden")),
        (LookupBatch, NumberSnatch(size=3, numbers=(1, 2, 4)), NumberSnatch(size=3, top=6)),
    ],
)
def test_what_fits_and_what_is_too_large(kind: type[GameBatch], fits: Any, too_large: Any) -> None:
    assert kind.supports(fits) and not kind.supports(too_large)


def test_a_layout_has_every_position_once_and_the_ends_last() -> None:
    """With all numbers needed every set of used numbers is a position, and one is the end: 2 to the 6th."""
    game = SummationDuel(size=6, target=21)
    table = make_position_table(game)
    assert table is not None
    assert sorted(table.states) == sorted(
        {(unused, 21 - sum(members(unused))) for unused in range(0, 1 << 7, 2)}
    )
    assert table.first_finished == 63 and table.states[-1] == (0, 21)
    assert table.states[0] == game.start(Random(0))
    assert make_position_table(game, max_positions=64) and not make_position_table(game, max_positions=63)


def test_few_positions_with_a_great_many_moves_are_not_laid_out() -> None:
    assert not LookupBatch.supports(SummationDuel(size=10_000, target=3))
    assert LookupBatch.supports(SummationDuel(size=20, target=3))
