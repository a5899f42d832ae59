"""What Range War teaches: why a move is good, the theorem to try, and the puzzles.

The rules teach to count both sides and to take the nearest number, so the only move that wins would be no
puzzle: it is the nearest. What they do not teach is how far one may jump, and how long a game lasts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from numberduels.analysis.lessons import Exploration
from numberduels.analysis.puzzles.model import AnyTable, Puzzle, PuzzlePlan, PuzzleSource
from numberduels.game.bits import members
from numberduels.game.messages import Message
from numberduels.games.range_war.rules import ANYWHERE, Line, RangeWar
from numberduels.solvers.oracle import LOSS, Oracle

Sides = Callable[[Line], tuple[int, int]]
"""How many free numbers lie where the player to move must go, and how many on the other side."""

FEW = 2
"""So many numbers of the opponent are named; more of them are counted."""


def explain(theory: Oracle[Line, int], sides: Sides, state: Line, move: int) -> Message:
    """What a move leaves to both players."""
    after = theory.game.play(state, move)
    if not theory.game.moves(after):
        return _stuck(after)
    theirs, ours = sides(after)
    told = {"theirs": _numbers(theirs), "ours": str(ours) if ours else Message("none")}
    if not state[1]:
        return _first(theory, theirs, ours, told)
    lost = theory.value(state) == LOSS
    skipped = _skipped(state, move)
    if lost:
        return _lost(theory, state, move, skipped, told)
    if theory.value(after) == LOSS:
        return _winning(state, skipped, told)
    if state[2] == ANYWHERE and _went_to_shorter_side(state, move):
        return Message(
            "It gives them the longer side: that leaves {theirs} for them and {ours} for you, so you run out"
            " first.",
            **told,
        )
    return Message(
        "It skips {skipped}, and what you skip becomes theirs: that leaves {theirs} for them and {ours} for"
        " you, so you run out first.",
        skipped=_numbers(skipped),
        **told,
    )


def _stuck(after: Line) -> Message:
    """The opponent has no number to go to."""
    free, _, side = after
    if not free:
        return Message("No number is left for them, so they are stuck and you win.")
    if side < 0:
        return Message("No higher number is left for them, so they are stuck and you win.")
    return Message("No lower number is left for them, so they are stuck and you win.")


def _first(theory: Oracle[Line, int], theirs: int, ours: int, told: dict[str, str]) -> Message:
    """The first number of the game."""
    if theory.game.opening == "lower":
        if ours >= theirs:
            return Message(
                "That leaves {theirs} below it for them and {ours} above it for you, and it is their turn:"
                " they run out first.",
                **told,
            )
        return Message(
            "That leaves {theirs} below it for them and {ours} above it for you: you run out first.", **told
        )
    if ours == theirs:
        return Message(
            "It is the middle, with {theirs} on each side: whichever side they choose, the other one is"
            " yours, and they run out first.",
            theirs=told["theirs"],
        )
    if theory.game.size % 2 == 0:
        return Message(
            "Every move loses here, because there is no middle: they choose the longer side, with {theirs},"
            " and leave you {ours}.",
            **told,
        )
    return Message(
        "It is not the middle: they choose the longer side, with {theirs}, and leave you {ours}.", **told
    )


def _winning(state: Line, skipped: int, told: dict[str, str]) -> Message:
    """The opponent runs out of numbers first."""
    if skipped:
        return Message(
            "It gives them {skipped} that you skip, but you can afford it: that leaves {theirs} for them and"
            " {ours} for you, and it is their turn. They run out first.",
            skipped=_numbers(skipped),
            **told,
        )
    if state[2] == ANYWHERE:
        return Message(
            "Go to the longer side and take the nearest: that leaves {theirs} for them and {ours} for you,"
            " and it is their turn. They run out first.",
            **told,
        )
    return Message(
        "Take the nearest: every number you skip becomes theirs. That leaves {theirs} for them and {ours} for"
        " you, and it is their turn: they run out first.",
        **told,
    )


def _lost(theory: Oracle[Line, int], state: Line, move: int, skipped: int, told: dict[str, str]) -> Message:
    """Every move loses; the nearest number takes longest."""
    replies = theory.game.moves(theory.game.play(state, move))
    if len(theory.game.moves(state)) == 1:
        return Message("It is your only number: you have none after it, and they win.")
    if state[2] == ANYWHERE:
        return Message(
            "Every move loses here, because both sides are equally long: it leaves {theirs} for them and"
            " {ours} for you.",
            **told,
        )
    if skipped:
        return Message(
            "Every move loses here, and this one also gives them {skipped} that you skip: it leaves {theirs}"
            " for them and {ours} for you.",
            skipped=_numbers(skipped),
            **told,
        )
    if len(replies) <= FEW:
        return Message(
            "Every move loses here; {move} at least leaves them only {replies}.", move=move, replies=replies
        )
    return Message(
        "Every move loses here: it leaves {theirs} for them and {ours} for you. The nearest holds out"
        " longest.",
        **told,
    )


def _went_to_shorter_side(state: Line, move: int) -> bool:
    free, last, _ = state
    higher = (free >> last).bit_count()
    lower = free.bit_count() - higher
    return higher < lower if move > last else lower < higher


def _skipped(state: Line, move: int) -> int:
    """How many free numbers lie between the last one and the move."""
    free, last, _ = state
    low, high = sorted((last, move))
    return sum(low < number < high for number in members(free))


def _numbers(count: int) -> Message:
    return Message("{count} number", "{count} numbers", count=count)


def explain_misere(game: RangeWar, state: Line, move: int) -> Message:
    """What a move does with the count of free numbers."""
    after = game.play(state, move)
    left = after[0].bit_count()
    lost = left % 2 == 0
    if not game.moves(after):
        if lost:
            return Message(
                "Every move loses here; this one leaves them stuck at once, and who is stuck wins."
            )
        return Message("It leaves them stuck, and who is stuck wins.")
    if lost:
        return Message(
            "Every move loses here: it leaves {count}, an even count. They can leave you an odd count each"
            " time, and the last number is yours: then they are stuck and win.",
            count=str(left),
        )
    return Message(
        "It leaves {count} free number, an odd count, and they have a move. Leave an odd count and a move"
        " each time: the last number is theirs, and then you are stuck and win.",
        "It leaves {count} free numbers, an odd count, and they have a move. Leave an odd count and a move"
        " each time: the last number is theirs, and then you are stuck and win.",
        count=left,
    )


SIZE = 13
"""Odd, so that there is a middle."""


def explored_count(game: Any, state: Any) -> Message:
    """How many numbers lie on both sides of the first one."""
    first = state[1]
    return Message(
        "Below {number}: {below}. Above {number}: {above}.",
        number=first,
        below=first - 1,
        above=game.size - first,
    )


EXPLORATION = Exploration(
    title=Message("Count both sides"),
    about=Message(
        "Player 1 has taken the first number, and Player 2 may go up or down. Player 2 goes to the longer"
        " side and wins. Only if both sides are equally long, Player 1 wins. Move the first number and see."
    ),
    label=Message("The first number"),
    values=tuple(range(1, SIZE + 1)),
    first=4,
    position=lambda first: ({"size": SIZE, "opening": "free"}, (str(first),)),
    count=explored_count,
)


SIZES = {"size": range(8, 25), "opening": ("lower", "free")}


def _sides(table: AnyTable) -> tuple[int, int]:
    """How many free numbers lie below and above the last one."""
    free, last, _ = table.state
    above = (free >> last).bit_count()
    return free.bit_count() - above, above


def _goes_up(table: AnyTable) -> bool:
    """Whether the player to move goes up, or may choose and has more numbers there."""
    below, above = _sides(table)
    side = table.state[2]
    return above > below if side == ANYWHERE else side < 0


def _ahead(table: AnyTable) -> list[int]:
    """The legal numbers on the longer side, the nearest first."""
    last, up = table.state[1], _goes_up(table)
    ahead = (move for move in table.moves if (move > last) == up)
    return sorted(ahead, key=lambda move: abs(move - last))


def nearest_on_the_longer_side(table: AnyTable) -> int | None:
    """What the rules teach."""
    return next(iter(_ahead(table)), None)


def next_to_nearest(table: AnyTable) -> int | None:
    """The second number on the longer side, for players who always skip one."""
    ahead = _ahead(table)
    return ahead[1] if len(ahead) > 4 else None


def twin(_: RangeWar) -> Callable[[Line], Hashable]:
    """A key of a position: the free numbers on both sides, which are all that matters (see the theory)."""

    def key(state: Line) -> Hashable:
        free, last, side = state
        if side == ANYWHERE:
            return state
        above = (free >> last).bit_count()
        below = free.bit_count() - above
        return (above, below) if side < 0 else (below, above)

    return key


def hint(puzzle: Puzzle) -> Message:
    """Where to look."""
    if puzzle.kind == "length":
        return Message(
            "Count the free numbers on both sides of the last one. Who will run out of numbers first?"
        )
    return Message(
        "Count the free numbers on both sides of the last one. Every number that you skip is one less for"
        " you and one more for them."
    )


PUZZLES = PuzzlePlan(
    sources=(
        PuzzleSource("highest-move", SIZES, range(1, 20), where=_goes_up),
        PuzzleSource("lowest-move", SIZES, range(1, 20), where=lambda table: not _goes_up(table)),
        PuzzleSource("winning-moves", SIZES, range(1, 20), choices=4, share=0.7),
        PuzzleSource("length", SIZES, range(1, 20), choices=2, share=0.5),
    ),
    move_recipes={
        "nearest on the longer side": nearest_on_the_longer_side,
        "next to nearest": next_to_nearest,
    },
    number_recipes={
        "the shorter side": lambda table: min(_sides(table)),
        "the longer side": lambda table: max(_sides(table)),
    },
    hint=hint,
    twin=twin,
)
