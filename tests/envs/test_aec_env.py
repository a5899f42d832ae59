"""Two agents in turn: the PettingZoo environment keeps its contract, and the games keep their rules in it."""

from __future__ import annotations

from typing import Any

import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from numberduels.envs import aec
from tables import table

from .pettingzoo_tests import api_test, seed_test
from .variants import (
    AGENTS,
    Variant,
    some_variants,
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


# PettingZoo's own tests


@dictionaries_are_right
@some_variants
def test_it_passes_pettingzoos_tests(variant: Variant) -> None:
    api_test(make(variant, limit=40))
    api_test(wrapped(make(variant, limit=5)))
    seed_test(lambda: make(variant))


def wrapped(env: Any) -> Any:
    """As PettingZoo wraps its own classic games."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))


@table("limit", [1, None])
def test_after_the_end_each_agent_may_only_go_and_then_a_reset_is_needed(limit: int | None) -> None:
    env: Any = aec("range-war", limit=limit)
    play(env, 4 if limit else 1)
    for agent in ("player_2", "player_1"):
        for action in (0, 3, -1, "x"):
            with pytest.raises(ValueError, match="the only valid action is None"):
                env.step(action)
        assert env.agent_selection == agent
        env.step(None)
        assert agent not in env.agents
        for each in (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos):
            assert list(each) == env.agents
    for late in (0, None):
        with pytest.raises(ResetNeeded, match="reset the environment first"):
            env.step(late)
    env.rewards["player_1"] = env._cumulative_rewards["player_2"] = 99  # which the next game forgets
    env.reset()
    assert env.agents == list(AGENTS) and env.agent_selection == "player_1"
    assert env.rewards == env._cumulative_rewards == dict.fromkeys(AGENTS, 0)
    assert env.terminations == env.truncations == dict.fromkeys(AGENTS, False)


@some_variants
def test_the_state_is_what_both_agents_see(variant: Variant) -> None:
    env = make(variant, limit=12)
    with pytest.raises(ResetNeeded):
        env.state()
    env.reset(seed=1)
    for _ in env.agent_iter():
        action = env.last()[0]["action_mask"].argmax()
        state = env.state()
        assert state in env.state_space
        for agent in env.agents:
            seen = env.observe(agent)
            assert state.tolist() == seen["observation"].tolist() and seen in env.observation_space(agent)
            assert agent == env.agent_selection or not seen["action_mask"].any()
        last = env.last()[0]
        assert [each.tolist() for each in last.values()] == [
            each.tolist() for each in env.observe(env.agent_selection).values()
        ]
        assert env.last(observe=False)[0] is None
        state[:] = 1  # which is the caller's own
        env.step(None if env.episode.over else action)
