"""Reading the moves in answers: every line of docs/answers.md, and the limits of reading."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.players.conversation import NUMBER, Conversation, ReadAnswer
from numberduels.players.endpoint import LARGEST_REPLY
from numberduels.players.external import ExternalSettings
from numberduels.players.player import ILLEGAL, UNREADABLE
from tables import table

PAGE = Path(__file__).parents[2] / "docs" / "answers.md"
LINE = re.compile(r'("(?:[^"\\]|\\.)*") → (.+)')
GAMES: dict[str, tuple[Any, ExternalSettings]] = {
    "number": (SummationDuel(60, 100), ExternalSettings()),
    "placement": (NumberCollision(), ExternalSettings()),
}


def answers_of_the_page() -> list[tuple[str, str, str]]:
    """The lines of the page: which kind of game, the answer, and the move that is read from it."""
    found = []
    for kind, block in re.findall(r"^```answers (\w+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S):
        for line in block.splitlines():
            parts = LINE.fullmatch(line)
            assert parts, f'a line of {PAGE.name} is not of the form "answer" → move: {line}'
            found.append((kind, json.loads(parts[1]), parts[2]))
    return found


TABLE = answers_of_the_page()
assert len(TABLE) > 150


@table("kind, answer, expected", TABLE)
def test_an_answer_is_read_as_the_table_says(kind: str, answer: str, expected: str) -> None:
    game, settings = GAMES[kind]
    move, fault, cause = Conversation(game, settings).answer(game.start(Random(1)), answer)
    if expected == "nothing":
        assert move is None and cause == UNREADABLE and fault.endswith(".") and len(fault) < 120
    else:
        shown = f"{move.number}@{move.position}" if isinstance(move, Place) else str(move)
        assert (shown, fault, cause) == (expected, "", "")


ASCII = [
    (answer, expected)
    for kind, answer, expected in TABLE
    if kind == "number" and answer.isascii() and NUMBER.search(answer)
]


@table("answer, expected", ASCII)
def test_a_disguised_answer_is_read_in_the_same_way(answer: str, expected: str) -> None:
    """The same answers with every number times seven."""
    game = SummationDuel(60, 100)
    bullet = re.match(r"[0-9]+\. ", answer)
    start = bullet.end() if bullet else 0
    scaled = answer[:start] + NUMBER.sub(lambda found: str(7 * int(found[0])), answer[start:])
    conversation = Conversation(game, ExternalSettings(disguise=True))
    move, _, cause = conversation.answer(game.start(Random(1)), scaled)
    assert str(move) == expected if expected != "nothing" else move is None and cause == UNREADABLE


@table("said", ["9", "number 9", "9 (the middle)", "I take 9, because it is free"])
def test_a_move_that_is_read_and_against_the_rules_is_illegal(said: str) -> None:
    found = Conversation(RangeWar(5), ExternalSettings()).answer(RangeWar(5).start(Random()), f"MOVE: {said}")
    assert found == ReadAnswer(None, "Number 9 is not on the line: it runs from 1 to 5.", ILLEGAL)


def test_a_number_of_thousands_of_digits_is_no_move() -> None:
    for disguise in (False, True):
        conversation = Conversation(RangeWar(5), ExternalSettings(disguise=disguise))
        move, fault, _ = conversation.answer(RangeWar(5).start(Random()), f"MOVE: {'5' * 5000}")
        assert move is None and len(fault) < 120


@table(
    "mark",
    ["*", " ", "MOVE", "MOVE:", "> ", "\n", "`", "1.", "MOVE: place ", "so ", "my final answer ", ". MOVE: 1"]
    + ["<|", "<|a|>", "</think>", "\\boxed{", "{", "(", "MOVE: 5 (", "\u0665", "<answer>", "<|channel|>"]
    + ["<|channel|>analysis<|message|>", "MOVE:\n", ". MOVE  ", "5 - a"],
)
def test_a_huge_answer_is_read_at_once(mark: str) -> None:
    """In linear time: what grows with the square of the length would take many minutes here."""
    conversation = Conversation(NumberCollision(), ExternalSettings(disguise=True))
    text = mark * (LARGEST_REPLY // 8 // len(mark))
    assert conversation.answer(NumberCollision().start(Random()), text).fault
    assert conversation.answer(NumberCollision().start(Random()), f"MOVE: {text}").fault
