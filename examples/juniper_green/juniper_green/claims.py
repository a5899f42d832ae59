"""What is often said about Juniper Green, with checks, and the integer sequences of the game."""

from __future__ import annotations

from random import Random

from juniper_green import spec
from juniper_green.rules import JuniperGreen, Sheet
from juniper_green.theory import JuniperGreenTheory
from numberduels.analysis import claims
from numberduels.analysis.claims import CheckResult
from numberduels.analysis.sequences import (
    IntegerSequence,
    ProofStatus,
    from_starts,
    indices_with,
    winner,
    winning_first_moves,
)
from numberduels.solvers import WIN

CLAIMS = claims.ClaimList(spec)
SIZES = range(2, 101)
ALL_SIZES = f"the {len(SIZES)} sizes from {SIZES[0]} to {SIZES[-1]}"


@CLAIMS.claim("Do not strike out 1 while a prime above half of the numbers is left: the prime wins at once.")
def one_is_bad() -> CheckResult:
    game, primes = JuniperGreen(size=12, opening="any"), (7, 11)
    seen = punished = 0
    for state in claims.positions(game):
        if 1 in game.moves(state) and any(state[0] >> prime & 1 for prime in primes):
            after = game.play(state, 1)
            seen += 1
            punished += any(_ends(game, after, prime) for prime in primes)
    evidence = (
        f"With {game.size} numbers, 1 can be struck out in {seen} positions in which 7 or 11 is left; in"
        f" {punished} of them 7 or 11 then ends the game."
    )
    return 0 < seen == punished, evidence


def _ends(game: JuniperGreen, state: Sheet, move: int) -> bool:
    return move in game.moves(state) and game.outcome(game.play(state, move)) is not None


@CLAIMS.claim("If the first number may be odd, a prime above half of the numbers wins for the first player.")
def prime_first() -> CheckResult:
    wins = {}
    for size in SIZES:
        best = _winning_openings(JuniperGreen(size=size, opening="any"))
        wins[size] = all(prime in best for prime in range(size // 2 + 1, size + 1) if _is_prime(prime))
    evidence = (
        f"Every such prime wins at {sum(wins.values())} of {ALL_SIZES}; the others are"
        f" {_listed([size for size, won in wins.items() if not won])}."
    )
    lost = claims.Example(JuniperGreen(size=4, opening="any"), (3, 1, 2, 4))
    return claims.all_or_partly(wins.values()), evidence, lost


@CLAIMS.claim("With 100 numbers and an even first number, 58 and 62 win for the first player.")
def hundred() -> CheckResult:
    best = _winning_openings(JuniperGreen(size=100))
    losing = [number for number in range(2, 101, 2) if number not in best]
    evidence = f"{len(best)} of the 50 even first numbers win. The others are {_listed(losing)}."
    return {58, 62} <= set(best), evidence


@CLAIMS.claim("With an even first number, the first player wins at every size.")
def first_player_wins() -> CheckResult:
    lost = [size for size in SIZES if not _winning_openings(JuniperGreen(size=size))]
    return not lost, f"The second player wins at {len(lost)} of {ALL_SIZES}: {_listed(lost)}."


def _winning_openings(game: JuniperGreen) -> list[int]:
    worths = JuniperGreenTheory(game).evaluate_moves(game.start(Random(0)))
    return [move for move, worth in worths.items() if worth.value == WIN]


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % factor for factor in range(2, number))


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"


METHOD = "a maximum matching of the graph of factors and multiples, by Edmonds' algorithm"
NUMBERS = "Juniper Green with the numbers 1 to n and an even first number"

_winners = from_starts(lambda n: JuniperGreen(size=n), winner)

SEQUENCES = (
    IntegerSequence(
        "juniper-green-winner",
        f"the player, 1 or 2, who wins {NUMBERS}",
        range(2, 101),
        _winners,
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "juniper-green-lost-sizes",
        "the n-th size N for which Player 2 wins Juniper Green with the numbers 1 to N and an even first"
        " number",
        range(1, 15),
        indices_with(_winners, 2, range(2, 201)),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "juniper-green-winning-first-moves",
        f"the number of first moves that win {NUMBERS}",
        range(2, 101),
        from_starts(lambda n: JuniperGreen(size=n), winning_first_moves),
        METHOD,
        ProofStatus.COMPUTED,
    ),
)
