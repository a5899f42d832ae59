"""LiveGame: a game at the table, alone or in a match, with its seats, its file and what comes after it.

It knows nothing of the screen. Every change is saved at once, so that nothing is lost whatever happens.
"""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from numberduels.game import options, record
from numberduels.game.board import Board, board_of
from numberduels.game.contract import HUMAN, OTHER, Scored, Seat, always_ends
from numberduels.game.files import GameFile
from numberduels.game.formatting import capitalised, plural
from numberduels.game.record import UNFINISHED, Record
from numberduels.game.spec import GameSpec
from numberduels.game.table import THREEFOLD, Table, deal, replay
from numberduels.play import series
from numberduels.play.game_setup import GameSetup, match_names, setup_of
from numberduels.play.kept_text import player_names
from numberduels.play.saved_games import SavedGame, SavedMatch
from numberduels.play.series import Series
from numberduels.play.storage import first_failure_note
from numberduels.players import COMPUTER, LADDER, allowed_in_files

SEATS: tuple[Seat, Seat] = (0, 1)


def start_game(setup: GameSetup, names: tuple[str, str] = ("", ""), seed: str = "") -> LiveGame:
    """A new game, or the first game of a match if the rules are for two games.

    `names` are those of the player and the opponent; an empty one is for a person without a name.
    ValueError says what is wrong with the player's own sizes.
    """
    seed = seed or os.urandom(4).hex()
    game = setup.game()
    lot: Seat = 0 if Random(f"{seed} first").random() < 0.5 else 1
    begins: Seat = {"1": 0, "2": 1}.get(setup.first, lot)  # type: ignore[assignment]
    kinds = (HUMAN, setup.opponent)
    names = names[0], names[1] or ("" if setup.opponent == HUMAN else COMPUTER)
    if setup.is_match:
        named = names if all(names) else match_names(names[0], setup.opponent)
        match = Series(setup.spec, game, named, seats=kinds, seed=seed, rounds=1, first=begins, friendly=True)
        return _next_game(match, GameFile(setup.spec.name, kind="matches"))
    order: tuple[Seat, Seat] = (begins, OTHER[begins])
    return LiveGame(
        setup.spec,
        replay(deal(game, Random(f"{seed} deal"))),
        names=(names[order[0]], names[order[1]]),
        seats=(kinds[order[0]], kinds[order[1]]),
        seed=seed,
        file=GameFile(setup.spec.name),
    )


class DescribedMove(NamedTuple):
    """A move: who made it, how a person would type it, and what it did."""

    seat: Seat
    move: str
    effect: str


class LiveGame:
    """One game between two seats, of which at least one is a person's."""

    def __init__(
        self,
        spec: GameSpec,
        table: Table[Any, Any],
        *,
        names: tuple[str, str],
        seats: tuple[str, str],
        seed: str,
        file: GameFile,
        begun: Record | None = None,
        match: Series | None = None,
    ) -> None:
        """`begun` is the record that is continued, `match` the series with its finished games."""
        self.spec = spec
        self.table = table
        self.names = names
        self.seats = seats
        self.seed = seed
        self.match = match
        self.resigned: Seat | None = begun.resigned if begun else None
        self.agreed = begun.agreed if begun else False
        self._begun = begun
        self._file = file
        self.unsaved = ""
        """Why the game could not be saved the last time; empty if it is saved."""
        self._described: list[DescribedMove] = []
        """The cache of `described_moves`."""
        self.text = spec.text_for(table.game, names)

    # Who

    @property
    def person(self) -> Seat | None:
        """The seat of the only person; None if two people play."""
        people = [seat for seat in SEATS if self.seats[seat] == HUMAN]
        return people[0] if len(people) == 1 else None

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
    def title(self) -> str:
        """The game with its options, and which game of a match it is."""
        texts = options.format_undealt(self.table.game)
        sizes = ", ".join(f"{name} {text}" for name, text in texts.items())
        number = f" · game {len(self.match.played) + 1} of {self.match.total}" if self.match else ""
        return f"{self.spec.title} ({sizes}){number}" if sizes else f"{self.spec.title}{number}"

    def board(self, ply: int | None = None) -> Board:
        """The board now, or after this many moves."""
        table = (
            self.table if ply is None else Table(self.table.game, self.table.start, self.table.played[:ply])
        )
        board = board_of(self.table.game, table.state, table.played)
        return board.finished() if self.over and ply is None else board

    def described_moves(self) -> list[DescribedMove]:
        """Every move so far, and what it did."""
        played = self.table.played
        for ply, (before, move, _) in islice(enumerate(self.table.steps()), len(self._described), None):
            effect = board_of(self.table.game, before, played[:ply]).effects.get(self.text.format_move(move))
            seat = self.table.game.turn(before)
            self._described.append(
                DescribedMove(seat, self.text.typed(move), str(effect.text) if effect else "")
            )
        return self._described

    def say_move(self, move: str) -> str:
        """A move of a record as a person would type it."""
        return self.text.typed(self.text.parse_move(move))

    # How it goes on

    @property
    def over(self) -> bool:
        """Whether the game has ended, in whatever way."""
        return self.resigned is not None or self.agreed or self.table.outcome is not None

    @property
    def winner(self) -> Seat | None:
        """The seat that has won, if one has."""
        if self.resigned is not None:
            return OTHER[self.resigned]
        return self.table.outcome.winner if self.table.outcome else None

    @property
    def scores(self) -> tuple[int, int] | None:
        """The points of both seats, in a game of points."""
        game = self.table.game
        return game.scores(self.table.state) if isinstance(game, Scored) else None

    @property
    def can_draw(self) -> bool:
        """Whether a draw can be offered."""
        return not self.over and not always_ends(self.table.game)

    @property
    def threefold(self) -> bool:
        """Whether this position stands for the third time, in a game that need not end."""
        return self.can_draw and self.table.times_reached == THREEFOLD

    def play(self, text: str) -> str:
        """Make a move, given as text; returns the note of `save`. Unreadable and IllegalMove are raised."""
        self.table.play_text(text, self.text.parse_move)
        return self.save()

    def undo(self) -> bool:
        """Take back moves until a person is to move again; False if there is nothing to take back."""
        mine = [
            ply
            for ply, (before, _, _) in enumerate(self.table.steps())
            if self.seats[self.table.game.turn(before)] == HUMAN
        ]
        if not mine:
            return False
        self.resigned, self.agreed = None, False
        while self.table.ply > mine[-1]:
            self.table.undo()
        del self._described[self.table.ply :]
        self.save()
        return True

    def resign(self) -> str:
        """The person gives up; of two people the one to move."""
        self.resigned = self.table.turn if self.person is None else self.person
        return self.save()

    def agree_draw(self) -> str:
        """Both agree on a draw."""
        self.agreed = True
        return self.save()

    # Records and files

    def record(self) -> Record:
        """The record of the game so far."""
        begun = self._begun
        return Record(
            self.spec,
            self.table.game,
            self.table.played,
            names=self.names,
            seats=self.seats,
            date=begun.date if begun else date.today().strftime("%Y.%m.%d"),
            seed=self.seed,
            resigned=self.resigned,
            agreed=self.agreed,
            swapped=begun.swapped if begun else None,
            other=begun.other if begun else (),
        )

    def record_text(self) -> str:
        """The record as text."""
        return record.write(self.record())

    @property
    def path(self) -> str:
        """The file of the game or of its match; empty if nothing is saved yet."""
        return self._file.path

    def save(self) -> str:
        """Save the game, or its match; returns a note for the player, empty if all is well."""
        game = self.record()
        try:
            if not self.match:
                if game.moves or game.result != UNFINISHED or self._file.asked:
                    self._file.save(record.write(game))
                else:
                    self._file.discard()
            else:
                played = (
                    (*self.match.played, game)
                    if game.moves or game.result != UNFINISHED
                    else self.match.played
                )
                self._file.save(series.write(replace(self.match, played=played)))
        except OSError as fault:
            self.unsaved = fault.strerror or str(fault)
            return first_failure_note("this game", fault)
        self.unsaved = ""
        return ""

    # What comes after it

    def next_game(self) -> LiveGame | None:
        """The next game of the match; None if there is no match, or if it is over."""
        if not self.match:
            return None
        match = replace(self.match, played=(*self.match.played, self.record()))
        return None if match.over else _next_game(match, self._file)

    @property
    def match_result(self) -> str:
        """How the match ended, in one sentence; empty if it is not over, or if there is none."""
        if not self.match or not self.over:
            return ""
        match = replace(self.match, played=(*self.match.played, self.record()))
        if not match.over:
            return ""
        standing = match.standing
        if not standing.ahead:
            return "The match ends level."
        winner: Seat = 1 if standing.ahead < 0 else 0
        by = plural(abs(standing.ahead), "game" if standing.margin is None else "point")
        if self.person is None:
            return f"The match goes to {match.names[winner]} by {by}."
        if match.seats[winner] == HUMAN:
            return f"You win the match by {by}."
        return f"{capitalised(match.names[winner])} wins the match by {by}."

    def rematch(self, opponent: str = "") -> LiveGame:
        """The same game once more with the other player beginning, or against another opponent."""
        if self.match:
            setup = setup_of(self.spec, self.match.game, match=True)
            names, player_began = self.match.names, self.match.first == 0
        else:
            setup = setup_of(self.spec, self.spec.make(options.format_undealt(self.table.game)))
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


def _next_game(match: Series, file: GameFile) -> LiveGame:
    """The next game of a match, which is to be played."""
    index = len(match.played)
    scheduled = match.scheduled_game(index)
    one, other = match.order(index)
    return LiveGame(
        match.spec,
        replay(scheduled.game),
        names=(match.names[one], match.names[other]),
        seats=(match.seats[one], match.seats[other]),
        seed=scheduled.seed,
        file=file,
        match=match,
    )


def continued(saved: SavedGame | SavedMatch) -> LiveGame:
    """Go on with a saved game or match; ValueError if a file seats a player that no file may seat."""
    seats = saved.record.seats if isinstance(saved, SavedGame) else saved.series.seats
    if not all(map(allowed_in_files, seats)) or HUMAN not in seats:
        raise ValueError(
            "This game cannot be continued here: a file may seat only you and a built-in player."
        )
    if isinstance(saved, SavedGame):
        file = GameFile(saved.record.spec.name, saved.path, holds=_text_of(saved.path))
        return _continued_game(saved.record, file, None)
    match, current = saved.series, saved.series.current
    file = GameFile(match.spec.name, saved.path, kind="matches", holds=_text_of(saved.path))
    if match.swap:
        raise ValueError("A match with the pie rule goes on in line mode: duel continue.")
    if current is None:
        return _next_game(match, file)
    return _continued_game(current, file, replace(match, played=match.played[:-1]))


def _continued_game(begun: Record, file: GameFile, match: Series | None) -> LiveGame:
    return LiveGame(
        begun.spec,
        begun.table(),
        names=begun.names,
        seats=begun.seats,
        seed=begun.seed,
        file=file,
        begun=begun,
        match=match,
    )


def _text_of(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None
