"""The claims of the Number Snatch book, with their checks, and the integer sequences of the game."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import comb
from random import Random
from typing import Any

from numberduels.analysis import claims
from numberduels.analysis.claims import CheckResult
from numberduels.analysis.sequences import IntegerSequence, ProofStatus, from_starts
from numberduels.game.formatting import bracket
from numberduels.game.table import replay
from numberduels.games.number_snatch import spec
from numberduels.games.number_snatch.rules import NumberSnatch, Pool
from numberduels.solvers import Margins
from numberduels.solvers.oracle import Oracle

CLAIMS = claims.ClaimList(spec)

LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)
BOOK, GAME = NumberSnatch(), NumberSnatch(numbers=LIST)
"""The book's options, and the game on the sample list."""

WALK = (13, 5, 15, 2, 10, 18, 12, 20, 17, 7)
WALK_SNATCHES, WALK_SCORES = (3, 5, 8), (62, 57)
WALK_CHOICES = {1: LIST, 2: (2, 5, 7, 10, 12, 15, 17, 18, 20), 3: (2, 7, 10, 12, 15, 17, 18, 20)}
WALK_CHOICES |= {4: (2, 7, 10, 12, 17, 18, 20), 5: (7, 10, 12, 17, 18, 20), 6: (7, 12, 17, 18, 20)}
WALK_CHOICES |= {7: (7, 12, 17, 20), 8: (7, 17, 20), 9: (7, 17), 10: (7,)}
"""The walk-through: its moves, those that it calls snatches, its final scores, its lists of choices."""


@CLAIMS.claim("No game ends level: there are no draws, and a tie cannot happen.")
def no_ties() -> CheckResult:
    odd, counts = (BOOK.top + 1) // 2, range(0, BOOK.size + 1, 2)
    even = sum(comb(odd, count) * comb(BOOK.top - odd, BOOK.size - count) for count in counts)
    lists = f"{even:,} of the {comb(BOOK.top, BOOK.size):,} lists have an even sum"
    order = _level_game()
    if not order:
        return "open", f"{lists}, and no game on them that ends level was found."
    game = NumberSnatch(numbers=order)
    level = sum(mine == theirs for left, _, mine, theirs in claims.positions(GAME) if not left)
    first, second = game.scores(replay(game, order).state)
    evidence = (
        f"A snatch only moves points, so the scores add up to the sum of the list. {lists}, and the game"
        f" shown, on one of them, ends {first} to {second}. So lists are dealt with an odd"
        f" sum here: on the sample list {level or 'no'} games end level."
    )
    return False, evidence, claims.Example(game, order)


def _level_game(tries: int = 2_000) -> tuple[int, ...]:
    """A game that ends level, found by random play on lists with an even sum; empty if none is found."""
    rng = Random(1)
    for _ in range(tries):
        order = tuple(rng.sample(BOOK.all_moves(), BOOK.size))
        if sum(order) % 2 == 0:
            game = NumberSnatch(numbers=order)
            if len(set(game.scores(replay(game, order).state))) == 1:
                return order
    return ()


@CLAIMS.claim("The game ends when every number has been taken.")
def all_taken() -> CheckResult:
    ends = claims.count_ends(GAME)
    moves = f"{ends.shortest}" if ends.shortest == ends.longest else f"{ends.shortest} to {ends.longest}"
    evidence = f"On the sample list every game ends after {moves} moves."
    return ends.shortest == ends.longest == len(LIST), evidence


@CLAIMS.claim("No score falls below zero: a snatch takes no more than there is.")
def never_below_zero() -> CheckResult:
    found = claims.positions(GAME)
    below = sum(min(mine, theirs) < 0 for _, _, mine, theirs in found)
    short = sum(theirs < last for _, last, _, theirs in found)
    return not below, (
        f"A score is below zero in {claims.share(below, len(found))} positions of the sample list. The limit"
        f" is needed in {claims.share(short, len(found))}: the points at stake were won one move before."
    )


@CLAIMS.claim("A score is what a player took, plus what they snatched, minus what was snatched from them.")
def formula() -> CheckResult:
    game = NumberSnatch(numbers=LIST[:7])
    orders = list(permutations(game.numbers))
    wrong = sum(game.scores(replay(game, order).state) != _scores_by_formula(order) for order in orders)
    right = claims.share(len(orders) - wrong, len(orders))
    return not wrong, f"The formula is right in {right} games on seven numbers of the sample list."


def _scores_by_formula(order: tuple[int, ...]) -> tuple[int, int]:
    """The scores by the book's formula, from the numbers alone."""
    scores = [sum(order[0::2]), sum(order[1::2])]
    for ply, (last, taken) in enumerate(pairwise(order), 1):
        if taken % last == 0:
            scores[ply % 2] += last
            scores[1 - ply % 2] -= last
    return scores[0], scores[1]


@CLAIMS.claim("Answering 5 with 15 takes 5 points from the opponent and gives them to you.")
def five_and_fifteen() -> CheckResult:
    game = NumberSnatch(numbers=(5, 15, 16))
    first, second = game.scores(replay(game, (5, 15)).state)
    return (first, second) == (5 - 5, 15 + 5), f"After 5 and 15 the scores are {first} and {second}."


@CLAIMS.claim("The sample list is ten different numbers from 1 to 20.")
def sample_list() -> CheckResult:
    numbers = set(LIST)
    evidence = f"{len(numbers)} numbers from {min(LIST)} to {max(LIST)}; they sum to {sum(LIST)}."
    return len(numbers) == BOOK.size and numbers <= set(BOOK.all_moves()), evidence


@CLAIMS.claim("The walk-through is legal, lists its choices rightly, and is won by Player 1.")
def walk() -> CheckResult:
    return claims.check_example(GAME, WALK, "Player 1", WALK_CHOICES)


@CLAIMS.claim("In the walk-through 20 is a multiple of 12, so that there are three snatches.")
def walk_snatches() -> CheckResult:
    steps = enumerate(replay(GAME, WALK).steps(), 1)
    snatches = tuple(number for number, (before, move, _) in steps if _snatches(before, move))
    evidence = f"The snatches are moves {bracket(snatches)}, and the book says {bracket(WALK_SNATCHES)}."
    return snatches == WALK_SNATCHES, evidence, claims.Example(GAME, WALK)


@CLAIMS.claim("The walk-through ends 62 to 57.")
def walk_scores() -> CheckResult:
    scores, game = GAME.scores(replay(GAME, WALK).state), claims.Example(GAME, WALK)
    return scores == WALK_SCORES, f"The same moves end {scores[0]} to {scores[1]}.", game


@CLAIMS.claim("A careful choice of numbers limits what the opponent can snatch.")
def careful_choice() -> CheckResult:
    states = _open_positions()
    safe = sum(not _snatchable(state, max(GAME.moves(state))) for state in states)
    evidence = f"In {claims.share(safe, len(states))} positions the largest number left cannot be snatched."
    return safe == len(states), evidence


@CLAIMS.claim("Sometimes a lower number prevents a snatch.")
def lower_number() -> CheckResult:
    oracle: Margins[Pool, int] = Margins(GAME)
    states = _open_positions()
    pairs = {state: found for state in states if (found := _safer_pairs(state))}
    best = sum(any(low in oracle.best_moves(state) for _, low in found) for state, found in pairs.items())
    evidence = f"It can in {len(pairs):,} of {len(states):,} positions of the sample list"
    return bool(pairs), f"{evidence}, but such a lower number is a best move in {best or 'none'} of them."


def _safer_pairs(state: Pool) -> list[tuple[int, int]]:
    """Pairs of a number that can be snatched next and a lower one that cannot."""
    moves = GAME.moves(state)
    risky = [move for move in moves if _snatchable(state, move)]
    return [(high, low) for high in risky for low in moves if low < high and low not in risky]


def _snatchable(state: Pool, move: int) -> bool:
    """Whether the number, once taken, can be answered with a snatch."""
    after = GAME.play(state, move)
    return any(_snatches(after, reply) for reply in GAME.moves(after))


def _snatches(state: Pool, move: int) -> bool:
    """Whether the move takes points from the opponent."""
    return bool(state[1]) and GAME.play(state, move)[2] < state[3]


def _open_positions() -> list[Pool]:
    """Every position of the sample list that is not over, once for all the scores that it can have."""
    return list({(state[0], state[1]): state for state in claims.positions(GAME) if state[0]}.values())


@CLAIMS.claim("It pays to snatch whenever there is the chance.")
def always_snatch() -> CheckResult:
    oracle: Margins[Pool, int] = Margins(GAME)
    pays = [paying for state in _open_positions() if (paying := _snatch_pays(oracle, state)) is not None]
    game = () if all(pays) else _costly_snatch(oracle)
    share = f"{sum(pays):,} of {len(pays):,} positions in which one is possible ({sum(pays) / len(pays):.0%})"
    return claims.all_or_partly(pays), f"A snatch is a best move in {share}.", claims.Example(GAME, game)


def _snatch_pays(oracle: Margins[Pool, int], state: Pool) -> bool | None:
    """Whether some snatch is a best move; None where none is possible."""
    snatches = {move for move in GAME.moves(state) if _snatches(state, move)}
    return bool(snatches & set(oracle.best_moves(state))) if snatches else None


def _costly_snatch(oracle: Margins[Pool, int]) -> tuple[int, ...]:
    """A shortest game whose last move is a snatch, though every snatch there costs points."""
    lines: list[tuple[int, ...]] = [()]
    for line in lines:
        state = replay(GAME, line).state
        if _snatch_pays(oracle, state) is False:
            return (*line, next(move for move in GAME.moves(state) if _snatches(state, move)))
        lines.extend((*line, move) for move in GAME.moves(state))
    return ()


@CLAIMS.claim("A skilled player consistently beats an unskilled one.")
def skill() -> CheckResult:
    return claims.wins_consistently(BOOK, 25)


def _list_to(n: int) -> NumberSnatch:
    return NumberSnatch(numbers=tuple(range(1, n + 1)))


def _margin(oracle: Oracle[Any, Any], start: Any) -> int:
    margin = oracle.evaluate(start).margin
    assert margin is not None  # its theory always knows it
    return margin


SEQUENCES = (
    IntegerSequence(
        "number-snatch-margins",
        "the points by which Player 1 wins Number Snatch on the list 1 to n",
        range(1, 51),
        from_starts(_list_to, _margin),
        "the alternating sum of the list, largest first",
        ProofStatus.THEOREM,
        "ceiling(n / 2); docs/sequences.md",
    ),
)
