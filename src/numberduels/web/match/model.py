"""The model of one match: a game between two seats on the server.

`play/game_in_progress.py` decides what players may do in a game. A match adds what a server has: events,
versions, clocks, invitations, other devices, and the score over its rematches. It is built by applying its
events in order. The commands of players make these events, see commands.py and seating.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from numberduels.game import registry
from numberduels.game.contract import Seat
from numberduels.game.table import replay
from numberduels.play.game_in_progress import GameInProgress
from numberduels.play.series import Standing
from numberduels.web.errors import UserError
from numberduels.web.match import events
from numberduels.web.match.events import CLOCKS, HUMAN, NO_CLOCK, OPEN, SeatInfo, Seats
from numberduels.web.store.base import Event

WAITING, PLAYING, OVER = "waiting", "playing", "over"
"""The status of a match: a seat is free, the game is in progress, or it has ended."""


class Match(GameInProgress):
    """One match, from its first event to its latest."""

    not_allowed = UserError

    def __init__(self, match_id: str, created: Event) -> None:
        data = created.data
        spec = registry.spec(data["game"])
        self.id = match_id
        self.game = spec.make(dict(data["options"]))
        self.seat_infos = [SeatInfo(**info) for info in data["sittings"]]
        super().__init__(spec, replay(self.game), *self._players())
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
        self.draw_declined_to: Seat | None = None
        """The seat whose draw offer was declined by the last event."""
        self.cancelled = False
        """Whether the invitation was taken back before anybody accepted it."""
        self.device_seats: dict[str, Seats] = {}
        """The seats that were taken along to other devices, by the keys of these."""
        self.device_links: dict[Seats, tuple[str, float]] = {}
        """The hash of the unused link to another device and the time it was made, by the seats."""
        self.device_link_count = 0
        """The number of links to other devices that were made."""
        self.takeback_declined_to: Seat | None = None
        """The seat whose takeback was declined by the last event."""
        self.rematch = ""
        """Id of the rematch of this match."""

    @classmethod
    def from_events(cls, match_id: str, stored: Iterable[Event]) -> Match:
        """Build a match from its events; there must be at least one."""
        first, *rest = stored
        match = cls(match_id, first)
        for event in rest:
            match.apply(event)
        return match

    def apply(self, event: Event) -> None:
        """Apply the next event."""
        assert event.seq == self.version + 1, "events must be applied in order, without a gap"
        self.takeback_declined_to = self.takeback_asked_by if event.kind == events.DECLINED else None
        self.draw_declined_to = self.draw_offered_by if event.kind == events.REFUSED else None
        self.version, self.updated = event.seq, event.at
        self.last_kind, self.last_seat = event.kind, event.data.get("seat")
        if event.data.get("also"):
            self.last_kind = events.DEVICE_SEATED
        self._apply(event.kind, event.data)

    def _apply(self, kind: str, data: Mapping[str, Any]) -> None:
        match kind:
            case events.MOVED:
                self.play(data["move"])
                self.visited.add(data["seat"])
                self.turn_began = self.updated
            case events.UNDONE:
                self.undo_to(data["to"])
                self.turn_began = self.updated
            case events.ASKED:
                self.takeback_asked_by = data["seat"]
            case events.DECLINED:
                self.takeback_asked_by = None
            case events.OFFERED:
                self.offer_draw(data["seat"])
            case events.REFUSED:
                self.decline_draw()
            case events.AGREED:
                self.agree_draw()
            case events.RESIGNED | events.CLAIMED:
                self.resign((data["seat"],), timed_out=kind == events.CLAIMED)
            case events.VISITED:
                self.visited.add(data["seat"])
                if data["seat"] == self.table.turn:
                    self.turn_began = self.updated
            case events.REMATCHED:
                self.rematch = data["duel"]
            case events.CANCELLED:
                self.cancelled = True
            case events.JOINED if not data.get("also"):
                self.seat_infos[data["seat"]] = SeatInfo(HUMAN, data["name"], key=data["key"])
                self.set_players(*self._players())
                self.turn_began = self.updated
            case _:
                self._apply_to_devices(kind, data)

    def _apply_to_devices(self, kind: str, data: Mapping[str, Any]) -> None:
        seats = tuple(data["seats"])
        if kind == events.DEVICE_LINKED:
            self.device_links[seats] = data["token"], self.updated
            self.device_link_count += 1
            return
        self.device_links.pop(seats, None)
        if kind == events.JOINED:
            self.device_seats[data["key"]] = seats
        elif kind == events.DEVICES_REMOVED:
            self.device_seats = {key: each for key, each in self.device_seats.items() if each != seats}
        else:
            raise ValueError(f"there is no event of the kind {kind}")

    # Queries

    def _players(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The names of both players, and what kinds of players they are."""
        one, other = self.seat_infos
        return (one.name, other.name), (one.level or HUMAN, other.level or HUMAN)

    @property
    def over(self) -> bool:
        """Whether the game has ended: also at the ply limit, because a server keeps no endless games."""
        return self.outcome is not None or self.table.exceeds_ply_limit or self.cancelled

    @property
    def status(self) -> str:
        """WAITING, PLAYING or OVER; computed once for each version, because everything asks for it."""
        if self._status_version != self.version:
            self._status, self._status_version = self._compute_status(), self.version
        return self._status

    def _compute_status(self) -> str:
        if self.over:
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
    def single_person(self) -> bool:
        """Whether only one person plays: against the computer, or for both seats."""
        return self.has_computer or self.seat_infos[0].key == self.seat_infos[1].key

    @property
    def moves(self) -> list[str]:
        """The moves so far, in the notation of records."""
        return [self.text.format_move(move) for move in self.table.played]

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
    def winner(self) -> Seat | None:
        """The seat that has won; nobody has after the first of two games, and both together decide."""
        if self.status != OVER or self.is_first_of_two:
            return None
        if self.total_lead is not None:
            return None if not self.total_lead else 0 if self.total_lead > 0 else 1
        return super().winner

    @property
    def standing(self) -> Standing:
        """The score over this match and those that it is a rematch of, in this match's seats.

        Two games on the same deal count as one, which the sum of their points decides.
        """
        if self.status != OVER or self.is_first_of_two or self.cancelled:
            return self.standing_before
        return self.standing_before.after(self.winner)

    @property
    def is_series_over(self) -> bool:
        """Whether a best-of series was decided by this match; the next rematch begins a new series."""
        return self.best_of > 1 and self.standing.decides(self.best_of)

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
