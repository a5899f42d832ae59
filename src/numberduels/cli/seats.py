"""SeatSetup: who sits where, as the command line names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numberduels.game.contract import HUMAN

if TYPE_CHECKING:
    from numberduels.players import Player


YOU = "you"
"""What the player at this keyboard is called."""

LONGEST_KIND = 30


class SeatSetup(NamedTuple):
    """One seat: a name or "", a kind such as `human` or `mcts:400`, and the computer player if any."""

    name: str = ""
    """The name in the record."""
    kind: str = HUMAN
    player: Player | None = None


Seats = tuple[SeatSetup, SeatSetup]


def with_default_names(seats: Seats) -> Seats:
    """The seats with default names. A match needs names, because its players change seats."""
    kinds = [
        seat.kind if len(seat.kind) <= LONGEST_KIND else f"{seat.kind[: LONGEST_KIND - 1]}…" for seat in seats
    ]
    names = [kind if seat.player else YOU for kind, seat in zip(kinds, seats, strict=True)]
    if names[0] == names[1]:
        names = [f"{kind} {letter}" for kind, letter in zip(kinds, "AB", strict=True)]
    return seats[0]._replace(name=names[0]), seats[1]._replace(name=names[1])
