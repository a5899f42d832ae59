"""Lessons: a guided first game of any game, the lessons that a game declares, and its exploration.

A lesson teaches one idea and ends with a game that the learner can win. A move that loses the win or the draw
is stopped: the learner sees why, and takes it back. An exploration is the theorem of a game as something to
try: one number is changed, and the winner with it.

>>> from numberduels.game import registry
>>> [lesson.key for lesson in lessons_of(registry.spec("range-war"))]
['first-game', 'nearest', 'longer-side', 'middle', 'misere']
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from numberduels.game import registry
from numberduels.game.contract import OTHER, M, S, Seat
from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, deal, replay
from numberduels.solvers import DRAW, LOSS, WIN, Oracle, TooLarge, make_oracle
from numberduels.solvers.choose import strongest_moves

TEXTS = ("title", "idea", "example", "task")
"""The texts of a lesson; the guided first game has an idea only."""

FIRST_GAME = "first-game"
"""The key of the guided first game."""

QUICK = 40_000
"""The most positions to search for the seat of a first game."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One idea of a game, and a game in which the learner needs it."""

    key: str
    """A short name, kept in the profile of the learner."""
    title: Message
    idea: Message
    """What to know."""
    task: Message
    """What to do now."""
    example: Message | None = None
    """A worked position in words."""
    shown: tuple[str, ...] = ()
    """The moves to the worked position, as in records; without an example none."""
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Values for `GameSpec.build`; the other options keep their defaults."""
    moves: tuple[str, ...] = ()
    """The moves that are made before the learner starts, as in records."""
    seat: Seat = 0
    """The seat of the learner."""
    opponent: str = "perfect"
    """The computer player on the other seat."""

    @property
    def text(self) -> tuple[Message, ...]:
        """The paragraphs of the lesson: the idea, the worked position if there is one, and the task."""
        return tuple(each for each in (self.idea, self.example, self.task) if each)

    def game(self, spec: GameSpec) -> Any:
        """The game of the lesson. A deal is the same every time."""
        return deal(spec.build(self.options), Random(self.key))

    def table(self, spec: GameSpec) -> Table[Any, Any]:
        """The game in which the learner starts."""
        return _table_after(spec, self.game(spec), self.moves)

    def example_table(self, spec: GameSpec) -> Table[Any, Any]:
        """The worked position."""
        return _table_after(spec, self.game(spec), self.shown)


def _table_after(spec: GameSpec, game: Any, moves: tuple[str, ...]) -> Table[Any, Any]:
    parse = spec.text_for(game).parse_move
    return replay(game, (parse(move) for move in moves))


def lessons_of(spec: GameSpec) -> tuple[Lesson, ...]:
    """The lessons of a game, the guided first game first. A game without lessons has that one."""
    declared = read_lessons(spec, spec.resource("lessons.toml") or "")
    if any(lesson.key == FIRST_GAME for lesson in declared):
        return declared
    return (_default_first_game(spec), *declared)


def read_lessons(spec: GameSpec, text: str) -> tuple[Lesson, ...]:
    """The lessons that `lessons.toml` declares. Line breaks in its texts are spaces."""
    found = []
    for given in tomllib.loads(text).get("lesson", ()):
        told = {name: Message(" ".join(given.pop(name).split())) for name in TEXTS if name in given}
        options = {name: _hashable(value) for name, value in given.pop("options", {}).items()}
        given = {name: _hashable(value) for name, value in given.items()}
        if given["key"] == FIRST_GAME:
            found.append(first_game(spec, told.get("idea"), seat=given.get("seat", 0), **options))
        else:
            found.append(Lesson(**given | told, options=options))
    return tuple(found)


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def first_game(
    spec: GameSpec,
    idea: Message | None = None,
    *,
    seat: Seat = 0,
    opponent: str = "casual",
    **options: Any,
) -> Lesson:
    """A guided first game with these options, from a seat that can win.

    `idea` says how to play in a few sentences; without it, the summary of the game does.
    """
    return Lesson(
        FIRST_GAME,
        Message("A guided first game"),
        idea=idea or Message(spec.summary),
        task=Message(
            "Play on. If a move gives something away, you are stopped, you see why, and you take it back."
        ),
        options=options,
        seat=seat,
        opponent=opponent,
    )


def _default_first_game(spec: GameSpec) -> Lesson:
    """A guided first game of a game that declares none: its last rule set, from the better seat."""
    lesson = first_game(spec, **spec.rule_sets[-1].options)
    game = lesson.game(spec)
    try:
        value = make_oracle(game, QUICK).value(game.start(Random(0)))
    except TooLarge:
        value = DRAW
    return first_game(spec, seat=1, **lesson.options) if value == LOSS else lesson


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that loses a win or a draw."""

    move: Any
    lost: int
    """WIN or DRAW: what is gone."""
    better: Any
    """A move that keeps it."""
    why: Message
    """Why the better move keeps it."""
    refutation: tuple[Message, ...]
    """What happens after the mistake, in sentences to the learner."""


def judge_move(oracle: Oracle[S, M], state: S, move: M) -> Mistake | None:
    """The mistake that this move is; None if it keeps the value, or if the position is too large to solve.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> game = RangeWar(size=5)
    >>> found = judge_move(make_oracle(game), game.start(Random(0)), 5)
    >>> print(found.refutation[0])
    After 5 they answer 4 and win.
    """
    try:
        before, after = oracle.value(state), oracle.evaluate_move(state, move).value
        if after >= before:
            return None
        better = strongest_moves(oracle, state)[0]
        return Mistake(
            move, before, better, oracle.why(state, better), _refutation(oracle, state, move, before)
        )
    except TooLarge:
        return None


def _refutation(oracle: Oracle[Any, Any], state: Any, move: Any, lost: int) -> tuple[Message, ...]:
    """How the opponent answers a mistake, and why."""
    game = oracle.game
    after, told = game.play(state, move), {"move": _spoken(game, move)}
    if game.outcome(after):
        return (Message("{move} ends the game, and you lose.", **told),)
    reply = strongest_moves(oracle, after)[0]
    told["reply"] = _spoken(game, reply)
    thought = Message('Their hint would say: "{why}"', why=oracle.why(after, reply))
    if oracle.evaluate_move(after, reply).value == WIN:
        return Message("After {move} they answer {reply} and win.", **told), thought
    assert lost == WIN, "only a win can become a draw"
    return Message("After {move} they answer {reply}, and you can force a win no more.", **told), thought


def _spoken(game: Any, move: Any) -> str:
    try:
        return registry.spec_of(game).text_for(game).spoken(move)
    except registry.UnknownGame:
        return str(move)


# Exploration

Position = tuple[Mapping[str, Any], tuple[str, ...]]
"""Values for `GameSpec.build`, and moves as in records."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """Positions that differ in one number, and what to count in them."""

    title: Message
    about: Message
    """What to try, and what to look for."""
    label: Message
    """What the number is."""
    values: tuple[int, ...]
    """The numbers to choose from."""
    first: int
    """The number to begin with."""
    position: Callable[[int], Position]
    """The position of a number."""
    count: Callable[[Any, Any], Message]
    """What decides, counted in a position of the game."""

    def table(self, spec: GameSpec, value: int) -> Table[Any, Any]:
        """The position of a number as a game in progress."""
        options, moves = self.position(value)
        return _table_after(spec, spec.build(options), moves)


def exploration_of(spec: GameSpec) -> Exploration | None:
    """The exploration that a game declares; None if it has none."""
    found: Exploration | None = spec.load("exploration")
    return found


def winners(exploration: Exploration, spec: GameSpec) -> list[int]:
    """For each number who wins with best play: 1, 2, or 0 for nobody.

    >>> found = exploration_of(registry.spec("range-war"))
    >>> winners(found, registry.spec("range-war"))[6], found.values[6]
    (1, 7)
    """
    return [_winner(exploration.table(spec, value)) for value in exploration.values]


def _winner(table: Table[Any, Any]) -> int:
    if table.outcome:
        return 0 if table.outcome.winner is None else table.outcome.winner + 1
    value = make_oracle(table.game).value(table.state)
    if value == DRAW:
        return 0
    return 1 + (table.turn if value == WIN else OTHER[table.turn])
