"""What Number Collision teaches: why a move is good, the theorem to try, and the puzzles.

While lines may come back, every win is a win in one, and the rules teach all there is to know: never leave
exactly one empty cell. Where they may not, every game ends, and on a short line it can be solved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numberduels.analysis.lessons import Exploration, Position
from numberduels.analysis.puzzles.model import AnyTable, Puzzle, PuzzlePlan, PuzzleSource
from numberduels.game.messages import Message
from numberduels.games.number_collision.line_search import FEW_LINES, LineSearch, count_lines
from numberduels.games.number_collision.rules import Line, NumberCollision, Place
from numberduels.games.number_collision.text import NumberCollisionText
from numberduels.solvers.oracle import DRAW, LOSS, WIN, Oracle


def explain(theory: Oracle[Line, Place], state: Line, move: Place) -> Message:
    """What a placement leaves."""
    after = theory.game.play(state, move)
    left = after[0].bit_count()
    if ending := explain_ending(theory, state, move):
        return ending
    value = theory.evaluate_move(state, move).value
    if value == LOSS:
        if theory.value(state) == LOSS:
            return Message("Every move loses here: one cell stays empty, and they fill it.")
        return Message("It leaves exactly one empty cell, and they fill it.")
    if last := explain_last_cell(theory, state, move):
        return last
    if theory.value(state) > DRAW:
        return Message("It gives the win away: there is a number that fits the last empty cell.")
    if left == 1:
        return Message("One cell stays empty, but no number fits it: whatever they place collides.")
    told = {"left": str(left)}
    if left <= state[0].bit_count():
        return Message(
            "It leaves {left} empty cells. You are safe as long as you don't leave exactly one empty cell.",
            **told,
        )
    if _only_collisions_hold(theory, state):
        return Message(
            "Only a collision helps here: it leaves {left} empty cells. Anything else leaves exactly one, and"
            " they fill it.",
            **told,
        )
    return Message(
        "It collides and leaves {left} empty cells. You are safe as long as you don't leave exactly one empty"
        " cell.",
        **told,
    )


def explain_ending(theory: Oracle[Line, Place], state: Line, move: Place) -> Message | None:
    """Why a placement ends the game, if it does; repetition may be forbidden."""
    after = theory.game.play(state, move)
    if theory.game.moves(after):
        return None
    if not after[0]:
        return Message("It fills the last empty cell, so they are stuck and you win.")
    return Message("Whatever they place would bring back an earlier line, so they are stuck and you win.")


def explain_last_cell(theory: Oracle[Line, Place], state: Line, move: Place) -> Message | None:
    """Why a placement wins by force if the next two placements end the game; repetition may be forbidden."""
    game, after = theory.game, theory.game.play(state, move)
    replies = [game.play(after, reply) for reply in game.moves(after)]
    if all(any(not game.play(line, place)[0] for place in game.moves(line)) for line in replies):
        return Message("Whatever they place, you can fill the last empty cell and win.")
    return None


def _only_collisions_hold(theory: Oracle[Line, Place], state: Line) -> bool:
    """Whether two cells are empty and every number that stays leaves the last cell to the opponent."""
    empty = state[0].bit_count()
    if empty != 2:
        return False
    staying = [
        place for place in theory.game.moves(state) if theory.game.play(state, place)[0].bit_count() == 1
    ]
    return bool(staying) and all(theory.evaluate_move(state, place).value == LOSS for place in staying)


SIZE, NUMBERS = 8, 5


def explored_position(empty: int) -> Position:
    """A line whose first cells are filled, with this many empty cells at its end."""
    moves = tuple(f"{cell % NUMBERS + 1}@{cell + 1}" for cell in range(SIZE - empty))
    return {"size": SIZE, "values": NUMBERS}, moves


def explored_count(game: Any, state: Any) -> Message:
    """How many cells are empty."""
    return Message(
        "{count} cell is empty.",
        "{count} cells are empty.",
        count=len({move.position for move in game.moves(state)}),
    )


EXPLORATION = Exploration(
    title=Message("Count the empty cells"),
    about=Message(
        "Whoever fills the last empty cell wins. With one empty cell that is the player to move. With more,"
        " both can avoid it: with two empty cells, place a number beside its twin, and both vanish. Change"
        " the number of empty cells."
    ),
    label=Message("Empty cells"),
    values=tuple(range(1, SIZE + 1)),
    first=2,
    position=explored_position,
    count=explored_count,
)


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
