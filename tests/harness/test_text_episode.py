"""TextEpisode: the same episode for the same seed, exact rewards, no solution in what the agent sees."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from numberduels.game import record
from numberduels.harness.episode_results import REWARD_KINDS
from numberduels.harness.episode_settings import read_settings
from numberduels.harness.text_episode import EpisodeOver, TextEpisode
from numberduels.players.conversation import Conversation
from tables import table

SIX = "summation-duel:size=4:target=6"
"""By hand: of the first moves only 3 wins. After 1 and 2 the answer is 4, after 4 it is 2."""

GAMES = (
    "range-war:size=8",
    "number-snatch:size=5:top=9",
    "restricted-removal:size=9",
    "summation-duel:size=6:target=12",
    "number-collision:size=4:values=3",
)


def episode(game: str = SIX, seed: int | str = 1, **more: Any) -> TextEpisode:
    return TextEpisode(read_settings({"game": game, "opening": 0, "seat": "first"} | more), seed)


def play_out(one: TextEpisode, choose: Any) -> TextEpisode:
    while not one.done:
        one.play(choose(one))
    return one


def best(one: TextEpisode) -> str:
    return one.oracle_moves()[0]


def test_the_only_winning_move_earns_one_and_the_others_earn_nothing() -> None:
    steps = {move: episode().play(move) for move in "1234"}
    assert {move: step.reward for move, step in steps.items()} == {"1": 0, "2": 0, "3": 1, "4": 0}
    right = steps["3"].judgement()
    assert right is not None
    assert (right["verdict"], right["before"], right["after"]) == ("only move", "win", "win")
    assert (right["keeping"], right["losing"], right["kept"]) == (1, 3, True)
    assert steps["4"].reply == "2" and steps["4"].outcome == "loss" and steps["4"].done


def test_value_change_costs_what_the_move_gives_away() -> None:
    assert episode(reward="value_change").play("3").reward == 0
    assert episode(reward="value_change").play("1").reward == -1  # from a win to a loss


def test_the_outcome_is_rewarded_at_the_end_alone() -> None:
    one = episode(reward="outcome")
    assert one.play("3").reward == 0 and not one.done
    assert one.score_of(0) is None
    last = play_out(one, best).steps[-1]
    assert (last.reward, last.outcome, one.score_of(0), one.guaranteed_score) == (1, "win", 1, 1)


def test_an_illegal_answer_costs_an_attempt_and_says_why() -> None:
    one = episode(attempts=2)
    first = one.answer("I think of five.\nMOVE: 5")
    assert (first.cause, first.move, first.reward) == ("illegal", None, 0)
    assert not first.done and first.attempts_left == 1 and first.judged is None
    assert first.fault in one.prompt and len(one.messages()) == 4
    assert one.answer("MOVE: 3").reward == 1 and len(one.messages()) == 2


def test_the_last_bad_answer_forfeits_the_game() -> None:
    one = episode(attempts=2, reward="value_change")
    one.answer("three, surely")
    last = one.answer("or four")
    assert (last.cause, last.outcome, last.done, last.reward) == ("unreadable", "loss", True, -1)
    assert last.judgement() == {
        "verdict": "no move", "before": "win", "after": None, "kept": False,
        "keeping": 1, "losing": 3, "margin_given": None, "remoteness": 3,
    }  # fmt: skip
    assert one.messages() == [] and one.legal_moves() == [] and one.prompt == ""
    assert one.transcript()["outcome"] == "loss"
    with pytest.raises(EpisodeOver):
        one.answer("MOVE: 3")


def test_a_forfeit_counts_as_a_move_that_kept_nothing() -> None:
    one = episode(attempts=1, seat="both")
    one.play("1")  # a mistake
    one.play("4")
    one.answer("")  # where every move loses
    assert (one.score_of(0), one.score_of(1)) == (0, 1)


def test_the_prompt_is_that_of_chat_players() -> None:
    one = episode("range-war:size=8", opening=2, seat="second", legal=False)
    conversation = Conversation(one.game, one.settings.prompt_settings, timed=False)
    assert one.messages() == conversation.question(one.table.state, one.table.played, 2)
    assert one.messages()[-1]["content"] == one.prompt and one.messages()[0]["content"] == one.system
    assert "Legal moves" not in one.prompt and "(drawn by lot)" in one.prompt


def test_a_disguised_episode_reads_and_shows_the_numbers_of_the_disguise() -> None:
    one = episode(disguise=True)
    assert one.legal_moves() == ["7", "14", "21", "28"] and one.oracle_moves() == ["21"]
    step = one.play("21")
    assert (step.move, step.reward) == ("3", 1)
    assert step.reply is not None and str(7 * int(step.reply)) in one.prompt


@table("game", GAMES)
@table("reward", REWARD_KINDS)
@table("seat", ["first", "second", "random"])
def test_the_oracle_reaches_the_guaranteed_score(game: str, reward: str, seat: str) -> None:
    for seed in range(3):
        one = play_out(episode(game, seed, seat=seat, reward=reward, opening=1, limit=30), best)
        assert one.score is not None and one.guaranteed_score is not None
        if reward == "outcome":
            assert one.score >= one.guaranteed_score
        else:
            assert one.score == one.guaranteed_score


def test_a_winnable_episode_is_won_by_perfect_play() -> None:
    for seed in range(5):
        one = episode("range-war:size=8", seed, seat="random", opening=2, reward="outcome", winnable=True)
        assert play_out(one, best).score == one.guaranteed_score == 1


@table("opponent", ["random", "greedy", "casual", "perfect", "mcts:20"])
def test_the_same_seed_gives_the_same_episode_whatever_happened_before(opponent: str) -> None:
    def transcripts() -> list[str]:
        played = []
        for seed in range(6):
            one = episode("number-snatch:size=6:top=12", seed, seat="random", opponent=opponent)
            rng = random.Random(seed)
            while not one.done:
                one.play(rng.choice(one.legal_moves()))
            played.append(json.dumps(one.transcript()))
        return played

    state = random.getstate()
    random.seed(3)
    first = transcripts()
    random.seed(4)
    assert transcripts() == first and len(set(first)) == 6
    random.setstate(state)


def test_an_opponent_never_wins_before_the_agent_has_moved() -> None:
    for seed in range(60):  # in Range War 1 wins at once, and random plays it every third time
        assert not episode("range-war:size=3", seed, seat="second", opponent="random").done


def test_a_game_that_the_opponent_always_wins_at_once_is_refused() -> None:
    with pytest.raises(ValueError, match="no start of range-war:size=1:opening=lower was found in 200 draws"):
        episode("range-war:size=1", seat="second")


@table("game", GAMES)
def test_what_the_agent_sees_is_the_same_for_every_reward_and_tells_no_value(game: str) -> None:
    seen = set()
    for reward in REWARD_KINDS:
        one = episode(game, 5, reward=reward, opponent="random", limit=6)
        texts = []
        while not one.done:
            texts += [one.system, one.prompt]
            one.play(one.legal_moves()[-1])
        seen.add("\n".join(texts))
    assert len(seen) == 1
    text = seen.pop().lower()
    for word in ("kept", "remoteness", "margin", "nimber", "verdict", "threw", "oracle", "best move"):
        assert word not in text


def test_both_seats_are_scored_one_by_one() -> None:
    one = episode(seat="both")
    one.play("1")  # a mistake of the first seat
    one.play("4")  # the only answer
    one.play("2")  # forced to go over: every move loses
    assert (one.score_of(0), one.score_of(1), one.outcome_of(0), one.outcome_of(1)) == (0.5, 1, "loss", "win")
    assert [step.seat for step in one.steps] == [0, 1, 0] and all(step.reply is None for step in one.steps)


def test_endless_play_is_unfinished_and_counts_half() -> None:
    one = episode("number-collision", reward="outcome", limit=4)
    play_out(one, best)  # with ten cells nobody can win in four moves
    assert one.table.ply == 4
    assert (one.outcome_of(0), one.outcome_of(1), one.score) == ("unfinished", "unfinished", 0.5)
    assert episode("number-collision").limit == 100 and episode().limit is None


def test_the_transcript_is_json_and_its_record_can_be_read() -> None:
    one = episode("number-snatch:size=5:top=9", 3, seat="random")
    play_out(one, lambda each: each.legal_moves()[0])
    data = json.loads(json.dumps(one.transcript()))
    assert record.read(data["record"]).moves == one.table.played
    assert data["moves"] == [str(move) for move in one.table.played]
    assert [each["move"] for each in data["steps"]] == data["moves"][(data["seat"] - 1) :: 2]
    assert data["settings"]["game"] == "number-snatch:size=5:top=9" and data["score"] == one.score


@table(
    "values, message",
    [
        ({"game": 3}, "game must be a text"),
        ({}, "a game is missing"),
        ({"game": SIX, "opponent": "process:rm -rf x"}, "opponent must be a built-in player"),
        ({"game": SIX, "opponent": "os:system"}, "opponent must be a built-in player"),
        ({"game": SIX, "seat": "third"}, "seat must be first or second or random or both"),
        ({"game": SIX, "attempts": 0}, "attempts must be a whole number from 1 to 100"),
        ({"game": SIX, "legal": "no"}, "legal must be true or false"),
        ({"game": SIX, "colour": "red"}, "there is no setting 'colour'"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_one_sentence(values: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, LookupError), match=message):
        read_settings(values)


def test_a_game_that_is_too_large_has_no_exact_reward() -> None:
    with pytest.raises(ValueError, match="the reward kept needs a game that can be solved"):
        episode("restricted-removal:size=400", opponent="random")
    assert (
        episode("restricted-removal:size=400", opponent="random", reward="outcome").guaranteed_score is None
    )
