"""SeriesSession: play a series of games, for `duel match` and `duel play --best-of`."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from numberduels.analysis.solution import fairest
from numberduels.cli.arguments import prepare_players
from numberduels.cli.console import Console
from numberduels.cli.play_result import PlayResult
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt_commands import Quit
from numberduels.cli.saving import GameSaver, resume_command
from numberduels.cli.seats import SeatSetup
from numberduels.cli.session import Session
from numberduels.game.contract import Seat
from numberduels.game.record import UNFINISHED
from numberduels.game.table import Table, replay
from numberduels.play.series import ScheduledGame, Series, write
from numberduels.solvers import LOSS, TooLarge
from numberduels.solvers.oracles import make_oracle

if TYPE_CHECKING:
    from numberduels.game.files import GameFile
    from numberduels.game.record import Record


class SeriesSaver(GameSaver):
    """Saves a series with its game in progress."""

    noun = "match"

    def __init__(
        self,
        series: Series,
        seats: tuple[SeatSetup, SeatSetup],
        file: GameFile | None,
        external_options: tuple[str, ...],
    ) -> None:
        super().__init__(series.spec.name, file, external_options)
        self.series = series
        """The series with its finished games."""
        self._seats = seats

    @property
    def file_requested(self) -> bool:
        return self.file.asked

    def new_file(self) -> GameFile:
        from numberduels.game.files import GameFile

        return GameFile(self.name, kind="matches")

    def save(self, game: Record) -> None:
        if game.moves or game.result != UNFINISHED or self.series.played:
            self.file.save(self.text(game))
        else:
            super().save(game)

    def text(self, game: Record) -> str:
        begun = game.moves or game.result != UNFINISHED
        return write(replace(self.series, played=(*self.series.played, game)) if begun else self.series)

    def resume_command(self, seats: tuple[SeatSetup, SeatSetup]) -> str:
        return resume_command("match", self.file.path, self.name, self._seats, self.external_options)

    def replay_arguments(self) -> tuple[str, ...]:
        return self.arguments_of(len(self.series.played) + 1)

    def arguments_of(self, number: int) -> tuple[str, ...]:
        """The arguments of `duel replay` and `duel review` for one game; none if it is not saved."""
        return (*name, "--game", str(number)) if (name := super().replay_arguments()) else ()


class SeriesSession:
    """A series at the prompt."""

    def __init__(
        self,
        console: Console,
        series: Series,
        seats: tuple[SeatSetup, SeatSetup],
        *,
        delay: float = 0.0,
        external_options: tuple[str, ...] = (),
        file: GameFile | None = None,
    ) -> None:
        self.console = console
        self.seats = seats
        self.delay = delay
        self.spec = series.spec
        self._begun = series.current
        done = series.played[:-1] if self._begun else series.played
        self.saver = SeriesSaver(replace(series, played=done), seats, file, external_options)

    @property
    def series(self) -> Series:
        """The series with its finished games."""
        return self.saver.series

    def run(self) -> PlayResult:
        """Play to the end."""
        if self.series.played or self._begun:
            game = len(self.series.played) + 1
            self.console.say(
                f"The match goes on with game {game} of {self.series.total}: {self._score()}.\n\n"
            )
        try:
            while not self.series.over:
                index = len(self.series.played)
                game_record = self._play(self.series.scheduled_game(index), self._begun)
                self._begun = None
                self.saver.series = replace(self.series, played=(*self.series.played, game_record))
                self._tell()
        except Quit:
            return self._result(int(self.saver.failed))
        except EOFError:
            return self._result(1, input_ended=True)
        return self._result(int(self.saver.failed))

    def _result(self, status: int, *, input_ended: bool = False) -> PlayResult:
        return PlayResult(status, self.series.over, self.series.first, self.review_arguments(), input_ended)

    def review_arguments(self) -> tuple[str, ...]:
        """The arguments of `duel review` for the last game; none if there is none, or if it is not saved."""
        return self.saver.arguments_of(len(self.series.played)) if self.series.played else ()

    # One game

    def _play(self, scheduled_game: ScheduledGame, begun: Record | None) -> Record:
        """Play one game; with the pie rule the second player chooses a seat after the first move."""
        game = scheduled_game.game
        table: Table[Any, Any] = begun.table() if begun else replay(game)
        order: tuple[Seat, Seat] = (1, 0) if scheduled_game.first else (0, 1)
        swapped = begun.swapped if begun else None
        prepare_players(self.seats, game, table.start)
        if self.series.swap and swapped is None:
            asking = self._session(table, order, scheduled_game.seed, begun, stop=1)
            if table.ply:  # resumed at the question
                asking.begin()
            if not table.ply and not self._first_move(asking, order[0]):
                return asking.record()
            swapped = self._changes(asking, self.seats[order[1]])
        if swapped:
            order = (order[1], order[0])
        session = self._session(table, order, scheduled_game.seed, begun, swapped=swapped)
        session.run()
        return session.record()

    def _session(
        self,
        table: Table[Any, Any],
        order: tuple[Seat, Seat],
        seed: str,
        begun: Record | None,
        *,
        stop: int | None = None,
        swapped: bool | None = None,
    ) -> Session:
        seats = self.seats[order[0]], self.seats[order[1]]
        return Session(
            self.console,
            self.spec,
            table,
            seats,
            seed=seed,
            delay=self.delay,
            stop=stop,
            saver=self.saver,
            begun=begun,
            swapped=swapped,
            friendly=self.series.friendly,
        )

    def _first_move(self, session: Session, player: Seat) -> bool:
        """Let a player make the first move; False if they resign."""
        table = session.table
        cut = _cut(table.game, table.start) if self.seats[player].player else None
        if cut is not None:
            table.play(Random(f"{session.seed} cut").choice(cut))
            return True
        session.run()
        if session.resigned is not None or session.agreed:
            return False
        prepare_players(self.seats, table.game, table.start)  # the players were closed after the first move
        return True

    def _changes(self, session: Session, seat_setup: SeatSetup) -> bool:
        """Whether the second player swaps seats."""
        table = session.table
        move = self.spec.text_for(table.game).typed(table.played[0])
        question = f"{seat_setup.name}, the first move is {move}. Change seats? Type yes or no: "
        if not seat_setup.player:
            changes = session.agrees(question)
        else:
            changes = _better_off(table)
            self.console.say(f"{question}{'yes' if changes else 'no'}\n")
        self.console.say("\n")
        return changes

    # Between games

    def _tell(self) -> None:
        """Print the standing; in a match of rounds after both games of a deal."""
        series = self.series
        games = series.standing.games
        if series.rounds:
            self.console.say("\n")
            if games % 2:
                return
            told = f"Standing after round {games // 2} of {series.rounds}: {self._score()}.\n"
        else:
            told = f"\nStanding after game {games} of {series.best_of}: {self._score()}.\n"
        ahead = series.standing.ahead
        if not series.over:
            told += "\n"
        else:
            told += f"{series.names[ahead < 0]} wins the match.\n" if ahead else "The match ends level.\n"
        self.console.say(told)

    def _score(self) -> str:
        series = self.series
        games, wins, margin = series.standing
        score = f"{series.names[0]} {wins[0]}, {series.names[1]} {wins[1]}"
        undecided = games - sum(wins)
        if series.rounds:
            score = f"wins {score}"
        if undecided:
            score += f", without a winner {undecided}"
        if margin is None:
            return score
        leader = series.names[margin < 0]
        points = f"in points {leader} is ahead by {abs(margin)}" if margin else "in points they are level"
        return f"{score}; {points}"


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
