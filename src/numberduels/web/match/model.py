"""The model of one match: a game between two seats on the server.

A match is built by applying its events in order. A command of a player becomes the next event, or raises
UserError. This module is pure: the match service stores events and notifies subscribers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from random import SystemRandom
from typing import Any

from numberduels import options, registry
from numberduels.core import OTHER, IllegalMove, Outcome, Seat, Unreadable, has_fixed_start
from numberduels.messages import Message, message_of
from numberduels.record import Record
from numberduels.store.log import Event
from numberduels.table import Table
from numberduels.web.errors import UserError

HUMAN, COMPUTER, OPEN = "human", "computer", "open"
"""The kinds of seats: taken by a person, by the computer, or still free."""

WAITING, PLAYING, OVER = "waiting", "playing", "over"
"""The status of a match: a seat is free, the game is in progress, or it has ended."""

CREATED, JOINED, MOVED, UNDONE = "created", "joined", "moved", "undone"
ASKED, DECLINED, RESIGNED, REMATCHED = "asked", "declined", "resigned", "rematched"
"""The kinds of events. ASKED and DECLINED are about takebacks."""

MAX_EVENTS = 5_000
"""Once a match has this many events, no move can be taken back. A match is always read as a whole."""

Seats = tuple[Seat, ...]
"""The seats that one visitor may play for."""

NewEvent = tuple[str, dict[str, Any]]
"""Kind and data of the event that a command produces."""


UNINVITED = Message("That is not a complete invitation to this game. Ask for it again.")


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
        self.updated = created.at
        """Time of the last event, in seconds since 1970."""
        self.version = created.seq
        self.resigned: Seat | None = None
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
        _APPLY[event.kind](self, event.data)
        self.version, self.updated = event.seq, event.at

    def _apply_joined(self, data: Mapping[str, Any]) -> None:
        self.seat_infos[data["seat"]] = SeatInfo(HUMAN, data["name"], key=data["key"])

    def _apply_moved(self, data: Mapping[str, Any]) -> None:
        self.table.play(self.text.parse_move(data["move"]))
        self.takeback_asked_by = None

    def _apply_undone(self, data: Mapping[str, Any]) -> None:
        while self.table.ply > data["to"]:
            self.table.undo()
        self.takeback_asked_by = None

    def _apply_asked(self, data: Mapping[str, Any]) -> None:
        self.takeback_asked_by = data["seat"]

    def _apply_declined(self, _: Mapping[str, Any]) -> None:
        self.takeback_asked_by = None

    def _apply_resigned(self, data: Mapping[str, Any]) -> None:
        self.resigned = data["seat"]
        self.takeback_asked_by = None

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
        return self.table.outcome

    @property
    def status(self) -> str:
        """WAITING, PLAYING or OVER."""
        if self.outcome or self.table.exceeds_ply_limit:
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
            resigned=self.resigned,
        )

    def may_see_values(self, seats: Seats) -> bool:
        """Whether a visitor with these seats may see values: never while two people play."""
        return self.status == OVER or (self.has_computer and bool(seats))

    def seats_of(self, key: str) -> Seats:
        """The seats that the holder of this key may play for."""
        infos = self.seat_infos
        return tuple(seat for seat in (0, 1) if key and infos[seat].kind == HUMAN and infos[seat].key == key)

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

    def join(self, name: str, key: str, invitation: str) -> NewEvent:
        """Take the free seat; `invitation` is the hash of the invitation secret."""
        free = [seat for seat in (0, 1) if self.seat_infos[seat].kind == OPEN]
        if not self.invitation or invitation != self.invitation:
            raise UserError("uninvited", UNINVITED)
        if not free:
            raise UserError("taken", Message("That seat is taken; you are welcome to watch."))
        return JOINED, {"seat": free[0], "name": name, "key": key}

    def set_rematch(self, match_id: str) -> NewEvent:
        """Name the rematch of this match."""
        if self.rematch:
            raise UserError("rematched", Message("There is a rematch already."))
        return REMATCHED, {"duel": match_id}

    def rematch_data(self, seats: Seats) -> dict[str, Any]:
        """The data of the event that creates a rematch, with the seats swapped."""
        self._require_seat(seats)
        if self.status != OVER:
            raise UserError("going_on", Message("The game is not over yet."))
        one, other = self.seat_infos
        return created_data(_redealt(self.game), (other, one)) | {"before": self.id}

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
    REMATCHED: Match._apply_rematched,
}

COMMANDS = {
    "undo": Match.undo,
    "takeback": Match.ask_takeback,
    "accept": lambda match, seats: match.answer_takeback(seats, True),
    "decline": lambda match, seats: match.answer_takeback(seats, False),
    "resign": Match.resign,
}
"""The commands without arguments, by the names that forms and the API use."""


def created_data(game: Any, seat_infos: Iterable[SeatInfo], invitation: str = "") -> dict[str, Any]:
    """The data of the event that creates a match; deals the numbers of a game that needs a deal."""
    if not has_fixed_start(game):
        game = game.with_start(game.start(SystemRandom()))
    return {
        "game": registry.spec_of(game).name,
        "options": options.format_options(game),
        "sittings": [asdict(info) for info in seat_infos],
        "invitation": invitation,
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
