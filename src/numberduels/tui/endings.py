"""ending_reason(): why a game has ended, in one sentence."""

from __future__ import annotations

from numberduels.game.contract import OTHER, Outcome, Seat
from numberduels.game.formatting import capitalised

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
