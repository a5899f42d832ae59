"""The commands of players: each checks the rules and returns the event that it produces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numberduels.game.contract import OTHER, IllegalMove, Unreadable
from numberduels.game.messages import Message, message_of
from numberduels.web.errors import UserError
from numberduels.web.match.events import (
    ADVANCING,
    AGREED,
    ASKED,
    CLAIMED,
    DECLINED,
    MAX_EVENTS,
    MOVED,
    NO_CLOCK,
    OFFERED,
    REFUSED,
    REMATCHED,
    RESIGNED,
    UNDONE,
    VISITED,
    NewEvent,
    Seats,
    created_data,
)
from numberduels.web.match.model import OVER, WAITING, Match
from numberduels.web.match.seating import cancel, require_seat


def move(match: Match, seats: Seats, text: str, ply: int | None = None) -> NewEvent:
    """Make a move; `ply`, if given, is the ply that it was chosen for."""
    _require_playing(match, seats)
    turn = match.table.turn
    if turn not in seats:
        raise UserError("not_your_turn", Message("It is not your turn."))
    if ply is not None and ply != match.table.ply:
        raise UserError("stale", Message("The game has gone on in the meantime."))
    game_text = match.text
    try:
        move = game_text.parse_move(text)
        match.game.play(match.table.state, move)
    except (Unreadable, IllegalMove) as error:
        raise UserError("illegal", game_text.refusal(error).strip(), page_text=message_of(error)) from None
    return MOVED, {"seat": turn, "move": game_text.format_move(move)}


def undo(match: Match, seats: Seats) -> NewEvent:
    """Take your last move back; only where no opponent has to agree."""
    _require_playing(match, seats)
    return UNDONE, {"to": match.check_undo(seats)}


def ask_takeback(match: Match, seats: Seats) -> NewEvent:
    """Ask the opponent to take your last move back; undo it at once if nobody has to agree."""
    if match.single_person:
        return undo(match, seats)
    _require_playing(match, seats)
    match.check_takeback(seats)
    return ASKED, {"seat": seats[0]}


def answer_takeback(match: Match, seats: Seats, accept: bool) -> NewEvent:
    """Accept or decline the takeback that the opponent asked for."""
    _require_playing(match, seats)
    ply = match.check_takeback_answer(seats)
    return (UNDONE, {"to": ply}) if accept else (DECLINED, {"seat": seats[0]})


def resign(match: Match, seats: Seats) -> NewEvent:
    """Give the game up."""
    _require_playing(match, seats)
    return RESIGNED, {"seat": match.resigning(seats)}


def claim(match: Match, seats: Seats, now: float) -> NewEvent:
    """Win the game, because the opponent has exceeded the time at the time `now`."""
    _require_playing(match, seats)
    if match.clock == NO_CLOCK:
        raise UserError("no_clock", Message("This game has no clock."))
    turn = match.table.turn
    if turn in seats:
        raise UserError("own_time", Message("It is your turn: it is your time that runs."))
    if not match.is_late(now):
        raise UserError("in_time", Message("Your opponent still has time."))
    return CLAIMED, {"seat": turn}


def offer_draw(match: Match, seats: Seats) -> NewEvent:
    """Offer a draw; agree if the opponent has offered one, or if nobody else has to agree."""
    _require_playing(match, seats)
    return (AGREED if match.check_draw_offer(seats) else OFFERED), {"seat": seats[0]}


def answer_draw(match: Match, seats: Seats, accept: bool) -> NewEvent:
    """Accept or decline the draw that the opponent has offered."""
    _require_playing(match, seats)
    match.check_draw_answer(seats)
    return (AGREED if accept else REFUSED), {"seat": seats[0]}


def _require_playing(match: Match, seats: Seats) -> None:
    require_seat(seats)
    if match.status == WAITING:
        raise UserError("waiting", Message("Your opponent is not here yet."))
    if match.status == OVER:
        raise UserError("over", Message("The game is over."))


def require_room(match: Match, kind: str) -> None:
    """Refuse an event that does not bring the match nearer to its end, if there are too many already."""
    if match.version >= MAX_EVENTS and kind not in ADVANCING:
        raise UserError("long", Message("So much has happened in this game that it can only be played on."))


COMMANDS: dict[str, Callable[[Match, Seats], NewEvent]] = {
    "undo": undo,
    "takeback": ask_takeback,
    "accept": lambda match, seats: answer_takeback(match, seats, True),
    "decline": lambda match, seats: answer_takeback(match, seats, False),
    "resign": resign,
    "cancel": cancel,
    "offer": offer_draw,
    "accept-draw": lambda match, seats: answer_draw(match, seats, True),
    "decline-draw": lambda match, seats: answer_draw(match, seats, False),
}
"""The commands without arguments, by the names that forms and the API use."""


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
        match.game if second else match.redealt(),
        (other, one),
        games=match.games,
        clock=match.clock,
        best_of=match.best_of,
    )
    if not match.is_series_over:
        data["standing"] = match.standing.swapped[:2]
    return data | {"before": match.id, "seat": OTHER[seats[0]]} | ({"lead": -match.margin} if second else {})
