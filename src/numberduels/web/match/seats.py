"""The two seats of a match, and who has them."""

from __future__ import annotations

from dataclasses import dataclass

from numberduels.game.contract import Seat

HUMAN, COMPUTER, OPEN = "human", "computer", "open"
"""The kinds of seats: taken by a person, by the computer, or still free."""

Seats = tuple[Seat, ...]
"""The seats that one visitor may play for."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who has a seat."""

    kind: str = OPEN
    name: str = ""
    level: str = ""
    """Level of a computer player."""
    key: str = ""
    """Hash of the secret of the person in this seat."""
