"""The claims of the Summation Duel book with their checks, who wins by a law, and the sequences of the game.

docs/summation_duel.md has the proofs of the theorems, under the same names. Every statement is checked on
the whole table by

    duel sweep summation-duel --size 1..22 --target all

In the laws the numbers are 1 to N, S is their sum, T the target and S - T the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate

from numberduels.analysis import claims
from numberduels.analysis.claims import CheckResult
from numberduels.analysis.sequences import (
    Cell,
    Compute,
    IntegerSequence,
    Kind,
    ProofStatus,
    Statement,
    Winners,
    WinnerTable,
)
from numberduels.game.bits import members
from numberduels.game.contract import OTHER, IllegalMove, ProgressCallback, Seat
from numberduels.game.table import replay
from numberduels.games.summation_duel import spec
from numberduels.games.summation_duel.rules import Sum, SummationDuel
from numberduels.games.summation_duel.theory import iterate_lost_targets, lost_targets
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


def sum_to(size: int) -> int:
    """The sum of the numbers 1 to size."""
    return size * (size + 1) // 2


def exponent_of_two(number: int) -> int:
    """How often a number can be halved.

    >>> [exponent_of_two(number) for number in (1, 2, 12)]
    [0, 1, 2]
    """
    return (number & -number).bit_length() - 1


# Theorems


def at_once(size: int, target: int) -> int | None:
    """A target among the numbers is met with the first move."""
    return 1 if target <= size else None


def halving(size: int, target: int) -> int | None:
    """Just above the numbers, only halving what is missing does not lose at once."""
    if target not in (size + 1, size + 2):
        return None
    return 1 if exponent_of_two(target) % 2 else 2


def least_lost_target(size: int) -> int:
    """The least target with which Player 2 wins: the theorem of halving, for sizes from 2 on.

    >>> [least_lost_target(size) for size in range(2, 12)]
    [3, 4, 5, 7, 7, 9, 9, 11, 11, 12]
    """
    return size + 1 if exponent_of_two(size + 1) % 2 == 0 else size + 2


def begin_with_one(size: int, target: int) -> int | None:
    """A little further up, begin with 1 and leave 1 or 2 missing when it is used."""
    return 1 if size + 3 <= target <= size + 5 else None


def all_numbers(size: int, target: int) -> int | None:
    """If the target is the sum, every number is used."""
    return 1 + (size + 1) % 2 if target == sum_to(size) else None


def small_rest(size: int, target: int) -> int | None:
    """If the rest is small, pairs that add up to one less than the rest keep the parity."""
    rest, odd = sum_to(size) - target, size % 2
    return 1 + odd if 1 <= rest <= size - odd else None


def pairs(size: int, target: int) -> int | None:
    """An even size is pairs that add up to size + 1."""
    return 2 if size % 2 == 0 and target % (size + 1) == 0 else None


def one_and_pairs(size: int, target: int) -> int | None:
    """An odd size is one number and pairs: without 1, without the middle number or without the last."""
    first = ((1, size + 2), ((size + 1) // 2, size + 1), (size, size))
    if size % 2 and any((target - number) % pair == 0 for number, pair in first):
        return 1
    return None


# Seen, not proven


def second_band_even(size: int, target: int) -> int | None:
    """The rest is above the size, at most twice as large and one more: Player 1 at even sizes."""
    rest = sum_to(size) - target
    return 1 if size % 2 == 0 and size + 2 <= rest <= 2 * size + 1 else None


def second_band_odd(size: int, target: int) -> int | None:
    """The rest is well above the size and less than twice as large: Player 2 at odd sizes."""
    rest = sum_to(size) - target
    return 2 if size % 2 and size >= 11 and size + 7 <= rest <= 2 * size - 1 else None


def between_the_bands(size: int, target: int) -> int | None:
    """Between the two bands of odd sizes, the winners alternate."""
    if size % 2 == 0 or size < 9:
        return None
    return {3: 2, 4: 1, 5: 2, 6: 1}.get(sum_to(size) - target - size)


# Guesses


def complements(cell: Cell, winners: Winners) -> int | None:
    """Adding to T or leaving T looks like the same game."""
    size, target = cell
    return winners.get((size, sum_to(size) - target)) if size % 2 == 0 else None


def only_pairs(size: int, target: int) -> int | None:
    """Without an answer in pairs, Player 2 seems lost."""
    return None if size % 2 else 1 if target % (size + 1) else 2


def pairs_at_odd_sizes(size: int, target: int) -> int | None:
    """The middle number has no partner, which seems a detail."""
    return 2 if size % 2 and target % (size + 1) == 0 else None


def more_numbers_help(cell: Cell, winners: Winners) -> int | None:
    """More numbers look like more choice for Player 1."""
    size, target = cell
    return 1 if winners.get((size - 1, target)) == 1 else None


def _statement(kind: Kind, text: str, law: Callable[[int, int], int | None]) -> Statement:
    return Statement(kind, text, lambda cell, _: law(*cell))


STATEMENTS = (
    _statement(Kind.THEOREM, "At once: if T <= N, Player 1 wins.", at_once),
    _statement(
        Kind.THEOREM,
        "Halving: if T is N + 1 or N + 2, Player 1 wins if and only if T can be halved an odd number of times"
        " before it is odd.",
        halving,
    ),
    _statement(Kind.THEOREM, "Begin with 1: if N + 3 <= T <= N + 5, Player 1 wins with 1.", begin_with_one),
    _statement(Kind.THEOREM, "All numbers: if T = S, Player 1 wins if and only if N is odd.", all_numbers),
    _statement(
        Kind.THEOREM,
        "Small rest: for even N and 1 <= S - T <= N Player 1 wins, for odd N and 1 <= S - T < N Player 2.",
        small_rest,
    ),
    _statement(Kind.THEOREM, "Pairs: for even N and T a multiple of N + 1 Player 2 wins.", pairs),
    _statement(
        Kind.THEOREM,
        "One and pairs: for odd N Player 1 wins if T is 1 + q (N + 2), (N + 1) / 2 + q (N + 1) or N + q N.",
        one_and_pairs,
    ),
    _statement(Kind.SEEN, "For even N and N + 2 <= S - T <= 2 N + 1 Player 1 wins.", second_band_even),
    _statement(Kind.SEEN, "For odd N >= 11 and N + 7 <= S - T <= 2 N - 1 Player 2 wins.", second_band_odd),
    _statement(
        Kind.SEEN,
        "For odd N >= 9 Player 2 wins if S - T is N + 3 or N + 5, and Player 1 if it is N + 4 or N + 6.",
        between_the_bands,
    ),
    Statement(Kind.GUESS, "For even N the targets T and S - T have the same winner.", complements),
    _statement(Kind.GUESS, "For even N Player 2 wins only if T is a multiple of N + 1.", only_pairs),
    _statement(Kind.GUESS, "For odd N, too, Player 2 wins if T is a multiple of N + 1.", pairs_at_odd_sizes),
    Statement(
        Kind.GUESS, "If Player 1 wins with the numbers 1 to N - 1, then also with 1 to N.", more_numbers_help
    ),
)


def _compute(sizes: range, progress: ProgressCallback | None) -> Iterator[tuple[int, list[int]]]:
    for size, targets in iterate_lost_targets(max(sizes, default=0), progress):
        if size in sizes:
            lost = set(targets)
            yield size, [2 if target in lost else 1 for target in range(1, sum_to(size) + 1)]


WINNER_TABLE = WinnerTable(
    "target",
    "a table of all sets of numbers left and all targets",
    _compute,
    STATEMENTS,
    "N is the size, T the target and S the sum of the numbers 1 to N.",
)


METHOD = "a table of all sets of numbers left and all targets"
NUMBERS = "Summation Duel with the numbers 1 to n"


def _from_lost_targets(pick: Callable[[int, list[int]], int]) -> Compute:
    """The terms that `pick` computes from n and the targets with which Player 2 wins the numbers 1..n."""

    def compute(indices: range, progress: ProgressCallback | None) -> Iterator[int]:
        lists = lost_targets(max(indices, default=0), progress)
        return (pick(n, lists[n]) for n in indices)

    return compute


SEQUENCES = (
    IntegerSequence(
        "summation-duel-winning-targets",
        f"the number of targets with which Player 1 wins {NUMBERS}",
        range(1, 23),
        _from_lost_targets(lambda n, lost: n * (n + 1) // 2 - len(lost)),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "summation-duel-lost-targets",
        f"the number of targets with which Player 2 wins {NUMBERS}",
        range(1, 23),
        _from_lost_targets(lambda _, lost: len(lost)),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "summation-duel-least-lost-target",
        f"the least target with which Player 2 wins {NUMBERS}",
        range(2, 101),
        lambda indices, _: map(least_lost_target, indices),
        "the theorem of halving",
        ProofStatus.THEOREM,
        "the least number above n whose exponent of 2 is even; docs/summation_duel.md",
    ),
)
