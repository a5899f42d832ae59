"""Range War: claim numbers on a line, in turn lower and higher, until somebody is stuck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from numberduels.game.bits import LOW, LOW_MEMBERS, flags, members, span
from numberduels.game.contract import Feature, IllegalMove, Outcome, Seat
from numberduels.game.options import LARGEST, check_choice, check_whole, format_repr, option

ANYWHERE = -1
"""As a mask: every number."""

STUCK = (Outcome(winner=1, why="stuck"), Outcome(winner=0, why="stuck"))
"""The outcome when seat 0, or seat 1, is stuck."""

STUCK_WINS = (Outcome(winner=0, why="misere"), Outcome(winner=1, why="misere"))
"""The same with the ending `misere`."""


Line = tuple[int, int, int]
"""A position (free, last, side): the set of unclaimed numbers, the one claimed last (0: none yet),
and the side on which the next must lie, as a mask: below zero, being endless, where that is up."""


@dataclass(frozen=True, slots=True)
class RangeWar:
    """Numbers 1..size. The opening says whether the second number must be lower (reading 2 in rules.md).

    The ending says whether a stuck player loses or wins (reading 6 in rules.md).

    >>> game = RangeWar(size=4)
    >>> line = game.play(game.start(Random()), 3)
    >>> game.moves(line)
    (1, 2)
    >>> game.moves(game.play(line, 2))
    (4,)
    """

    size: int = option(10, "numbers 1 to SIZE", label="Highest number")
    opening: str = option(
        "lower",
        "what the second number must be: lower than the first, or free",
        label="Second move",
        choices={"lower": "must be lower (the book)", "free": "either way"},
    )
    ending: str = option(
        "normal",
        "what happens to a player who is stuck: normal, who is stuck loses; misere, who is stuck wins",
        label="Who is stuck",
        choices={"normal": "loses (the book)", "misere": "wins"},
        added_later=True,
    )

    def __post_init__(self) -> None:
        check_whole("size", self.size, 1, LARGEST)
        check_choice(self, "opening")
        check_choice(self, "ending")

    def __repr__(self) -> str:
        return format_repr(self)

    @property
    def max_plies(self) -> int:
        return self.size

    def all_moves(self) -> range:
        return range(1, self.size + 1)

    def features(self) -> list[Feature]:
        return [
            *(Feature(f"free {number}", 0, 1) for number in self.all_moves()),
            Feature("last", 0, self.size),
            Feature("side", 0, 2),  # the next must be lower, may be either, must be higher
            Feature("turn", 1, 2),
        ]

    def observe(self, state: Line) -> Sequence[int]:
        free, last, side = state
        where = 1 if side == ANYWHERE else 2 if side < 0 else 0
        return flags(free, 1, self.size, (last, where, self.turn(state) + 1))

    def start(self, rng: Random) -> Line:
        return span(1, self.size), 0, ANYWHERE

    def turn(self, state: Line) -> Seat:
        return 1 if self.size - state[0].bit_count() & 1 else 0

    def moves(self, state: Line) -> tuple[int, ...]:
        numbers = state[0] & state[2]
        return LOW_MEMBERS[numbers] if numbers <= LOW else members(numbers)

    def play(self, state: Line, move: int) -> Line:
        free, last, side = state
        if move < 1 or not (free & side) >> move & 1:
            raise self._refused(state, move)
        if last and move < last:
            side = -1 << move  # the trend is down, so the next number must be higher
        elif last or self.opening == "lower":
            side = (1 << move) - 1
        return free ^ 1 << move, move, side

    def outcome(self, state: Line) -> Outcome | None:
        if state[0] & state[2]:
            return None
        return (STUCK if self.ending == "normal" else STUCK_WINS)[self.turn(state)]

    def _refused(self, state: Line, move: int) -> IllegalMove:
        free, last, side = state
        if not 1 <= move <= self.size:
            return IllegalMove(
                "Number {number} is not on the line: it runs from {first} to {last}.",
                number=move,
                first=1,
                last=self.size,
            )
        if not free >> move & 1:
            return IllegalMove("Number {number} has already been claimed.", number=move)
        if side < 0:
            return IllegalMove("Number {number} is not higher than {last}.", number=move, last=last)
        return IllegalMove("Number {number} is not lower than {last}.", number=move, last=last)
