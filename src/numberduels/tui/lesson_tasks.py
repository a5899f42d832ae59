"""What the background process computes for lessons. It does not import Textual."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from numberduels.analysis.lessons import Lesson, judge_move, lessons_of
from numberduels.game import record, registry
from numberduels.game.messages import Message
from numberduels.solvers import WIN, Oracle
from numberduels.solvers.oracles import make_oracle


@dataclass(frozen=True, slots=True)
class Stopped:
    """A move that loses a win or a draw, with moves as records write them."""

    move: str
    lost_win: bool
    """Whether a win is gone; otherwise a draw."""
    better: str
    why: Message
    """Why the better move is better."""
    refutation: tuple[Message, ...]
    """What happens after the mistake."""


def all_lessons() -> dict[str, tuple[Lesson, ...]]:
    """The lessons of every installed game, by its name."""
    return {spec.name: lessons_of(spec) for spec in registry.specs()}


def next_lesson(game: str, key: str) -> Lesson | None:
    """The lesson of a game after the one with this key.

    >>> next_lesson("range-war", "first-game").key
    'nearest'
    """
    lessons = lessons_of(registry.spec(game))
    places = {lesson.key: place for place, lesson in enumerate(lessons)}
    after = places.get(key, len(lessons)) + 1
    return lessons[after] if after < len(lessons) else None


def judge(text: str, move: str) -> Stopped | None:
    """The mistake that a move is in the position of a record; None if it is none.

    >>> found = judge('[Game "range-war"]\\n[Size "9"]\\n\\n1. 5 4 *', "7")
    >>> found.better, str(found.refutation[0])
    ('6', 'After 7 they answer 6 and win.')
    """
    read = record.read(text)
    notation = read.spec.text_for(read.game)
    found = judge_move(_oracle(read.game), read.table().state, notation.parse_move(move))
    if not found:
        return None
    better = notation.format_move(found.better)
    return Stopped(move, found.lost == WIN, better, found.why, found.refutation)


@lru_cache(2)
def _oracle(game: Any) -> Oracle[Any, Any]:
    return make_oracle(game)
