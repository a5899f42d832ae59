"""SeatSetup: who sits where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numberduels.core import HUMAN

if TYPE_CHECKING:
    from numberduels.players import Player

YOU = "you"
"""What the player at this keyboard is called."""


class SeatSetup(NamedTuple):
    """One seat: a name or "", a kind such as `human` or `mcts:400`, and the computer player if any."""

    name: str = ""
    """The name in the record."""
    kind: str = HUMAN
    player: Player | None = None
    stand_in: str = ""
    """What somebody without a name is called on the screen, such as "you"."""

    @property
    def shown_name(self) -> str:
        """What the seat is called on the screen; empty for "Player 1" alone."""
        return self.name or self.stand_in


def with_stand_in(seats: tuple[SeatSetup, SeatSetup]) -> tuple[SeatSetup, SeatSetup]:
    """The seats, of which the only person is called "you" if that person has no name."""
    if (seats[0].player is None) == (seats[1].player is None):
        return seats
    first, second = (seat if seat.player else seat._replace(stand_in=YOU) for seat in seats)
    return first, second
