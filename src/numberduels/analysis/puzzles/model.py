"""Puzzle: a question about one or two positions with one right answer. PuzzlePlan: what a game declares.

A game declares its puzzles in `teaching.py`; all of it is optional:

    PUZZLES = PuzzlePlan(
        sources=(PuzzleSource("only-move", {"size": range(12, 20)}),),
        move_recipes={"pairs": leave_pairs},
        hint=hint,
    )
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, replay
from numberduels.game.text import AnyGameText, player_label
from numberduels.solvers import Oracle, make_oracle

if TYPE_CHECKING:
    from numberduels.analysis.puzzles.shortcuts import LimitedSearch

AnyTable: TypeAlias = Any
"""A `Table`; the game on it has methods of its own."""

MoveRecipe = Callable[[AnyTable], Hashable | None]
"""A way to choose a move without looking ahead; None if it does not apply."""

ValueRecipe = Callable[[AnyTable], int | None]
"""A way to judge a position without looking ahead: WIN or LOSS for the player to move, or None."""

NumberRecipe = Callable[[AnyTable], int | None]
"""A way to guess the number that a puzzle asks for."""


def anywhere(_: AnyTable) -> bool:
    """Any position will do."""
    return True


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """Where puzzles of one kind are found."""

    kind: str
    options: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """The values of each option to draw from; the other options keep their defaults."""
    plies: range = range(100)
    """How many moves may have been made."""
    choices: int = 3
    """The fewest legal moves of a position."""
    where: Callable[[AnyTable], bool] = anywhere
    """Which positions fit the question."""
    share: float = 1.0
    """The weight of this source among those of the game."""


@dataclass(frozen=True, slots=True)
class PuzzlePlan:
    """The sources of puzzles of a game, the recipes that must not solve them, and what to say first."""

    sources: tuple[PuzzleSource, ...]
    move_recipes: Mapping[str, MoveRecipe] = field(default_factory=dict)
    """What the rules teach players to do, and other habits, beyond those of every game."""
    value_recipes: Mapping[str, ValueRecipe] = field(default_factory=dict)
    """What the rules teach about who wins."""
    number_recipes: Mapping[str, NumberRecipe] = field(default_factory=dict)
    """Numbers that are easy to guess."""
    hint: Callable[[Puzzle], Message | None] | None = None
    """The first hint: where to look."""
    note: Callable[[AnyTable], Message | None] | None = None
    """What a player must know about a position and does not see on the board."""
    twin: Callable[[Any], Callable[[Any], Any]] | None = None
    """For a game, a function that maps positions of equal worth to one key; only for speed."""


LEVELS = range(1, 6)
LEVEL_NAMES = dict(zip(LEVELS, ("easy", "medium", "hard", "very hard", "for experts"), strict=True))

SHALLOW = 2
"""A search of this depth sees what `greedy` sees; what it solves is no puzzle."""

DEEPEST = SHALLOW + 2 * LEVELS[-1] - 1
"""The smallest depth of the highest level; deeper puzzles are not distinguished."""


def level_of(depth: int) -> int:
    """The level of a depth: 0 if it is too shallow for a puzzle; each level needs two more plies.

    >>> [level_of(depth) for depth in (2, 3, 4, 5, 10, 11, 30)]
    [0, 1, 1, 2, 4, 5, 5]
    """
    return max(0, min((depth - SHALLOW + 1) // 2, LEVELS[-1]))


@dataclass(frozen=True)
class Puzzle(ABC):
    """A question about a position, or about two positions A and B. Subclasses are the kinds of questions.

    A puzzle without an answer is a candidate: `solve` finds the answer if there is exactly one.
    """

    spec: GameSpec
    game: Any
    positions: tuple[tuple[Hashable, ...], ...]
    """The moves to each position."""
    answer: str = ""
    """The right answer."""
    level: int = 0
    depth: int = 0
    """The smallest depth from which on a limited search is right; DEEPEST means that deep or deeper."""
    seed: str = ""

    kind: ClassVar[str]
    asks_for: ClassVar[str] = "move"
    """What an answer is: `move`, `choice` (A or B) or `number`."""

    # What is shown

    @cached_property
    def tables(self) -> tuple[Table[Any, Any], ...]:
        """The positions to draw: one, or two that are called A and B."""
        return tuple(replay(self.game, moves) for moves in self.positions)

    @property
    def table(self) -> Table[Any, Any]:
        """The first position."""
        return self.tables[0]

    @property
    def moves(self) -> tuple[Hashable, ...]:
        """The moves to the first position."""
        return self.positions[0]

    @property
    def state(self) -> Any:
        """The first position."""
        return self.table.state

    @property
    def game_text(self) -> AnyGameText:
        """The words of its game."""
        return self.spec.text_for(self.game)

    @property
    def notes(self) -> tuple[Message | None, ...]:
        """For each position, what the player must know and does not see on the board; None if nothing."""
        plan = self.spec.load("puzzles")
        return tuple(plan.note(table) if plan and plan.note else None for table in self.tables)

    @property
    @abstractmethod
    def task(self) -> Message:
        """The question to the player, one sentence."""

    @property
    @abstractmethod
    def answers(self) -> tuple[str, ...]:
        """Every answer that can be given, as text."""

    # Answers

    @abstractmethod
    def parse(self, text: str) -> str:
        """The answer that a typed text means; Unreadable or IllegalMove says what is wrong with it."""

    def is_right(self, answer: str) -> bool:
        """Whether this answer, as `parse` returns it, is the right one."""
        return answer == self.answer

    @property
    def hints(self) -> tuple[Message, ...]:
        """Where to look, from vague to narrow. The last one leaves little to find."""
        plan = self.spec.load("puzzles")
        first = plan.hint(self) if plan and plan.hint else None
        distance = self.distance()
        return tuple(each for each in (first, distance, *self.narrowing()) if each)

    def distance(self) -> Message | None:
        """How far to look; None if that would give the answer away."""
        if self.depth >= DEEPEST:
            return Message("Look {depth} moves ahead or more, yours and theirs together.", depth=self.depth)
        return Message("Look {depth} moves ahead, yours and theirs together.", depth=self.depth)

    @abstractmethod
    def narrowing(self) -> list[Message]:
        """Hints that leave fewer and fewer answers."""

    @abstractmethod
    def solution_lines(self) -> list[str]:
        """The right answer, why it is right, and how the game could go on; each line is a message."""

    @abstractmethod
    def refutation_lines(self, answer: str) -> list[str]:
        """Why a wrong answer is wrong; each line is a message."""

    # How a candidate becomes a puzzle

    @abstractmethod
    def solve(self, oracle: Oracle[Any, Any]) -> str | None:
        """The only right answer; None if there is none or more than one. TooLarge if the solver gives up."""

    @abstractmethod
    def seen_by(self, search: LimitedSearch, plies: int) -> frozenset[str]:
        """The answers that a search of this depth cannot tell apart."""

    @cached_property
    def oracle(self) -> Oracle[Any, Any]:
        """The exact solver of its game."""
        return make_oracle(self.game)

    def reason(self, table: Table[Any, Any], move: Any) -> Message:
        """Why a move is right."""
        return self.oracle.why(table.state, move)

    @property
    def player(self) -> Message:
        """The player to move in the first position."""
        return player_label(self.table.turn)

    def some_wrong(self, count: int) -> list[str]:
        """Some wrong answers, always the same for the same puzzle."""
        wrong = [each for each in self.answers if each != self.answer]
        rng = Random(f"{self.positions} hints")
        return rng.sample(wrong, min(count, len(wrong)))
