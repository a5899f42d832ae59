"""What is said about a game in progress: names of players, whose turn it is, the result, why it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.game.contract import HUMAN, OTHER, Outcome, Seat
from numberduels.game.formatting import capitalised
from numberduels.play.game_in_progress import person_of
from numberduels.players import COMPUTER

if TYPE_CHECKING:
    from numberduels.play.live_game import LiveGame

TO_A_PERSON = {
    ("stuck", True): "They are stuck: no move is left for them.",
    ("stuck", False): "You are stuck: no move is left for you.",
    ("misere", True): "You are stuck: no move is left for you, and that wins.",
    ("misere", False): "They are stuck: no move is left for them, and that wins.",
    ("last", True): "The last number is yours.",
    ("last", False): "The last number is theirs.",
    ("exact", True): "That is exactly the target.",
    ("exact", False): "They hit the target exactly.",
    ("over", True): "They went over the target.",
    ("over", False): "That goes over the target.",
    ("points", True): "You have more points.",
    ("points", False): "They have more points.",
}
"""By the reason of the outcome, and whether the person has won."""

ABOUT_TWO = {
    "stuck": "{loser} is stuck: no move is left.",
    "misere": "{winner} is stuck: no move is left, and that wins.",
    "last": "{winner} took the last number.",
    "exact": "{winner} hit the target exactly.",
    "over": "{loser} went over the target.",
    "points": "{winner} has more points.",
}
"""By the reason of the outcome, where two people play."""


def player_names(seats: tuple[str, str], names: tuple[str, str]) -> tuple[str, str]:
    """What the players are called, with words for those who have no name.

    >>> player_names(("casual", "human"), ("", "")), player_names(("human", "human"), ("Ada", ""))
    (('the computer', 'you'), ('Ada', 'Player 2'))
    """
    person = person_of(seats)
    first, second = (
        name or (COMPUTER if seats[seat] != HUMAN else "you" if seat == person else f"Player {seat + 1}")
        for seat, name in enumerate(names)
    )
    return first, second


def ending_reason(outcome: Outcome, person: Seat | None, labels: tuple[str, str]) -> str:
    """Why the game ended. It speaks to the only `person`; None is for two people, who are called `labels`.

    A reason that only a game of another package has is left out.

    >>> ending_reason(Outcome(1, "stuck"), 0, ("You", "The computer"))
    'You are stuck: no move is left for you.'
    >>> ending_reason(Outcome(1, "over"), None, ("Ada", "Max"))
    'Ada went over the target.'
    """
    if outcome.winner is None:
        return ""
    if person is not None:
        return TO_A_PERSON.get((outcome.why, outcome.winner == person), "")
    winner, loser = labels[outcome.winner], labels[OTHER[outcome.winner]]
    return capitalised(ABOUT_TWO.get(outcome.why, "").format(winner=winner, loser=loser))


def turn_text(game: LiveGame, looking: int | None = None) -> str:
    """Whose turn it is, or which earlier position is looked at."""
    if looking is not None:
        return f"You are looking at the past: after move {looking} of {game.table.ply}. End goes back."
    if game.over:
        return ""
    label = capitalised(game.label(game.table.turn))
    if game.computer_to_move:
        return f"{label} is thinking …"
    return "Your turn." if game.person is not None else f"{label}, it is your turn."


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
