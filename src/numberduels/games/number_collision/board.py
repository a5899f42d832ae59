"""What a page shows of Number Collision: the line, the numbers to place, and what would collide."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from numberduels.game.bits import members
from numberduels.game.board import Board, Effect, Tile
from numberduels.game.messages import Message
from numberduels.games.number_collision.rules import Line, NumberCollision, Place


def board(game: NumberCollision, state: Line, played: Sequence[Place]) -> Board:
    """The cells, each by its position, and for every number in every cell what it would do there."""
    legal = game.moves(state)
    may = {place.position for place in legal}
    closed = tuple(position for position in members(state[0]) if position not in may)

    def tile(position: int, number: int) -> Tile:
        if number:
            return Tile(str(number), "filled", name=str(position))
        if position in may:
            return Tile("", "empty", f"@{position}", str(position))
        return Tile("", "closed", name=str(position))

    return Board(
        tiles=tuple(tile(*cell) for cell in enumerate(game.cells(state), 1)),
        effects={f"{place.number}@{place.position}": _does(game, state, place) for place in legal},
        hand=tuple(str(number) for number in range(1, game.values + 1)) if legal else (),
        last=_concerned(game, state, played),
        note=_closed_note(closed) if closed else None,
    )


def _closed_note(positions: tuple[int, ...]) -> Effect:
    """What closes empty cells: every number there would bring back a line that stood earlier."""
    return Effect(
        "closed",
        Message(
            "position {positions} would bring back an earlier line",
            "positions {positions} would bring back an earlier line",
            positions=positions,
            count=len(positions),
        ),
    )


def _does(game: NumberCollision, state: Line, place: Place) -> Effect:
    """What becomes of the line."""
    after = game.play(state, place)
    wins = game.outcome(after) is not None
    position = place.position
    gone = _gone(state, position, after)
    touches = tuple(each - 1 for each in gone if each != position)
    if wins and after[0]:  # where repetition is forbidden
        return Effect(
            "leaves_no_new_line",
            Message("every empty cell would bring back an earlier line: wins"),
            touches,
        )
    if not gone:
        if wins:
            return Effect("fills_wins", Message("fills position {position}: wins", position=position))
        return Effect("fills", Message("fills position {position}", position=position))
    if wins:
        return Effect("removes_wins", Message("clears positions {positions}: wins", positions=gone), touches)
    return Effect("removes", Message("clears positions {positions}", positions=gone), touches)


def _gone(before: Line, position: int, after: Line) -> tuple[int, ...]:
    """The positions that a placement emptied, its own among them; none where the number stayed."""
    if after[0] >> position & 1:
        return members(after[0] & ~before[0] | 1 << position)
    return ()


def _concerned(game: NumberCollision, state: Line, played: Sequence[Place]) -> tuple[int, ...]:
    """The places of the cells that the last move filled or emptied."""
    if not played:
        return ()
    *earlier, last = played
    before = game.start(Random(0))
    for place in earlier:
        before = game.play(before, place)
    return tuple(each - 1 for each in _gone(before, last.position, state) or (last.position,))
