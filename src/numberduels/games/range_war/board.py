"""What a page shows of Range War: the number line, and on which side the next number must lie."""

from __future__ import annotations

from collections.abc import Sequence

from numberduels.game.board import Board, Effect, Tile, takers
from numberduels.game.formatting import runs
from numberduels.game.messages import Message
from numberduels.games.range_war.rules import ANYWHERE, Line, RangeWar

WIDEST = 24
"""What is left is listed up to this many characters; beyond that it is counted."""


def board(game: RangeWar, state: Line, played: Sequence[int]) -> Board:
    """The line: who took what, what may be taken now, what lies on the wrong side."""
    free, last, _ = state
    legal = game.moves(state)
    kinds = takers(played)

    def tile(number: int) -> Tile:
        name = str(number)
        if number in may:
            return Tile(name, "open", name)
        return Tile(name, "closed" if free >> number & 1 else kinds.get(number, "removed"))

    may = frozenset(legal)
    return Board(
        tiles=tuple(tile(number) for number in game.all_moves()),
        effects={str(move): _leaves(game, state, move) for move in legal},
        last=(last - 1,) if last else (),
        note=_side(state, bool(legal)),
    )


def _leaves(game: RangeWar, state: Line, move: int) -> Effect:
    """What the opponent may take after this move."""
    after = game.play(state, move)
    if game.outcome(after):
        if game.ending == "misere":
            return Effect("leaves_nothing_loses", Message("leaves nothing: loses"))
        return Effect("leaves_nothing", Message("leaves nothing: wins"))
    left = game.moves(after)
    touches = tuple(number - 1 for number in left)
    listed = runs(left).replace(",", ", ")
    if len(listed) > WIDEST:
        return Effect(
            "leaves_many",
            Message("leaves {count} number", "leaves {count} numbers", count=len(left)),
            touches,
        )
    return Effect("leaves", Message("leaves {numbers}", numbers=listed), touches)


def _side(state: Line, more: bool) -> Effect:
    """Where the next number must lie, or why there is none."""
    _, last, side = state
    if not last:
        return Effect("any", Message("any number"))
    if side == ANYWHERE:
        if more:
            return Effect("either", Message("lower or higher than {number}", number=last))
        return Effect("none_left", Message("no number is left"))
    if side < 0:
        if more:
            return Effect("higher", Message("higher than {number}", number=last))
        return Effect("none_higher", Message("no number higher than {number} is left", number=last))
    if more:
        return Effect("lower", Message("lower than {number}", number=last))
    return Effect("none_lower", Message("no number lower than {number} is left", number=last))
