"""The puzzles of Number Collision, where no line may come back.

While lines may come back, every win is a win in one, and the rules teach all there is to know: never leave
exactly one empty cell. Where they may not, every game ends, and on a short line it can be solved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numberduels.analysis.puzzles.declaration import AnyTable, PuzzlePlan, PuzzleSource
from numberduels.analysis.puzzles.model import Puzzle
from numberduels.game.messages import Message
from numberduels.games.number_collision.line_search import FEW_LINES, LineSearch, count_lines
from numberduels.games.number_collision.rules import Line, NumberCollision, Place
from numberduels.games.number_collision.text import NumberCollisionText
from numberduels.solvers.oracle import LOSS, WIN

FORBIDDEN = {"repetition": ("forbidden",)}
TWO_NUMBERS = {"size": (4,), "values": (2,), **FORBIDDEN}
SIX_CELLS = {"size": (6,), "values": (1,), **FORBIDDEN}
SEVEN_CELLS = {"size": (7,), "values": (1,), **FORBIDDEN}
LATE = range(12, 25)
MIDDLE = range(6, 16)
"""How many moves have been made: before them, the games are too long for anybody."""


def by_the_rules(table: AnyTable) -> Place | None:
    """What the rules teach: never leave one empty cell; with two of them, collide."""
    safe = [move for move in table.moves if _empty_after(table, move) != 1]
    return safe[0] if len(safe) == 1 else None


def collide(table: AnyTable) -> Place | None:
    """The first placement that collides."""
    before = table.state[0].bit_count()
    return next((move for move in table.moves if _empty_after(table, move) > before), None)


def _empty_after(table: AnyTable, move: Place) -> int:
    return int(table.game.play(table.state, move)[0].bit_count())


def even_count(table: AnyTable) -> int:
    """An even count of empty cells is taken to be lost."""
    return LOSS if table.state[0].bit_count() % 2 == 0 else WIN


def twin(game: NumberCollision) -> Callable[[Line], Any]:
    """A key of a position: the line and the lines within reach, where they are few."""
    if count_lines(game.size, game.values) > FEW_LINES:
        return lambda line: line
    return LineSearch(game).key


def note(table: AnyTable) -> Message:
    """The lines that have stood, the one on the board left out."""
    picture = NumberCollisionText(table.game).picture
    stood = dict.fromkeys(picture(table.at(ply).state) for ply in range(table.ply))
    return Message("These lines may not come back: {lines}", lines=tuple(stood))


def hint(puzzle: Puzzle) -> Message:
    """Where to look."""
    if puzzle.kind != "only-move":
        return Message(
            "No line may come back. List the lines that are still new, and see who runs out of them first."
        )
    return Message(
        "No line may come back. Which move leaves them only lines after which you have a new one again?"
    )


PUZZLES = PuzzlePlan(
    sources=(
        PuzzleSource("only-move", TWO_NUMBERS, LATE),
        PuzzleSource("winning-moves", TWO_NUMBERS, LATE, choices=4),
        PuzzleSource("which-position", TWO_NUMBERS, LATE, share=0.5),
        PuzzleSource("only-move", SIX_CELLS, range(1, 21)),
        PuzzleSource("winning-moves", SIX_CELLS, choices=4, share=0.5),
        PuzzleSource("which-position", SIX_CELLS, share=0.5),
        PuzzleSource("only-move", SEVEN_CELLS, MIDDLE),
        PuzzleSource("winning-moves", SEVEN_CELLS, MIDDLE, choices=4, share=0.5),
        PuzzleSource("which-position", SEVEN_CELLS, MIDDLE, share=0.5),
    ),
    move_recipes={"by the rules": by_the_rules, "collide": collide},
    value_recipes={"an even count": even_count},
    hint=hint,
    note=note,
    twin=twin,
)
