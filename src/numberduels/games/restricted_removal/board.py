"""What a page shows of Restricted Removal: the numbers open, locked and removed, and what would be locked."""

from __future__ import annotations

from collections.abc import Sequence

from numberduels.game.bits import members
from numberduels.game.board import Board, Effect, Tile
from numberduels.game.messages import Message
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf

MOST = 8
"""So many locked numbers are listed; more of them are counted."""


def board(game: RestrictedRemoval, state: Shelf, played: Sequence[int]) -> Board:
    """The shelf: open, locked, removed."""
    available, removed = state
    lowest = game.all_moves()[0]

    def tile(number: int) -> Tile:
        name = str(number)
        if available >> number & 1:
            return Tile(name, "open", name)
        return Tile(name, "removed" if removed >> number & 1 else "locked")

    return Board(
        tiles=tuple(tile(number) for number in game.all_moves()),
        effects={str(move): _locks(game, state, move, lowest) for move in game.moves(state)},
        last=(played[-1] - lowest,) if played else (),
    )


def _locks(game: RestrictedRemoval, state: Shelf, move: int, lowest: int) -> Effect:
    """What this removal would lock, or that it is the last."""
    locked = members(game.locks(state, move))
    touches = tuple(number - lowest for number in locked)
    if game.outcome(game.play(state, move)):
        return Effect("leaves_nothing", Message("leaves nothing: wins"), touches=touches)
    if not locked:
        return Effect("locks_nothing", Message("locks nothing"))
    if len(locked) > MOST:
        return Effect(
            "locks_many", Message("locks {count} number", "locks {count} numbers", count=len(locked)), touches
        )
    return Effect("locks", Message("locks {numbers}", numbers=locked), touches)
