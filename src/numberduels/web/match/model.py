"""The model of one match: a game between two seats on the server.

A match is built by applying its events in order. A command of a player becomes the next event, or raises
UserError. This module is pure: the match service stores events and notifies subscribers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from random import SystemRandom
from typing import Any

from numberduels import options, registry
from numberduels.core import OTHER, IllegalMove, Outcome, Seat, Unreadable, always_ends, has_fixed_start
from numberduels.messages import Message, message_of
from numberduels.record import Record
from numberduels.series import Standing, margin_of
from numberduels.store.log import Event
from numberduels.table import Table
from numberduels.web.errors import UserError
from numberduels.web.match.standing import after_game, is_decided, swapped

HUMAN, COMPUTER, OPEN = "human", "computer", "open"
"""The kinds of seats: taken by a person, by the computer, or still free."""

WAITING, PLAYING, OVER = "waiting", "playing", "over"
"""The status of a match: a seat is free, the game is in progress, or it has ended."""

CREATED, JOINED, MOVED, UNDONE = "created", "joined", "moved", "undone"
ASKED, DECLINED, RESIGNED, REMATCHED = "asked", "declined", "resigned", "rematched"
OFFERED, REFUSED, AGREED, CLAIMED = "offered", "refused", "agreed", "claimed"
"""The kinds of events. ASKED and DECLINED are about takebacks; OFFERED, REFUSED and AGREED are about draws;
CLAIMED ends a game whose player to move has exceeded the time."""
CANCELLED, LENT, CARRIED, RECLAIMED = "cancelled", "lent", "carried", "reclaimed"
"""CANCELLED takes the invitation back. LENT makes a link that takes a seat along to another device, where a
JOINED event with `also` uses it, told as CARRIED. RECLAIMED takes the seat back from all other devices."""

NO_CLOCK = "none"
CLOCKS = {NO_CLOCK: 0, "minute": 60, "day": 24 * 3600}
"""The clocks by name: seconds for each move; 0 for any time."""

BEST_OF = (1, 3, 5, 7)
"""How many games a best-of series may have; 1 is a game by itself."""

CARRY_SECONDS = 900.0
"""How long a link to another device can be used."""

MAX_CARRY_LINKS = 30
"""Links to other devices in one match."""

MAX_EVENTS = 5_000
"""Once a match has this many events, no move can be taken back. A match is always read as a whole."""

Seats = tuple[Seat, ...]
"""The seats that one visitor may play for."""

NewEvent = tuple[str, dict[str, Any]]
"""Kind and data of the event that a command produces."""


UNINVITED = Message("That is not a complete invitation to this game. Ask for it again.")


UNUSABLE_LINK = Message("This link was used already, or it is too old. Make a new one on the other device.")


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who has a seat."""

    kind: str = OPEN
    name: str = ""
    level: str = ""
    """Level of a computer player."""
    key: str = ""
    """Hash of the secret of the person in this seat."""


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
        self.games: int = data.get("games", 1)
        """2: this is one of two games on the same deal, seats swapped, whose points are added."""
        self.lead: int | None = data.get("lead")
        """In the second of two games, the points by which Player 1 of this game leads after the first."""
        self.clock: str = data.get("clock", NO_CLOCK)
        """The time for each move, one of CLOCKS."""
        self.best_of: int = data.get("best_of", 1)
        """The games of the series that this match belongs to; 1 if it is a game by itself."""
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
        self._offer_plies = [-2, -2]
        """The ply at which each seat last offered a draw."""
        self.cancelled = False
        """Whether the invitation was taken back before anybody accepted it."""
        self.carried: dict[str, Seats] = {}
        """The seats that were taken along to other devices, by the keys of these."""
        self._carry_links: dict[Seats, tuple[str, float]] = {}
        """The hash of the unused link to another device and the time it was made, by the seats."""
        self._carry_count = 0
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
            self.last_kind = CARRIED
        _APPLY[event.kind](self, event.data)

    def _apply_joined(self, data: Mapping[str, Any]) -> None:
        if data.get("also"):
            seats = tuple(data["seats"])
            self.carried[data["key"]] = seats
            self._carry_links.pop(seats, None)
            return
        self.seat_infos[data["seat"]] = SeatInfo(HUMAN, data["name"], key=data["key"])
        self.turn_began = self.updated

    def _apply_cancelled(self, _: Mapping[str, Any]) -> None:
        self.cancelled = True

    def _apply_lent(self, data: Mapping[str, Any]) -> None:
        self._carry_links[tuple(data["seats"])] = data["token"], self.updated
        self._carry_count += 1

    def _apply_reclaimed(self, data: Mapping[str, Any]) -> None:
        seats = tuple(data["seats"])
        self.carried = {key: each for key, each in self.carried.items() if each != seats}
        self._carry_links.pop(seats, None)

    def _apply_moved(self, data: Mapping[str, Any]) -> None:
        if self.draw_offered_by != self.table.turn:  # whoever moves instead of answering declines
            self.draw_offered_by = None
        self.table.play(self.text.parse_move(data["move"]))
        self.takeback_asked_by = None
        self.turn_began = self.updated

    def _apply_undone(self, data: Mapping[str, Any]) -> None:
        while self.table.ply > data["to"]:
            self.table.undo()
        self.takeback_asked_by = self.draw_offered_by = None
        self._offer_plies = [min(ply, self.table.ply) for ply in self._offer_plies]
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
        self._offer_plies[data["seat"]] = self.table.ply

    def _apply_refused(self, _: Mapping[str, Any]) -> None:
        self.draw_offered_by = None

    def _apply_agreed(self, _: Mapping[str, Any]) -> None:
        self.agreed = True
        self.takeback_asked_by = self.draw_offered_by = None

    def _apply_claimed(self, data: Mapping[str, Any]) -> None:
        self.timed_out = data["seat"]
        self.takeback_asked_by = self.draw_offered_by = None

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
        """When the player to move may lose on time, in seconds since 1970; None without a clock.

        Until the opponent claims the game, a late move still counts.
        """
        seconds = CLOCKS[self.clock]
        return self.turn_began + seconds if seconds and self.turn is not None else None

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
        return self.lead + margin_of(self.record)

    @property
    def standing(self) -> Standing:
        """The score over this match and those that it is a rematch of, in this match's seats.

        Two games on the same deal count as one, which the sum of their points decides.
        """
        if self.status != OVER or self.is_first_of_two or self.cancelled:
            return self.standing_before
        winner = self.outcome.winner if self.outcome else None
        if self.total_lead is not None:
            winner = None if not self.total_lead else 0 if self.total_lead > 0 else 1
        return after_game(self.standing_before, winner)

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
        if key in self.carried:
            return self.carried[key]
        return tuple(seat for seat in (0, 1) if key and infos[seat].kind == HUMAN and infos[seat].key == key)

    def keys_of(self, seat: Seat) -> tuple[str, ...]:
        """The keys with which a person may play for this seat."""
        info = self.seat_infos[seat]
        if info.kind != HUMAN or not info.key:
            return ()
        return info.key, *(key for key, seats in self.carried.items() if seat in seats)

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

    # Commands: each returns the event to store, or raises UserError

    def move(self, seats: Seats, text: str, ply: int | None = None) -> NewEvent:
        """Make a move; `ply`, if given, is the ply that it was chosen for."""
        self._require_playing(seats)
        turn = self.table.turn
        if turn not in seats:
            raise UserError("not_your_turn", Message("It is not your turn."))
        if ply is not None and ply != self.table.ply:
            raise UserError("stale", Message("The game has gone on in the meantime."))
        game_text = self.text
        try:
            move = game_text.parse_move(text)
            self.game.play(self.table.state, move)
        except (Unreadable, IllegalMove) as error:
            raise UserError(
                "illegal", game_text.refusal(error).strip(), page_text=message_of(error)
            ) from None
        return MOVED, {"seat": turn, "move": game_text.format_move(move)}

    def undo(self, seats: Seats) -> NewEvent:
        """Take your last move back; only where no opponent has to agree."""
        self._require_playing(seats)
        self._require_takebacks_left()
        if not self.single_person:
            raise UserError("ask", Message("Ask your opponent: a move is taken back by consent."))
        return UNDONE, {"to": self.undo_ply(seats)}

    def ask_takeback(self, seats: Seats) -> NewEvent:
        """Ask the opponent to take your last move back; undo it at once if nobody has to agree."""
        self._require_playing(seats)
        if self.single_person:
            return self.undo(seats)
        self.undo_ply(seats)
        self._require_takebacks_left()
        if self.takeback_asked_by is not None:
            raise UserError("asked", Message("That has been asked already."))
        return ASKED, {"seat": seats[0]}

    def answer_takeback(self, seats: Seats, accept: bool) -> NewEvent:
        """Accept or decline the takeback that the opponent asked for."""
        self._require_playing(seats)
        asker = self.takeback_asked_by
        if asker is None or asker in seats:
            raise UserError("unasked", Message("Nobody has asked you for anything."))
        return (UNDONE, {"to": self.undo_ply((asker,))}) if accept else (DECLINED, {"seat": seats[0]})

    def resign(self, seats: Seats) -> NewEvent:
        """Give the game up."""
        self._require_playing(seats)
        turn = self.table.turn
        return RESIGNED, {"seat": turn if turn in seats else seats[0]}

    def claim(self, seats: Seats, now: float) -> NewEvent:
        """Win the game, because the opponent has exceeded the time at the time `now`."""
        self._require_playing(seats)
        if self.clock == NO_CLOCK:
            raise UserError("no_clock", Message("This game has no clock."))
        turn = self.table.turn
        if turn in seats:
            raise UserError("own_time", Message("It is your turn: it is your time that runs."))
        if not self.is_late(now):
            raise UserError("in_time", Message("Your opponent still has time."))
        return CLAIMED, {"seat": turn}

    def offer_draw(self, seats: Seats) -> NewEvent:
        """Offer a draw; agree if the opponent has offered one, or if nobody else has to agree.

        Each player may offer one draw before each of their moves. Against the computer this is possible
        only on the player's turn.
        """
        self._require_playing(seats)
        if not self.need_not_end:
            raise UserError("no_draw", Message("This game always ends by its rules; nobody offers draws."))
        if not self.has_computer and self.single_person:
            return AGREED, {"seat": seats[0]}
        seat = seats[0]
        if self.draw_offered_by is not None and self.draw_offered_by not in seats:
            return AGREED, {"seat": seat}
        if self.draw_offered_by is not None or self.table.ply < self._offer_plies[seat] + 2:
            raise UserError("offered", Message("You have offered a draw already. Make a move first."))
        if self.has_computer and self.table.turn not in seats:
            raise UserError("not_your_turn", Message("It is not your turn."))
        return OFFERED, {"seat": seat}

    def answer_draw(self, seats: Seats, accept: bool) -> NewEvent:
        """Accept or decline the draw that the opponent has offered."""
        self._require_playing(seats)
        if self.draw_offered_by is None or self.draw_offered_by in seats:
            raise UserError("unoffered", Message("Nobody has offered you a draw."))
        return (AGREED if accept else REFUSED), {"seat": seats[0]}

    def join(self, name: str, key: str, invitation: str) -> NewEvent:
        """Take the free seat; `invitation` is the hash of the invitation secret."""
        free = [seat for seat in (0, 1) if self.seat_infos[seat].kind == OPEN]
        if not self.invitation or invitation != self.invitation:
            raise UserError("uninvited", UNINVITED)
        if self.cancelled:
            raise UserError("cancelled", Message("This invitation was taken back."))
        if not free:
            raise UserError("taken", Message("That seat is taken; you are welcome to watch."))
        return JOINED, {"seat": free[0], "name": name, "key": key}

    def cancel(self, seats: Seats) -> NewEvent:
        """Take the invitation back; the match is over then."""
        self._require_seat(seats)
        if self.status != WAITING:
            raise UserError("not_waiting", Message("Nobody is awaited in this game any more."))
        return CANCELLED, {"seat": seats[0]}

    def lend(self, seats: Seats, token: str) -> NewEvent:
        """Make a link that takes these seats along to one other device; `token` is the hash of its secret.

        An older link that was not used is no longer valid.
        """
        self._require_seat(seats)
        if self._carry_count >= MAX_CARRY_LINKS:
            raise UserError(
                "many_links", Message("So many links were made for this game that no more can be.")
            )
        return LENT, {"seat": seats[0], "seats": list(seats), "token": token}

    def carry(self, token: str, key: str, now: float) -> NewEvent:
        """Take seats along to the device with this key; `token` is the hash of the secret of the link."""
        seats = next(
            (
                seats
                for seats, (unused, made) in self._carry_links.items()
                if token == unused and now < made + CARRY_SECONDS
            ),
            (),
        )
        if not seats:
            raise UserError("no_link", UNUSABLE_LINK)
        if self.seats_of(key):
            raise UserError("seated", Message("This device plays in that game already."))
        return self.seat_device(key, seats)

    def seat_device(self, key: str, seats: Seats) -> NewEvent:
        """Let another device play for these seats, too."""
        return JOINED, {"seat": seats[0], "seats": list(seats), "key": key, "also": True}

    def reclaim(self, key: str) -> NewEvent:
        """Take the seats of this key back from all other devices; only the device that sat down first may."""
        seats = self.seats_of(key)
        self._require_seat(seats)
        if key in self.carried:
            raise UserError("not_owner", Message("Only the device that sat down first can do that."))
        return RECLAIMED, {"seat": seats[0], "seats": list(seats)}

    def other_devices(self, key: str) -> int:
        """The number of devices that the holder of this key may take the seats back from."""
        seats = () if key in self.carried else self.seats_of(key)
        return sum(bool(seats) and each == seats for each in self.carried.values())

    def set_rematch(self, match_id: str) -> NewEvent:
        """Name the rematch of this match."""
        if self.rematch:
            raise UserError("rematched", Message("There is a rematch already."))
        return REMATCHED, {"duel": match_id}

    def rematch_data(self, seats: Seats) -> dict[str, Any]:
        """The data of the event that creates a rematch, with the seats swapped.

        The second of two games has the same deal.
        """
        self._require_seat(seats)
        if self.status != OVER:
            raise UserError("going_on", Message("The game is not over yet."))
        if self.cancelled:
            raise UserError("cancelled", Message("This invitation was taken back."))
        one, other = self.seat_infos
        second = self.is_first_of_two
        data = created_data(
            self.game if second else _redealt(self.game),
            (other, one),
            games=self.games,
            clock=self.clock,
            best_of=self.best_of,
        )
        if not self.is_series_over:
            data["standing"] = swapped(self.standing)[:2]
        return data | {"before": self.id} | ({"lead": -margin_of(self.record)} if second else {})

    def _require_seat(self, seats: Seats) -> None:
        if not seats:
            raise UserError("stranger", Message("You do not play in this game."))

    def _require_playing(self, seats: Seats) -> None:
        self._require_seat(seats)
        if self.status == WAITING:
            raise UserError("waiting", Message("Your opponent is not here yet."))
        if self.status == OVER:
            raise UserError("over", Message("The game is over."))

    def _require_takebacks_left(self) -> None:
        if self.version >= MAX_EVENTS:
            raise UserError(
                "long", Message("So many moves have been taken back in this game that it must go on now.")
            )


_APPLY = {
    JOINED: Match._apply_joined,
    MOVED: Match._apply_moved,
    UNDONE: Match._apply_undone,
    ASKED: Match._apply_asked,
    DECLINED: Match._apply_declined,
    RESIGNED: Match._apply_resigned,
    OFFERED: Match._apply_offered,
    REFUSED: Match._apply_refused,
    AGREED: Match._apply_agreed,
    CLAIMED: Match._apply_claimed,
    CANCELLED: Match._apply_cancelled,
    LENT: Match._apply_lent,
    RECLAIMED: Match._apply_reclaimed,
    REMATCHED: Match._apply_rematched,
}

COMMANDS: dict[str, Callable[[Match, Seats], NewEvent]] = {
    "undo": Match.undo,
    "takeback": Match.ask_takeback,
    "accept": lambda match, seats: match.answer_takeback(seats, True),
    "decline": lambda match, seats: match.answer_takeback(seats, False),
    "resign": Match.resign,
    "cancel": Match.cancel,
    "offer": Match.offer_draw,
    "accept-draw": lambda match, seats: match.answer_draw(seats, True),
    "decline-draw": lambda match, seats: match.answer_draw(seats, False),
}
"""The commands without arguments, by the names that forms and the API use."""


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
