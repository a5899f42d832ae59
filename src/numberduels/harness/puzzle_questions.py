"""A puzzle as a question to a language model, and the check of its answer."""

from __future__ import annotations

import re
from typing import NamedTuple

from numberduels.analysis.puzzles import Puzzle
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.players.answer_parsing import stated_move
from numberduels.players.conversation import Conversation
from numberduels.players.external import DEFAULT_SETTINGS

SYSTEM = """\
You solve puzzles about a game for two players, Player 1 and Player 2, who move in turn.

The rules:

{rules}
"""

QUESTION = """\
{positions}

{task} Both players look as far ahead as needed.

Possible answers: {answers}

Think it over in as many words as you like. Then end your answer with one line of this form, with your \
answer in place of the dots:
ANSWER: ...
"""

ANSWER_WORD = re.compile(r"\banswer(?=\W{0,4}[:=])", re.IGNORECASE)


class CheckedAnswer(NamedTuple):
    """An answer to a puzzle."""

    answer: str
    """As the puzzle writes it; empty if the text has no possible answer."""
    right: bool
    fault: str = ""
    """Why the text has no possible answer: `unreadable` or `illegal`; empty if it has one."""


def puzzle_messages(puzzle: Puzzle) -> list[dict[str, str]]:
    """The puzzle as chat messages: the rules, then the question with all possible answers.

    >>> from numberduels.analysis.puzzles import find_puzzle
    >>> question = puzzle_messages(find_puzzle("summation-duel", level=1, seed="3"))[1]["content"]
    >>> question.splitlines()[1:4]
    ['Total Sum: 49', 'Available Numbers: 1,4,6,7,11,13', 'Player 2 is to move.']
    """
    rules = Conversation(puzzle.game, DEFAULT_SETTINGS).rules(puzzle.state)
    user = QUESTION.format(
        positions="\n\n".join(_positions(puzzle)), task=puzzle.task, answers=_answers(puzzle)
    )
    return [
        {"role": "system", "content": SYSTEM.format(rules=rules).strip()},
        {"role": "user", "content": user.strip()},
    ]


def check_answer(puzzle: Puzzle, text: str) -> CheckedAnswer:
    """Read the line `ANSWER: ...` of a text as `MOVE: ...` is read, and compare it with the right answer."""
    said = stated_move(ANSWER_WORD.sub("MOVE", text))
    if said is None:
        return CheckedAnswer("", False, "unreadable")
    try:
        answer = puzzle.parse(said)
    except Unreadable:
        return CheckedAnswer("", False, "unreadable")
    except IllegalMove:
        return CheckedAnswer("", False, "illegal")
    return CheckedAnswer(answer, puzzle.is_right(answer))


def _answers(puzzle: Puzzle) -> str:
    if puzzle.asks_for == "number":
        return f"a number from {puzzle.answers[0]} to {puzzle.answers[-1]}"
    return ", ".join(puzzle.answers)


def _positions(puzzle: Puzzle) -> list[str]:
    """Each position as text, with what the player must know and does not see."""
    names = ["The position:"] if len(puzzle.tables) == 1 else ["Position A:", "Position B:"]
    shown = []
    for name, table, note in zip(names, puzzle.tables, puzzle.notes, strict=True):
        text = puzzle.game_text
        drawn = f"{text.position(table.state)}{text.status(table.state)}".strip("\n")
        turn = f"{text.label(table.turn)} is to move."
        shown.append("\n".join([name, drawn, *([str(note)] if note else []), turn]))
    return shown
