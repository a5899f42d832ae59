"""LiveGame: a game that is being played, alone or in a match: its moves, its end, its file, and what follows.

What players may do is decided by `game_in_progress.py`. Here is what one person has of a game: how it is
shown, its file, the match it belongs to, and what follows. Only saving touches a file.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from numberduels.game.contract import HUMAN, OTHER, Seat
from numberduels.game.formatting import capitalised
from numberduels.game.table import THREEFOLD, Table
from numberduels.play.game_in_progress import GameInProgress, NotAllowed
from numberduels.play.live_text import player_names
from numberduels.players import LADDER

if TYPE_CHECKING:
    from numberduels.game.board import Board
    from numberduels.game.files import GameFile
    from numberduels.game.record import Record
    from numberduels.game.spec import GameSpec
    from numberduels.play.series import Series

# Other modules are imported where they are needed: the first prompt of `duel play` must not wait for them.


class DescribedMove(NamedTuple):
    """A move: who made it, how a person would type it, and what it did."""

    seat: Seat
    move: str
    effect: str


class LiveGame(GameInProgress):
    """One game between two seats at one screen."""

    def __init__(
        self,
        spec: GameSpec,
        table: Table[Any, Any],
        *,
        names: tuple[str, str] = ("", ""),
        seats: tuple[str, str] = (HUMAN, HUMAN),
        seed: str = "",
        file: GameFile | None = None,
        begun: Record | None = None,
        match: Series | None = None,
    ) -> None:
        """`begun` is the record that is continued, `match` the series with its finished games.

        `seats` are kinds of players, such as human and casual. Without a `file` a new one is made when the
        game is saved.
        """
        super().__init__(spec, table, names, seats)
        self.seed = seed
        self.match = match
        self.date = time.strftime("%Y.%m.%d")
        if begun:
            self.resigned, self.agreed, self.swapped = begun.resigned, begun.agreed, begun.swapped
            self.timed_out, self.date, self.other_tags = begun.timed_out, begun.date, begun.other
        self.unsaved = ""
        """Why the game could not be saved the last time; empty if it is saved."""
        self._file = file
        self._described: list[DescribedMove] = []

    # Who

    @property
    def computer_to_move(self) -> bool:
        """Whether the game goes on and a computer is to move."""
        return not self.over and self.seats[self.table.turn] != HUMAN

    @property
    def opponent(self) -> str:
        """The kind of player who sits opposite: human, or a computer player."""
        return HUMAN if self.person is None else self.seats[OTHER[self.person]]

    def label(self, seat: Seat) -> str:
        """What a player is called; a computer with its level."""
        name = player_names(self.seats, self.names)[seat]
        return name if self.seats[seat] == HUMAN else f"{name} ({self.seats[seat]})"

    @property
    def labels(self) -> tuple[str, str]:
        """What both are called, without levels, as in a list."""
        first, second = player_names(self.seats, self.names)
        return capitalised(first), capitalised(second)

    # What

    @property
    def noun(self) -> str:
        """What is saved: a game or a match."""
        return "match" if self.match else "game"

    @property
    def title(self) -> str:
        """The game with its options, and which game of a match it is."""
        from numberduels.game import options

        texts = options.format_undealt(self.table.game)
        sizes = ", ".join(f"{name} {text}" for name, text in texts.items())
        number = f" · game {len(self.match.played) + 1} of {self.match.total}" if self.match else ""
        return f"{self.spec.title} ({sizes}){number}" if sizes else f"{self.spec.title}{number}"

    def board(self, ply: int | None = None) -> Board:
        """The board now, or after this many moves."""
        from numberduels.game.board import board_of

        table = self.table if ply is None else self.table.at(ply)
        board = board_of(table.game, table.state, table.played)
        return board.finished() if self.over and ply is None else board

    def described_moves(self) -> list[DescribedMove]:
        """Every move so far, and what it did."""
        from numberduels.game.board import board_of

        played = self.table.played
        for ply, (before, move, _) in islice(enumerate(self.table.steps()), len(self._described), None):
            effect = board_of(self.table.game, before, played[:ply]).effects.get(self.text.format_move(move))
            self._described.append(
                DescribedMove(
                    self.table.game.turn(before), self.text.typed(move), str(effect.text) if effect else ""
                )
            )
        return self._described

    def say_move(self, move: str) -> str:
        """A move of a record as a person would type it."""
        return self.text.typed(self.text.parse_move(move))

    def rng(self, purpose: str) -> Random:
        """A generator that depends on the seed, the purpose and the number of moves."""
        return Random(f"{self.seed} {purpose} {self.table.ply}")

    # How it goes on

    @property
    def friendly(self) -> bool:
        """Whether hints, values and undo are allowed: always, unless a match forbids them."""
        return self.match is None or self.match.friendly

    def undo(self) -> list[Any]:
        """Take back moves until a person is to move again, also a resignation; returns the moves."""
        try:
            gone = self.undo_to(self.undo_ply(self.people))
        except NotAllowed:
            return []
        del self._described[self.table.ply :]
        return gone

    def choose_seats(self, *, swap: bool) -> None:
        """The second player keeps the seats after the first move, or swaps them: the pie rule."""
        self.swapped = swap
        if swap:
            self.set_players(self.names[::-1], self.seats[::-1])

    # Records and files

    def record_text(self) -> str:
        """The record as text."""
        from numberduels.game.record import write

        return write(self.record())

    @property
    def match_so_far(self) -> Series | None:
        """The match with this game, unless nothing has happened in it; None if there is no match."""
        if not self.match or not (self.table.ply or self.over):
            return self.match
        return replace(self.match, played=(*self.match.played, self.record()))

    def saved_text(self) -> str:
        """What is written to the file: the record, or the match."""
        from numberduels.play import series

        return series.write(self.match_so_far) if self.match_so_far else self.record_text()

    @property
    def file(self) -> GameFile:
        """The file of the game or of its match."""
        if self._file is None:
            from numberduels.game.files import GameFile

            self._file = GameFile(self.spec.name, kind="matches" if self.match else "games")
        return self._file

    @property
    def file_named(self) -> bool:
        """Whether the user has named the file."""
        return self._file is not None and self._file.asked

    @property
    def path(self) -> str:
        """The path of that file; empty if nothing is saved yet."""
        return self._file.path if self._file else ""

    @property
    def save_failed(self) -> bool:
        """Whether the game is not saved at all, or not in the file that the user named."""
        return bool(self.unsaved or (self._file and self._file.fault))

    def write_file(self) -> None:
        """Save the game or its match; OSError if neither its file nor the data folder can be written.

        Before the first move nothing is kept, unless the file has been there before.
        """
        begun = self.table.ply or (self.match and (self.match.played or self.over))
        if not begun and not (self.file.asked and self.file.holds):
            self.file.discard()
            return
        self.unsaved = "interrupted"
        try:
            self.file.save(self.saved_text())
        except OSError as fault:
            self.unsaved = fault.strerror or str(fault)
            raise
        self.unsaved = ""

    def save(self) -> str:
        """Save the game or its match; returns a note for the player, empty if all is well or was said."""
        from numberduels.play.storage import first_failure_note

        try:
            self.write_file()
        except OSError as fault:
            return first_failure_note("this game", fault)
        return ""

    # What comes after it

    def next_game(self) -> LiveGame | None:
        """The next game of the match; None if there is no match, or if it is over."""
        from numberduels.play.setup import next_of_match

        match = self.match_so_far
        return None if match is None or match.over else next_of_match(match, self.file)

    @property
    def match_result(self) -> str:
        """How the match ended, in one sentence; empty if it is not over, or if there is none."""
        match = self.match_so_far
        return match.result if match and match.over else ""

    def rematch(self, opponent: str = "") -> LiveGame:
        """The same game once more with the other player beginning, or against another opponent."""
        from numberduels.play.setup import setup_of, start_game

        if self.match:
            setup = setup_of(self.spec, self.match.game, match=True)
            names, player_began = self.match.names, self.match.first == 0
        else:
            setup = setup_of(self.spec, self.redealt())
            seat: Seat = self.person or 0
            names, player_began = (self.names[seat], self.names[OTHER[seat]]), seat == 0
        first = "2" if player_began else "1"
        return start_game(replace(setup, opponent=opponent or self.opponent, first=first), names)

    @property
    def next_opponent(self) -> str:
        """A stronger computer after a win, a weaker one after a loss; empty if there is none."""
        if self.opponent not in LADDER or not self.over or self.winner is None:
            return ""
        place = LADDER.index(self.opponent) + (1 if self.winner == self.person else -1)
        return LADDER[place] if 0 <= place < len(LADDER) else ""


def fresh_seed() -> str:
    """A random seed."""
    return os.urandom(4).hex()


def first_seat(first: str, seed: str) -> Seat:
    """Which of two players begins: `first` is 1, 2 or random, which the seed decides."""
    if first == "random":
        return 0 if Random(f"{seed} first").random() < 0.5 else 1
    return 1 if first == "2" else 0


# What players decide


def accepts_draw(table: Table[Any, Any], most_positions: int | None = None) -> bool:
    """Whether a computer, which is not to move, takes a draw: unless it can win.

    Where that cannot be computed, it does if the position has occurred three times.
    """
    from numberduels.solvers import DRAW, MAX_POSITIONS, TooLarge, make_oracle

    try:
        oracle = make_oracle(table.game, most_positions or MAX_POSITIONS)
        return oracle.evaluate(table.state).value >= DRAW
    except TooLarge:
        return table.times_reached >= THREEFOLD
