"""Batches of games beside the rules, game by game and step by step."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from numberduels import registry
from numberduels.batch import GameBatch
from numberduels.batch.lookup import LookupBatch
from numberduels.batch.plain import PlainBatch
from numberduels.bits import members
from numberduels.core import Feature, IllegalMove, Outcome, Seat
from numberduels.envs import batch, batch_env
from numberduels.envs.batch_env import BatchEnv, make_batch
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
from numberduels.games.template import spec as template
from numberduels.games.template.rules import LastCounter
from numberduels.spec import GameSpec
from tables import table

KERNELS: dict[type[Any], type[GameBatch]] = {
    RangeWar: RangeWarBatch,
    NumberSnatch: NumberSnatchBatch,
    RestrictedRemoval: RestrictedRemovalBatch,
    SummationDuel: SummationDuelBatch,
    NumberCollision: NumberCollisionBatch,
}
GAMES = ["range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"]
WAYS: list[tuple[type[GameBatch], Any]] = [
    *((kind, game()) for game, kind in KERNELS.items()),
    (PlainBatch, NumberSnatch()),
    (PlainBatch, NumberCollision()),
    (LookupBatch, RangeWar()),
    (LookupBatch, NumberCollision(size=4, values=3)),
]


each_way = table("kind, game", WAYS)


# Small games that offer little, written for what ours cannot show: ties, no view, deals without one


Words = tuple[str, ...]


@dataclass(frozen=True)
class Echo:
    """Two words, one each: who says the other's word wins; "silence" from anybody is a tie."""

    max_plies = 2

    def all_moves(self) -> Words:
        return ("yes", "no", "silence")

    def start(self, rng: Random) -> Words:
        return ()

    def turn(self, state: Words) -> Seat:
        return 1 if len(state) % 2 else 0

    def moves(self, state: Words) -> Words:
        return self.all_moves() if len(state) < 2 else ()

    def play(self, state: Words, move: str) -> Words:
        if move not in self.moves(state):
            raise IllegalMove("Enough has been said.")
        return state + (move,)

    def outcome(self, state: Words) -> Outcome | None:
        if len(state) < 2:
            return None
        if "silence" in state:
            return Outcome(None, "silence")
        return Outcome(1 if state[0] == state[1] else 0, "echo")


Hand = tuple[Words, Words]


@dataclass(frozen=True)
class Cards:
    """Two of three cards are dealt; an ace laid down wins at once, and else the king beats the queen."""

    cards: Words = ()
    max_plies = 2

    def all_moves(self) -> Words:
        return ("ace", "king", "queen")

    def start(self, rng: Random) -> Hand:
        return self.cards or tuple(sorted(rng.sample(self.all_moves(), 2))), ()

    def with_start(self, start: Hand) -> Cards:
        return Cards(start[0])

    def turn(self, state: Hand) -> Seat:
        return 1 if len(state[1]) % 2 else 0

    def moves(self, state: Hand) -> Words:
        return () if "ace" in state[1] else state[0]

    def play(self, state: Hand, move: str) -> Hand:
        if move not in self.moves(state):
            raise IllegalMove(f"There is no {move}.")
        return tuple(card for card in state[0] if card != move), state[1] + (move,)

    def outcome(self, state: Hand) -> Outcome | None:
        if self.moves(state):
            return None
        return Outcome(0 if state[1].index(min(state[1])) == 0 else 1, "higher")


@dataclass(frozen=True)
class Waiting:
    """Wait as long as you like; who stops has won. It need never end."""

    def all_moves(self) -> Words:
        return ("wait", "stop")

    def start(self, rng: Random) -> tuple[Seat, bool]:
        return 0, False

    def turn(self, state: tuple[Seat, bool]) -> Seat:
        return state[0]

    def moves(self, state: tuple[Seat, bool]) -> Words:
        return () if state[1] else self.all_moves()

    def play(self, state: tuple[Seat, bool], move: str) -> tuple[Seat, bool]:
        if move not in self.moves(state):
            raise IllegalMove("It has stopped.")
        return 0 if state[0] else 1, move == "stop"

    def outcome(self, state: tuple[Seat, bool]) -> Outcome | None:
        return Outcome(0 if state[0] else 1, "stopped") if state[1] else None


def spec_of(game: Any) -> GameSpec:
    if type(game) in KERNELS:
        return registry.spec_of(game)
    return GameSpec(name="small", title="Small", summary="Small.", rules=type(game), text=template.text)


def held(kind: type[GameBatch], game: Any, n: int, limit: int | None = None) -> BatchEnv:
    """A batch whose games are held in this way, whichever it would have chosen itself."""
    with patch.object(batch_env, "make_batch", lambda _, game, n: kind(game, n)):
        found = BatchEnv(spec_of(game), game, n, limit=limit)
    assert type(found._games) is kind
    return found


# The same as the rules


class Twin:
    """The games of a batch, played one by one by the rules, with every step compared."""

    def __init__(self, games: BatchEnv, game: Any, limit: int | None, seed: int) -> None:
        self.batch, self.game, self.limit = games, game, limit
        self.moves = list(game.all_moves())
        self.action_of = {each_move: action for action, each_move in enumerate(self.moves)}
        self.observe_position = getattr(game, "observe", lambda state: (game.turn(state) + 1,))
        self.chance = Random(seed)
        games.reset(seed)
        self.states = [self.start(row) for row in range(games.n)]
        self.histories = [self.initial_history(state) for state in self.states]
        self.plies = [0] * games.n
        self.ends = 0
        self.compare()

    def start(self, row: int) -> Any:
        """Where a game begins: at its only start, or at a deal that the rules know."""
        state, game = self.batch.state(row), self.game
        if isinstance(game, NumberSnatch) and not game.numbers:
            numbers = members(state[0])
            assert len(numbers) == game.size and sum(numbers) % 2 == 1 and numbers[-1] <= game.top
            assert state[1:] == (0, 0, 0)
        elif isinstance(game, Cards):
            assert state in {(("ace", "king"), ()), (("ace", "queen"), ()), (("king", "queen"), ())}
        else:
            assert state == game.start(Random(0))
        return state

    def initial_history(self, state: Any) -> list[int]:
        """What a history begins with: of a dealt game, what is legal at the start."""
        if isinstance(self.game, Cards) and not self.game.cards:
            return [int(each_move in self.game.moves(state)) for each_move in self.moves]
        return []

    def compare(self) -> None:
        """States, turns, masks and observations are those of the rules."""
        games, game = self.batch, self.game
        assert [games.state(row) for row in range(games.n)] == self.states
        assert games.turn.tolist() == [game.turn(state) for state in self.states]
        legal = games.legal()
        assert legal.shape == (games.n, len(self.moves)) and legal.dtype == np.bool_
        for flags, state in zip(legal, self.states, strict=True):
            assert flags.nonzero()[0].tolist() == sorted(self.action_of[move] for move in game.moves(state))
        seen, columns = games.observe(), games.encoding.features
        assert seen.shape == (games.n, len(columns))
        width = len(columns) - games.encoding.history_length
        assert seen[:, :width].tolist() == [list(self.observe_position(state)) for state in self.states]
        for row, history in zip(seen[:, width:], self.histories, strict=True):
            assert row.tolist() == (history + [0] * len(row))[: len(row)]
        assert (seen >= [low for _, low, _ in columns]).all()
        assert (seen <= [high for _, _, high in columns]).all()
        assert legal[np.arange(games.n), games.sample()].all()

    def choose(self, state: Any) -> int:
        moves = self.game.moves(state)
        move = self.chance.choice(moves) if self.chance.random() < 0.7 else moves[len(moves) // 2]
        return self.action_of[move]

    def step(self) -> None:
        """A move in each game; what the batch says of it is what the rules say."""
        game = self.game
        actions = [self.choose(state) for state in self.states]
        rewards, terminated, truncated = self.batch.step(actions)
        assert rewards.dtype == np.int8 and terminated.dtype == truncated.dtype == np.bool_
        for row, action in enumerate(actions):
            state = game.play(self.states[row], self.moves[action])
            outcome = game.outcome(state)
            self.states[row] = state
            self.histories[row].append(action + 1)
            self.plies[row] += 1
            broken_off = outcome is None and self.plies[row] == self.limit
            assert bool(terminated[row]) == (outcome is not None)
            assert bool(truncated[row]) == broken_off
            if outcome is None or outcome.winner is None:
                assert rewards[row].tolist() == [0, 0]
            else:
                assert rewards[row].tolist() == ([-1, 1] if outcome.winner else [1, -1])
            if outcome is not None or broken_off:
                self.ends += 1
                self.plies[row] = 0
                self.states[row] = self.start(row)
                self.histories[row] = self.initial_history(self.states[row])
        self.compare()


def follow(kind: type[GameBatch], game: Any, *, limit: int | None, seed: int, n: int, steps: int) -> int:
    """Play a batch beside its twin; how many games came to an end."""
    expected = limit or (None if hasattr(game, "max_plies") else 1_000)
    twin = Twin(held(kind, game, n, limit), game, expected, seed)
    for _ in range(steps):
        twin.step()
    return twin.ends


sizes = st.integers(1, 8) | st.integers(1, 64) | st.sampled_from([63, 64, 65, 70])


@st.composite
def snatches(draw: st.DrawFn) -> NumberSnatch:
    if draw(st.booleans()):
        return NumberSnatch(numbers=tuple(draw(st.sets(sizes, min_size=1, max_size=6))), top=1)
    top = draw(sizes)
    size = draw(st.integers(1, top))
    if size == top and top * (top + 1) // 2 % 2 == 0:
        top += 1
    return NumberSnatch(size=size, top=top)


@st.composite
def sums(draw: st.DrawFn) -> SummationDuel:
    size = draw(sizes)
    most = size * (size + 1) // 2
    return SummationDuel(size=size, target=draw(st.integers(1, most) | st.just(most)))


OPTIONS: list[st.SearchStrategy[Any]] = [
    st.builds(
        RangeWar,
        size=sizes,
        opening=st.sampled_from(["lower", "free"]),
        ending=st.sampled_from(["normal", "misere"]),
    ),
    snatches(),
    st.builds(RestrictedRemoval, size=sizes.map(lambda size: size + 1)),
    sums(),
    st.builds(NumberCollision, size=sizes, values=st.integers(1, 20)),
    st.builds(
        NumberCollision, size=st.integers(1, 9), values=st.integers(1, 20), repetition=st.just("forbidden")
    ),
]


@table("games", OPTIONS)
@settings(max_examples=40)
@given(data=st.data(), seed=st.integers(0, 1 << 40))
def test_a_batch_plays_as_the_rules_do(games: st.SearchStrategy[Any], data: st.DataObject, seed: int) -> None:
    """At any options, in every way to hold them: states, masks, observations, turns, rewards and ends."""
    game = data.draw(games)
    kinds: list[type[GameBatch]] = [KERNELS[type(game)] if KERNELS[type(game)].supports(game) else PlainBatch]
    few = len(game.all_moves()) <= 7 and not (isinstance(game, NumberCollision) and game.size > 3)
    if few and LookupBatch.supports(game):
        kinds.append(LookupBatch)
    limit = data.draw(st.sampled_from([None, None, 1, 2, 7]))
    for kind in kinds:
        follow(kind, game, limit=limit, seed=seed, n=3, steps=12)


@table(
    "kind, game, steps",
    [
        *((kind, game, 60) for kind, game in WAYS),
        (LookupBatch, RangeWar(opening="free"), 30),
        (RangeWarBatch, RangeWar(opening="free"), 30),
        (RangeWarBatch, RangeWar(ending="misere"), 30),
        (RangeWarBatch, RangeWar(size=64, opening="free"), 60),
        (RangeWarBatch, RangeWar(size=64), 60),
        (PlainBatch, RangeWar(size=200), 30),
        (NumberSnatchBatch, NumberSnatch(size=32, top=64), 70),
        (NumberSnatchBatch, NumberSnatch(size=2, top=64), 20),
        (NumberSnatchBatch, NumberSnatch(numbers=tuple(range(1, 65))), 70),
        *((kind, NumberSnatch(numbers=(1, 2, 3)), 30) for kind in (LookupBatch, NumberSnatchBatch)),
        (PlainBatch, NumberSnatch(size=4, top=300), 20),
        (RestrictedRemovalBatch, RestrictedRemoval(size=65), 80),
        (PlainBatch, RestrictedRemoval(size=66), 60),
        (SummationDuelBatch, SummationDuel(size=64, target=2080), 70),
        *((kind, SummationDuel(size=64, target=1), 5) for kind in (LookupBatch, SummationDuelBatch)),
        (PlainBatch, SummationDuel(size=65, target=900), 60),
        (NumberCollisionBatch, NumberCollision(size=3, values=20), 60),
        (NumberCollisionBatch, NumberCollision(size=64, values=20), 8),
        (PlainBatch, NumberCollision(size=70, values=2), 20),
        *(
            (kind, NumberCollision(size=2, values=2, repetition="forbidden"), 30)
            for kind in (LookupBatch, PlainBatch)
        ),
        (PlainBatch, NumberCollision(repetition="forbidden"), 20),
        *((kind, Echo(), 20) for kind in (LookupBatch, PlainBatch)),
        *((kind, Waiting(), 20) for kind in (LookupBatch, PlainBatch)),
        (PlainBatch, Cards(), 20),
        *((kind, Cards(("ace", "queen")), 20) for kind in (LookupBatch, PlainBatch)),
    ],
)
def test_long_play_of_many_games_is_as_the_rules_have_it(
    kind: type[GameBatch], game: Any, steps: int
) -> None:
    ends = follow(kind, game, limit=None, seed=steps, n=12, steps=steps)
    if hasattr(game, "max_plies"):
        assert ends >= 12 * (steps // game.max_plies)


@table("name", GAMES)
def test_what_a_batch_chooses_itself_plays_as_the_rules_do(name: str) -> None:
    games = batch(name, 20)
    twin = Twin(games, games.game, None if name != "number-collision" else 1_000, seed=3)
    for _ in range(25):
        twin.step()


def test_a_tie_ends_the_game_and_gives_nobody_anything() -> None:
    for kind in (LookupBatch, PlainBatch):
        games = held(kind, Echo(), 4)
        games.reset(1)
        games.step([0, 0, 0, 2])
        rewards, terminated, truncated = games.step([0, 1, 2, 0])
        assert rewards.tolist() == [[-1, 1], [1, -1], [0, 0], [0, 0]]
        assert terminated.all() and not truncated.any()
        assert [games.state(row) for row in range(4)] == [()] * 4


# Which way is chosen


@table(
    "game, kind",
    [
        *((game(), LookupBatch) for game in (RangeWar, RestrictedRemoval, SummationDuel)),
        (NumberSnatch(numbers=(2, 3, 4, 6, 12)), LookupBatch),
        (NumberCollision(size=4, values=3), LookupBatch),
        (NumberCollision(size=2, values=2, repetition="forbidden"), LookupBatch),
        (SummationDuel(size=64, target=3), LookupBatch),
        (NumberSnatch(numbers=(100, 200)), LookupBatch),
        (Echo(), LookupBatch),
        (RangeWar(size=64), RangeWarBatch),
        (NumberSnatch(), NumberSnatchBatch),
        (NumberSnatch(size=1, top=2), NumberSnatchBatch),
        (NumberSnatch(size=9, top=64), NumberSnatchBatch),
        (NumberSnatch(numbers=tuple(range(1, 65))), NumberSnatchBatch),
        (RestrictedRemoval(size=65), RestrictedRemovalBatch),
        (SummationDuel(size=64, target=400), SummationDuelBatch),
        (NumberCollision(), NumberCollisionBatch),
        (NumberCollision(size=64, values=20), NumberCollisionBatch),
        (RangeWar(size=65), PlainBatch),
        (NumberSnatch(size=9, top=65), PlainBatch),
        (RestrictedRemoval(size=66), PlainBatch),
        (SummationDuel(size=65, target=400), PlainBatch),
        (NumberCollision(size=65), PlainBatch),
        (NumberCollision(repetition="forbidden"), PlainBatch),
        (Cards(), PlainBatch),
    ],
)
def test_small_games_are_tables_larger_ones_their_own_and_the_rest_plain(
    game: Any, kind: type[GameBatch]
) -> None:
    rows = make_batch(spec_of(game), game, 3)
    assert type(rows) is kind and rows.n == 3 and rows.game == game


# Actions that are none, and actions that are illegal


def told(games: BatchEnv) -> list[Any]:
    """All that a batch tells about its games."""
    return [
        [games.state(row) for row in range(games.n)],
        games.turn.tolist(),
        games.legal().tolist(),
        games.observe().tolist(),
    ]


@each_way
def test_an_illegal_action_is_refused_for_its_game_and_none_has_moved(
    kind: type[GameBatch], game: Any
) -> None:
    games = held(kind, game, 5, limit=3)
    games.reset(1)
    first = np.array([flags.nonzero()[0][flags.sum() // 2] for flags in games.legal()])
    games.step(first)
    before = told(games)
    actions = games.sample()
    actions[2] = first[2]  # which has been taken
    actions[4] = first[4]
    with pytest.raises(IllegalMove) as refused:
        game.play(games.state(2), game.all_moves()[int(first[2])])
    for _ in range(4):
        with pytest.raises(IllegalMove) as fault:
            games.step(actions)
        assert str(fault.value) == f"Game 2: {refused.value}"
        assert told(games) == before
    # Nor has any move been counted: the limit is reached after three that were made.
    assert not games.step(games.sample()).truncated.any()
    last = games.step(games.sample())
    assert (last.terminated | last.truncated).any() and not (last.terminated & last.truncated).any()


@each_way
def test_what_is_no_row_of_actions_is_refused_and_none_has_moved(kind: type[GameBatch], game: Any) -> None:
    games = held(kind, game, 3)
    games.reset(1)
    before = told(games)
    actions = games.num_actions
    wrong: list[Any] = [
        0,
        [],
        [0, 0],
        [0, 0, 0, 0],
        [[0, 0, 0]],
        [[0], [0], [0]],
        [0.0, 0.0, 0.0],
        np.zeros(3, dtype=np.float32),
        [True, True, True],
        np.zeros(3, dtype=np.complex128),
        ["0", "0", "0"],
        None,
        [None, None, None],
        [[0], [0, 0], []],
        [0, 0, 10**30],
        [0, 0, -1],
        [0, 0, actions],
        [actions, 0, 0],
        [0, 0, 1 << 62],
        [0, 0, -(1 << 63)],
        np.array([0, 0, (1 << 64) - 1], dtype=np.uint64),
        np.array([0, 0, 1 << 63], dtype=np.uint64),
        np.array([0, -1, 0], dtype=np.int8),
    ]
    for given_actions in wrong:
        with pytest.raises((TypeError, ValueError)) as fault:
            games.step(given_actions)
        assert not isinstance(fault.value, IllegalMove)
        assert told(games) == before


def test_the_refusal_of_what_is_no_row_of_actions_says_what_is_wanted() -> None:
    games = batch("range-war", 3)
    games.reset(1)
    with pytest.raises(TypeError, match=r"^a step takes 3 whole numbers, not float64 of shape \(2,\)$"):
        games.step([0.5, 0.5])
    with pytest.raises(ValueError, match=r"^actions are the whole numbers from 0 to 9$"):
        games.step([0, 10, 0])


@each_way
def test_any_kind_of_whole_numbers_is_taken_for_actions(kind: type[GameBatch], game: Any) -> None:
    games = held(kind, game, 4)
    games.reset(1)
    first = [int(flags.nonzero()[0][-1]) for flags in games.legal()]
    games.step(first)
    expected = told(games)
    spaced = np.zeros(8, dtype=np.intp)
    spaced[::2] = first
    fixed = np.array(first)
    fixed.flags.writeable = False
    dtypes: list[Any] = [
        np.int8,
        np.uint8,
        np.int16,
        np.uint16,
        np.int32,
        np.uint32,
        np.int64,
        np.uint64,
        ">i8",
        ">u4",
    ]
    forms: list[Any] = [
        tuple(first),
        [np.int64(action) for action in first],
        *(np.array(first, dtype=dtype) for dtype in dtypes),
        spaced[::2],
        np.array(first[::-1])[::-1],
        fixed,
    ]
    for form in forms:
        games.reset(1)
        before = np.array(form).tolist()
        games.step(form)
        assert told(games) == expected
        assert np.array(form).tolist() == before


@each_way
def test_what_a_batch_returns_is_the_callers_to_spoil(kind: type[GameBatch], game: Any) -> None:
    games = held(kind, game, 4)
    games.reset(1)
    before = told(games)
    for array in (games.turn, games.legal(), games.observe(), games.sample()):
        array[...] = 1
    assert told(games) == before
    kept = games.legal(), games.observe(), games.turn
    copies = [array.copy() for array in kept]
    actions = games.sample()
    games.step(actions)
    after = told(games)
    actions[:] = 0
    assert told(games) == after
    assert all((array == copy).all() for array, copy in zip(kept, copies, strict=True))


@each_way
def test_there_are_no_games_before_the_first_reset(kind: type[GameBatch], game: Any) -> None:
    games = held(kind, game, 3)
    with pytest.raises(RuntimeError, match="reset"):
        games.step([0, 0, 0])
    with pytest.raises(RuntimeError, match="reset"):
        games.sample()
    with pytest.raises(RuntimeError, match="reset"):
        games.advance(np.array([0]), np.array([1]))
    for ask in (games.legal, games.observe, lambda: games.turn, lambda: games.state(0)):
        with pytest.raises(RuntimeError, match="reset"):
            ask()
    games.reset(1)
    games.step(games.sample())


@each_way
def test_a_game_is_asked_for_by_its_place(kind: type[GameBatch], game: Any) -> None:
    games = held(kind, game, 3)
    games.reset(1)
    games.advance(games.games.sample(games.rng, np.array([2])), np.array([2]))
    assert games.state(-1) == games.state(2) != games.state(0) == games.state(-3)
    for row in (3, -4):
        with pytest.raises(IndexError):
            games.state(row)


@table("n", [0, -1, 2.0, True, "2", None])
def test_a_batch_has_a_whole_number_of_games(n: Any) -> None:
    with pytest.raises(ValueError, match=r"^n must be a whole number from 1 "):
        batch("range-war", n)


@table("limit", [0, -1, 2.0, True, "2"])
def test_a_limit_is_a_whole_number_of_moves(limit: Any) -> None:
    with pytest.raises(ValueError, match=r"^limit must be a whole number from 1 "):
        batch("range-war", 2, limit=limit)


def test_a_game_without_all_moves_has_no_batch() -> None:
    with pytest.raises(ValueError, match=r"^LastCounter has no `all_moves`"):
        BatchEnv(template, LastCounter(), 2)


def test_the_options_of_a_batch_are_those_of_the_game() -> None:
    games = batch("range-war", 7, size=12, opening="free")
    assert games.game == RangeWar(size=12, opening="free") and games.n == 7 and games.num_actions == 12
    with pytest.raises(ValueError, match="cannot be dealt"):
        batch("number-snatch", 7, size=21)
    with pytest.raises(registry.UnknownGame):
        batch("chess", 7)


# Chance


def by_pickle(games: BatchEnv) -> Any:
    return pickle.loads(pickle.dumps(games))


def course(games: BatchEnv, steps: int = 8) -> list[Any]:
    """What is dealt and sampled, step by step."""
    found = []
    for _ in range(steps):
        actions = games.sample()
        found += [actions.tolist(), games.observe().tolist()]
        games.step(actions)
    return found


@each_way
def test_the_same_seed_gives_the_same_deals_and_samples(kind: type[GameBatch], game: Any) -> None:
    games, others = held(kind, game, 8), held(kind, game, 8)
    games.reset(7)
    one = course(games)
    others.reset(7)
    assert course(others) == one
    games.reset(7)  # at any time
    assert course(games) == one
    games.reset(8)
    assert course(games) != one


@each_way
def test_a_reset_without_a_seed_goes_on_as_before(kind: type[GameBatch], game: Any) -> None:
    games, others = held(kind, game, 8), held(kind, game, 8)
    for each in (games, others):
        each.reset(7)
    first = course(games), course(others)
    for each in (games, others):
        each.reset()
        a_new_beginning = [each.turn.tolist(), each.observe()[:, -1].tolist()]
        assert a_new_beginning == [[0] * 8, [1] * 8]
    second = course(games), course(others)
    assert first[0] == first[1] and second[0] == second[1] and first[0] != second[0]


def test_without_any_seed_every_batch_has_its_own_chance() -> None:
    games, others = batch("number-snatch", 30), batch("number-snatch", 30)
    for each in (games, others):
        each.reset()
    assert games.observe().tolist() != others.observe().tolist()


def test_seeds_deal_different_lists() -> None:
    games = batch("number-snatch", 30)
    deals = []
    for seed in range(5):
        games.reset(seed)
        deals.append(str(games.observe().tolist()))
    assert len(set(deals)) == 5


@each_way
def test_the_generators_of_everybody_are_left_alone(kind: type[GameBatch], game: Any) -> None:
    ours, theirs = random.getstate(), np.random.get_state(legacy=False)
    games = held(kind, game, 5)
    games.reset(1)
    course(games)
    games.reset()
    assert random.getstate() == ours
    after = np.random.get_state(legacy=False)
    assert str(after) == str(theirs) and (after["state"]["key"] == theirs["state"]["key"]).all()


@each_way
def test_batches_that_take_turns_do_not_touch_each_other(kind: type[GameBatch], game: Any) -> None:
    games, others = held(kind, game, 6), held(kind, game, 6)
    games.reset(1)
    alone = [course(games), course(games)]
    games.reset(1)
    others.reset(2)
    beside = []
    for _ in range(2):
        beside.append(course(games))
        course(others)
        others.reset()
    assert beside == alone


@each_way
@table("copied", [copy.deepcopy, by_pickle])
def test_a_copy_goes_on_alike_and_by_itself(kind: type[GameBatch], game: Any, copied: Any) -> None:
    games = held(kind, game, 6)
    games.reset(3)
    games.step(games.sample())
    twin = copied(games)
    before = told(twin)
    one = course(games)
    assert told(twin) == before and course(twin) == one


# The limit


@each_way
@table("limit", [1, 3])
def test_at_the_limit_a_game_is_broken_off_and_nobody_has_won(
    kind: type[GameBatch], game: Any, limit: int
) -> None:
    """These games can be longer: a move from the middle ends none of them so soon."""
    games = held(kind, game, 4, limit=limit)
    games.reset(1)
    for _ in range(3):
        for ply in range(1, limit + 1):
            legal = games.legal()
            actions = [int(flags.nonzero()[0][flags.sum() // 2]) for flags in legal]
            rewards, terminated, truncated = games.step(actions)
            assert not rewards.any() and not terminated.any()
            assert truncated.tolist() == [ply == limit] * 4
        assert games.turn.tolist() == [0] * 4
        for row in range(4):
            state = games.state(row)
            assert state == game.start(Random()) or len(members(state[0])) == game.size


def test_a_game_that_ends_with_its_last_move_before_the_limit_is_not_broken_off() -> None:
    games = batch("summation-duel", 2, size=4, target=6, limit=2)
    games.reset(1)
    games.step([3, 0])
    rewards, terminated, truncated = games.step([1, 1])
    assert rewards.tolist() == [[-1, 1], [0, 0]]
    assert terminated.tolist() == [True, False] and truncated.tolist() == [False, True]


def test_each_game_counts_its_own_moves() -> None:
    """One ends early and begins anew, and so is broken off later than the other."""
    games = batch("range-war", 2, limit=3)
    games.reset(1)
    games.step([0, 4])  # nothing is lower than 1
    assert games.step([4, 2]).truncated.tolist() == [False, False]
    assert games.step([2, 6]).truncated.tolist() == [False, True]
    assert games.step([6, 4]).truncated.tolist() == [True, False]


def test_a_game_that_need_not_end_is_broken_off_after_a_thousand_moves() -> None:
    games = batch("number-collision", 3, size=20)
    assert games.encoding.limit == 1_000
    games.reset(1)
    for ply in range(1, 1_001):
        # 1 at position 1 and 1 at position 2, in either order: they collide, and the line is empty again.
        rewards, terminated, truncated = games.step([0, 0, 5] if ply % 2 else [5, 5, 0])
        assert not rewards.any() and not terminated.any()
        assert truncated.tolist() == [ply == 1_000] * 3
    assert games.turn.tolist() == [0, 0, 0]


@table("name", GAMES[:4])
def test_a_game_that_must_end_has_no_limit_unless_one_is_given(name: str) -> None:
    assert batch(name, 1).encoding.limit is None
    assert batch(name, 1, limit=4).encoding.limit == 4


# The history: what the view does not tell


def names(games: BatchEnv) -> list[str]:
    return [column.name for column in games.encoding.features]


@table(
    "game, columns",
    [
        (
            RangeWar(size=2),
            [("free 1", 0, 1), ("free 2", 0, 1), ("last", 0, 2), ("side", 0, 2), ("turn", 1, 2)],
        ),
        (
            NumberSnatch(size=1, top=2),
            [
                *[("left 1", 0, 1), ("left 2", 0, 1), ("last", 0, 2)],
                *[("points of player 1", 0, 2), ("points of player 2", 0, 2), ("turn", 1, 2)],
            ],
        ),
        (RestrictedRemoval(size=2), [("available 2", 0, 1), ("removed 2", 0, 1), ("turn", 1, 2)]),
        (
            SummationDuel(size=2, target=3),
            [("unused 1", 0, 1), ("unused 2", 0, 1), ("total", 0, 4), ("turn", 1, 2)],
        ),
        (NumberCollision(size=2, values=7), [("cell 1", 0, 7), ("cell 2", 0, 7), ("turn", 1, 2)]),
        (Echo(), [("turn", 1, 2), ("move 1", 0, 3), ("move 2", 0, 3)]),
        (
            Cards(),
            [
                *[("turn", 1, 2), ("at the start ace", 0, 1), ("at the start king", 0, 1)],
                *[("at the start queen", 0, 1), ("move 1", 0, 3), ("move 2", 0, 3)],
            ],
        ),
        (Cards(("ace", "king")), [("turn", 1, 2), ("move 1", 0, 3), ("move 2", 0, 3)]),
    ],
)
def test_an_observation_has_these_columns(game: Any, columns: Sequence[tuple[str, int, int]]) -> None:
    games = held(PlainBatch, game, 2)
    assert list(games.encoding.features) == [Feature(*column) for column in columns]
    games.reset(1)
    assert games.observe().shape == (2, len(columns))


def test_where_repetition_is_forbidden_the_moves_follow_the_cells() -> None:
    for kind in (LookupBatch, PlainBatch):
        games = held(kind, NumberCollision(size=2, values=2, repetition="forbidden"), 2, limit=5)
        assert names(games) == ["cell 1", "cell 2", "turn", *(f"move {ply}" for ply in range(1, 6))]
        games.reset(1)
        assert games.observe().tolist() == [[0, 0, 1, 0, 0, 0, 0, 0]] * 2
        games.step([0, 3])  # 1 at position 1; 2 at position 2
        assert games.observe().tolist() == [[1, 0, 2, 1, 0, 0, 0, 0], [0, 2, 2, 4, 0, 0, 0, 0]]
        rewards, terminated, _ = games.step([3, 0])  # both lines are full
        assert rewards.tolist() == [[-1, 1]] * 2 and terminated.all()
        assert games.observe().tolist() == [[0, 0, 1, 0, 0, 0, 0, 0]] * 2


def test_a_game_of_collisions_with_a_memory_tells_a_thousand_moves() -> None:
    games = batch("number-collision", 2, repetition="forbidden")
    assert len(games.encoding.features) == 10 + 1 + 1_000
    assert games.encoding.features[-1] == Feature("move 1000", 0, 50)


def test_the_history_of_one_game_ends_where_the_next_begins() -> None:
    """By game: the turn, and then every action so far, counted from 1."""
    games = held(LookupBatch, Waiting(), 2, limit=4)
    games.reset(1)
    seen = [games.observe().tolist()]
    for actions in ([0, 0], [0, 1], [0, 0], [0, 0], [0, 0]):
        games.step(actions)
        seen.append(games.observe().tolist())
    assert seen == [
        [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0]],
        [[2, 1, 0, 0, 0], [2, 1, 0, 0, 0]],
        [[1, 1, 1, 0, 0], [1, 0, 0, 0, 0]],  # the second has stopped
        [[2, 1, 1, 1, 0], [2, 1, 0, 0, 0]],
        [[1, 0, 0, 0, 0], [1, 1, 1, 0, 0]],  # the first is broken off
        [[2, 1, 0, 0, 0], [2, 1, 1, 1, 0]],
    ]


def test_the_history_of_a_dealt_game_begins_with_the_moves_that_were_legal_then() -> None:
    games = held(PlainBatch, Cards(), 30)
    games.reset(1)
    deals = games.legal().astype(int)
    assert (deals.sum(axis=1) == 2).all() and len(np.unique(deals, axis=0)) == 3
    none = np.zeros((30, 2), dtype=int)
    assert games.observe().tolist() == np.column_stack((none[:, 0] + 1, deals, none)).tolist()
    first = 2 - games.legal()[:, ::-1].argmax(axis=1)  # of two cards the lower, so no ace
    games.step(first)
    after_one = np.column_stack((none[:, 0] + 2, deals, first + 1, none[:, 0]))
    assert games.observe().tolist() == after_one.tolist()
    assert (games.legal().sum(axis=1) == 1).all()
    games.step(games.legal().argmax(axis=1))
    again = games.legal().astype(int)
    assert games.observe().tolist() == np.column_stack((none[:, 0] + 1, again, none)).tolist()
    assert again.tolist() != deals.tolist()


def test_a_history_with_many_actions_has_room_for_all_of_them() -> None:
    """Sixteen cells with twenty numbers: action 319 is told as 320."""
    game = NumberCollision(size=16, values=20, repetition="forbidden")
    games = held(PlainBatch, game, 2, limit=2)
    games.reset(1)
    games.step([319, 0])
    assert games.observe()[:, -2:].tolist() == [[320, 0], [1, 0]]


@table(
    "game, dtype",
    [
        (RangeWar(), np.uint8),
        (RangeWar(size=255), np.uint8),
        (RangeWar(size=256), np.int32),
        (NumberSnatch(), np.uint8),
        (SummationDuel(size=64, target=192), np.uint8),
        (SummationDuel(size=64, target=193), np.int32),
    ],
)
def test_an_observation_is_of_bytes_where_all_numbers_fit(game: Any, dtype: type[Any]) -> None:
    games = held(PlainBatch, game, 1)
    games.reset(1)
    assert games.observe().dtype == dtype


# Some of the games


@table("kind, game", [*WAYS, (PlainBatch, NumberCollision(repetition="forbidden"))])
def test_to_advance_some_games_leaves_the_others_and_to_begin_them_anew_too(
    kind: type[GameBatch], game: Any
) -> None:
    games = held(kind, game, 6, limit=3)
    games.reset(1)
    before = told(games)
    chosen: NDArray[np.intp] = np.array([4, 1])
    legal = games.legal()[chosen]
    actions = np.array([flags.nonzero()[0][flags.sum() // 2] for flags in legal])
    for _ in range(2):  # the second time for the same games at another position
        step, over = games.advance(actions, chosen)
        assert len(step.rewards) == len(step.terminated) == len(step.truncated) == 2 and not len(over)
        legal = games.legal()[chosen]
        actions = np.array([flags.nonzero()[0][flags.sum() // 2] for flags in legal])
    after = told(games)
    for one, two in zip(before, after, strict=True):
        assert [row for row in range(6) if one[row] != two[row]] in ([1, 4], [])
    assert games.observe_games(chosen).tolist() == games.observe()[chosen].tolist()
    step, over = games.advance(actions, chosen)
    assert step.truncated.tolist() == [True, True] and over.tolist() == [0, 1]
    games.restart(chosen[over])
    assert games.turn.tolist() == [0] * 6
    assert [games.state(row) for row in (0, 2, 3, 5)] == [before[0][row] for row in (0, 2, 3, 5)]


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
