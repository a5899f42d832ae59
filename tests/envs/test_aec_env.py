"""Two agents in turn: the PettingZoo environment keeps its contract, and the games keep their rules in it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from numberduels.core import IllegalMove
from numberduels.envs import aec
from numberduels.envs.aec_env import DuelAEC
from numberduels.games import template
from numberduels.games.template.rules import LastCounter
from numberduels.registry import UnknownGame
from numberduels.spec import GameSpec
from tables import table

from .pettingzoo_tests import api_test, save_obs_test, seed_test
from .variants import (
    AGENTS,
    OUTSIDE,
    SAMPLE,
    Cards,
    Counters,
    Seesaw,
    Variant,
    cards,
    counters,
    every_outside_game,
    every_variant,
    install,
    legal,
    mask,
    pair_steps,
    seesaw,
    some_variants,
    untouched,
)

# An observation with an action mask is a dictionary, as PettingZoo wants it. But api_test knows by name
# those of PettingZoo's own games in which it is, and warns of it in every other.
IS_DICTIONARY = "ignore:Observation is not a NumPy array:UserWarning"
SPACE_IS_DICTIONARY = (
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box"
    " or gymnasium.spaces.discrete:UserWarning"
)
dictionaries_are_right = pytest.mark.filterwarnings(IS_DICTIONARY, SPACE_IS_DICTIONARY)


def make(variant: Variant, **more: Any) -> Any:
    return aec(variant.name, **variant.options, **more)


def play(env: Any, *moves: Any, seed: int = 1) -> None:
    """Reset, and make these moves, given as the rules know them."""
    env.reset(seed=seed)
    every_move = list(env.episode.game.all_moves())
    for move in moves:
        env.step(every_move.index(move))


def all_seen(env: Any) -> Any:
    """Everything that an agent, or a library, could ask of an environment."""
    return (
        [[each.tolist() for each in env.observe(agent).values()] for agent in AGENTS],
        [env.agent_selection, *env.agents],
        [dict(each) for each in (env.rewards, env._cumulative_rewards, env.terminations, env.truncations)],
        env.infos,
        env.episode.view().text(),
    )


# PettingZoo's own tests


@dictionaries_are_right
@some_variants
def test_it_passes_pettingzoos_api_test(variant: Variant) -> None:
    api_test(make(variant))


@dictionaries_are_right
@table("limit", [1, 2, 5])
def test_it_passes_pettingzoos_api_test_with_a_limit_of_moves(limit: int) -> None:
    api_test(aec("number-collision", limit=limit))


@dictionaries_are_right
@every_outside_game
def test_a_game_of_somebody_elses_passes_pettingzoos_api_test(
    spec: GameSpec, game: Any, limit: int | None
) -> None:
    api_test(DuelAEC(spec, game, limit=limit))


@some_variants
def test_it_passes_pettingzoos_seed_test(variant: Variant) -> None:
    seed_test(lambda: make(variant))


@every_outside_game
def test_a_game_of_somebody_elses_passes_pettingzoos_seed_test(
    spec: GameSpec, game: Any, limit: int | None
) -> None:
    seed_test(lambda: DuelAEC(spec, game, limit=limit))


@table("variant", SAMPLE[:1])
def test_observations_are_no_pictures_and_are_not_saved_as_such(
    variant: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_obs_test.test_save_obs(make(variant))
    said = "did not save the observations:  Observations must be Box to save observations as image"
    assert said in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


@some_variants
def test_every_observation_can_be_saved_and_lies_in_its_space_when_it_is_back(
    variant: Variant, tmp_path: Path
) -> None:
    env = make(variant, limit=12)
    saved = []
    env.reset(seed=3)
    policy = Random(3)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        saved.append((agent, observation))
        np.savez(tmp_path / f"{len(saved)}.npz", **observation)
        over = terminated or truncated
        env.step(None if over else policy.choice(legal(observation["action_mask"])))
    for number, (agent, observation) in enumerate(saved, 1):
        with np.load(tmp_path / f"{number}.npz") as file:
            back = dict(file)
        assert env.observation_space(agent).contains(back)
        for key, value in observation.items():
            assert back[key].dtype == value.dtype and back[key].tolist() == value.tolist()


# The rules beside it


@every_variant
def test_an_episode_goes_as_the_rules_say(variant: Variant) -> None:
    limit = 80 if variant.name == "number-collision" else None
    game, env, policy = variant.game, make(variant, limit=limit), Random(1)
    env.reset(seed=1)
    state, every_move, ply = env.episode.state, game.all_moves(), 0
    while True:
        outcome = game.outcome(state)
        truncated = outcome is None and ply == limit
        over = outcome is not None or truncated
        mover = AGENTS[ply % 2]
        assert env.agent_selection == mover and env.agents == list(AGENTS)
        flags = [0] * len(every_move) if over else mask(game, state)
        for agent in AGENTS:
            seen = env.observe(agent)
            assert list(seen) == ["observation", "action_mask"]
            assert env.observation_space(agent).contains(seen), seen
            assert seen["observation"][: len(game.features())].tolist() == list(game.observe(state))
            assert seen["action_mask"].tolist() == (flags if agent == mover else [0] * len(every_move))
        assert env.terminations == dict.fromkeys(AGENTS, outcome is not None)
        assert env.truncations == dict.fromkeys(AGENTS, truncated)
        if over:
            break
        assert env.rewards == dict.fromkeys(AGENTS, 0)
        action = policy.choice(legal(flags))
        env.step(action)
        state = game.play(state, every_move[action])
        ply += 1
    wins = {agent: outcome is not None and outcome.winner == seat for seat, agent in enumerate(AGENTS)}
    if outcome is None:
        assert env.rewards == dict.fromkeys(AGENTS, 0)
    else:
        assert env.rewards == {agent: 1 if won else -1 for agent, won in wins.items()}
    for agent in (mover, *(each for each in AGENTS if each != mover)):
        observation, reward, *_ = env.last()
        assert env.agent_selection == agent and reward == (0 if truncated else 1 if wins[agent] else -1)
        assert env.observation_space(agent).contains(observation)
        env.step(None)
    assert env.agents == []


@every_variant
def test_the_spaces_are_those_of_all_moves_and_the_features(variant: Variant) -> None:
    env = make(variant)
    for agent in AGENTS:
        assert env.action_space(agent) == Discrete(len(variant.game.all_moves()))
        space = env.observation_space(agent)
        assert isinstance(space, Dict) and list(space) == ["action_mask", "observation"]
        assert space["action_mask"] == Box(0, 1, (len(variant.game.all_moves()),), np.int8)
    assert env.possible_agents == list(AGENTS)
    assert env.metadata["name"] == variant.name and env.metadata["is_parallelizable"] is False


@table(
    "name, options, moves, rewards",
    [
        ("range-war", {}, [6, 4, 9, 5, 7, 3, 8, 2, 10, 1], (-1, 1)),  # the book's session
        ("range-war", {}, [1], (1, -1)),  # nothing is lower
        ("range-war", {"size": 6}, [4, 2, 3, 1, 5], (1, -1)),  # 6 is free, on the wrong side
        ("range-war", {"opening": "free", "size": 3}, [2, 3, 1], (1, -1)),
        ("range-war", {"opening": "free", "size": 3}, [1, 3, 2], (1, -1)),
        ("range-war", {"opening": "free", "size": 2}, [1, 2], (-1, 1)),
        ("range-war", {"ending": "misere", "size": 2}, [1], (-1, 1)),
        (  # the book's walk-through: 74 to 45
            "number-snatch",
            {"numbers": (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)},
            [13, 5, 15, 2, 10, 18, 12, 20, 17, 7],
            (1, -1),
        ),
        ("number-snatch", {"numbers": (2, 4)}, [2, 4], (-1, 1)),  # stolen: 0 to 6
        ("number-snatch", {"numbers": (2, 4)}, [4, 2], (1, -1)),
        ("number-snatch", {"numbers": (1, 2, 3)}, [2, 3, 1], (-1, 1)),  # level, so the second wins
        ("restricted-removal", {"size": 8}, [4, 6, 5, 7], (-1, 1)),
        ("restricted-removal", {}, [5, 2, 9, 7], (-1, 1)),
        ("restricted-removal", {"size": 2}, [2], (1, -1)),
        ("summation-duel", {}, [7, 8, 10, 9, 6, 5, 3, 2], (-1, 1)),  # the book's session: exactly 50
        ("summation-duel", {"size": 6, "target": 15}, [6, 3, 5, 2], (1, -1)),  # over by 1
        ("summation-duel", {"size": 4, "target": 6}, [1, 2, 4], (-1, 1)),  # over by 1
        ("number-collision", {"size": 1, "values": 1}, [(1, 1)], (1, -1)),
        ("number-collision", {"size": 2, "values": 2}, [(1, 1), (2, 2)], (-1, 1)),
        ("number-collision", {"size": 2, "values": 2}, [(1, 1), (1, 2), (2, 2), (1, 1)], (-1, 1)),
        # The empty line may not come back, so nothing can be placed beside the 1.
        ("number-collision", {"size": 2, "values": 1, "repetition": "forbidden"}, [(1, 1)], (1, -1)),
    ],
)
def test_both_agents_get_what_the_end_is_worth_to_them(
    name: str, options: dict[str, Any], moves: list[Any], rewards: tuple[int, int]
) -> None:
    env = aec(name, **options)
    play(env, *moves[:-1])
    assert env.rewards == dict.fromkeys(AGENTS, 0) and not any(env.terminations.values())
    play(env, *moves)
    assert env.rewards == dict(zip(AGENTS, rewards, strict=True))
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert env.truncations == dict.fromkeys(AGENTS, False)
    told = {}
    for agent in env.agent_iter():
        _, told[agent], *_ = env.last()
        env.step(None)
    assert told == dict(zip(AGENTS, rewards, strict=True))


def test_what_one_game_was_worth_is_forgotten_in_the_next() -> None:
    env = aec("range-war")
    for _ in range(3):
        play(env, 1)
        assert env.rewards == {"player_1": 1, "player_2": -1}
        env.rewards["player_1"] = env._cumulative_rewards["player_2"] = 99
        env.terminations["player_1"] = False
        env.step(None)
        env.reset()
        assert env.rewards == env._cumulative_rewards == dict.fromkeys(AGENTS, 0)
        assert env.terminations == env.truncations == dict.fromkeys(AGENTS, False)


# The limit of moves


@some_variants
def test_the_limit_of_moves_truncates_and_never_terminates(variant: Variant) -> None:
    env = make(variant, limit=2)
    for seed in range(4):
        *_, (_, _, flags, reward, terminated, truncated, _) = pair_steps(env, seed, Random(seed))
        assert terminated != truncated
        assert (reward == 0) == truncated
        assert not any(flags)
        assert env.episode.ply <= 2


def test_at_the_limit_both_agents_are_truncated_without_a_reward() -> None:
    env = aec("number-collision", limit=3)
    play(env, (1, 1), (2, 5))
    assert not any(env.truncations.values())
    play(env, (1, 1), (2, 5), (3, 9))
    assert env.truncations == dict.fromkeys(AGENTS, True)
    assert env.terminations == dict.fromkeys(AGENTS, False)
    assert env.rewards == env._cumulative_rewards == dict.fromkeys(AGENTS, 0)
    for agent in AGENTS:
        assert not env.observe(agent)["action_mask"].any()
    with pytest.raises(ValueError, match="the game is over: the only valid action is None"):
        env.step(5)
    env.step(None)
    env.step(None)
    assert env.agents == []


@table(
    "name, options, moves",
    [
        ("range-war", {}, [1]),
        ("range-war", {"size": 6}, [4, 2, 3, 1, 5]),
        ("summation-duel", {"size": 4, "target": 6}, [4, 2]),
        ("number-collision", {"size": 2, "values": 2}, [(1, 1), (2, 2)]),
    ],
)
def test_a_game_that_ends_with_the_last_move_allowed_has_ended(
    name: str, options: dict[str, Any], moves: list[Any]
) -> None:
    env = aec(name, **options, limit=len(moves))
    play(env, *moves)
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert env.truncations == dict.fromkeys(AGENTS, False)
    assert sorted(env.rewards.values()) == [-1, 1]


def test_a_game_that_need_not_end_is_broken_off_after_a_thousand_moves() -> None:
    env = aec("number-collision", size=2, values=2)
    play(env, *[(1, 1), (1, 2)] * 499, (1, 1))
    assert not any(env.truncations.values()) and not any(env.terminations.values())
    env.step(2)
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert env.episode.ply == 1_000


# As text


def test_number_snatch_tells_whose_turn_it_is_and_their_last_number() -> None:
    env = aec("number-snatch", numbers=(2, 5, 7, 10), render_mode="ansi")
    play(env)
    assert env.render() == (
        "Available Numbers: [2, 5, 7, 10]\nScores:\nPlayer 1: 0\nPlayer 2: 0\nPlayer 1's turn.\n"
    )
    play(env, 5)
    assert env.render() == (
        "Available Numbers: [2, 7, 10]\nPlayer 1's last number: 5\n"
        "Scores:\nPlayer 1: 5\nPlayer 2: 0\nPlayer 2's turn.\n"
    )
    play(env, 5, 10)
    assert env.render() == (
        "Available Numbers: [2, 7]\nPlayer 2's last number: 10\n"
        "Scores:\nPlayer 1: 0\nPlayer 2: 15\nPlayer 1's turn.\n"
    )


@table(
    "name, options, moves, text",
    [
        ("range-war", {"size": 3}, [], "Available Numbers: 1,2,3\nPlayer 1's turn.\n"),
        (
            "range-war",
            {"size": 3},
            [3],
            "Available Numbers: 1,2\nPlayer 2's turn.\nYou must select a number lower than 3.\n",
        ),
        (
            "range-war",
            {"size": 3},
            [1],
            "Available Numbers: 2,3\nPlayer 2's turn.\n"
            "No available moves. You cannot make a valid move.\nPlayer 1 wins!\n",
        ),
        (
            "restricted-removal",
            {"size": 4},
            [2],
            "Available Numbers: [3]\nRemoved Numbers: [2]\nLocked Numbers: [4]\nPlayer 2, it's your turn.\n",
        ),
        (
            "summation-duel",
            {"size": 4, "target": 6},
            [3],
            "Total Sum: 3\nAvailable Numbers: 1,2,4\nPlayer 2's Turn:\n",
        ),
        (
            "summation-duel",
            {"size": 4, "target": 6},
            [3, 4],
            "Total Sum: 7\nAvailable Numbers: 1,2\nPlayer 2 went over 6 by 1 and loses. Player 1 wins!\n",
        ),
        (
            "number-collision",
            {"size": 3, "values": 2},
            [(2, 3)],
            "Number Line Positions: [1][2][3]\nCurrent State:         [ ][ ][2]\n"
            "Player 2's turn.\nNumbers: 1,2. Empty Positions: 1,2.\n",
        ),
    ],
)
def test_a_position_as_text(name: str, options: dict[str, Any], moves: list[Any], text: str) -> None:
    env = aec(name, **options, render_mode="ansi")
    play(env, *moves)
    assert env.render() == text


@some_variants
def test_every_position_tells_whose_turn_it_is_and_every_end_who_has_won(variant: Variant) -> None:
    env = make(variant, limit=60, render_mode="ansi")
    for agent, *_, terminated, truncated, _ in pair_steps(env, 5, Random(5)):
        if len(env.agents) < 2:
            break
        text = env.render()
        assert text.endswith("\n") and not text.endswith("\n\n")
        player = {"player_1": "Player 1", "player_2": "Player 2"}[str(agent)]
        turns = {f"{player}'s turn.", f"{player}, it's your turn.", f"{player}'s Turn:"}
        if terminated:
            won = {reward: f"Player {seat + 1}" for seat, reward in enumerate(env.rewards.values())}
            told = [f"{won[1]} wins", f"Winner: {won[1]}", f"Congratulations, {won[1]}!"]
            assert sum(sentence in text for sentence in told) == 1
            assert f"{won[-1]} wins" not in text
        elif truncated:
            assert text.endswith("The game is broken off after 60 moves: unfinished.\n")
        else:
            assert len(turns & set(text.splitlines())) == 1


def test_without_a_render_mode_nothing_is_rendered() -> None:
    env = aec("range-war")
    env.reset(seed=1)
    assert env.render() is None
    env.close()
    env.close()


@table("mode", ["", "ANSI", 3])
def test_other_render_modes_are_refused(mode: Any) -> None:
    with pytest.raises(ValueError, match="render_mode must be ansi or human or rgb_array, not "):
        aec("range-war", render_mode=mode)


# What is refused


def test_a_number_that_is_no_action_is_refused_and_changes_nothing() -> None:
    env: Any = aec("range-war")
    for moves in ([], [6, 4]):
        play(env, *moves)
        before = all_seen(env)
        for junk in (-1, 10, 10**9, 2**80, np.int64(-1)):
            with pytest.raises(IllegalMove, match="is not an action: those are the numbers from 0 to 9"):
                env.step(junk)
        assert all_seen(env) == before
        env.step(8)
        assert env.agent_selection == AGENTS[(len(moves) + 1) % 2]


def test_what_is_no_whole_number_is_a_type_error_and_changes_nothing() -> None:
    env: Any = aec("range-war")
    play(env, 6, 4)
    before = all_seen(env)
    for junk in (None, 3.0, float("nan"), "3", [3], np.array([3]), np.array([3, 4]), np.float32(3), object()):
        with pytest.raises(TypeError, match=r"an action is a whole number from 0 to 9, not an? "):
            env.step(junk)
    assert all_seen(env) == before


@some_variants
def test_an_illegal_action_is_refused_and_changes_nothing(variant: Variant) -> None:
    env, game = make(variant, limit=30), variant.game
    every_move = game.all_moves()
    refused = 0
    for *_, flags, _, terminated, truncated, _ in pair_steps(env, 2, Random(2)):
        if terminated or truncated:
            break
        before = all_seen(env)
        state = env.episode.state
        wrong = [action for action, flag in enumerate(flags) if not flag]
        for action in Random(len(wrong)).sample(wrong, min(3, len(wrong))):
            with pytest.raises(IllegalMove) as refusal:
                env.step(action)
            with pytest.raises(IllegalMove) as rule:
                game.play(state, every_move[action])
            assert str(refusal.value) == str(rule.value)
            refused += 1
        for action in (-1, len(every_move)):
            with pytest.raises(IllegalMove):
                env.step(action)
        assert all_seen(env) == before
        assert env.episode.state == state
    assert refused or env.episode.ply == 1


def test_a_step_before_the_first_reset_is_refused() -> None:
    env = aec("range-war")
    for action in (0, None):
        with pytest.raises(ResetNeeded, match="reset the environment first"):
            env.step(action)
    env.agent_selection = "player_1"
    with pytest.raises(ResetNeeded, match="reset the environment first"):
        env.observe("player_1")
    env.reset(seed=1)
    env.step(0)


@table("limit", [1, None])
def test_after_the_end_each_agent_may_only_go_and_then_a_reset_is_needed(limit: int | None) -> None:
    env: Any = aec("range-war", limit=limit)
    play(env, 4 if limit else 1)
    for agent in ("player_2", "player_1"):
        for action in (0, 3, -1, "x"):
            before = all_seen(env)
            with pytest.raises(ValueError, match="the only valid action is None"):
                env.step(action)
            assert all_seen(env) == before
        assert env.agent_selection == agent
        env.step(None)
        assert agent not in env.agents
        for each in (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos):
            assert list(each) == env.agents
    for late in (0, None):
        with pytest.raises(ResetNeeded, match="reset the environment first"):
            env.step(late)
    env.reset()
    assert env.agents == list(AGENTS) and env.agent_selection == "player_1"


def test_an_unknown_game_and_wrong_options_are_refused() -> None:
    with pytest.raises(UnknownGame, match="there is no game called 'chess'"):
        aec("chess")
    with pytest.raises(ValueError, match="size must be a whole number from 1 to 10000, not 0"):
        aec("range-war", size=0)
    with pytest.raises(ValueError, match="limit must be a whole number"):
        aec("range-war", limit=0)


def test_a_game_without_all_moves_is_refused_by_a_sentence() -> None:
    with pytest.raises(ValueError, match="LastCounter has no `all_moves`, so its moves have no numbers"):
        DuelAEC(template.spec, LastCounter())


# PettingZoo's wrappers


def wrapped(env: Any) -> Any:
    """As PettingZoo wraps its own classic games."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))


@dictionaries_are_right
@some_variants
def test_in_all_of_pettingzoos_wrappers_it_passes_the_api_test(variant: Variant) -> None:
    api_test(wrapped(make(variant, limit=40)))
    seed_test(lambda: wrapped(make(variant, limit=40)))


def test_the_wrapper_for_illegal_moves_ends_the_game_and_the_next_one_is_fresh() -> None:
    env = TerminateIllegalWrapper(aec("range-war"), illegal_reward=-1)
    for again in range(3):
        env.reset(seed=1)
        env.step(3)
        env.step(8)  # not lower than 4
        told = {}
        for agent in env.agent_iter():
            _, told[agent], terminated, _, _ = env.last()
            assert terminated
            env.step(None)
        assert told == {"player_1": 0, "player_2": -1}
        if again == 1:
            env.reset(seed=1)
            env.step(3)
            env.step(8)  # and now a reset comes before anybody has gone
        env.reset(seed=1)
        env.step(3)
        env.step(0)
        env.step(9)
        assert env.agent_selection == "player_2" and not any(env.terminations.values())


def test_a_game_after_an_illegal_one_ends_well_in_the_wrapper() -> None:
    env = TerminateIllegalWrapper(aec("range-war", size=3), illegal_reward=-1)
    env.reset(seed=1)
    env.step(1)
    env.step(2)  # not lower than 2
    env.reset(seed=1)
    env.step(0)
    told = {}
    for agent in env.agent_iter():
        _, told[agent], *_ = env.last()
        env.step(None)
    assert told == {"player_1": 1, "player_2": -1}


def test_the_wrapper_for_bounds_asserts_them_before_we_do() -> None:
    env = AssertOutOfBoundsWrapper(aec("range-war"))
    env.reset(seed=1)
    for junk in (-1, 10, 1.0, None, "3"):
        with pytest.raises(AssertionError, match="action is not in action space"):
            env.step(junk)
    env.step(3)
    with pytest.raises(IllegalMove, match="Number 9 is not lower than 4"):
        env.step(8)
    env.step(0)
    assert env.agent_selection == "player_1"


def test_the_wrapper_for_the_order_asserts_it_before_we_do() -> None:
    env = OrderEnforcingWrapper(aec("range-war", render_mode="ansi"))
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)
    with pytest.raises(AssertionError, match="reset"):
        env.observe("player_1")
    with pytest.raises(AssertionError, match="reset"):
        env.render()
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        _ = env.agent_selection
    env.reset(seed=1)
    assert "Player 1's turn." in env.render()


# Copies


def by_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


Copy = Callable[[Any], Any]
every_copy = table("copy", [deepcopy, by_pickle])


def hold_against_its_copy(env: Any, copy: Copy) -> None:
    """Copy in mid-game: both go on alike, each by itself, and deal the same next game."""
    env.step(Random(9).choice(legal(env.observe("player_1")["action_mask"])))
    twin = copy(env)
    assert all_seen(twin) == all_seen(env)
    ways = [list(_finish(each, Random(4))) for each in (env, twin)]
    assert ways[0] == ways[1]
    for again in range(3):
        assert list(pair_steps(env, None, Random(again))) == list(pair_steps(twin, None, Random(again)))


def _finish(env: Any, policy: Random) -> Any:
    while env.agents:
        observation, reward, terminated, truncated, _ = env.last()
        yield {key: value.tolist() for key, value in observation.items()}, reward, terminated, truncated
        env.step(None if terminated or truncated else policy.choice(legal(observation["action_mask"])))


@every_copy
@some_variants
def test_a_copy_in_mid_game_goes_on_alike_and_by_itself(variant: Variant, copy: Copy) -> None:
    env = make(variant, limit=30)
    env.reset(seed=6)
    hold_against_its_copy(env, copy)


@every_copy
@every_outside_game
def test_a_copy_of_a_game_of_somebody_elses_goes_on_alike(
    spec: GameSpec, game: Any, limit: int | None, copy: Copy
) -> None:
    env = DuelAEC(spec, game, limit=limit)
    env.reset(seed=6)
    hold_against_its_copy(env, copy)


@every_copy
def test_a_copy_before_the_first_reset_needs_one_too(copy: Copy) -> None:
    twin = copy(aec("range-war"))
    with pytest.raises(ResetNeeded):
        twin.step(0)
    twin.reset(seed=1)
    twin.step(0)
    assert twin.rewards == {"player_1": 1, "player_2": -1}


# What is handed out


@some_variants
def test_writing_into_an_observation_changes_nothing(variant: Variant) -> None:
    env, untroubled = make(variant, limit=30), make(variant, limit=30)
    policy = Random(8)
    for _ in range(2):  # the second game meets positions that the first has seen
        env.reset(seed=8)
        untroubled.reset(seed=8)
        for agent in env.agent_iter():
            right = untroubled.observe(agent)
            for _ in range(2):
                for each in AGENTS:
                    observation = env.observe(each)
                    if each == agent:
                        for key, value in observation.items():
                            assert value.tolist() == right[key].tolist()
                    observation["observation"][:] = 99
                    observation["action_mask"][:] = 9
            _, _, terminated, truncated, _ = env.last()
            action = None if terminated or truncated else policy.choice(legal(right["action_mask"]))
            env.step(action)
            untroubled.step(action)


def test_an_observation_stays_what_it_was_when_the_game_goes_on() -> None:
    env = aec("number-collision", size=3, values=2, repetition="forbidden", limit=6)
    env.reset(seed=1)
    kept = [env.observe("player_1")]
    for action in (0, 3, 4):
        env.step(action)
        kept.append(env.observe("player_1"))
    assert [each["observation"].tolist() for each in kept] == [
        [0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 2, 1, 0, 0, 0, 0, 0],
        [1, 2, 0, 1, 1, 4, 0, 0, 0, 0],
        [1, 2, 1, 2, 1, 4, 5, 0, 0, 0],
    ]


# Seeds


@some_variants
def test_the_same_seed_gives_the_same_games(variant: Variant) -> None:
    first, second = make(variant, limit=30), make(variant, limit=30)
    for seed in (0, 7, None, None, 0):  # without a seed the generator goes on
        one, two = (list(pair_steps(env, seed, Random(1))) for env in (first, second))
        assert one == two


def test_other_seeds_deal_other_lists() -> None:
    env = aec("number-snatch")
    deals = set()
    for seed in range(30):
        env.reset(seed=seed)
        deals.add(tuple(env.observe("player_1")["observation"][:20].tolist()))
        env.reset()
        deals.add(tuple(env.observe("player_1")["observation"][:20].tolist()))
    assert len(deals) > 50


def test_without_a_seed_two_environments_deal_differently() -> None:
    deals = set()
    for _ in range(8):
        env = aec("number-snatch")
        env.reset()
        deals.add(tuple(env.observe("player_1")["observation"][:20].tolist()))
    assert len(deals) > 1


@some_variants
def test_the_generators_that_all_programs_share_are_never_used(variant: Variant) -> None:
    with untouched():
        env = make(variant, limit=30, render_mode="ansi")
        for seed in (3, None):
            for _ in pair_steps(env, seed, Random(1)):
                env.render()


@some_variants
def test_two_environments_side_by_side_do_not_influence_each_other(variant: Variant) -> None:
    def games(seed: int) -> Any:
        env, policy = make(variant, limit=30), Random(seed)
        for each in (seed, None, None):
            yield from pair_steps(env, each, policy)

    alone = list(games(1)), list(games(2))
    beside = list(zip_longest(games(1), games(2)))
    for seat in (0, 1):
        assert [pair[seat] for pair in beside if pair[seat] is not None] == alone[seat]


# A sixth game


def test_a_game_that_must_end_tells_its_moves_so_far() -> None:
    env = DuelAEC(counters, Counters(4), render_mode="ansi")
    play(env)
    assert env.observe("player_1")["observation"].tolist() == [1, 0, 0, 0, 0]
    play(env, 2, 1)
    assert env.observe("player_1")["observation"].tolist() == [1, 2, 1, 0, 0]
    assert env.observe("player_1")["action_mask"].tolist() == [1, 0]
    assert env.render() == "Counters: 1\nPlayer 1's turn.\n"
    play(env, 2, 1, 1)
    assert env.observe("player_1")["observation"].tolist() == [2, 2, 1, 1, 0]
    assert env.rewards == {"player_1": 1, "player_2": -1}
    play(env, 1, 1, 1, 1)
    assert env.observe("player_1")["observation"].tolist() == [1, 1, 1, 1, 1]
    assert env.rewards == {"player_1": -1, "player_2": 1}
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert env.truncations == dict.fromkeys(AGENTS, False)


def test_a_game_that_need_not_end_tells_its_moves_up_to_the_limit() -> None:
    env = DuelAEC(seesaw, Seesaw(2), limit=4)
    play(env, "right", "left", "right")
    assert env.observe("player_2")["observation"].tolist() == [2, 2, 1, 2, 0]
    play(env, "right", "left", "right", "left")
    assert env.observe("player_1")["observation"].tolist() == [1, 2, 1, 2, 1]
    assert env.truncations == dict.fromkeys(AGENTS, True) and env.rewards == dict.fromkeys(AGENTS, 0)
    play(env, "right", "right")  # which gives player 1 the game
    assert env.rewards == {"player_1": 1, "player_2": -1}
    assert env.terminations == dict.fromkeys(AGENTS, True)


def test_a_dealt_game_tells_its_deal_and_its_moves() -> None:
    env = DuelAEC(cards, Cards(2, 4))
    deals = set()
    for seed in range(40):
        env.reset(seed=seed)
        start, _, _ = env.episode.state
        dealt = [int(card in start) for card in (1, 2, 3, 4)]
        deals.add(start)
        assert env.observe("player_1")["observation"].tolist() == [1, *dealt, 0, 0]
        env.step(start[1] - 1)
        assert env.observe("player_1")["observation"].tolist() == [2, *dealt, start[1], 0]
        env.step(start[0] - 1)
        assert env.observe("player_1")["observation"].tolist() == [1, *dealt, start[1], start[0]]
        assert env.rewards == {"player_1": 1, "player_2": -1}
    assert len(deals) == 6


def test_a_tie_is_worth_nothing_to_both_and_is_an_end() -> None:
    env = DuelAEC(cards, Cards(3, 3))
    play(env, 1, 3, 2)  # three points each
    assert env.rewards == dict.fromkeys(AGENTS, 0)
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert env.truncations == dict.fromkeys(AGENTS, False)
    assert not env.observe("player_2")["action_mask"].any()


@table("seed", range(2))
@every_outside_game
def test_an_episode_of_somebody_elses_game_goes_as_its_rules_say(
    spec: GameSpec, game: Any, limit: int | None, seed: int
) -> None:
    env: Any = DuelAEC(spec, game, limit=limit)
    policy = Random(seed)
    env.reset(seed=seed)
    state, every_move = env.episode.state, list(game.all_moves())
    told: list[int] = []
    while not any((*env.terminations.values(), *env.truncations.values())):
        agent = AGENTS[len(told) % 2]
        seen = env.observe(agent)
        assert env.agent_selection == agent and env.observation_space(agent).contains(seen)
        assert seen["action_mask"].tolist() == mask(game, state)
        history = seen["observation"][-env.episode.encoding.limit :].tolist()
        assert history == told + [0] * (len(history) - len(told))
        action = policy.choice(legal(seen["action_mask"]))
        env.step(action)
        state = game.play(state, every_move[action])
        told.append(action + 1)
    outcome = game.outcome(state)
    assert env.terminations == dict.fromkeys(AGENTS, outcome is not None)
    assert outcome or len(told) == env.episode.encoding.limit
    winner = outcome.winner if outcome else None
    assert list(env.rewards.values()) == {None: [0, 0], 0: [1, -1], 1: [-1, 1]}[winner]


def test_an_installed_game_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    env = aec("seesaw", size=3, limit=9)
    assert isinstance(env, AECEnv) and env.metadata["name"] == "seesaw"
    play(env, "left", "left", "left")
    assert env.rewards == {"player_1": -1, "player_2": 1}
    assert {spec.name for spec, _, _ in OUTSIDE} == {"counters", "seesaw", "cards"}


# The state of both


@some_variants
def test_the_state_is_what_both_agents_see(variant: Variant) -> None:
    env = make(variant, limit=12)
    with pytest.raises(ResetNeeded):
        env.state()
    for _ in pair_steps(env, 1, Random(1)):
        state = env.state()
        assert state in env.state_space
        for agent in env.agents:
            assert state.tolist() == env.observe(agent)["observation"].tolist()
        state[:] = 1  # which is the caller's own


# PettingZoo's loop


@table("limit", [0, 1, 5])
def test_the_loop_over_the_agents_ends_after_as_many_turns_as_it_was_given(limit: int) -> None:
    env = aec("number-collision")
    env.reset(seed=1)
    loop = env.agent_iter(limit)
    turns = []
    for agent in loop:
        turns.append(agent)
        env.step(legal(env.last()[0]["action_mask"])[0])
    assert turns == [AGENTS[ply % 2] for ply in range(limit)]
    assert next(iter(loop), None) == (env.agent_selection if limit else None)  # it can be begun again


@some_variants
def test_last_returns_what_the_agent_to_move_observes(variant: Variant) -> None:
    env = make(variant, limit=12)
    for agent, *_ in pair_steps(env, 1, Random(1)):
        observation = env.last()[0]
        assert {key: value.tolist() for key, value in observation.items()} == {
            key: value.tolist() for key, value in env.observe(agent).items()
        }
        assert env.last(observe=False)[0] is None
