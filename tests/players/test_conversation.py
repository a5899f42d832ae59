"""The prompts to language models, the disguise, and the moves in their answers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from numberduels.game.contract import IllegalMove
from numberduels.game.registry import spec_of
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.players.conversation import (
    FACTOR,
    MOST_LISTED,
    Conversation,
    Disguise,
    ReadAnswer,
    json_board,
    prompt,
)
from numberduels.players.external import ExternalSettings
from tables import table

from .chat_server import legal
from .sample_games import every_game, walk

# Prompts


@every_game
@table("legal_moves, reasoning, disguise", list(product([False, True], repeat=3)))
def test_every_switch_does_what_it_says(
    game: Any, legal_moves: bool, reasoning: bool, disguise: bool
) -> None:
    conversation = Conversation(
        game, ExternalSettings(legal=legal_moves, reasoning=reasoning, disguise=disguise)
    )
    for state, played in walk(game, 3):
        system, user = (message["content"] for message in conversation.question(state, played))
        assert ("Legal moves" in user) == legal_moves
        if legal_moves and len(game.moves(state)) <= MOST_LISTED:
            assert [conversation.answer(state, f"MOVE: {move}") for move in legal(user)] == [
                ReadAnswer(move) for move in game.moves(state)
            ]
        assert ("as many words as you like" in user) == reasoning
        assert ("one line of this form and nothing else" in user) != reasoning
        assert user.endswith("\nMOVE: ...")
        assert (spec_of(game).title in system) != disguise
        assert f"You are Player {game.turn(state) + 1}." in system
        history = re.findall(
            r"^Player ([12]): ([\d@]+)$", user.partition("\n\nThe position")[0], re.MULTILINE
        )
        assert [int(seat) for seat, _ in history] == [1 + ply % 2 for ply in range(len(played))]
        assert "{" not in system + user and "?" not in system + user


@table(
    "game, there, absent",
    [
        (RangeWar(8, "free"), "may be lower or higher", "must be lower than the first"),
        (NumberCollision(6, 4, "forbidden"), "looking exactly as it did", "finds no empty cell"),
        (SummationDuel(6, 15), "exactly 15", "50"),
    ],
)
def test_the_options_are_in_the_rules(game: Any, there: str, absent: str) -> None:
    rules = Conversation(game, ExternalSettings()).rules(game.start(Random()))
    assert there in rules and absent not in rules


@table(
    "settings, told",
    [
        (ExternalSettings(attempts=4), "if none of the 4 gives one, you lose the game."),
        (ExternalSettings(attempts=1), "you have one answer. If it gives no legal move, you lose the game."),
        (ExternalSettings(seconds=0.5), "complete within 0.5 seconds."),
        (ExternalSettings(seconds=1), "complete within 1 second."),
        (ExternalSettings(seconds=float("inf")), "complete within 86400 seconds."),
    ],
)
@table("disguise", [False, True])
def test_a_model_knows_its_limits(settings: ExternalSettings, told: str, disguise: bool) -> None:
    conversation = Conversation(RangeWar(9), replace(settings, disguise=disguise))
    assert told in conversation.question(RangeWar(9).start(Random(1)))[0]["content"]


def test_without_a_history_none_is_claimed() -> None:
    game = RangeWar(5)
    conversation = Conversation(game, ExternalSettings())
    assert "so far" not in conversation.question(game.start(Random()))[1]["content"]
    assert "The moves so far: none\n\n" in conversation.question(game.start(Random()), ())[1]["content"]


def test_a_long_list_of_moves_is_told_in_short() -> None:
    game = NumberCollision(1000, 20)
    assert (
        Conversation(game, ExternalSettings()).legal(game.start(Random())) == "any of 1-20 at any of 1-1000"
    )


# Disguise

VOCABULARY = {
    "range-war": "range war trend claim line select available number",
    "number-snatch": "snatch list available number score points steal select multiple",
    "restricted-removal": "restricted removal remove removed lock locked available list multiple factor",
    "summation-duel": "summation duel sum total available number target",
    "number-collision": "collision collide number line position cell empty place",
}
"""The words that would give a game away."""
FRAME = (
    str(prompt("reasoning.txt")),
    "The position now:",
    "any number of tokens",
    "There is no line of the form MOVE:",
)
"""What is said in every game alike, and a turn of phrase."""


LIMITS = re.compile("\n\nYour answers:.*", re.DOTALL)
"""What a question says about answers and seconds, which are no numbers of the game."""


def revealing(game: Any, text: str) -> list[str]:
    words = VOCABULARY[spec_of(game).name].split()
    for ours in FRAME:
        text = text.replace(ours, "")
    text = text.lower()
    return [word for word in words if re.search(rf"\b{word}s?\b", text)]


@every_game
@table("seed", range(3))
def test_a_disguise_says_nothing_that_gives_the_game_away(game: Any, seed: int) -> None:
    conversation = Conversation(game, ExternalSettings(disguise=True))
    spec = spec_of(game)
    rng = Random(seed)
    for state, played in walk(game, seed):
        texts = [message["content"] for message in conversation.question(state, played)]
        wrong = [str(rng.randrange(30) * FACTOR) for _ in range(4)]
        wrong += [f"{rng.randrange(30) * FACTOR}@{rng.randrange(30) * FACTOR}" for _ in range(8)]
        texts += [
            conversation.again("", conversation.answer(state, f"MOVE: {each}")[1], 1)[1]["content"]
            for each in [*wrong, "x", ""]
        ]
        assert LIMITS.search(texts[0])
        for text in texts:
            text = LIMITS.sub("", text)
            assert spec.title.lower() not in text.lower() and spec.name not in text.lower()
            assert revealing(game, text) == [], text
            numbers = re.findall(r"[0-9]+", text.replace("Player 1", "").replace("Player 2", ""))
            assert all(int(number) % FACTOR == 0 for number in numbers), text


@every_game
@table("seed", range(3))
def test_every_move_goes_into_the_disguise_and_back(game: Any, seed: int) -> None:
    conversation = Conversation(game, ExternalSettings(disguise=True))
    assert conversation.disguise
    for state, _ in walk(game, seed):
        for move in game.moves(state):
            for text in (conversation.game_text.format_move(move), conversation.game_text.typed(move)):
                shown = conversation.disguise.scale(text)
                assert shown != text and conversation.disguise.unscale(shown) == text
                assert conversation.answer(state, f"MOVE: {shown}") == ReadAnswer(move)


def test_players_keep_their_digits_and_long_numbers_their_sense() -> None:
    disguise = Disguise(spec_of(RangeWar()))
    assert disguise.scale("Player 1, Player 2: 12 and 999999999") == "Player 1, Player 2: 84 and 6999999993"
    with pytest.raises(IllegalMove, match=r"no label 777777777777\.\.\. in"):
        disguise.unscale("7" * 5000)


# Settings that change the form


@every_game
@table("disguise", [False, True])
def test_a_board_as_json_loses_no_word_and_no_number(game: Any, disguise: bool) -> None:
    plain = Conversation(game, ExternalSettings(disguise=disguise))
    styled = Conversation(game, ExternalSettings(disguise=disguise, board="json"))

    def words(text: str) -> list[str]:
        return sorted(re.findall(r"[A-Za-z']+|(?<![0-9-])[0-9]+(?![0-9-])", text))

    for state, _ in walk(game, 4):
        shown = styled.position(state)
        assert isinstance(json.loads(shown), dict)
        if not re.search(r"[0-9]-[0-9]", plain.position(state)):  # runs are written out
            found = words(shown.replace("null", "").replace('"note"', ""))
            assert found == words(plain.position(state).replace("None", ""))


def test_a_text_that_is_no_list_stays_a_text() -> None:
    assert json.loads(json_board("Counters: 4\nTaken: none yet\nSteps: 1-50000\nWell: [ ][3]")) == {
        "Counters": 4,
        "Taken": "none yet",
        "Steps": "1-50000",
        "Well": [None, 3],
    }
