"""Number Collision: fill a line with numbers; equal neighbours vanish; no empty cell, no move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from random import Random
from typing import NamedTuple

from numberduels.game.bits import members, span
from numberduels.game.contract import Feature, IllegalMove, Outcome, Seat
from numberduels.game.options import check_choice, check_whole, option


class PositionHistory:
    """An immutable set of lines that shares memory with the sets it was made from.

    All histories of one game share one dict of lines, numbered in order; each uses only the first ones. If a
    game branches, the new branch gets a dict of its own.

    >>> one = PositionHistory().with_position(7)
    >>> two, other = one.with_position(8), one.with_position(9)
    >>> 8 in one, 8 in two, 8 in other, two == PositionHistory().with_position(8).with_position(7)
    (False, True, False, True)
    """

    __slots__ = ("_count", "_hash", "_lines")

    def __init__(self) -> None:
        self._lines: dict[int, int] = {}
        self._count = 0
        self._hash = 0

    def with_position(self, line: int) -> PositionHistory:
        """The set with one more line, which must not be in it yet."""
        lines = self._lines
        if len(lines) != self._count:
            lines = dict(islice(lines.items(), self._count))
        lines[line] = self._count
        more = PositionHistory()
        more._lines, more._count, more._hash = lines, self._count + 1, self._hash ^ hash((line,))
        return more

    def __iter__(self) -> Iterator[int]:
        return islice(self._lines, self._count)

    def __contains__(self, line: int) -> bool:
        return self._lines.get(line, self._count) < self._count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PositionHistory) or self._count != other._count or self._hash != other._hash:
            return False
        return self._lines is other._lines or all(line in other for line in self)

    def __hash__(self) -> int:
        return self._hash


STUCK = (Outcome(winner=1, why="stuck"), Outcome(winner=0, why="stuck"))
"""The outcome when seat 0, or seat 1, is stuck."""

NEVER = None
"""What stood before, in a game that does not mind."""


class Place(NamedTuple):
    """A move: this number into the cell at this position, counted from 1."""

    number: int
    position: int


Line = tuple[int, int, Seat, PositionHistory | None]
"""A position (empty, filled, turn, stood): the set of empty cells; the filled ones as one bit a cell
on the layer of its number; the seat to move; and, only where repetition is forbidden, every
`filled` that has stood so far."""


@dataclass(frozen=True, slots=True)
class NumberCollision:
    """`size` cells and the numbers 1..values; forbidden repetition makes every game end.

    Reading 3 in rules.md says why that is an option.

    >>> game = NumberCollision(size=4)
    >>> line = game.play(game.start(Random()), Place(3, 2))
    >>> game.cells(line)
    (0, 3, 0, 0)
    >>> game.cells(game.play(line, Place(3, 1)))
    (0, 0, 0, 0)
    """

    size: int = option(10, "cells of the line", label="Positions")
    values: int = option(5, "numbers 1 to VALUES may be placed", label="Highest number to place")
    repetition: str = option(
        "allowed",
        "whether a line that stood earlier may come back",
        label="The same line again",
        choices={"allowed": "allowed (the book)", "forbidden": "forbidden"},
    )
    _spots: dict[Place, Spot] = field(init=False, repr=False, compare=False)
    _places: PlacementTable = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_whole("size", self.size, 1, 1_000)
        check_whole("values", self.values, 1, 20)
        check_choice(self, "repetition")
        object.__setattr__(self, "_places", places(self.size, self.values))
        object.__setattr__(self, "_spots", self._places.spots)

    def all_moves(self) -> tuple[Place, ...]:
        return tuple(self._spots)

    def features(self) -> list[Feature]:
        cells = [Feature(f"cell {position}", 0, self.values) for position in range(1, self.size + 1)]
        return [*cells, Feature("turn", 1, 2)]

    def observe(self, state: Line) -> bytes:
        return self._cells(state) + (b"\2" if state[2] else b"\1")

    def update_observation(
        self, observation: memoryview, mask: memoryview, before: Line, move: Place, after: Line
    ) -> None:
        empty, _, turn, _ = after
        number, position = move
        values = self.values
        if empty >> position & 1:  # a collision: others have become empty, too
            for cell in members(before[0] ^ empty):
                observation[cell - 1] = 0
                mask[(cell - 1) * values : cell * values] = self._places.legal_row
        else:
            observation[position - 1] = number
            mask[(position - 1) * values : position * values] = self._places.illegal_row
        observation[-1] = 2 if turn else 1

    @property
    def history_matters(self) -> bool:
        return self.repetition == "forbidden"

    def start(self, rng: Random) -> Line:
        return (
            span(1, self.size),
            0,
            0,
            NEVER if self.repetition == "allowed" else PositionHistory().with_position(0),
        )

    def turn(self, state: Line) -> Seat:
        return state[2]

    def moves(self, state: Line) -> tuple[Place, ...]:
        return self._places[state[0]] if state[3] is None else tuple(self._new(state))

    def _new(self, state: Line) -> Iterator[Place]:
        """The placements that do not bring back a line that has stood."""
        empty, filled, turn, history = state
        assert history, "asked only where repetition is forbidden"
        for place in self._places[empty]:
            if self.play((empty, filled, turn, NEVER), place)[1] not in history:
                yield place

    def play(self, state: Line, move: Place) -> Line:
        empty, filled, turn, history = state
        try:
            cell, bit, beside, layer = self._spots[move]
        except KeyError:
            raise self._refused(move) from None
        if not empty & cell:
            raise self._refused(move)
        gone = filled & beside
        if gone:
            filled ^= gone
            empty |= gone >> layer
        else:
            filled |= bit
            empty ^= cell
        if history is None:
            return empty, filled, 0 if turn else 1, None
        if filled in history:
            raise IllegalMove("That would bring back a line that stood earlier.")
        return empty, filled, 0 if turn else 1, history.with_position(filled)

    def outcome(self, state: Line) -> Outcome | None:
        if state[0] and (state[3] is None or any(self._new(state))):
            return None
        return STUCK[state[2]]

    def cells(self, state: Line) -> tuple[int, ...]:
        """The numbers along the line, 0 for an empty cell."""
        return tuple(self._cells(state))

    def _cells(self, state: Line) -> bytes:
        filled, width = state[1], self.size + 1
        layer = (1 << width) - 1
        line = number = 0
        while filled:
            number += 1
            line += number * spread(filled & layer)
            filled >>= width
        return line.to_bytes(width, "little")[1:]

    def layers(self, filled: int) -> list[int]:
        """For each number, the set of the cells that hold it."""
        width = self.size + 1
        return [filled >> width * index & (1 << width) - 1 for index in range(self.values)]

    def canonical(self, state: Line) -> Line:
        empty, filled, _, history = state
        if history:
            return state  # what stood earlier would have to be renamed and mirrored with the line
        # Numbers can be renamed, so only the order of the layers tells twins apart; then the mirror.
        layers = sorted(self.layers(filled))
        width = self.size + 1
        mirror = sorted([mirrored(layer, width) for layer in layers])
        if mirror < layers:
            layers, empty = mirror, mirrored(empty, width)
        return empty, sum(layer << width * index for index, layer in enumerate(layers)), 0, NEVER

    def _refused(self, move: Place) -> IllegalMove:
        number, position = move
        if not 1 <= position <= self.size:
            return IllegalMove(
                "There is no position {position}: the line has positions {first} to {last}.",
                position=position,
                first=1,
                last=self.size,
            )
        if not 1 <= number <= self.values:
            return IllegalMove(
                "There is no number {number}: choose from {first} to {last}.",
                number=number,
                first=1,
                last=self.values,
            )
        return IllegalMove("Position {position} is already occupied.", position=position)


@lru_cache(maxsize=1 << 12)
def spread(cells: int) -> int:
    """The set of cells as a number with a byte for each, so that whole lines can be added up.

    >>> hex(spread(0b1101))
    '0x1010001'
    """
    return sum(1 << 8 * position for position in members(cells))


@lru_cache(maxsize=1 << 12)
def mirrored(cells: int, last: int) -> int:
    """The set of cells seen from the other end: cell 1 changes places with the last, and so on.

    >>> members(mirrored(0b0110, 5))
    (3, 4)
    """
    return int(f"{cells:0{last + 1}b}"[::-1], 2)


Spot = tuple[int, int, int, int]
"""Of a placement: its cell, its bit among the filled, the bits beside that, its layer's shift."""

MOST_KEPT = 1 << 17
"""Placements that are remembered: more than the book's ten cells need, and no burden for a long line."""


class PlacementTable(dict[int, tuple[Place, ...]]):
    """Every placement into a set of empty cells, by position and then by number; found on demand."""

    def __init__(self, size: int, values: int) -> None:
        # Layers are one bit wider than the line, so that no cell is beside one of another layer.
        self.spots: dict[Place, Spot] = {}
        self.rows: list[tuple[Place, ...]] = [()]
        self.legal_row, self.illegal_row = b"\1" * values, b"\0" * values
        for position in range(1, size + 1):
            row = tuple(Place(number, position) for number in range(1, values + 1))
            self.rows.append(row)
            for index, place in enumerate(row):
                layer = index * (size + 1)
                bit = 1 << layer + position
                self.spots[place] = (1 << position, bit, bit << 1 | bit >> 1, layer)

    def __missing__(self, empty: int) -> tuple[Place, ...]:
        found = tuple(chain.from_iterable(self.rows[position] for position in members(empty)))
        if len(self) * len(found) < MOST_KEPT:
            self[empty] = found
        return found


places = lru_cache(maxsize=16)(PlacementTable)
"""One stock of placements for all games of a size."""
