"""What a new match is created with: game, seats, clock, series."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from random import SystemRandom
from typing import Any

from numberduels.game import options, registry
from numberduels.game.contract import has_fixed_start
from numberduels.web.match.seats import SeatInfo

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
