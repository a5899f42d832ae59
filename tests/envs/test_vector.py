"""One seat in many games at once: each game of the vector goes as a single one does."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.spaces import MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers import vector as wrappers
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from numberduels.core import IllegalMove
from numberduels.envs import batch, env_id, single_agent, vector
from numberduels.envs.single_agent import DuelEnv
from numberduels.envs.vector import DuelVectorEnv
from numberduels.options import BadOption
from numberduels.players.simple import GreedyPlayer
from numberduels.registry import UnknownGame
from tables import table

from .variants import (
    SAMPLE,
    SMALL,
    Variant,
    install,
    legal,
    mask,
    some_variants,
    untouched,
    vector_steps,
)

SEATS = ("first", "second", "random")
OPPONENTS = ["random", "greedy", "beginner", "expert", "perfect", "mcts:20"]

every_seat = table("seat", SEATS)
every_opponent = table("opponent", OPPONENTS)


def make(variant: Variant, **more: Any) -> Any:
    return DuelVectorEnv(variant.name, **variant.options, **more)


def same_step(variant: Variant, **more: Any) -> Any:
    return make(variant, autoreset_mode="SameStep", **more)


def states(envs: Any) -> list[Any]:
    """The positions of all games, as the rules know them."""
    return [envs.batch.state(row) for row in range(envs.num_envs)]


def everything(envs: Any) -> Any:
    """All that could be changed by a step."""
    return (
        states(envs),
        envs.batch.observe().tolist(),
        envs.batch.legal().tolist(),
        envs.seat.tolist(),
        str(envs.batch.rng.bit_generator.state),
    )


# The rules beside it


class Beside:
    """The games of a vector, followed by the rules, one after the other."""

    def __init__(self, envs: Any, game: Any, limit: int | None) -> None:
        self.envs, self.game, self.limit = envs, game, limit
        self.moves = game.all_moves()
        self.see = getattr(game, "observe", lambda state: [game.turn(state) + 1])
        self.width = len(self.see(game.start(Random(0))))
        self.sat = [0] * envs.num_envs
        """The agent's seats in the games that go on: when one is told to be over, another has begun."""
        self.ends = [0, 0]
        """How many games have terminated, and how many were truncated."""

    def over(self, state: Any, ply: int) -> bool:
        return self.game.outcome(state) is not None or ply == self.limit

    def follow(self, seed: int, steps: int) -> None:
        envs, policy = self.envs, Random(seed)
        observations, infos = envs.reset(seed=seed)
        rows = range(envs.num_envs)
        plies = [self.begun(row) for row in rows]
        for _ in range(steps):
            before = states(envs)
            early = [self.over(before[row], plies[row]) for row in rows]
            self.shown(observations, infos, before, early)
            actions = [
                policy.randrange(len(self.moves)) if early[row] else policy.choice(legal(flags))
                for row, flags in enumerate(infos["action_mask"].tolist())
            ]
            observations, rewards, terminations, truncations, infos = envs.step(np.array(actions))
            over = terminations | truncations
            assert ("final_obs" in infos) == ("_final_obs" in infos) == bool(over.any())
            if over.any():
                assert infos["_final_obs"].tolist() == over.tolist()
            for row in rows:
                ways, plies[row] = self.ways(before[row], plies[row], actions[row], early[row])
                assert early[row] <= over[row]
                if over[row]:
                    result = rewards[row], terminations[row], truncations[row]
                    self.ended(row, ways, plies[row], infos["final_obs"][row], *result)
                    plies[row] = self.begun(row)
                else:
                    assert rewards[row] == 0 and envs.batch.state(row) in ways
                    assert not self.over(envs.batch.state(row), plies[row])
                    assert "final_obs" not in infos or infos["final_obs"][row] is None

    def shown(self, observations: Any, infos: Any, before: list[Any], early: list[bool]) -> None:
        """What is told about the games is right."""
        envs = self.envs
        assert envs.observation_space.contains(observations)
        assert infos["action_mask"].shape == (envs.num_envs, len(self.moves))
        for row, state in enumerate(before):
            assert self.told(observations[row], {state}) == state
            flags = [0] * len(self.moves) if early[row] else mask(self.game, state)
            assert infos["action_mask"][row].astype(int).tolist() == flags
            assert self.game.turn(state) == envs.seat[row]

    def told(self, observation: Any, among: set[Any]) -> Any:
        """The one of these positions that is told: by its history, if there is one, else by its view."""
        told = observation.tolist()
        if len(told) == self.width:
            (found,) = [state for state in among if list(self.see(state)) == told]
            return found
        history, found = told[self.width :], self.game.start(Random(0))
        if self.envs.batch.encoding.dealt:  # of such games only Cards has a history
            hand = [card for card, flag in zip(self.moves, history, strict=False) if flag]
            history, found = history[len(self.moves) :], (tuple(hand), (0, 0), 0)
        for number in history:
            found = self.game.play(found, self.moves[number - 1]) if number else found
        assert found in among and list(self.see(found)) == told[: self.width]
        return found

    def ways(self, state: Any, ply: int, action: int, early: bool) -> tuple[set[Any], int]:
        """The positions to which the step can have led, and how many moves have been made by then."""
        if early:
            return {state}, ply
        after = self.game.play(state, self.moves[action])
        if self.over(after, ply + 1):
            return {after}, ply + 1
        return {self.game.play(after, move) for move in self.game.moves(after)}, ply + 2

    def ended(
        self, row: int, ways: set[Any], ply: int, final: Any, reward: float, terminated: bool, truncated: bool
    ) -> None:
        """A game that is over has come to one of these positions, and is worth what the rules say."""
        assert self.envs.single_observation_space.contains(final)
        outcome = self.game.outcome(self.told(final, ways))
        assert terminated == (outcome is not None) and truncated == (not terminated)
        assert terminated or ply == self.limit
        self.ends[int(truncated)] += 1
        seats = {0: (1, -1), 1: (-1, 1), None: (0, 0)}
        worth = (0, 0) if outcome is None else seats[outcome.winner]
        assert reward == worth[self.sat[row]]

    def begun(self, row: int) -> int:
        """How many moves have been made in a game that has just begun: one where the opponent was first."""
        seat = self.sat[row] = int(self.envs.seat[row])
        state = self.envs.batch.state(row)
        if not self.envs.batch.encoding.dealt:
            start = self.game.start(Random(0))
            begun = {self.game.play(start, move) for move in self.game.moves(start)} if seat else {start}
            assert state in begun
        assert self.game.turn(state) == seat
        return seat


@table("variant", [*SMALL, *(each for each in SAMPLE if each not in SMALL)])
def test_every_game_goes_as_the_rules_say(variant: Variant) -> None:
    limit = 60 if variant.name == "number-collision" else None
    beside = Beside(same_step(variant, num_envs=5, seat="random", limit=limit), variant.game, limit)
    beside.follow(1, 20)
    assert not beside.ends[1]
    assert beside.ends[0] > 5 or variant not in SMALL


@table("limit", [1, 4])
@every_seat
@some_variants
def test_every_game_goes_as_the_rules_say_up_to_a_limit_of_moves(
    variant: Variant, seat: str, limit: int
) -> None:
    beside = Beside(same_step(variant, num_envs=4, seat=seat, limit=limit), variant.game, limit)
    beside.follow(2, 12)
    assert sum(beside.ends) >= 12


@every_opponent
@table(
    "name, options",
    [
        ("range-war", {"size": 6, "opening": "free"}),
        ("number-snatch", {"size": 4, "top": 8}),
        ("restricted-removal", {"size": 8}),
        ("summation-duel", {"size": 6, "target": 15}),
        ("number-collision", {"size": 3, "values": 2, "limit": 15}),
        ("number-collision", {"size": 2, "values": 2, "repetition": "forbidden"}),
    ],
)
def test_every_game_goes_as_the_rules_say_against_every_opponent(
    name: str, options: dict[str, Any], opponent: str
) -> None:
    envs = DuelVectorEnv(
        name, num_envs=4, seat="random", opponent=opponent, autoreset_mode="SameStep", **options
    )
    beside = Beside(envs, envs.batch.game, options.get("limit", 1_000))
    beside.follow(3, 15)
    assert sum(beside.ends) > 5


@table("name", ["counters", "seesaw", "cards"])
def test_a_game_of_somebody_elses_goes_as_its_rules_say(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    for seat in SEATS:
        envs = DuelVectorEnv(name, num_envs=6, seat=seat, limit=9, autoreset_mode="SameStep")
        beside = Beside(envs, envs.batch.game, 9)
        beside.follow(1, 40)
        assert sum(beside.ends) > 20


# By hand


def test_a_game_that_ends_begins_anew_in_the_same_step() -> None:
    envs = DuelVectorEnv("range-war", num_envs=3, size=3, autoreset_mode="SameStep")
    observations, infos = envs.reset(seed=1)
    start = [1, 1, 1, 0, 1, 1]
    assert observations.tolist() == [start] * 3 and infos["action_mask"].tolist() == [[True] * 3] * 3
    # 1 wins at once; 2 can only be answered by 1, and then 3 is left and wins.
    observations, rewards, terminations, truncations, infos = envs.step(np.array([0, 1, 0]))
    assert rewards.tolist() == [1, 0, 1]
    assert terminations.tolist() == [True, False, True] and truncations.tolist() == [False] * 3
    assert observations.tolist() == [start, [0, 0, 1, 1, 2, 1], start]
    assert infos["action_mask"].tolist() == [[True] * 3, [False, False, True], [True] * 3]
    assert infos["_final_obs"].tolist() == [True, False, True]
    assert infos["final_obs"][0].tolist() == infos["final_obs"][2].tolist() == [0, 1, 1, 1, 0, 2]
    assert infos["final_obs"][1] is None
    observations, rewards, terminations, truncations, infos = envs.step(np.array([0, 2, 0]))
    assert rewards.tolist() == [1, 1, 1] and terminations.tolist() == [True] * 3
    assert infos["final_obs"][1].tolist() == [0, 0, 0, 3, 0, 2]


def test_a_game_that_the_opponent_ends_is_lost() -> None:
    envs = DuelVectorEnv("range-war", num_envs=2, size=2, autoreset_mode="SameStep")
    envs.reset(seed=1)
    observations, rewards, terminations, _, infos = envs.step(np.array([1, 0]))
    assert rewards.tolist() == [-1, 1] and terminations.tolist() == [True, True]
    assert [each.tolist() for each in infos["final_obs"]] == [[0, 0, 1, 2, 1], [0, 1, 1, 0, 2]]
    assert observations.tolist() == [[1, 1, 0, 1, 1]] * 2


def test_the_limit_of_moves_truncates_at_nothing() -> None:
    envs = DuelVectorEnv("number-collision", num_envs=3, limit=3, autoreset_mode="SameStep")
    envs.reset(seed=1)
    _, rewards, terminations, truncations, infos = envs.step(np.array([0, 7, 49]))
    assert not rewards.any() and not terminations.any() and not truncations.any() and "final_obs" not in infos
    actions = np.array([legal(flags)[0] for flags in infos["action_mask"]])
    observations, rewards, terminations, truncations, infos = envs.step(actions)
    assert not rewards.any() and not terminations.any() and truncations.all()
    assert observations.tolist() == [[*[0] * 10, 1]] * 3


def test_an_opponent_that_wins_by_its_first_move_is_reported_by_the_next_step() -> None:
    def lowest(game: Any, state: Any, _: Any) -> Any:
        return min(game.moves(state))

    envs = DuelVectorEnv("range-war", num_envs=3, seat="second", opponent=lowest, autoreset_mode="SameStep")
    observations, infos = envs.reset(seed=1)
    for actions in ([0, 0, 0], [9, 4, 0], [1, 2, 3]):
        assert observations.tolist() == [[0, *[1] * 9, 1, 0, 2]] * 3  # it has taken 1
        assert not infos["action_mask"].any()
        observations, rewards, terminations, truncations, infos = envs.step(np.array(actions))
        assert rewards.tolist() == [-1] * 3 and terminations.all() and not truncations.any()
        assert [each.tolist() for each in infos["final_obs"]] == [[0, *[1] * 9, 1, 0, 2]] * 3


def test_a_game_that_the_limit_ends_before_the_agent_has_moved_allows_no_action() -> None:
    options: dict[str, Any] = {"seat": "second", "limit": 1}
    _, single_agent = DuelEnv("number-collision", **options).reset(seed=1)
    envs = DuelVectorEnv("number-collision", num_envs=2, **options)
    _, infos = envs.reset(seed=1)
    assert not single_agent["action_mask"].any()
    assert not infos["action_mask"].any()
    _, rewards, terminations, truncations, infos = envs.step(np.array([0, 0]))
    assert not rewards.any() and not terminations.any() and truncations.all()
    assert not infos["action_mask"].any()


def test_in_a_lost_seat_nobody_wins_against_the_perfect_opponent() -> None:
    envs = DuelVectorEnv("summation-duel", num_envs=4, seat="second", opponent="perfect")
    policy = Random(1)
    _, infos = envs.reset(seed=1)
    ends = 0
    for _ in range(30):
        actions = np.array([policy.choice(legal(flags) or [0]) for flags in infos["action_mask"]])
        _, rewards, terminations, _, infos = envs.step(actions)
        assert rewards.tolist() == [-1.0 if over else 0.0 for over in terminations]
        ends += int(terminations.sum())
    assert ends > 10


def test_a_game_that_the_perfect_opponent_cannot_know_is_refused_before_it_begins() -> None:
    envs = DuelVectorEnv("restricted-removal", num_envs=2, size=200, opponent="perfect", seat="first")
    with pytest.raises(ValueError, match="perfect cannot finish this game"):
        envs.reset(seed=1)


# Gymnasium's part


@some_variants
def test_make_vec_makes_it_through_its_own_entry_point(variant: Variant) -> None:
    envs: Any = gymnasium.make_vec(env_id(variant.name), num_envs=3, seat="second", **variant.options)
    single_agent = DuelEnv(variant.name, **variant.options)
    assert isinstance(envs, DuelVectorEnv) and isinstance(envs, VectorEnv)
    assert envs.num_envs == 3 and envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert envs.single_action_space == single_agent.action_space
    assert envs.single_observation_space == single_agent.observation_space
    assert envs.action_space == MultiDiscrete([len(variant.game.all_moves())] * 3)
    assert envs.observation_space.shape == (3, *(single_agent.observation_space.shape or ()))
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    envs.step(np.array([(legal(flags) or [0])[0] for flags in infos["action_mask"]]))
    envs.close()


def test_gymnasiums_own_vector_of_single_environments_works_too() -> None:
    envs = gymnasium.make_vec(
        "NumberDuels/SummationDuel-v0", num_envs=3, vectorization_mode="sync", size=6, target=9
    )
    observations, infos = envs.reset(seed=1)
    policy = Random(1)
    for _ in range(20):
        actions = np.array([policy.choice(legal(flags) or [0]) for flags in infos["action_mask"]])
        observations, _, _, _, infos = envs.step(actions)
        assert envs.observation_space.contains(observations)


OLD_GYMNASIUM = tuple(map(int, gymnasium.__version__.split(".")[:2])) < (1, 3)


@pytest.mark.skipif(OLD_GYMNASIUM, reason="Gymnasium below 1.3 drops the last reward under SameStep")
@table("mode", ["SameStep", "NextStep"])
def test_gymnasiums_statistics_count_its_episodes(mode: str) -> None:
    envs = RecordEpisodeStatistics(
        gymnasium.make_vec("NumberDuels/RangeWar-v0", num_envs=2, size=2, autoreset_mode=mode)
    )
    envs.reset(seed=1)
    for actions, returns in (([0, 1], [1, -1]), ([1, 0], [-1, 1])):
        *_, infos = envs.step(np.array(actions))
        assert infos["episode"]["r"].tolist() == returns and infos["episode"]["l"].tolist() == [1, 1]
        if mode == "NextStep":
            *_, infos = envs.step(np.array([0, 0]))  # which only begins the next games
            assert "episode" not in infos


@table(
    "choice, said",
    [
        ({"seat": "third"}, "seat must be first or second or random, not 'third'"),
        ({"num_envs": 0}, "must be a whole number from 1 to "),
        ({"limit": 0}, "limit must be a whole number"),
        ({"size": 0}, "size must be a whole number"),
    ],
)
def test_a_wrong_choice_is_refused_by_a_sentence(choice: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        DuelVectorEnv("range-war", **choice)


def test_an_unknown_game_or_opponent_is_refused() -> None:
    with pytest.raises(UnknownGame, match="there is no game called 'chess'"):
        DuelVectorEnv("chess")
    with pytest.raises(ValueError, match="there is no player"):
        DuelVectorEnv("range-war", opponent="nobody")


# What is refused


def test_a_step_before_the_first_reset_is_refused() -> None:
    envs = DuelVectorEnv("range-war", num_envs=2)
    with pytest.raises(ResetNeeded, match="reset the environment first"):
        envs.step(np.array([0, 0]))


@every_seat
@some_variants
def test_an_illegal_action_is_refused_and_no_game_has_moved(variant: Variant, seat: str) -> None:
    game, rows = variant.game, 4
    envs, twin = (
        make(variant, num_envs=rows, seat=seat, limit=9, illegal="raise", autoreset_mode="SameStep")
        for _ in range(2)
    )
    _, infos = envs.reset(seed=4)
    twin.reset(seed=4)
    policy = Random(4)
    refused = 0
    for _ in range(6):
        flags = infos["action_mask"].tolist()
        early = [game.outcome(state) is not None for state in states(envs)]
        right = [policy.choice(legal(each) or [0]) for each in flags]
        before = everything(envs)
        for row in range(rows):
            wrong = [action for action, flag in enumerate(flags[row]) if not flag]
            if early[row] or not wrong:
                continue
            actions = np.array(right)
            actions[row] = policy.choice(wrong)
            with pytest.raises(IllegalMove) as rule:
                game.play(envs.batch.state(row), game.all_moves()[actions[row]])
            with pytest.raises(IllegalMove) as refusal:
                envs.step(actions)
            assert str(refusal.value) == f"Game {row}: {rule.value}"
            assert everything(envs) == before
            refused += 1
        *results, infos = envs.step(np.array(right))
        *expected, _ = twin.step(np.array(right))  # which has never been troubled
        assert [each.tolist() for each in results] == [each.tolist() for each in expected]
    assert refused or variant in SMALL  # where there may be nothing illegal


def test_a_refusal_keeps_what_is_to_be_reported_of_the_other_games() -> None:
    # Where the opponent takes 1 first, the agent's game is over before its first action.
    envs = DuelVectorEnv("range-war", num_envs=40, size=3, seat="second", illegal="raise")
    _, infos = envs.reset(seed=1)
    over = ~infos["action_mask"].any(axis=1)
    assert 0 < over.sum() < 40
    right = infos["action_mask"].argmax(axis=1)
    for _ in range(2):
        with pytest.raises(IllegalMove, match=r"is not lower than|has already been claimed"):
            envs.step(np.full(40, 2))
    _, rewards, terminations, _, _ = envs.step(right)
    assert (rewards[over] == -1).all() and terminations[over].all()


def test_what_are_no_actions_is_refused_and_no_game_has_moved() -> None:
    envs = DuelVectorEnv("summation-duel", num_envs=2)
    envs.reset(seed=1)
    before = everything(envs)
    said = r"a step takes 2 whole numbers|actions are the whole numbers from 0 to 9"
    for actions in ([0], [0, 0, 0], [[0, 0]], [-1, 0], [0, 10], [0, 2**40], 0):
        with pytest.raises(ValueError, match=said):
            envs.step(np.array(actions))
    for junk in ([0.0, 1.0], [True, False], ["0", "1"], [None, 0], []):
        with pytest.raises(TypeError, match=said):
            envs.step(np.array(junk))
    assert everything(envs) == before
    envs.step(np.array([3, 4]))


@table("kind", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_actions_may_be_whole_numbers_of_any_kind(kind: type[Any]) -> None:
    envs = DuelVectorEnv("range-war", num_envs=2)
    envs.reset(seed=1)
    _, rewards, *_ = envs.step(np.array([0, 0], dtype=kind))
    assert rewards.tolist() == [1, 1]


# Seats


def test_random_seats_are_drawn_for_each_game_from_the_environments_own_generator() -> None:
    def seats(seed: int) -> list[Any]:
        envs = DuelVectorEnv("range-war", num_envs=50, seat="random")
        return [glimpse[-1] for glimpse in vector_steps(envs, seed, Random(1), 0)] + [
            envs.seat.tolist() for _ in vector_steps(envs, None, Random(1), 5)
        ]

    with untouched():
        first = seats(1)
    assert first == seats(1) != seats(2)
    drawn = [seat for row in first[:2] for seat in row]
    assert 30 < sum(drawn) < 70  # of a hundred fair draws all but one in ten thousand lie there
    assert first[1] != first[-1]  # games that have ended since


@table("seat, number", [("first", 0), ("second", 1)])
def test_a_fixed_seat_stays(seat: str, number: int) -> None:
    envs = DuelVectorEnv("summation-duel", num_envs=5, size=4, target=6, seat=seat, autoreset_mode="SameStep")
    for _ in vector_steps(envs, 1, Random(1), 20):
        assert envs.seat.tolist() == [number] * 5
        assert envs.batch.turn.tolist() == [number] * 5


# What is handed out


@some_variants
def test_writing_into_what_is_handed_out_changes_nothing(variant: Variant) -> None:
    troubled, smooth = (make(variant, num_envs=3, seat="random", limit=6) for _ in range(2))
    handed, right = troubled.reset(seed=1), smooth.reset(seed=1)
    policy = Random(1)
    for _ in range(10):
        assert handed[0].tolist() == right[0].tolist()
        assert [each.tolist() for each in handed[1:-1]] == [each.tolist() for each in right[1:-1]]
        assert handed[-1]["action_mask"].tolist() == right[-1]["action_mask"].tolist()
        actions = np.array([policy.choice(legal(flags) or [0]) for flags in right[-1]["action_mask"]])
        for each in (*handed[:-1], handed[-1]["action_mask"]):
            each[:] = 1
        for final in handed[-1].get("final_obs", ()):
            if final is not None:
                final[:] = 1
        given = actions.copy()
        handed, right = troubled.step(given), smooth.step(actions)
        assert given.tolist() == actions.tolist()


def test_what_was_handed_out_stays_what_it_was() -> None:
    envs = DuelVectorEnv("number-collision", num_envs=2, size=3, values=2, repetition="forbidden", limit=8)
    told = list(vector_steps(envs, 1, Random(1)))
    kept = [envs.reset(seed=1)]
    policy = Random(1)
    for _ in range(12):
        actions = np.array([policy.choice(legal(flags) or [0]) for flags in kept[-1][-1]["action_mask"]])
        kept.append(envs.step(actions))  # type: ignore[arg-type]  # the first is from a reset
    assert [each[0].tolist() for each in kept[1:]] == [glimpse[1] for glimpse in told[1:]]
    assert [each[-1]["action_mask"].tolist() for each in kept[1:]] == [glimpse[2] for glimpse in told[1:]]


# Copies


def by_pickle(envs: Any) -> Any:
    return pickle.loads(pickle.dumps(envs))


@table("copy", [deepcopy, by_pickle])
@some_variants
def test_a_copy_goes_on_alike_and_by_itself(variant: Variant, copy: Callable[[Any], Any]) -> None:
    envs = make(variant, num_envs=2, seat="random", limit=9)
    list(vector_steps(envs, 1, Random(1), 2))
    twin = copy(envs)
    assert everything(twin) == everything(envs)
    for again in range(2):
        ways = [list(vector_steps(each, None, Random(again))) for each in (envs, twin)]
        assert ways[0] == ways[1]


# Seeds


@every_opponent
def test_the_same_seed_gives_the_same_games(opponent: str) -> None:
    first, second = (
        DuelVectorEnv("number-snatch", num_envs=2, size=4, top=9, seat="random", opponent=opponent)
        for _ in range(2)
    )
    for seed in (0, None, 7, None, 0):  # without a seed the generators go on
        assert list(vector_steps(first, seed, Random(1))) == list(vector_steps(second, seed, Random(1)))


def test_other_seeds_give_other_deals_and_other_answers() -> None:
    envs = DuelVectorEnv("number-snatch", num_envs=5)
    deals = {tuple(row) for seed in (1, 2, 3, None, None) for row in envs.reset(seed=seed)[0].tolist()}
    assert len(deals) > 20
    envs = DuelVectorEnv("range-war", num_envs=5, seat="second")
    answers = {row[10] for seed in (1, 2, 3, None, None) for row in envs.reset(seed=seed)[0].tolist()}
    assert len(answers) > 5


@some_variants
def test_the_generators_that_all_programs_share_are_never_used(variant: Variant) -> None:
    with untouched():
        envs = make(variant, num_envs=3, seat="random", limit=9)
        for seed in (1, None):
            list(vector_steps(envs, seed, Random(1)))
        games = batch(variant.name, 3, limit=9, **variant.options)
        for seed in (1, None):
            games.reset(seed)
            for _ in range(12):
                games.step(games.sample())


@table("opponent", ["greedy", "expert", "perfect", "mcts:20"])
def test_no_opponent_uses_the_generators_that_all_programs_share(opponent: str) -> None:
    with untouched():
        envs = DuelVectorEnv(
            "summation-duel", num_envs=3, size=6, target=15, opponent=opponent, seat="random"
        )
        list(vector_steps(envs, 1, Random(1)))


@table("opponent", ["random", "greedy", "perfect"])
@table("name", ["number-snatch", "range-war"])
def test_two_environments_side_by_side_do_not_influence_each_other(name: str, opponent: str) -> None:
    def games(seed: int) -> Any:
        envs = DuelVectorEnv(name, num_envs=3, size=5, opponent=opponent, seat="random")
        policy = Random(seed)
        for each in (seed, None):
            yield from vector_steps(envs, each, policy)

    alone = list(games(1)), list(games(2))
    beside = list(zip_longest(games(1), games(2)))
    for place in (0, 1):
        assert [pair[place] for pair in beside if pair[place] is not None] == alone[place]


def test_the_masks_are_such_as_spaces_sample_by() -> None:
    envs = DuelVectorEnv("range-war", num_envs=3, size=4)
    _, infos = envs.reset(seed=1)
    assert infos["action_mask"].dtype == np.int8
    assert envs.single_action_space.sample(mask=infos["action_mask"][0]) in range(4)


def test_an_opponent_who_is_interrupted_leaves_no_games_out_of_step(monkeypatch: pytest.MonkeyPatch) -> None:
    envs = DuelVectorEnv("summation-duel", num_envs=3, opponent="greedy")
    envs.reset(seed=1)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(envs.opponent, "choose", interrupted)
    with pytest.raises(KeyboardInterrupt):
        envs.step(np.array([0, 1, 2]))
    with pytest.raises(ResetNeeded):
        envs.step(np.array([0, 1, 2]))


# As Gymnasium's own vectors do it


PLANS: list[tuple[str, dict[str, Any]]] = [
    ("range-war", {"size": 5, "opening": "free"}),
    ("number-snatch", {"numbers": (2, 3, 4, 6, 9)}),
    ("restricted-removal", {"size": 7}),
    ("summation-duel", {"size": 5, "target": 9, "limit": 3}),
    ("number-collision", {"size": 3, "values": 2, "limit": 6, "repetition": "forbidden"}),
]


def lowest(game: Any, state: Any, _: Random) -> Any:
    """An opponent that leaves nothing to chance."""
    return game.moves(state)[0]


def plain(infos: dict[str, Any]) -> dict[str, Any]:
    """Infos to be compared: of a refusal only that there was one."""
    told: dict[str, Any] = {}
    for key, value in infos.items():
        if isinstance(value, dict):
            told[key] = plain(value)
        elif key != "illegal":
            told[key] = [None if each is None else each.tolist() for each in value]
    return told


@table("illegal", ["retry", "lose"])
@table("mode", list(AutoresetMode))
def test_a_vector_is_told_as_gymnasiums_own_tells_it(
    mode: AutoresetMode, illegal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (single_agent, vector):
        monkeypatch.setattr(module, "MAX_ILLEGAL", 3)
    for name, options in PLANS:
        for seat in ("first", "second"):
            choices: Any = {"seat": seat, "opponent": lowest, "illegal": illegal, **options}
            ours = gymnasium.make_vec(env_id(name), num_envs=4, autoreset_mode=mode, **choices)
            theirs = gymnasium.make_vec(
                env_id(name),
                num_envs=4,
                vectorization_mode="sync",
                vector_kwargs={"autoreset_mode": mode},
                **choices,
            )
            assert ours.observation_space == theirs.observation_space
            assert ours.action_space == theirs.action_space
            assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == mode
            policy = Random(f"{name} {seat}")
            (seen, told), (right, expected) = ours.reset(seed=1), theirs.reset(seed=1)
            for _ in range(25):
                assert seen.tolist() == right.tolist() and seen.dtype == right.dtype
                assert plain(told) == plain(expected)
                actions = np.array(
                    [
                        policy.choice(legal(flags) or [0])
                        if policy.random() < 0.8
                        else policy.randrange(len(flags))
                        for flags in told["action_mask"]
                    ]
                )
                seen, *results, told = ours.step(actions)
                right, *due, expected = theirs.step(actions)
                for each, other in zip(results, due, strict=True):
                    assert each.tolist() == other.tolist() and each.dtype == other.dtype
                over = results[1] | results[2]
                if mode is AutoresetMode.DISABLED and over.any():
                    assert plain(told) == plain(expected) and seen.tolist() == right.tolist()
                    (seen, told), (right, _) = (
                        envs.reset(options={"reset_mask": over.copy()}) for envs in (ours, theirs)
                    )
                    expected = told  # for theirs tells only of the games that were reset


def test_where_games_do_not_begin_by_themselves_a_mask_says_which() -> None:
    envs = DuelVectorEnv("range-war", num_envs=3, size=3, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ResetNeeded, match="reset all of them first"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    envs.reset(seed=1)
    _, rewards, terminations, _, infos = envs.step(np.array([0, 1, 0]))
    assert terminations.tolist() == [True, False, True] and "final_obs" not in infos
    assert infos["action_mask"].tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
    with pytest.raises(ResetNeeded, match="game 0 is over: reset it first"):
        envs.step(np.array([0, 2, 0]))
    for junk in ([True, False, False], np.array([1, 0, 0]), np.array([True]), np.zeros(3, dtype=np.bool_)):
        with pytest.raises(BadOption, match="reset_mask must be"):
            envs.reset(options={"reset_mask": junk})
    observations, _ = envs.reset(options={"reset_mask": np.array([True, False, True])})
    assert observations.tolist() == [[1, 1, 1, 0, 1, 1], [0, 0, 1, 1, 2, 1], [1, 1, 1, 0, 1, 1]]
    _, rewards, terminations, _, _ = envs.step(np.array([0, 2, 0]))
    assert rewards.tolist() == [1, 1, 1] and terminations.all()


def test_a_reset_forgets_games_that_were_lost_before_they_began() -> None:
    envs = DuelVectorEnv("range-war", num_envs=20, seat="random", opponent=lowest)  # which takes 1, and wins
    for seed in range(3):
        _, infos = envs.reset(seed=seed)
        assert infos["action_mask"].any(axis=1).tolist() == (envs.seat == 0).tolist()


@table("illegal", ["retry", "lose"])
def test_what_an_illegal_action_costs_is_told_game_by_game(illegal: str) -> None:
    envs = DuelVectorEnv("range-war", num_envs=2, size=9, illegal=illegal, opponent=lowest)
    envs.reset(seed=1)
    envs.step(np.array([8, 8]))
    _, rewards, terminations, truncations, infos = envs.step(np.array([8, 7]))  # 9 is taken
    assert rewards.tolist() == [-1, 0] and infos["illegal"].tolist() == [True, False]
    assert terminations.tolist() == [illegal == "lose", False] and not truncations.any()


@table("mode", ["NEXT_STEP", "samestep", 3, None])
def test_other_ways_to_begin_anew_are_refused(mode: Any) -> None:
    with pytest.raises(BadOption, match="autoreset_mode must be NextStep or SameStep or Disabled, not "):
        DuelVectorEnv("range-war", autoreset_mode=mode)


def test_gymnasiums_wrappers_of_vector_observations_work() -> None:
    def made(**more: Any) -> Any:
        return gymnasium.make_vec("NumberDuels/SummationDuel-v0", num_envs=3, illegal="lose", **more)

    kinds: dict[str, Callable[[Any], Any]] = {
        "float": lambda envs: wrappers.DtypeObservation(envs, np.float32),
        "flat": wrappers.FlattenObservation,
        "reshaped": lambda envs: wrappers.ReshapeObservation(envs, (3, 4)),
        "scaled": lambda envs: wrappers.RescaleObservation(envs, np.float32(0), np.float32(1)),
        "normal": wrappers.NormalizeObservation,
        "same": lambda envs: wrappers.VectorizeTransformObservation(
            envs, gymnasium.wrappers.TransformObservation, func=lambda each: each, observation_space=None
        ),
        "lists": wrappers.DictInfoToList,
        "rewards": wrappers.NormalizeReward,
    }
    if OLD_GYMNASIUM:  # there it keeps the space of whole numbers
        del kinds["normal"]
    for name, wrap in kinds.items():
        envs = wrap(made(dtype="float32") if name == "scaled" else made())
        observations, _ = envs.reset(seed=1)
        for _ in range(20):
            assert envs.observation_space.contains(observations), name
            observations, *_ = envs.step(envs.action_space.sample())
    assert kinds["lists"](made()).reset(seed=1)[1][2]["action_mask"].tolist() == [1] * 10


# Seeds for each game


@table("opponent", ["random", "greedy"])
def test_with_a_list_of_seeds_each_game_goes_by_its_own(opponent: str) -> None:
    def games(seeds: list[int | None], mode: str) -> list[list[Any]]:
        """The steps of each game, whatever begins it anew."""
        envs = DuelVectorEnv(
            "number-snatch",
            num_envs=len(seeds),
            size=3,
            top=9,
            seat="random",
            opponent=opponent,
            autoreset_mode=mode,
        )
        observations, infos = envs.reset(seed=seeds)
        told: list[list[Any]] = [[each.tolist()] for each in observations]
        done = np.zeros(len(seeds), dtype=np.bool_)
        for _ in range(12):
            flags = infos["action_mask"].astype(np.bool_)
            observations, rewards, terminations, _, infos = envs.step(flags.argmax(axis=1))
            for row, each in enumerate(observations.tolist()):
                final = infos.get("final_obs", [None] * len(seeds))[row]
                if final is not None:
                    told[row].append((final.tolist(), rewards[row]))
                told[row].append(each if done[row] or final is not None else (each, rewards[row]))
            done = terminations & (mode == "NextStep")
        return told

    both = games([5, 8, 5], "NextStep")
    assert both[0] == both[2] != both[1]
    for seed, told in ((5, both[0]), (8, both[1])):
        (alone,) = games([seed], "NextStep")
        assert alone == told
        (same,) = games([seed], "SameStep")
        assert same[: len(told)] == told


def test_a_list_of_seeds_has_one_for_each_game() -> None:
    envs = DuelVectorEnv("number-snatch", num_envs=2)
    for seeds in ([1], [1, 2, 3], [1, -2], [1, 2.0], ["1", 2]):
        with pytest.raises(BadOption, match="seed"):
            envs.reset(seed=seeds)  # type: ignore[arg-type]
    first, _ = envs.reset(seed=[1, None])
    again, _ = envs.reset(seed=[1, None])
    assert first[0].tolist() == again[0].tolist() and first[1].tolist() != again[1].tolist()
    by_array, _ = envs.reset(seed=np.array([1, 1]))  # type: ignore[arg-type]
    assert by_array[0].tolist() == by_array[1].tolist() == first[0].tolist()
    without, _ = envs.reset()  # which goes on, each by itself
    assert without[0].tolist() == without[1].tolist() != first[0].tolist()
    together, _ = envs.reset(seed=1)
    assert together.tolist() == envs.reset(seed=1)[0].tolist()


# Attributes


def test_attributes_are_told_for_each_game() -> None:
    envs = DuelVectorEnv("range-war", num_envs=3, size=3, seat="random", render_mode="ansi")
    with pytest.raises(ResetNeeded):
        envs.call("action_masks")
    _, infos = envs.reset(seed=1)
    assert envs.get_attr("seat") == tuple(envs.seat.tolist())
    assert [each.tolist() for each in envs.call("action_masks")] == infos["action_mask"].astype(bool).tolist()
    assert envs.call("render") == envs.render()
    assert envs.get_attr("illegal") == ("retry",) * 3
    assert envs.get_attr("action_space") == (envs.single_action_space,) * 3
    assert envs.get_attr("opponent") == (envs.opponent,) * 3
    for name in ("nothing", "step"):
        with pytest.raises(AttributeError, match=name):
            envs.get_attr(name)


def test_what_all_games_share_can_be_set() -> None:
    envs = DuelVectorEnv("range-war", num_envs=2, size=3)
    envs.reset(seed=1)
    envs.set_attr("opponent", lowest)
    envs.set_attr("illegal", ["raise", "raise"])
    assert envs.opponent.name == "lowest" and envs.get_attr("illegal") == ("raise", "raise")
    with pytest.raises(IllegalMove, match="Game 1: "):
        envs.step(np.array([1, 2]))
        envs.step(np.array([2, 2]))
    for values in (["raise", "lose"], ["raise"]):
        with pytest.raises(ValueError, match="all games share one illegal"):
            envs.set_attr("illegal", values)
    with pytest.raises(BadOption, match="illegal must be"):
        envs.set_attr("illegal", "ignore")
    with pytest.raises(AttributeError, match="seat cannot be set"):
        envs.set_attr("seat", 1)


# Opponents that are given


def test_an_opponent_that_follows_one_game_plays_one() -> None:
    class Follower(GreedyPlayer):
        name = "follower"

        def set_history(self, played: Any) -> None:
            self.heard = list(played)

    follower = Follower()
    with pytest.raises(BadOption, match="follower follows one game at a time"):
        DuelVectorEnv("range-war", num_envs=2, opponent=follower)
    envs = DuelVectorEnv("summation-duel", opponent=lowest)
    envs.reset(seed=1)
    envs.step(np.array([3]))  # 4, and 1
    envs.opponent = follower
    envs.step(np.array([1]))
    assert follower.heard == [4, 1, 2]


def test_an_opponent_that_takes_over_is_prepared_and_in_the_end_let_go() -> None:
    class Counting(GreedyPlayer):
        calls: ClassVar[list[str]] = []

        def prepare(self, game: Any, start: Any) -> None:
            self.calls.append("prepare")

        def close(self) -> None:
            self.calls.append("close")

    for kind in (DuelEnv, DuelVectorEnv):
        env: Any = kind("range-war")
        env.opponent = Counting
        assert Counting.calls == []
        env.reset(seed=1)
        env.opponent = Counting()
        assert Counting.calls == ["prepare", "prepare"]
        env.close()
        assert Counting.calls.pop() == "close"
        Counting.calls.clear()


def test_an_opponent_that_gives_no_move_is_named() -> None:
    class Wrong(GreedyPlayer):
        name = "wrong"

        def choose(self, game: Any, state: Any, rng: Random) -> Any:
            return "nonsense"

    envs = DuelVectorEnv("range-war", num_envs=2, opponent=Wrong)
    envs.reset(seed=1)
    with pytest.raises(IllegalMove, match="Game 0: wrong chose what is no move"):
        envs.step(np.array([3, 3]))


def test_games_are_rendered_one_by_one() -> None:
    envs = DuelVectorEnv("range-war", num_envs=2, size=3, render_mode="rgb_array", opponent=lowest)
    with pytest.raises(ResetNeeded):
        envs.render()
    envs.reset(seed=1)
    start = envs.render()
    assert [(each.shape, each.dtype) for each in start] == [((360, 640, 3), np.uint8)] * 2
    assert (start[0] == start[1]).all()
    envs.step(np.array([0, 1]))
    ended, going = envs.render()
    assert (ended != start[0]).any() and (going != start[1]).any() and (ended != going).any()
    with pytest.raises(BadOption, match="render_mode must be ansi or rgb_array, not 'human'"):
        DuelVectorEnv("range-war", render_mode="human")
    text = DuelVectorEnv("number-collision", limit=2, render_mode="ansi")
    text.reset(seed=1)
    text.step(np.array([0]))
    assert text.render()[0].endswith("The game is broken off after 2 moves: unfinished.\n")
