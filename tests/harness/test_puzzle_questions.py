"""A puzzle as a question to a model: it tells the position and the answers, not the right one."""

from __future__ import annotations

from numberduels.analysis.puzzles import find_puzzle
from numberduels.harness.puzzle_questions import CheckedAnswer, check_answer, puzzle_messages
from tables import table

PUZZLE = find_puzzle("summation-duel", level=1, seed="3")
assert PUZZLE.answer == "7"  # the only way to leave Player 1 without an answer, as the file of puzzles says


@table(
    "text, expected",
    [
        ("ANSWER: 7", CheckedAnswer("7", True)),
        ("Perhaps ANSWER: 4?\n\n**Answer:** `7`.", CheckedAnswer("7", True)),
        ("MOVE: 7", CheckedAnswer("7", True)),
        ("ANSWER: 4", CheckedAnswer("4", False)),
        ("ANSWER: 5", CheckedAnswer("", False, "illegal")),  # used already
        ("ANSWER: seven or so", CheckedAnswer("", False, "unreadable")),
        ("The answer is 7.", CheckedAnswer("", False, "unreadable")),
        ("", CheckedAnswer("", False, "unreadable")),
    ],
)
def test_an_answer_is_read_from_its_line(text: str, expected: CheckedAnswer) -> None:
    assert check_answer(PUZZLE, text) == expected


def test_the_question_has_rules_position_turn_and_answers() -> None:
    system, user = (each["content"] for each in puzzle_messages(PUZZLE))
    assert "exactly 73" in system
    for part in (
        "Total Sum: 49",
        "Player 2 is to move.",
        "Find the only move that wins.",
        "1, 4, 6, 7, 11, 13",
    ):
        assert part in user
