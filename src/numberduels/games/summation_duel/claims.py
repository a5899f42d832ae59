"""What the book of Summation Duel says about itself, and how to find out."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from numberduels.analysis.claims import (
    Book,
    Finding,
    consistent,
    ends,
    mislisted,
    played,
    positions,
    shown,
    verdict,
)
from numberduels.bits import members
from numberduels.core import OTHER, IllegalMove, Seat
from numberduels.games.summation_duel.rules import Sum, SummationDuel
from numberduels.solvers import LOSS, Retrograde

CLAIMS = Book("summation-duel")

GAME = SummationDuel()

FIRST = (6, 9, 10, 8, 7, 5, 4, 1)
FIRST_TOTALS = (6, 15, 25, 33, 40, 45, 49, 50)
"""The first example: its choices, and the totals that it prints."""

SECOND = (1, 10, 2, 9, 3, 8, 4, 7, 5, 6)
SECOND_TOTALS = (1, 11, 13, 22, 25, 33, 37, 44, 49, 55)
"""The second example, which is to show the strategy."""

SESSION = (7, 8, 10, 9, 6, 5, 3, 2)
SESSION_TOTALS = (7, 15, 25, 34, 40, 45, 48, 50)
SESSION_CHOICES = {
    1: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    2: (1, 2, 3, 4, 5, 6, 8, 9, 10),
    3: (1, 2, 3, 4, 5, 6, 9, 10),
    4: (1, 2, 3, 4, 5, 6, 9),
    5: (1, 2, 3, 4, 5, 6),
    6: (1, 2, 3, 4, 5),
    7: (1, 2, 3, 4),
    8: (1, 2, 4),
}
"""The session at the prompt, with the choices that it prints."""

ELEVENS = (11, 22, 33, 44)
"""The totals that are said to force a win on whoever makes them."""


@CLAIMS.says("Whoever brings the total to 11, 22, 33 or 44 has forced the opponent into a lost position.")
def elevens() -> Finding:
    """Solve every position with such a total, and follow the advice against best play."""
    oracle = Retrograde(GAME)
    there = [state for state in positions(GAME) if state[1] in ELEVENS]
    lost = [state for state in there if oracle.evaluate(state).value == LOSS]
    game = _followed(oracle, ())
    return Finding(
        verdict(len(lost) == len(there)),
        f"Of {len(there)} positions with such a total, {len(lost)} are lost for the player to move and"
        f" {len(there) - len(lost)} are won."
        + (" In the game shown Player 2 makes all four totals and loses." if game else ""),
        shown(GAME, game) if game and len(lost) < len(there) else None,
    )


def _followed(oracle: Retrograde[Sum, int], moves: tuple[int, ...]) -> tuple[int, ...] | None:
    """A game in which Player 2 makes every one of the totals and loses, Player 1 playing perfectly."""
    table = played(GAME, moves)
    if table.outcome:
        return moves if table.outcome.winner == 0 and set(ELEVENS) <= set(accumulate(moves)) else None
    choices = oracle.best_moves(table.state) if table.turn == 0 else list(table.moves)
    made = len(moves) // 2
    if table.turn == 1 and made < len(ELEVENS):
        choices = [move for move in choices if table.state[1] + move == ELEVENS[made]]
    return next((game for move in choices if (game := _followed(oracle, (*moves, move)))), None)


@CLAIMS.says("The second example shows how making multiples of 11 leads to a win.")
def second_example_wins() -> Finding:
    """See who makes the multiples in it, and who wins."""
    makers: set[Seat] = {
        played(GAME, SECOND[:ply]).turn for ply, total in enumerate(accumulate(SECOND)) if total in ELEVENS
    }
    table = played(GAME, SECOND)
    winner = table.outcome.winner if table.outcome else None
    holds = makers == {winner}
    return Finding(
        verdict(holds),
        f"The multiples are all made by {_players(makers)}, and the game is won by"
        f" {_players({winner} if winner is not None else set())}.",
        None if holds else shown(GAME, SECOND),
    )


def _players(seats: set[Seat]) -> str:
    return " and ".join(f"Player {seat + 1}" for seat in sorted(seats)) or "nobody"


@CLAIMS.says("In the second example Player 2 chooses 1 at the end, before being left with 6.")
def second_example_choice() -> Finding:
    """Try the choice."""
    table = played(GAME, SECOND[:-1])
    left = list(table.moves)
    try:
        GAME.play(table.state, 1)
    except IllegalMove as fault:
        return Finding(
            "false", f"The rules refuse it: {fault} What is left is {left}.", shown(GAME, SECOND[:-1])
        )
    return Finding("true", f"The rules allow it; what is left is {left}.")


@CLAIMS.says("The second example adds up rightly to 55, beyond 50, and Player 1 wins.")
def second_example_sums() -> Finding:
    """Add it up again."""
    return _added(SECOND, SECOND_TOTALS, winner=0)


@CLAIMS.says("The first example adds up rightly to 50, and Player 2 wins.")
def first_example_sums() -> Finding:
    """Add it up again."""
    return _added(FIRST, FIRST_TOTALS, winner=1)


@CLAIMS.says("At the end of the first example 1, 2 and 3 are left, and all but 1 would go beyond 50.")
def first_example_end() -> Finding:
    """Try each choice."""
    table = played(GAME, FIRST[:-1])
    total = table.state[1]
    beyond = [move for move in table.moves if total + move > GAME.target]
    exact = [move for move in table.moves if total + move == GAME.target]
    return Finding(
        verdict(tuple(table.moves) == (1, 2, 3) and beyond == [2, 3] and exact == [1]),
        f"At {total} the choices are {list(table.moves)}: {beyond} go beyond {GAME.target},"
        f" {exact} meets it.",
    )


@CLAIMS.says("The session at the prompt is right: its totals, its choices, its refusal of 5, its winner.")
def session() -> Finding:
    """Play it again, the refused number included."""
    found = _added(SESSION, SESSION_TOTALS, winner=1)
    slip = mislisted(GAME, SESSION, SESSION_CHOICES)
    refused = 5 not in played(GAME, SESSION[:6]).moves
    holds = found.verdict == "true" and slip is None and refused
    return Finding(
        verdict(holds),
        f"{found.evidence} {len(SESSION_CHOICES) if slip is None else slip[0] - 1} of"
        f" {len(SESSION_CHOICES)} lists of choices are right, and 5 is {'' if refused else 'not '}refused"
        " after it was used.",
    )


def _added(moves: tuple[int, ...], printed: tuple[int, ...], winner: Seat) -> Finding:
    """Whether the totals are those that the book prints, and the winner is this one."""
    totals = tuple(after[1] for _, _, after in played(GAME, moves).steps())
    outcome = played(GAME, moves).outcome
    right = sum(ours == theirs for ours, theirs in zip(totals, printed, strict=True))
    return Finding(
        verdict(totals == printed and outcome is not None and outcome.winner == winner),
        f"{right} of {len(printed)} totals are right; the last is {totals[-1]}, and the winner is"
        f" {_players({outcome.winner} if outcome and outcome.winner is not None else set())}.",
    )


@CLAIMS.says("Every game has a winner.")
def always_a_winner() -> Finding:
    """Look at every end."""
    found = ends(GAME)
    return Finding(
        verdict(not found.tied),
        f"All the numbers together make {sum(GAME.all_moves())}, so the total cannot stop short of"
        f" {GAME.target}: {found.tied} of {found.count} ends, after {found.shortest} to {found.longest}"
        " moves, have no winner.",
    )


@CLAIMS.says("To win, be the first to make exactly 50.")
def only_exactly() -> Finding:
    """Look for games that are won without it."""
    over = [state for state in positions(GAME) if (end := GAME.outcome(state)) and end.why == "over"]
    exact = [state for state in positions(GAME) if (end := GAME.outcome(state)) and end.why == "exact"]
    return Finding(
        "partly" if over and exact else verdict(bool(exact)),
        f"Exactly {GAME.target} wins at {len(exact)} of the {len(exact) + len(over)} ends; at the other"
        f" {len(over)} the winner never makes it, because the opponent goes beyond.",
        shown(GAME, SECOND) if over else None,
    )


@CLAIMS.says("One can leave a total from which each choice goes beyond 50 or lets you win next turn.")
def squeezed() -> Finding:
    """Look for such positions, and for a way to the first."""
    found = [state for state in positions(GAME) if _is_squeezed(state)]
    safe = [state for state in found if any(state[1] + move < GAME.target for move in members(state[0]))]
    return Finding(
        verdict(bool(safe)),
        f"There are {len(found)} such positions; in {len(found) - len(safe)} of them every choice goes"
        f" beyond, in the others some choice hands over the win. The highest total among those is"
        f" {max((total for _, total in safe), default=0)}.",
    )


def _is_squeezed(state: Sum) -> bool:
    """Whether every choice loses now, or to an exact answer."""
    return GAME.outcome(state) is None and all(
        _loses(GAME.play(state, move), OTHER[GAME.turn(state)]) for move in GAME.moves(state)
    )


def _loses(after: Sum, rival: Seat) -> bool:
    """Whether the rival has won after this, or can with the next choice."""
    ends_now = [GAME.outcome(after)] if GAME.outcome(after) else []
    answers = [GAME.outcome(GAME.play(after, move)) for move in GAME.moves(after)]
    return any(end is not None and end.winner == rival for end in ends_now + answers)


@CLAIMS.says("Adding 7 to a total of 15 makes 22.")
def addition() -> Finding:
    """Try it wherever a game can stand at 15 with the 7 unused."""
    there = [state for state in positions(GAME) if state[1] == 15 and state[0] >> 7 & 1]
    totals = {GAME.play(state, 7)[1] for state in there}
    return Finding(
        verdict(totals == {22}), f"In {len(there)} positions it can be done; the totals are {sorted(totals)}."
    )


@CLAIMS.says("Skilled players consistently beat the less experienced.")
def skill() -> Finding:
    """Play perfect against random, and count the first moves that win."""
    oracle = Retrograde(GAME)
    start = played(GAME, ()).state
    first = oracle.best_moves(start) if oracle.evaluate(start).value != LOSS else []
    found = consistent(GAME, 500)
    return replace(
        found,
        evidence=f"{found.evidence} {len(first)} of {GAME.size} first moves win for Player 1 at best play,"
        " so that as Player 2 even a perfect player needs a mistake.",
    )
