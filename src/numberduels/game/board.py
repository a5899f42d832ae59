"""What a board shows at a glance, as plain data: a page draws it, and knows no game.

A spec may offer a function `board(game, state, played)` that returns a `Board`; `board_of` finds it. A game
without one is shown by its legal moves.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from numberduels.game import registry
from numberduels.game.contract import Seat
from numberduels.game.messages import Message

KINDS = ("open", "closed", "first", "second", "locked", "removed", "empty", "filled")
"""What a tile can be: to be taken, out of reach in this turn, taken by the first or second player, locked,
gone, an empty place, a place with a number on it."""

TAKEN = ("first", "second")
"""The kinds of what the players have taken, by seat."""


class Effect(NamedTuple):
    """What a move would do, in a few words.

    >>> print(Effect("locks", Message("locks {numbers}", numbers=(4, 8))).text)
    locks 4 and 8
    """

    key: str
    """The name of the effect in its game, for programs."""
    text: Message
    touches: tuple[int, ...] = ()
    """The tiles that this is about, counted from 0, without the one that is played: those that the move
    locks, snatches, removes, or leaves to be taken next."""


def takers(played: Sequence[Hashable]) -> dict[Hashable, str]:
    """For each move that was made, the kind of tile that it left.

    >>> takers([5, 3, 8])
    {5: 'first', 3: 'second', 8: 'first'}
    """
    return {move: TAKEN[index % 2] for index, move in enumerate(played)}


class Tile(NamedTuple):
    """One number, or one place, on the board."""

    label: str
    """What stands on it, if anything."""
    kind: str
    """One of KINDS."""
    move: str = ""
    """The move that takes it, as records write it; with a hand, what follows the number in hand. Nothing
    where it cannot be played now."""
    name: str = ""
    """What a place is called, where its label is not its name: the position of a cell."""


class Bar(NamedTuple):
    """A score, or the way to a target."""

    key: str
    text: Message
    """What it measures, in a word or two."""
    value: int
    of: int
    """Where it ends."""
    seat: Seat | None = None
    """Whose it is, if it is anybody's."""


@dataclass(frozen=True, slots=True)
class Board:
    """A position as it is shown."""

    tiles: tuple[Tile, ...]
    effects: Mapping[str, Effect] = field(default_factory=dict)
    """For each legal move, as records write it, what it would do."""
    hand: tuple[str, ...] = ()
    """Where a move is a number and a place: the numbers to choose from."""
    last: tuple[int, ...] = ()
    """The places of the tiles that the last move was about."""
    bars: tuple[Bar, ...] = ()
    note: Effect | None = None
    """What holds for whoever is to move: from which side a number must come, which one was taken last."""

    game: str = ""
    """The name of the game, which `board_of` fills in: keys of sentences are its own."""

    def number_of(self, move: str) -> str:
        """The number in hand that this move places; nothing where moves do not consist of two parts.

        >>> Board((Tile("", "empty", ":a"), Tile("", "empty", ":b")), hand=("1", "2")).number_of("2:b")
        '2'
        """
        places = [tile.move for tile in self.tiles if tile.move]
        return next((number for number in self.hand for place in places if number + place == move), "")

    def finished(self) -> Board:
        """The same position after the end: nothing can be taken any more."""
        tiles = tuple(
            tile._replace(kind="closed" if tile.kind == "open" else tile.kind, move="") for tile in self.tiles
        )
        return replace(self, tiles=tiles, effects={}, hand=(), note=None)

    @property
    def scores(self) -> list[int] | None:
        """The points of both players, where they have any."""
        points = {bar.seat: bar.value for bar in self.bars}
        return [points[0], points[1]] if points.keys() >= {0, 1} else None


def board_of(game: Any, state: Any, played: Sequence[Hashable] = ()) -> Board:
    """The board of a position, given the moves that led to it from the start."""
    spec = registry.spec_of(game)
    if draw := spec.load("board"):
        found: Board = draw(game, state, played)
        return replace(found, game=spec.name)
    game_text = spec.text_for(game)
    moves = [game_text.format_move(move) for move in game.moves(state)]
    return Board(tuple(Tile(move, "open", move) for move in moves), game=spec.name)
