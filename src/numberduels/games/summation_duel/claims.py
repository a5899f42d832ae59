"""The claims of the Summation Duel book, with their checks."""

from __future__ import annotations

from itertools import accumulate

from numberduels.analysis import claims
from numberduels.analysis.claims import CheckResult
from numberduels.game.bits import members
from numberduels.game.contract import OTHER, IllegalMove, Seat
from numberduels.game.table import replay
from numberduels.games.summation_duel import spec
from numberduels.games.summation_duel.rules import Sum, SummationDuel
from numberduels.solvers import LOSS, Retrograde

CLAIMS = claims.ClaimList(spec)
GAME = SummationDuel()

FIRST = (6, 9, 10, 8, 7, 5, 4, 1)
FIRST_TOTALS = (6, 15, 25, 33, 40, 45, 49, 50)
SECOND = (1, 10, 2, 9, 3, 8, 4, 7, 5, 6)
SECOND_TOTALS = (1, 11, 13, 22, 25, 33, 37, 44, 49, 55)
"""The two examples and the totals that they print."""

SESSION = (7, 8, 10, 9, 6, 5, 3, 2)
SESSION_TOTALS = (7, 15, 25, 34, 40, 45, 48, 50)
SESSION_CHOICES = {1: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 2: (1, 2, 3, 4, 5, 6, 8, 9, 10)}
SESSION_CHOICES |= {3: (1, 2, 3, 4, 5, 6, 9, 10), 4: (1, 2, 3, 4, 5, 6, 9), 5: (1, 2, 3, 4, 5, 6)}
SESSION_CHOICES |= {6: (1, 2, 3, 4, 5), 7: (1, 2, 3, 4), 8: (1, 2, 4)}
"""The session at the prompt, with the totals and the choices that it prints."""

ELEVENS = (11, 22, 33, 44)
"""The totals that are said to force a win for whoever makes them."""


@CLAIMS.claim("Whoever brings the total to 11, 22, 33 or 44 has forced the opponent into a lost position.")
def elevens() -> CheckResult:
    oracle = Retrograde(GAME)
    there = [state for state in claims.positions(GAME) if state[1] in ELEVENS]
    lost = sum(oracle.evaluate(state).value == LOSS for state in there)
    game = _losing_with_elevens(oracle, ())
    evidence = f"Of {len(there)} positions with such a total, {lost} are lost for the player to move."
    return lost == len(there), evidence, claims.Example(GAME, game) if game else None


def _losing_with_elevens(oracle: Retrograde[Sum, int], moves: tuple[int, ...]) -> tuple[int, ...] | None:
    """A game in which Player 2 makes each of the totals and loses, Player 1 playing perfectly."""
    table = replay(GAME, moves)
    if table.outcome:
        return moves if table.outcome.winner == 0 and set(ELEVENS) <= set(accumulate(moves)) else None
    choices = oracle.best_moves(table.state) if table.turn == 0 else list(table.moves)
    made = len(moves) // 2
    if table.turn == 1 and made < len(ELEVENS):
        choices = [move for move in choices if table.state[1] + move == ELEVENS[made]]
    return next((game for move in choices if (game := _losing_with_elevens(oracle, (*moves, move)))), None)


@CLAIMS.claim("The second example shows how making multiples of 11 leads to a win.")
def second_example_wins() -> CheckResult:
    makers = {f"Player {ply % 2 + 1}" for ply, total in enumerate(accumulate(SECOND)) if total in ELEVENS}
    winner = claims.winner_name(replay(GAME, SECOND))
    evidence = f"The multiples are made by {' and '.join(sorted(makers))}, and the game is won by {winner}."
    return makers == {winner}, evidence, claims.Example(GAME, SECOND)


@CLAIMS.claim("In the second example Player 2 chooses 1 at the end, before being left with 6.")
def second_example_choice() -> CheckResult:
    table = replay(GAME, SECOND[:-1])
    left = f"What is left is {list(table.moves)}."
    try:
        GAME.play(table.state, 1)
    except IllegalMove as error:
        return False, f"The rules refuse it: {error} {left}", claims.Example(GAME, SECOND[:-1])
    return True, f"The rules allow it. {left}"


@CLAIMS.claim("The second example adds up rightly to 55, beyond 50, and Player 1 wins.")
def second_example_sums() -> CheckResult:
    return _check_totals(SECOND, SECOND_TOTALS, "Player 1")


@CLAIMS.claim("The first example adds up rightly to 50, and Player 2 wins.")
def first_example_sums() -> CheckResult:
    return _check_totals(FIRST, FIRST_TOTALS, "Player 2")


def _check_totals(moves: tuple[int, ...], printed: tuple[int, ...], winner: str) -> tuple[bool, str]:
    """Whether the totals are those that the book prints, and this player wins."""
    table = replay(GAME, moves)
    totals, found = tuple(after[1] for _, _, after in table.steps()), claims.winner_name(table)
    right = sum(ours == theirs for ours, theirs in zip(totals, printed, strict=True))
    evidence = f"{right} of {len(printed)} totals are right; the last is {totals[-1]}, and {found} wins."
    return totals == printed and found == winner, evidence


@CLAIMS.claim("At the end of the first example 1, 2 and 3 are left, and all but 1 would go beyond 50.")
def first_example_end() -> CheckResult:
    table = replay(GAME, FIRST[:-1])
    beyond = [move for move in table.moves if table.state[1] + move > GAME.target]
    evidence = f"The choices are {list(table.moves)}, and {beyond} go beyond {GAME.target}."
    return (*table.moves, *beyond) == (1, 2, 3, 2, 3), evidence


@CLAIMS.claim("The session at the prompt is right: its totals, its choices, its refusal of 5, its winner.")
def session() -> CheckResult:
    summed, totals = _check_totals(SESSION, SESSION_TOTALS, "Player 2")
    listed, lists = claims.check_example(GAME, SESSION, "Player 2", SESSION_CHOICES)
    refused = 5 not in replay(GAME, SESSION[:6]).moves
    return summed and listed and refused, f"{totals} {lists} 5 is {'' if refused else 'not '}refused."


@CLAIMS.claim("Every game has a winner.")
def always_a_winner() -> CheckResult:
    ends = claims.count_ends(GAME)
    total = f"The numbers make {sum(GAME.all_moves())}, so the total cannot stop short of {GAME.target}"
    won = claims.share(ends.ends - ends.tied, ends.ends)
    return not ends.tied, f"{total}: there is a winner in {won} final positions."


@CLAIMS.claim("To win, be the first to make exactly 50.")
def only_exactly() -> CheckResult:
    ends = [outcome.why for state in claims.positions(GAME) if (outcome := GAME.outcome(state))]
    exact = f"{ends.count('exact')} of {len(ends)} final positions are exact"
    evidence = f"{exact}; in the others the loser went beyond."
    return claims.all_or_partly(why == "exact" for why in ends), evidence, claims.Example(GAME, SECOND)


@CLAIMS.claim("One can leave a total from which each choice goes beyond 50 or lets you win next turn.")
def squeezed() -> CheckResult:
    found = [state for state in claims.positions(GAME) if _is_squeezed(state)]
    safe = [total for left, total in found if any(total + move < GAME.target for move in members(left))]
    evidence = f"There are {len(found)} such positions; in {len(safe)} of them not every choice goes beyond."
    return bool(safe), evidence


def _is_squeezed(state: Sum) -> bool:
    """Whether every choice loses at once, or to an exact answer."""
    rival = OTHER[GAME.turn(state)]
    return GAME.outcome(state) is None and all(
        _can_win(GAME.play(state, move), rival) for move in GAME.moves(state)
    )


def _can_win(state: Sum, seat: Seat) -> bool:
    """Whether the seat has won, or can with the next choice."""
    outcomes = [GAME.outcome(state), *(GAME.outcome(GAME.play(state, move)) for move in GAME.moves(state))]
    return any(outcome is not None and outcome.winner == seat for outcome in outcomes)


@CLAIMS.claim("Adding 7 to a total of 15 makes 22.")
def addition() -> CheckResult:
    there = [state for state in claims.positions(GAME) if state[1] == 15 and state[0] >> 7 & 1]
    totals = {GAME.play(state, 7)[1] for state in there}
    return totals == {22}, f"In {len(there)} positions it can be done; the totals are {sorted(totals)}."


@CLAIMS.claim("Skilled players consistently beat the less experienced.")
def skill() -> CheckResult:
    oracle, start = Retrograde(GAME), replay(GAME).state
    first = len(oracle.best_moves(start)) if oracle.evaluate(start).value != LOSS else 0
    verdict, evidence, record = claims.wins_consistently(GAME, 500)
    return verdict, f"{evidence} With best play {first} of {GAME.size} first moves win.", record
