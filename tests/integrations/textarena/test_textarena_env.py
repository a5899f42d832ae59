"""The TextArena environment, with the real package."""

from __future__ import annotations

import random
from typing import Any

import pytest
import textarena as ta
from golden_episodes import EPISODES, NAMES, run_document, run_example

from numberduels.game.options import BadOption
from numberduels.harness.text_episode import TextEpisode
from numberduels.harness.textarena_env import DuelTextArenaEnv, register

SIX = "summation-duel:size=4:target=6"
"""By hand: of the first moves only 3 wins."""


@pytest.mark.parametrize("golden", EPISODES, ids=NAMES)
def test_one_player_replays_the_golden_episodes(golden: dict[str, Any]) -> None:
    env = DuelTextArenaEnv(**golden["settings"])
    env.reset(num_players=1, seed=golden["seed"])
    for step in golden["steps"]:
        player, observation = env.get_observation()
        assert (player == 0 and step["position"] in observation[-1][1]) or step["cause"] or observation
        assert env.episode.position == step["position"] and env.episode.legal_moves() == step["legal_moves"]
        done, info = env.step(step["answer"])
        assert (done, info["reward"], info["cause"]) == (step["done"], step["reward"], step["cause"])
        assert info["judgement"] == step["judgement"]
    rewards, game_info = env.close()
    assert rewards == {0: {"win": 1, "loss": -1}[golden["steps"][-1]["outcome"]]}
    assert game_info[0]["invalid_move"] == bool(golden["steps"][-1]["cause"])


def test_two_players_play_and_both_are_rewarded() -> None:
    env = DuelTextArenaEnv(SIX)
    env.reset(num_players=2, seed=1)
    for player, action, kept in ((0, "[3]", True), (1, "[MOVE: 2]", True), (0, "One.\nMOVE: 1", True)):
        assert env.get_observation()[0] == player
        done, info = env.step(action)
        assert info["judgement"]["kept"] == kept
    assert done and env.close()[0] == {0: 1, 1: -1}


def test_a_player_sees_the_rules_once_and_not_what_the_other_wrote() -> None:
    env = DuelTextArenaEnv(SIX)
    env.reset(num_players=2, seed=1)
    first = env.get_observation()[1]
    assert [kind for _, _, kind in first] == [ta.ObservationType.PROMPT, ta.ObservationType.GAME_BOARD]
    env.step("My secret plan is to win.\nMOVE: 3")
    second = env.get_observation()[1]
    assert [kind for _, _, kind in second] == [ta.ObservationType.PROMPT, ta.ObservationType.GAME_BOARD]
    assert "You are Player 2" in second[0][1] and "Player 1: 3" in second[1][1]
    assert not any("secret" in message for _, message, _ in second)


def test_an_illegal_move_is_asked_for_again_and_then_lost() -> None:
    env = DuelTextArenaEnv(SIX, attempts=2)
    env.reset(num_players=2, seed=1)
    env.get_observation()
    done, info = env.step("[5]")
    player, observation = env.get_observation()
    assert (done, player, info["cause"]) == (False, 0, "illegal") and info["fault"] in observation[-1][1]
    done, info = env.step("no move at all")
    rewards, game_info = env.close()
    assert done and rewards == {0: -1, 1: 1} and game_info[0]["invalid_move"]
    assert not game_info[1]["invalid_move"]


def test_registered_games_are_made_by_their_ids() -> None:
    ids = register()
    assert register() == ids and "NumberDuels-RangeWar-v0" in ids and len(ids) >= 5
    env = ta.make("NumberDuels-SummationDuel-v0", attempts=1)
    env.reset(num_players=2, seed=3)
    player, text = env.get_observation()
    assert player == 0 and "[GAME] You are playing" in text and "Total Sum: 0" in text
    raw = ta.make("NumberDuels-NumberSnatch-v0-raw")
    raw.reset(num_players=2, seed=3)
    assert isinstance(raw.get_observation()[1], list)


def test_a_seed_gives_the_episode_of_the_core_and_leaves_the_process_alone() -> None:
    state = random.getstate()
    env = DuelTextArenaEnv("number-snatch", seat="second", opponent="random")
    env.reset(num_players=1, seed=11)
    assert env.episode.table.played == TextEpisode(env.episode.settings, 11).table.played
    env.reset(num_players=2)
    assert random.getstate() == state


def test_a_random_player_always_comes_to_an_end() -> None:
    rng = random.Random(1)
    for game in ("range-war", "number-snatch", "restricted-removal", "number-collision:size=4:values=2"):
        env = DuelTextArenaEnv(game)
        env.reset(num_players=2, seed=1)
        done = False
        while not done:
            env.get_observation()
            done, _ = env.step(f"[{rng.choice(env.episode.legal_moves())}]")
        assert sum(env.close()[0].values()) == 0


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(BadOption, match="there is no setting 'colour'"):
        DuelTextArenaEnv(SIX, colour="red")
    with pytest.raises(BadOption, match="num_players must be a whole number from 1 to 2"):
        DuelTextArenaEnv(SIX).reset(num_players=3)


def test_the_example_runs() -> None:
    assert "rewards" in run_example("textarena_game")


def test_the_program_of_the_document_runs() -> None:
    run_document("harness_textarena")
