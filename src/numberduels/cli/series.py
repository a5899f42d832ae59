"""A match at the prompt, for `duel play --rounds`: its games, the pie rule, and the standing in between."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from numberduels.analysis.solution import fairest
from numberduels.cli.console import Console
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt import Quit
from numberduels.cli.seats import Seats, SeatSetup, prepare_players
from numberduels.cli.session import Session
from numberduels.game.table import Table
from numberduels.play.live_game import LiveGame
from numberduels.play.series import Series
from numberduels.play.setup import next_of_match
from numberduels.solvers import LOSS, TooLarge, make_oracle

if TYPE_CHECKING:
    from numberduels.game.files import GameFile


def play_match(
    console: Console,
    series: Series,
    seats: Seats,
    external_options: tuple[str, ...] = (),
    file: GameFile | None = None,
) -> int:
    """Play a match to its end; the status is 1 if the input ended or if the match is not saved.

    `seats` are those of the series; the players change them from game to game.
    """
    game = next_of_match(series, file)
    if game.match and series.played:
        number = len(game.match.played) + 1
        console.say(f"The match goes on with game {number} of {game.match.total}: {game.match.score}.\n\n")
    try:
        while True:
            _play(console, game, seats, external_options)
            assert game.match_so_far
            _tell(console, game.match_so_far)
            following = game.next_game()
            if following is None:
                break
            game = following
    except Quit:
        pass
    except EOFError:
        return 1
    return int(game.save_failed)


def _play(console: Console, game: LiveGame, seats: Seats, external: tuple[str, ...]) -> None:
    """Play one game; with the pie rule the second player chooses a seat after the first move."""
    by_name = {seat.name: seat for seat in seats}

    def session(stop: int | None = None) -> Session:
        order = by_name[game.names[0]], by_name[game.names[1]]
        return Session(console, game, order, stop=stop, external_options=external)

    prepare_players(seats, game.table.game, game.table.start)
    assert game.match
    if game.match.swap and game.swapped is None:
        asking = session(stop=1)
        if game.table.ply:  # resumed at the question
            asking.begin()
        else:
            _make_first_move(asking)
            if game.over:
                return
            prepare_players(seats, game.table.game, game.table.start)  # they were closed after the move
        game.choose_seats(swap=_swaps(asking, asking.seats[1]))
    session().run()


def _make_first_move(session: Session) -> None:
    """Let the first player move; under the pie rule a computer makes one of the fairest moves."""
    table = session.table
    cut = _fairest_moves(table) if session.seats[0].player else None
    if cut is None:
        session.run()
    else:
        table.play(Random(f"{session.game.seed} cut").choice(cut))


def _swaps(session: Session, second: SeatSetup) -> bool:
    """Whether the second player swaps seats."""
    table = session.table
    move = session.game.spec.text_for(table.game).typed(table.played[0])
    question = f"{second.name}, the first move is {move}. Change seats?"
    if not second.player:
        swaps = session.agrees(question)
    else:
        swaps = _is_lost(table)
        session.console.say(f"{question} Type yes or no: {'yes' if swaps else 'no'}\n")
    session.console.say("\n")
    return swaps


def _tell(console: Console, series: Series) -> None:
    """Print the standing; in a match of rounds after both games of a deal."""
    games = series.standing.games
    console.say("\n")
    if series.rounds and games % 2:
        return
    place = f"round {games // 2} of {series.rounds}" if series.rounds else f"game {games} of {series.total}"
    console.say(f"Standing after {place}: {series.score}.\n{series.result if series.over else ''}\n")


def _fairest_moves(table: Table[Any, Any]) -> list[Any] | None:
    """The fairest first moves; None if the game cannot be solved."""
    try:
        with ProgressBar("thinking"):
            return fairest(make_oracle(table.game).evaluate_moves(table.start))
    except TooLarge:
        return None


def _is_lost(table: Table[Any, Any]) -> bool:
    """Whether the player to move loses; False if that cannot be computed."""
    try:
        with ProgressBar("thinking"):
            return make_oracle(table.game).evaluate(table.state).value == LOSS
    except TooLarge:
        return False
