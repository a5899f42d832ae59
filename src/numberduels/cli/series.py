"""SeriesSession: a match at the prompt, for `duel play --rounds`."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from numberduels.analysis.solution import fairest
from numberduels.cli.console import Console
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt import Quit
from numberduels.cli.seats import Seats, SeatSetup, prepare_players
from numberduels.cli.session import Session
from numberduels.game.contract import Seat
from numberduels.game.table import Table
from numberduels.play.live_game import LiveGame
from numberduels.play.series import Series
from numberduels.play.setup import next_of_match
from numberduels.solvers import LOSS, TooLarge, make_oracle

if TYPE_CHECKING:
    from numberduels.game.files import GameFile


class SeriesSession:
    """A series of games between two players, who change seats."""

    def __init__(
        self,
        console: Console,
        series: Series,
        seats: Seats,
        *,
        external_options: tuple[str, ...] = (),
        file: GameFile | None = None,
    ) -> None:
        self.console = console
        self.series = series
        """The series with its games so far."""
        self.seats = seats
        self.external_options = external_options
        self._file = file

    def run(self) -> int:
        """Play to the end; returns the exit status: 1 if the input ended or if the match is not saved."""
        game = next_of_match(self.series, self._file)
        assert game.match
        if self.series.played:
            number = len(game.match.played) + 1
            self.console.say(
                f"The match goes on with game {number} of {game.match.total}: {game.match.score}.\n\n"
            )
        try:
            while True:
                self._play(game)
                assert game.match_so_far
                self.series = game.match_so_far
                self._tell()
                following = game.next_game()
                if following is None:
                    break
                game = following
        except Quit:
            pass
        except EOFError:
            return 1
        return int(game.save_failed)

    # One game

    def _play(self, game: LiveGame) -> None:
        """Play one game; with the pie rule the second player chooses a seat after the first move."""
        order = self._order()
        prepare_players(self.seats, game.table.game, game.table.start)
        if self.series.swap and game.swapped is None:
            asking = self._session(game, order, stop=1)
            if game.table.ply:  # resumed at the question
                asking.begin()
            if not game.table.ply and not self._first_move(asking, order[0]):
                return
            game.choose_seats(swap=self._changes(asking, self.seats[order[1]]))
        if game.swapped:
            order = (order[1], order[0])
        self._session(game, order).run()

    def _order(self) -> tuple[Seat, Seat]:
        """The players of the next game by seat, before anybody changes seats."""
        done = len(self.series.played) - (self.series.current is not None)
        return (1, 0) if self.series.scheduled_game(done).first else (0, 1)

    def _session(self, game: LiveGame, order: tuple[Seat, Seat], stop: int | None = None) -> Session:
        return Session(
            self.console,
            game,
            (self.seats[order[0]], self.seats[order[1]]),
            stop=stop,
            external_options=self.external_options,
        )

    def _first_move(self, session: Session, player: Seat) -> bool:
        """Let a player make the first move; False if they resign."""
        table = session.table
        cut = _cut(table.game, table.start) if self.seats[player].player else None
        if cut is not None:
            table.play(Random(f"{session.game.seed} cut").choice(cut))
            return True
        session.run()
        if session.game.over:
            return False
        prepare_players(self.seats, table.game, table.start)  # the players were closed after the first move
        return True

    def _changes(self, session: Session, seat_setup: SeatSetup) -> bool:
        """Whether the second player swaps seats."""
        table = session.table
        move = session.game.spec.text_for(table.game).typed(table.played[0])
        question = f"{seat_setup.name}, the first move is {move}. Change seats?"
        if not seat_setup.player:
            changes = session.agrees(question)
        else:
            changes = _better_off(table)
            self.console.say(f"{question} Type yes or no: {'yes' if changes else 'no'}\n")
        self.console.say("\n")
        return changes

    # Between games

    def _tell(self) -> None:
        """Print the standing; in a match of rounds after both games of a deal."""
        series = self.series
        games = series.standing.games
        self.console.say("\n")
        if series.rounds and games % 2:
            return
        place = (
            f"round {games // 2} of {series.rounds}" if series.rounds else f"game {games} of {series.total}"
        )
        self.console.say(f"Standing after {place}: {series.score}.\n")
        self.console.say(f"{series.result if series.over else ''}\n")


def _cut(game: Any, start: Any) -> list[Any] | None:
    """The fairest first moves for a computer under the pie rule; None if the game cannot be solved."""
    try:
        with ProgressBar("thinking"):
            return fairest(make_oracle(game).evaluate_moves(start))
    except TooLarge:
        return None


def _better_off(table: Table[Any, Any]) -> bool:
    """Whether the player to move would lose, so that swapping seats is better."""
    try:
        with ProgressBar("thinking"):
            return make_oracle(table.game).evaluate(table.state).value == LOSS
    except TooLarge:
        return False
