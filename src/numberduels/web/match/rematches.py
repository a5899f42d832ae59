"""Rematches: the next match of the same players, with the seats swapped."""

from __future__ import annotations

from typing import Any

from numberduels.game import options
from numberduels.game.contract import OTHER
from numberduels.game.messages import Message
from numberduels.web.errors import UserError
from numberduels.web.match.creation import created_data
from numberduels.web.match.events import REMATCHED, VISITED, NewEvent
from numberduels.web.match.model import OVER, Match
from numberduels.web.match.seating import require_seat
from numberduels.web.match.seats import Seats
from numberduels.web.match.standing import swapped


def set_rematch(match: Match, match_id: str) -> NewEvent:
    """Name the rematch of this match."""
    if match.rematch:
        raise UserError("rematched", Message("There is a rematch already."))
    return REMATCHED, {"duel": match_id}


def visit(match: Match, seats: Seats) -> NewEvent:
    """Open a rematch for the first time: from now on the clock runs for this player."""
    waiting = match.unvisited(seats)
    if not waiting:
        raise UserError("stale", Message("The game has gone on in the meantime."))
    return VISITED, {"seat": waiting[0]}


def rematch_data(match: Match, seats: Seats) -> dict[str, Any]:
    """The data of the event that creates a rematch, with the seats swapped.

    The second of two games has the same deal.
    """
    require_seat(seats)
    if match.status != OVER:
        raise UserError("going_on", Message("The game is not over yet."))
    if match.cancelled:
        raise UserError("cancelled", Message("This invitation was taken back."))
    one, other = match.seat_infos
    second = match.is_first_of_two
    data = created_data(
        match.game if second else _redealt(match.game),
        (other, one),
        games=match.games,
        clock=match.clock,
        best_of=match.best_of,
    )
    if not match.is_series_over:
        data["standing"] = swapped(match.standing)[:2]
    return data | {"before": match.id, "seat": OTHER[seats[0]]} | ({"lead": -match.margin} if second else {})


def _redealt(game: Any) -> Any:
    """The game of the same size without its deal; the game itself if no other deal is possible."""
    sizes = {
        each.name: getattr(game, each.name)
        for each in options.declared(type(game))
        if not isinstance(each.default, tuple)
    }
    try:
        return type(game)(**sizes)
    except ValueError:
        return game
