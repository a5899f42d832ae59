"""A duel in the browser: what its events make of it, and what may happen next.

Everything here is pure. A duel is the fold of its events; a wish of a player becomes the next event, or is
refused. Who writes the event and tells of it, the hall knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from random import SystemRandom
from typing import Any

from numberduels import options, registry
from numberduels.board import shown
from numberduels.core import OTHER, IllegalMove, Outcome, Seat, Unreadable, has_fixed_start
from numberduels.record import Record
from numberduels.store.log import Event
from numberduels.table import Table

HUMAN, COMPUTER, OPEN = "human", "computer", "open"

WAITING, PLAYING, OVER = "waiting", "playing", "over"
"""Whether a seat is still free, the game goes on, or it has ended."""

CREATED, JOINED, MOVED, UNDONE = "created", "joined", "moved", "undone"
ASKED, DECLINED, RESIGNED, REMATCHED = "asked", "declined", "resigned", "rematched"

LEVELS = ("random", "greedy", "beginner", "casual", "skilled", "expert", "perfect")
"""The computer players that visitors may choose, the weakest first."""

LONGEST = 5_000
"""Events of one game beyond which nothing is taken back any more."""

Wish = tuple[str, dict[str, Any]]
"""The kind of the next event, and its data."""


class Refused(Exception):
    """A wish that cannot be granted: the key of the sentence that says so, that sentence, and a status."""

    def __init__(self, key: str, text: str, status: int = 409, field: str = "", **values: object) -> None:
        super().__init__(text)
        self.sentence = key
        self.key = key.partition(".")[0]
        """Of the kind of refusal: `option` for option.large and all others like it."""
        self.status = status
        self.field = field
        """The name of the form field that it is about, if it is about one."""
        self.values = values
        """What the sentence of another language fills in."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits in a seat."""

    kind: str = OPEN
    name: str = ""
    level: str = ""
    """Of a computer."""
    key: str = ""
    """The hash of the secret that whoever sits here knows."""


class Duel:
    """One game, from its first event to its latest."""

    def __init__(self, name: str, created: Event) -> None:
        """Begin with the event that made it."""
        data = created.data
        self.id = name
        self.spec = registry.spec(data["game"])
        self.game = self.spec.make(dict(data["options"]))
        self.table: Table[Any, Any] = Table(self.game)
        self.sittings = [Sitting(**sitting) for sitting in data["sittings"]]
        self.invitation: str = data.get("invitation", "")
        """The hash of what an invitation holds; nothing when nobody is awaited."""
        self.before: str = data.get("before", "")
        """The game that this one is the rematch of."""
        self.at = created.at
        """When the last event was."""
        self.version = created.seq
        self.resigned: Seat | None = None
        self.asked: Seat | None = None
        """Who has asked to take a move back."""
        self.declined: Seat | None = None
        """Who has just been told that a move stands."""
        self.rematch = ""

    @classmethod
    def of(cls, name: str, events: Iterable[Event]) -> Duel:
        """The duel that these events make; there is at least one."""
        first, *rest = events
        duel = cls(name, first)
        for event in rest:
            duel.add(event)
        return duel

    def add(self, event: Event) -> None:
        """Let the next event happen."""
        assert event.seq == self.version + 1, "events come one after the other"
        self.declined = self.asked if event.kind == DECLINED else None
        _HAPPENINGS[event.kind](self, event.data)
        self.version, self.at = event.seq, event.at

    # What happens

    def _joined(self, data: Mapping[str, Any]) -> None:
        self.sittings[data["seat"]] = Sitting(HUMAN, data["name"], key=data["key"])

    def _moved(self, data: Mapping[str, Any]) -> None:
        self.table.play(self.words.parse_move(data["move"]))
        self.asked = None

    def _undone(self, data: Mapping[str, Any]) -> None:
        while self.table.ply > data["to"]:
            self.table.undo()
        self.asked = None

    def _asked(self, data: Mapping[str, Any]) -> None:
        self.asked = data["seat"]

    def _declined(self, _: Mapping[str, Any]) -> None:
        self.asked = None

    def _resigned(self, data: Mapping[str, Any]) -> None:
        self.resigned = data["seat"]
        self.asked = None

    def _rematched(self, data: Mapping[str, Any]) -> None:
        self.rematch = data["duel"]

    # What it is

    @property
    def words(self) -> Any:
        """The words of the game between these two."""
        one, other = self.sittings
        return self.spec.text_for(self.game, (one.name, other.name))

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on, and where a game that need not end was broken off."""
        if self.resigned is not None:
            return Outcome(OTHER[self.resigned], "resigned")
        return self.table.outcome

    @property
    def status(self) -> str:
        """WAITING, PLAYING or OVER."""
        if self.outcome or self.table.exceeds_ply_limit:
            return OVER
        return WAITING if any(sitting.kind == OPEN for sitting in self.sittings) else PLAYING

    @property
    def turn(self) -> Seat | None:
        """Who is to move, if anybody is."""
        return self.table.turn if self.status == PLAYING else None

    @property
    def thinker(self) -> str:
        """The level of the computer that is to move; nothing if none is."""
        return "" if self.turn is None else self.sittings[self.turn].level

    @property
    def computer(self) -> bool:
        """Whether a computer plays."""
        return any(sitting.kind == COMPUTER for sitting in self.sittings)

    @property
    def alone(self) -> bool:
        """Whether one person has both seats, or the computer for an opponent."""
        return self.computer or self.sittings[0].key == self.sittings[1].key

    @property
    def moves(self) -> list[str]:
        """The moves so far, as records write them."""
        words = self.words
        return [words.format_move(move) for move in self.table.played]

    @property
    def record(self) -> Record:
        """The game so far, as it is kept."""
        one, other = self.sittings
        return Record(
            self.game,
            self.table.played,
            names=(one.name, other.name),
            seats=(one.level or HUMAN, other.level or HUMAN),
            resigned=self.resigned,
        )

    def reveals(self, seats: tuple[Seat, ...]) -> bool:
        """Whether whoever has these seats may see values: they must help nobody against a person."""
        return self.status == OVER or (self.computer and bool(seats))

    def seats(self, key: str) -> tuple[Seat, ...]:
        """The seats that the holder of this key may play for."""
        return tuple(
            seat
            for seat in (0, 1)
            if key and self.sittings[seat].kind == HUMAN and self.sittings[seat].key == key
        )

    def state(self) -> dict[str, Any]:
        """All that anybody may know, as plain data: players are 1 and 2."""
        words, outcome, turn = self.words, self.outcome, self.turn
        board = shown(self.game, self.table.state, self.table.played)
        scores = outcome.scores if outcome and outcome.scores else board.scores
        legal = [words.format_move(move) for move in self.table.moves] if turn is not None else []
        return {
            "id": self.id,
            "version": self.version,
            "game": self.spec.name,
            "options": {
                each.name: options.json_value(getattr(self.game, each.name))
                for each in options.declared(type(self.game))
            },
            "players": [
                {"kind": sitting.kind, "name": sitting.name, "level": sitting.level}
                for sitting in self.sittings
            ],
            "status": self.status,
            "turn": None if turn is None else turn + 1,
            "ply": self.table.ply,
            "moves": self.moves,
            "legal": legal,
            "winner": None if outcome is None or outcome.winner is None else outcome.winner + 1,
            "why": outcome.why if outcome else None,
            "scores": list(scores) if scores else None,
            "totals": {bar.key: {"value": bar.value, "of": bar.of} for bar in board.bars if bar.seat is None},
            "board": board.plain(),
            "takeback_asked_by": None if self.asked is None else self.asked + 1,
            "rematch": self.rematch or None,
        }

    def summary(self, seats: tuple[Seat, ...]) -> dict[str, Any]:
        """What a list of duels says about this one to whoever has these seats."""
        turn, outcome = self.turn, self.outcome
        return {
            "id": self.id,
            "game": self.spec.name,
            "seats": [seat + 1 for seat in seats],
            "status": self.status,
            "turn": None if turn is None else turn + 1,
            "your_turn": turn in seats,
            "ply": self.table.ply,
            "winner": None if outcome is None or outcome.winner is None else outcome.winner + 1,
            "updated": datetime.fromtimestamp(self.at, UTC).isoformat(timespec="milliseconds"),
        }

    # What is wished for

    def move(self, seats: tuple[Seat, ...], text: str, ply: int | None = None) -> Wish:
        """Make a move, thought out at this ply."""
        turn = self._turn(seats)
        if ply is not None and ply != self.table.ply:
            raise Refused("stale", "The game has gone on in the meantime.")
        words = self.words
        try:
            move = words.parse_move(text)
            self.game.play(self.table.state, move)
        except (Unreadable, IllegalMove) as fault:
            raise Refused("illegal", words.refusal(fault).strip(), 409) from None
        return MOVED, {"seat": turn, "move": words.format_move(move)}

    def undo(self, seats: tuple[Seat, ...]) -> Wish:
        """Take one's last move back, where nobody else must be asked."""
        self._going_on(seats)
        self._enough()
        if not self.alone:
            raise Refused("ask", "Ask your opponent: a move is taken back by consent.", 403)
        return UNDONE, {"to": self.back(seats)}

    def ask(self, seats: tuple[Seat, ...]) -> Wish:
        """Ask the opponent to take one's last move back; where nobody need be asked, that is done at once."""
        self._going_on(seats)
        if self.alone:
            return self.undo(seats)
        self.back(seats)
        self._enough()
        if self.asked is not None:
            raise Refused("asked", "That has been asked already.")
        return ASKED, {"seat": seats[0]}

    def answer(self, seats: tuple[Seat, ...], yes: bool) -> Wish:
        """Answer the opponent who has asked."""
        self._going_on(seats)
        if self.asked is None or self.asked in seats:
            raise Refused("unasked", "Nobody has asked you for anything.")
        return (UNDONE, {"to": self.back((self.asked,))}) if yes else (DECLINED, {"seat": seats[0]})

    def resign(self, seats: tuple[Seat, ...]) -> Wish:
        """Give the game up."""
        self._going_on(seats)
        turn = self.table.turn
        return RESIGNED, {"seat": turn if turn in seats else seats[0]}

    def join(self, name: str, key: str, invitation: str) -> Wish:
        """Take the free seat, by what the invitation holds."""
        free = [seat for seat in (0, 1) if self.sittings[seat].kind == OPEN]
        if not self.invitation or invitation != self.invitation:
            raise Refused("uninvited", "That is not an invitation to this game.", 403)
        if not free:
            raise Refused("taken", "That seat is taken; you are welcome to watch.")
        return JOINED, {"seat": free[0], "name": name, "key": key}

    def again(self, seats: tuple[Seat, ...]) -> dict[str, Any]:
        """What makes a rematch, with the seats swapped."""
        if not seats:
            raise Refused("stranger", "You do not play in this game.", 403)
        if self.status != OVER:
            raise Refused("going_on", "The game is not over yet.")
        one, other = self.sittings
        return made(_undealt(self.game), (other, one)) | {"before": self.id}

    def followed(self, name: str) -> Wish:
        """Let that duel be the rematch of this one."""
        if self.rematch:
            raise Refused("rematched", "There is a rematch already.")
        return REMATCHED, {"duel": name}

    def _turn(self, seats: tuple[Seat, ...]) -> Seat:
        self._going_on(seats)
        turn = self.table.turn
        if turn not in seats:
            raise Refused("not_your_turn", "It is not your turn.")
        return turn

    def _going_on(self, seats: tuple[Seat, ...]) -> None:
        if not seats:
            raise Refused("stranger", "You do not play in this game.", 403)
        if self.status == WAITING:
            raise Refused("waiting", "Your opponent is not here yet.")
        if self.status == OVER:
            raise Refused("over", "The game is over.")

    def _enough(self) -> None:
        """A game is read as a whole, and must not grow for ever by what comes to nothing."""
        if self.version >= LONGEST:
            raise Refused("long", "So many moves have been taken back in this game that it must go on now.")

    def back(self, seats: tuple[Seat, ...]) -> int:
        """The ply at which the last of these seats' moves was made."""
        for ply in reversed(range(self.table.ply)):
            if ply % 2 in seats:
                return ply
        raise Refused("nothing", "There is no move of yours to take back.")


_HAPPENINGS = {
    JOINED: Duel._joined,
    MOVED: Duel._moved,
    UNDONE: Duel._undone,
    ASKED: Duel._asked,
    DECLINED: Duel._declined,
    RESIGNED: Duel._resigned,
    REMATCHED: Duel._rematched,
}


def made(game: Any, sittings: Iterable[Sitting], invitation: str = "") -> dict[str, Any]:
    """What the event says that makes a duel; the deal, if there is one, is made here."""
    if not has_fixed_start(game):
        game = game.with_start(game.start(SystemRandom()))
    return {
        "game": registry.spec_of(game).name,
        "options": options.format_options(game),
        "sittings": [asdict(sitting) for sitting in sittings],
        "invitation": invitation,
    }


def _undealt(game: Any) -> Any:
    """The game with a new deal to come, of the same size; where no such deal can be, with the same one."""
    sizes = {
        each.name: getattr(game, each.name)
        for each in options.declared(type(game))
        if not isinstance(each.default, tuple)
    }
    try:
        return type(game)(**sizes)
    except ValueError:
        return game
