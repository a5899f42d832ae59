"""What a match is built from: the kinds of events, its seats, and the data that creates it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from random import SystemRandom
from typing import Any

from numberduels.game import options, registry
from numberduels.game.contract import Seat, has_fixed_start

CREATED, JOINED, MOVED, UNDONE = "created", "joined", "moved", "undone"
ASKED, DECLINED, RESIGNED, REMATCHED = "asked", "declined", "resigned", "rematched"
OFFERED, REFUSED, AGREED, CLAIMED = "offered", "refused", "agreed", "claimed"
"""The kinds of events. ASKED and DECLINED are about takebacks; OFFERED, REFUSED and AGREED are about draws;
CLAIMED ends a game whose player to move has exceeded the time."""
CANCELLED, DEVICE_LINKED, DEVICE_SEATED, DEVICES_REMOVED = "cancelled", "lent", "carried", "reclaimed"
"""CANCELLED takes the invitation back. DEVICE_LINKED makes a link that takes a seat along to another device.
A JOINED event with `also` uses it, and is told as DEVICE_SEATED. DEVICES_REMOVED takes the seat back from all
other devices."""
VISITED = "visited"
"""A player has opened a rematch for the first time, and their clock may run."""

MAX_EVENTS = 5_000
"""Once a match has this many events, only those of ADVANCING follow. A match is always read as a whole."""

ADVANCING = (MOVED, RESIGNED, AGREED, CLAIMED, CANCELLED, REMATCHED)
"""The kinds of events that lead to the end of a match or follow it: the rules bound their number."""

NewEvent = tuple[str, dict[str, Any]]
"""Kind and data of the event that a command produces."""


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


NO_CLOCK = "none"
CLOCKS = {NO_CLOCK: 0, "minute": 60, "day": 24 * 3600}
"""The clocks by name: seconds for each move; 0 for any time."""

BEST_OF = (1, 3, 5, 7)
"""How many games a best-of series may have; 1 is a game by itself."""


def created_data(
    game: Any,
    seat_infos: Iterable[SeatInfo],
    invitation: str = "",
    games: int = 1,
    clock: str = NO_CLOCK,
    best_of: int = 1,
) -> dict[str, Any]:
    """The data of the event that creates a match; deals the numbers of a game that needs a deal."""
    if not has_fixed_start(game):
        game = game.with_start(game.start(SystemRandom()))
    return {
        "game": registry.spec_of(game).name,
        "options": options.format_options(game),
        "sittings": [asdict(info) for info in seat_infos],
        "invitation": invitation,
        "games": games,
        "clock": clock,
        "best_of": best_of,
    }
