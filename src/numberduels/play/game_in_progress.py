"""GameInProgress: a game between two seats, for every front: its moves, its end, and what players may do.

The rules of behaviour are here: who may take back a move, when a draw may be offered, when a game is over and
who has won. There are no files, no input and no output. A `check_` method raises NotAllowed if a player may
not do something now; the method without `check_` does it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from numberduels.game.contract import HUMAN, OTHER, Outcome, Scored, Seat, always_ends
from numberduels.game.messages import Message
from numberduels.game.table import THREEFOLD, Table

if TYPE_CHECKING:
    from numberduels.game.record import Record
    from numberduels.game.spec import GameSpec

# Records are imported where they are needed: the first prompt of `duel play` must not wait for them.


class NotAllowed(Exception):
    """A player may not do that now: a key for programs and a sentence for people."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


class GameInProgress:
    """One game between two seats."""

    not_allowed: type[NotAllowed] = NotAllowed
    """The class of the errors that `check_` methods raise."""

    def __init__(
        self, spec: GameSpec, table: Table[Any, Any], names: tuple[str, str], seats: tuple[str, str]
    ) -> None:
        """`seats` are kinds of players, such as human and casual."""
        self.spec = spec
        self.table = table
        self.set_players(names, seats)
        self.seed = ""
        self.date = ""
        """When the game began, as records write it; empty if it is not kept."""
        self.other_tags: tuple[tuple[str, str], ...] = ()
        """Unknown tags of the record that is continued."""
        self.resigned: Seat | None = None
        """The seat that has given up or exceeded its time."""
        self.timed_out = False
        """Whether that seat has exceeded its time."""
        self.agreed = False
        """Whether the players agreed on a draw."""
        self.swapped: bool | None = None
        """Whether the players changed seats under the pie rule; None if nobody could."""
        self.takeback_asked_by: Seat | None = None
        self.draw_offered_by: Seat | None = None
        self._offer_plies = [-2, -2]
        """The ply at which each seat last offered a draw."""

    def set_players(self, names: tuple[str, str], seats: tuple[str, str]) -> None:
        """Say who plays."""
        self.names, self.seats = names, seats
        self.text = self.spec.text_for(self.table.game, names)

    # Who

    @property
    def person(self) -> Seat | None:
        """The seat of the only person; None if there are two or none."""
        return person_of(self.seats)

    @property
    def unattended(self) -> bool:
        """Whether no person plays."""
        return HUMAN not in self.seats

    @property
    def has_computer(self) -> bool:
        """Whether one of the players is a computer."""
        return self.seats != (HUMAN, HUMAN)

    @property
    def single_person(self) -> bool:
        """Whether nobody has to be asked: one person plays, or two at one screen."""
        return True

    # How it stands

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on, or if it has only reached the ply limit."""
        if self.resigned is not None:
            return Outcome(OTHER[self.resigned], "time" if self.timed_out else "resigned")
        return Outcome(None, "agreed") if self.agreed else self.table.outcome

    @property
    def over(self) -> bool:
        """Whether the game has ended; between computers also if it has reached the ply limit."""
        return self.outcome is not None or (self.unattended and self.table.exceeds_ply_limit)

    @property
    def winner(self) -> Seat | None:
        """The seat that has won, if one has."""
        return self.outcome.winner if self.outcome else None

    @property
    def scores(self) -> tuple[int, int] | None:
        """The points of both seats, in a game of points."""
        game = self.table.game
        return game.scores(self.table.state) if isinstance(game, Scored) else None

    @property
    def margin(self) -> int:
        """The points by which seat 0 has won."""
        from numberduels.play.series import margin_of

        return margin_of(self.record())

    @property
    def can_draw(self) -> bool:
        """Whether a draw can be offered: only in a game that need not end."""
        return not self.over and not always_ends(self.table.game)

    @property
    def threefold(self) -> bool:
        """Whether this position has occurred three times, in a game that need not end."""
        return self.can_draw and self.table.times_reached == THREEFOLD

    def record(self) -> Record:
        """The record of the game so far."""
        from numberduels.game.record import UNKNOWN_DATE, Record

        return Record(
            self.spec,
            self.table.game,
            self.table.played,
            names=self.names,
            seats=self.seats,
            date=self.date or UNKNOWN_DATE,
            seed=self.seed,
            resigned=self.resigned,
            timed_out=self.timed_out,
            agreed=self.agreed,
            swapped=self.swapped if self.table.ply else None,
            other=self.other_tags,
        )

    def redealt(self) -> Any:
        """The game of the same size without its deal, for a rematch; the game itself if it must be that."""
        from numberduels.game import options

        try:
            return self.spec.make(options.format_undealt(self.table.game))
        except ValueError:
            return self.table.game

    # Moves, and taking them back

    def play(self, text: str) -> None:
        """Make a move, given as text; Unreadable and IllegalMove are raised and change nothing.

        Whoever moves instead of answering declines.
        """
        mover = self.table.turn
        self.table.play_text(text, self.text.parse_move)
        self.takeback_asked_by = None
        if self.draw_offered_by != mover:
            self.draw_offered_by = None

    def undo_ply(self, seats: Collection[Seat]) -> int:
        """The ply before the last move of these seats: where taking it back leads to.

        The first move stays if the players have chosen their seats after it.
        """
        for ply in reversed(range(0 if self.swapped is None else 1, self.table.ply)):
            if ply % 2 in seats:
                return ply
        raise self.not_allowed("nothing", Message("There is no move of yours to take back."))

    def undo_to(self, ply: int) -> list[Any]:
        """Take back the moves after a ply, also a resignation or an agreement; returns the moves."""
        self._end_offers()
        self.resigned, self.timed_out, self.agreed = None, False, False
        self._offer_plies = [min(each, ply) for each in self._offer_plies]
        return [self.table.undo() for _ in range(self.table.ply - ply)]

    def check_undo(self, seats: Collection[Seat]) -> int:
        """The ply to which these seats may go back without asking anybody."""
        if not self.single_person:
            raise self.not_allowed("ask", Message("Ask your opponent: a move is taken back by consent."))
        return self.undo_ply(seats)

    def check_takeback(self, seats: Collection[Seat]) -> None:
        """Check that these seats may ask the opponent to take their last move back."""
        self.undo_ply(seats)
        if self.takeback_asked_by is not None:
            raise self.not_allowed("asked", Message("That has been asked already."))

    def check_takeback_answer(self, seats: Collection[Seat]) -> int:
        """The ply to which the takeback leads that these seats may accept or decline."""
        if self.takeback_asked_by is None or self.takeback_asked_by in seats:
            raise self.not_allowed("unasked", Message("Nobody has asked you for anything."))
        return self.undo_ply((self.takeback_asked_by,))

    # Draws and other ends

    def check_draw_offer(self, seats: tuple[Seat, ...]) -> bool:
        """Check that these seats may offer a draw; returns whether that ends the game at once.

        It does if the opponent has offered one, and at one screen without a computer. Each player may offer
        one draw before each of their moves. Against the computer this is possible only on the player's turn.
        """
        if not self.can_draw:
            raise self.not_allowed(
                "no_draw", Message("This game always ends by its rules; nobody offers draws.")
            )
        if self.single_person and not self.has_computer:
            return True
        if self.draw_offered_by is not None and self.draw_offered_by not in seats:
            return True
        if self.draw_offered_by is not None or self.table.ply < self._offer_plies[seats[0]] + 2:
            raise self.not_allowed("offered", Message("You have offered a draw already. Make a move first."))
        if self.has_computer and self.table.turn not in seats:
            raise self.not_allowed("not_your_turn", Message("It is not your turn."))
        return False

    def check_draw_answer(self, seats: Collection[Seat]) -> None:
        """Check that these seats may accept or decline a draw."""
        if self.draw_offered_by is None or self.draw_offered_by in seats:
            raise self.not_allowed("unoffered", Message("Nobody has offered you a draw."))

    def offer_draw(self, seat: Seat) -> None:
        """A player offers a draw."""
        self.draw_offered_by = seat
        self._offer_plies[seat] = self.table.ply

    def decline_draw(self) -> None:
        """The opponent plays on."""
        self.draw_offered_by = None

    def agree_draw(self) -> None:
        """Both agree on a draw."""
        self.agreed = True
        self._end_offers()

    def resign(self, seats: Collection[Seat] | None = None, *, timed_out: bool = False) -> None:
        """A player with these seats (by default those of people) gives up, or has exceeded the time."""
        self.resigned, self.timed_out = self.resigning(seats), timed_out
        self._end_offers()

    def resigning(self, seats: Collection[Seat] | None = None) -> Seat:
        """The seat that gives up if a player with these seats does: the one to move, if it is theirs."""
        if seats is None:
            seats = self.people
        turn = self.table.turn
        return turn if turn in seats or not seats else min(seats)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return tuple(seat for seat in OTHER if self.seats[seat] == HUMAN)

    def _end_offers(self) -> None:
        self.takeback_asked_by = self.draw_offered_by = None


def person_of(seats: tuple[str, str]) -> Seat | None:
    """The seat of the one person; None if there are two or none."""
    if (seats[0] == HUMAN) == (seats[1] == HUMAN):
        return None
    return 0 if seats[0] == HUMAN else 1
