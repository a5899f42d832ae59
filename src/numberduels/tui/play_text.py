"""What the table says about a game: whose turn it is, the line of each seat, the result, values of moves."""

from __future__ import annotations

from numberduels.game.board_text import SYMBOLS
from numberduels.game.contract import Seat
from numberduels.game.formatting import capitalised
from numberduels.play.live_game import LiveGame
from numberduels.solvers import Worth
from numberduels.tui.endings import ending_reason


def turn_text(game: LiveGame, looking: int | None) -> str:
    """Whose turn it is, or which earlier position is looked at."""
    if looking is not None:
        return f"You are looking at the past: after move {looking} of {game.table.ply}. End goes back."
    if game.over:
        return ""
    label = capitalised(game.label(game.table.turn))
    if game.computer_to_move:
        return f"{label} is thinking …"
    return "Your turn." if game.person is not None else f"{label}, it is your turn."


def seat_text(game: LiveGame, seat: Seat, *, turn: bool) -> str:
    """The line of a seat: a mark if it is to move, its sign, its name and its points."""
    scores = f"  {game.scores[seat]} points" if game.scores else ""
    return f"{'▶' if turn else ' '} {SYMBOLS[seat]} {capitalised(game.label(seat))}{scores}"


def result_text(game: LiveGame) -> str:
    """Who won, and by what."""
    winner = game.winner
    if winner is None:
        head = "The game is a draw." if game.agreed else "Nobody wins."
    elif game.person is None:
        head = f"The winner is {game.label(winner)}!"
    else:
        head = "You win!" if winner == game.person else f"{capitalised(game.label(winner))} wins."
    if game.scores:
        ours = game.scores if not game.person else game.scores[::-1]
        head += f" {ours[0]} to {ours[1]} points."
    if game.resigned is not None:
        return f"{head} {capitalised(game.label(game.resigned))} gave up."
    outcome = game.table.outcome
    if game.scores or outcome is None:  # the points say it
        return head
    return f"{head} {ending_reason(outcome, game.person, game.labels)}".rstrip()


def short_value(worth: Worth) -> str:
    """The worth of a move in a few characters.

    >>> short_value(Worth(1)), short_value(Worth(-1, margin=-7))
    ('win', '-7')
    """
    return worth.value_name if worth.margin is None else f"{worth.margin:+}"
