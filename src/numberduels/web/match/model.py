"""The model of one match: a game between two seats on the server.

A match is built by applying its events in order: `_apply_moved` applies an event of the kind `moved`. The
commands of players make these events, see commands.py and seating.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from numberduels.game import registry
from numberduels.game.contract import OTHER, Outcome, Seat, always_ends
from numberduels.game.messages import Message
from numberduels.game.record import Record
from numberduels.game.table import Table
from numberduels.play.series import Standing, margin_of
from numberduels.web.errors import UserError
from numberduels.web.match.events import (
    CLOCKS,
    COMPUTER,
    DECLINED,
    DEVICE_SEATED,
    HUMAN,
    NO_CLOCK,
    OPEN,
    REFUSED,
    SeatInfo,
    Seats,
)
from numberduels.web.store.base import Event


def after_game(standing: Standing, winner: Seat | None) -> Standing:
    """The score after one more game; no winner means that nobody won it.

    >>> after_game(Standing(1, (1, 0), None), 1)
    Standing(games=2, wins=(1, 1), margin=None)
    """
    one, other = standing.wins
    return Standing(standing.games + 1, (one + (winner == 0), other + (winner == 1)), None)


def swapped(standing: Standing) -> Standing:
    """The score with the seats swapped, as a rematch has them.

    >>> swapped(Standing(3, (2, 1), None)).wins
    (1, 2)
    """
    one, other = standing.wins
    return standing._replace(wins=(other, one))


def is_decided(standing: Standing, best_of: int) -> bool:
    """Whether a best-of series is decided: all games are played, or nobody can catch up.

    >>> is_decided(Standing(2, (2, 0), None), 3), is_decided(Standing(2, (1, 1), None), 3)
    (True, False)
    """
    left = best_of - standing.games
    return left <= 0 or abs(standing.ahead) > left


WAITING, PLAYING, OVER = "waiting", "playing", "over"
"""The status of a match: a seat is free, the game is in progress, or it has ended."""


class Match:
    """One match, from its first event to its latest."""

    def __init__(self, match_id: str, created: Event) -> None:
        data = created.data
        self.id = match_id
        self.spec = registry.spec(data["game"])
        self.game = self.spec.make(dict(data["options"]))
        self.table: Table[Any, Any] = Table(self.game)
        self.seat_infos = [SeatInfo(**info) for info in data["sittings"]]
        self.invitation: str = data.get("invitation", "")
        """Hash of the invitation secret; empty if nobody is invited."""
        self.rematch_of: str = data.get("before", "")
        """Id of the match that this one is the rematch of."""
        self.rematch_by: Seat | None = data.get("seat")
        """The seat of the player who started this rematch; None if this is no rematch."""
        self.games: int = data.get("games", 1)
        """2: this is one of two games on the same deal, seats swapped, whose points are added."""
        self.lead: int | None = data.get("lead")
        """In the second of two games, the points by which Player 1 of this game leads after the first."""
        self.clock: str = data.get("clock", NO_CLOCK)
        """The time for each move, one of CLOCKS."""
        self.best_of: int = data.get("best_of", 1)
        """The games of the series that this match belongs to; 1 if it is a game by itself."""
        self.visited: set[Seat] = set() if self.rematch_of else {0, 1}
        """The seats whose clock may run: a rematch begins without the consent of one player, who has to open
        it first."""
        games, (one, other) = data.get("standing", (0, (0, 0)))
        self.standing_before = Standing(games, (one, other), None)
        """The score of the players over the matches that this one is a rematch of, in this match's seats."""
        self.updated = created.at
        """Time of the last event, in seconds since 1970."""
        self.turn_began = created.at
        """When the player to move came to move, in seconds since 1970."""
        self.version = created.seq
        self._status, self._status_version = "", 0
        self.last_kind, self.last_seat = created.kind, created.data.get("seat")
        """The kind of the last event, and the seat that it names, if any."""
        self.resigned: Seat | None = None
        self.timed_out: Seat | None = None
        """The seat that lost because its opponent claimed the game after the deadline."""
        self.agreed = False
        """Whether the players agreed on a draw."""
        self.draw_offered_by: Seat | None = None
        self.draw_declined_to: Seat | None = None
        """The seat whose draw offer was declined by the last event."""
        self.offer_plies = [-2, -2]
        """The ply at which each seat last offered a draw."""
        self.cancelled = False
        """Whether the invitation was taken back before anybody accepted it."""
        self.device_seats: dict[str, Seats] = {}
        """The seats that were taken along to other devices, by the keys of these."""
        self.device_links: dict[Seats, tuple[str, float]] = {}
        """The hash of the unused link to another device and the time it was made, by the seats."""
        self.device_link_count = 0
        """The number of links to other devices that were made."""
        self.takeback_asked_by: Seat | None = None
        self.takeback_declined_to: Seat | None = None
        """The seat whose takeback was declined by the last event."""
        self.rematch = ""
        """Id of the rematch of this match."""

    @classmethod
    def from_events(cls, match_id: str, events: Iterable[Event]) -> Match:
        """Build a match from its events; there must be at least one."""
        first, *rest = events
        match = cls(match_id, first)
        for event in rest:
            match.apply(event)
        return match

    def apply(self, event: Event) -> None:
        """Apply the next event."""
        assert event.seq == self.version + 1, "events must be applied in order, without a gap"
        self.takeback_declined_to = self.takeback_asked_by if event.kind == DECLINED else None
        self.draw_declined_to = self.draw_offered_by if event.kind == REFUSED else None
        self.version, self.updated = event.seq, event.at
        self.last_kind, self.last_seat = event.kind, event.data.get("seat")
        if event.data.get("also"):
            self.last_kind = DEVICE_SEATED
        getattr(self, f"_apply_{event.kind}")(event.data)

    def _apply_joined(self, data: Mapping[str, Any]) -> None:
        if data.get("also"):
            seats = tuple(data["seats"])
            self.device_seats[data["key"]] = seats
            self.device_links.pop(seats, None)
            return
        self.seat_infos[data["seat"]] = SeatInfo(HUMAN, data["name"], key=data["key"])
        self.turn_began = self.updated

    def _apply_cancelled(self, _: Mapping[str, Any]) -> None:
        self.cancelled = True

    def _apply_lent(self, data: Mapping[str, Any]) -> None:
        """A link to another device was made."""
        self.device_links[tuple(data["seats"])] = data["token"], self.updated
        self.device_link_count += 1

    def _apply_reclaimed(self, data: Mapping[str, Any]) -> None:
        """The seats were taken back from all other devices."""
        seats = tuple(data["seats"])
        self.device_seats = {key: each for key, each in self.device_seats.items() if each != seats}
        self.device_links.pop(seats, None)

    def _apply_moved(self, data: Mapping[str, Any]) -> None:
        if self.draw_offered_by != self.table.turn:  # whoever moves instead of answering declines
            self.draw_offered_by = None
        self.table.play(self.text.parse_move(data["move"]))
        self.takeback_asked_by = None
        self.visited.add(data["seat"])
        self.turn_began = self.updated

    def _apply_undone(self, data: Mapping[str, Any]) -> None:
        while self.table.ply > data["to"]:
            self.table.undo()
        self.takeback_asked_by = self.draw_offered_by = None
        self.offer_plies = [min(ply, self.table.ply) for ply in self.offer_plies]
        self.turn_began = self.updated

    def _apply_asked(self, data: Mapping[str, Any]) -> None:
        self.takeback_asked_by = data["seat"]

    def _apply_declined(self, _: Mapping[str, Any]) -> None:
        self.takeback_asked_by = None

    def _apply_resigned(self, data: Mapping[str, Any]) -> None:
        self.resigned = data["seat"]
        self.takeback_asked_by = self.draw_offered_by = None

    def _apply_offered(self, data: Mapping[str, Any]) -> None:
        self.draw_offered_by = data["seat"]
        self.offer_plies[data["seat"]] = self.table.ply

    def _apply_refused(self, _: Mapping[str, Any]) -> None:
        self.draw_offered_by = None

    def _apply_agreed(self, _: Mapping[str, Any]) -> None:
        self.agreed = True
        self.takeback_asked_by = self.draw_offered_by = None

    def _apply_claimed(self, data: Mapping[str, Any]) -> None:
        self.timed_out = data["seat"]
        self.takeback_asked_by = self.draw_offered_by = None

    def _apply_visited(self, data: Mapping[str, Any]) -> None:
        self.visited.add(data["seat"])
        if data["seat"] == self.table.turn:
            self.turn_began = self.updated

    def _apply_rematched(self, data: Mapping[str, Any]) -> None:
        self.rematch = data["duel"]

    # Queries

    @property
    def text(self) -> Any:
        """The game's text, with the names of these two players."""
        return self.spec.text_for(self.game, self.names)

    @property
    def names(self) -> tuple[str, str]:
        """The names of both players; empty for a player without one."""
        one, other = self.seat_infos
        return one.name, other.name

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is in progress, or if it reached the ply limit."""
        if self.resigned is not None:
            return Outcome(OTHER[self.resigned], "resigned")
        if self.timed_out is not None:
            return Outcome(OTHER[self.timed_out], "time")
        if self.agreed:
            return Outcome(None, "agreed")
        return self.table.outcome

    @property
    def status(self) -> str:
        """WAITING, PLAYING or OVER; computed once for each version, because everything asks for it."""
        if self._status_version != self.version:
            self._status, self._status_version = self._compute_status(), self.version
        return self._status

    def _compute_status(self) -> str:
        if self.outcome or self.table.exceeds_ply_limit or self.cancelled:
            return OVER
        return WAITING if any(info.kind == OPEN for info in self.seat_infos) else PLAYING

    @property
    def turn(self) -> Seat | None:
        """The seat to move; None unless the match is being played."""
        return self.table.turn if self.status == PLAYING else None

    @property
    def engine_level(self) -> str:
        """The level of the computer player to move; empty if a person is, or nobody."""
        return "" if self.turn is None else self.seat_infos[self.turn].level

    @property
    def has_computer(self) -> bool:
        """Whether one of the players is a computer."""
        return any(info.kind == COMPUTER for info in self.seat_infos)

    @property
    def single_person(self) -> bool:
        """Whether only one person plays: against the computer, or for both seats."""
        return self.has_computer or self.seat_infos[0].key == self.seat_infos[1].key

    @property
    def moves(self) -> list[str]:
        """The moves so far, in the notation of records."""
        text = self.text
        return [text.format_move(move) for move in self.table.played]

    @property
    def record(self) -> Record:
        """The record of the game so far."""
        one, other = self.seat_infos
        return Record(
            self.spec,
            self.game,
            self.table.played,
            names=self.names,
            seats=(one.level or HUMAN, other.level or HUMAN),
            resigned=self.resigned if self.timed_out is None else self.timed_out,
            timed_out=self.timed_out is not None,
            agreed=self.agreed,
        )

    @property
    def deadline(self) -> float | None:
        """When the player to move may lose on time, in seconds since 1970; None if no clock runs.

        Until the opponent claims the game, a late move still counts.
        """
        seconds = CLOCKS[self.clock]
        return self.turn_began + seconds if seconds and self.turn in self.visited else None

    def unvisited(self, seats: Seats) -> list[Seat]:
        """Those of these seats whose clock waits for the first visit of the player."""
        timed = CLOCKS[self.clock] and self.status == PLAYING
        return [seat for seat in seats if timed and seat not in self.visited]

    def is_late(self, now: float) -> bool:
        """Whether the player to move has exceeded the time."""
        deadline = self.deadline
        return deadline is not None and now >= deadline

    @property
    def need_not_end(self) -> bool:
        """Whether the rules let this game go on for ever, so that a draw can be offered."""
        return not always_ends(self.game)

    @property
    def is_first_of_two(self) -> bool:
        """Whether a second game on the same deal follows."""
        return self.games == 2 and self.lead is None

    @property
    def total_lead(self) -> int | None:
        """The points by which Player 1 leads after both games of two; None before that."""
        if self.lead is None or self.status != OVER:
            return None
        return self.lead + self.margin

    @property
    def margin(self) -> int:
        """The points by which Player 1 has won this game."""
        return margin_of(self.record)

    @property
    def winner(self) -> Seat | None:
        """The seat that has won; nobody has after the first of two games, and both together decide."""
        if self.status != OVER or self.is_first_of_two:
            return None
        if self.total_lead is not None:
            return None if not self.total_lead else 0 if self.total_lead > 0 else 1
        return self.outcome.winner if self.outcome else None

    @property
    def standing(self) -> Standing:
        """The score over this match and those that it is a rematch of, in this match's seats.

        Two games on the same deal count as one, which the sum of their points decides.
        """
        if self.status != OVER or self.is_first_of_two or self.cancelled:
            return self.standing_before
        return after_game(self.standing_before, self.winner)

    @property
    def is_series_over(self) -> bool:
        """Whether a best-of series was decided by this match; the next rematch begins a new series."""
        return self.best_of > 1 and is_decided(self.standing, self.best_of)

    def may_see_values(self, seats: Seats) -> bool:
        """Whether a visitor with these seats may see values: never while two people play."""
        return self.status == OVER or (self.has_computer and bool(seats))

    def seats_of(self, key: str) -> Seats:
        """The seats that the holder of this key may play for."""
        infos = self.seat_infos
        if key in self.device_seats:
            return self.device_seats[key]
        return tuple(seat for seat in (0, 1) if key and infos[seat].kind == HUMAN and infos[seat].key == key)

    def keys_of(self, seat: Seat) -> tuple[str, ...]:
        """The keys with which a person may play for this seat."""
        info = self.seat_infos[seat]
        if info.kind != HUMAN or not info.key:
            return ()
        return info.key, *(key for key, seats in self.device_seats.items() if seat in seats)

    @property
    def keys(self) -> set[str]:
        """The keys of all people who play."""
        return {*self.keys_of(0), *self.keys_of(1)}

    def undo_ply(self, seats: Seats) -> int:
        """The ply before the last move of these seats: where a takeback leads to."""
        for ply in reversed(range(self.table.ply)):
            if ply % 2 in seats:
                return ply
        raise UserError("nothing", Message("There is no move of yours to take back."))
