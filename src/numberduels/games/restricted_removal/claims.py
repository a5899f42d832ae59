"""The claims of the Restricted Removal book, with their checks, and the integer sequences of the game."""

from __future__ import annotations

from numberduels.analysis import claims
from numberduels.analysis.claims import CheckResult
from numberduels.analysis.game_length import length_terms
from numberduels.analysis.sequences import (
    IntegerSequence,
    ProofStatus,
    from_starts,
    indices_with,
    nimber,
    winner,
    winning_first_moves,
)
from numberduels.game.bits import members
from numberduels.game.formatting import series
from numberduels.game.table import replay
from numberduels.games.restricted_removal import spec
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf
from numberduels.solvers import LOSS, WIN, Nimbers

CLAIMS = claims.ClaimList(spec)
GAME = RestrictedRemoval()

Lists = tuple[tuple[int, ...], ...]
FIRST = (5, 2, 9, 7)
FIRST_CHOICES = {1: (2, 3, 4, 5, 6, 7, 8, 9, 10), 2: (2, 3, 4, 6, 7, 8, 9), 3: (3, 7, 9), 4: (7,)}
FIRST_LOCKS = ((10,), (4, 6, 8), (3,), ())
FIRST_TABLES = ((10,), (4, 6, 8, 10), (3, 4, 6, 8, 9, 10), (3, 4, 6, 7, 8, 9, 10))
"""The first example: its choices, what each removal locks, and its tables of all locked numbers."""

SECOND = (3, 5, 2, 7)
SECOND_CHOICES = {2: (2, 4, 5, 7, 8, 10), 3: (2, 4, 7, 8), 4: (7,)}
SECOND_LOCKS = ((6, 9), (10,), (4, 8), ())


@CLAIMS.claim("Every game has a winner: who removes the last available number; who finds none loses.")
def last_mover_wins() -> CheckResult:
    ends = claims.count_ends(GAME)
    won = claims.share(ends.ends - ends.tied, ends.ends)
    last = claims.share(ends.ends - ends.lost_by_last_mover, ends.ends)
    evidence = f"There is a winner in {won} final positions, and in {last} it is the last mover."
    return not ends.lost_by_last_mover, evidence


@CLAIMS.claim("The winner removes the last number that remains in the list.")
def nothing_remains() -> CheckResult:
    left = [len(_locked(state)) for state in claims.positions(GAME) if GAME.outcome(state)]
    ends = claims.share(sum(map(bool, left)), len(left))
    evidence = f"Locked numbers remain in {ends} final positions: from {min(left)} to {max(left)} of them."
    return not any(left), evidence, claims.Example(GAME, FIRST)


@CLAIMS.claim("With numbers up to 10 a game is quick.")
def quick() -> CheckResult:
    ends = claims.count_ends(GAME)
    evidence = f"Every game takes from {ends.shortest} to {ends.longest} moves."
    return ends.longest <= len(GAME.all_moves()), evidence


@CLAIMS.claim("The first example is right: choices, newly locked numbers, and Bob, Player 2, wins.")
def first_example() -> CheckResult:
    return _check_example(FIRST, FIRST_CHOICES, FIRST_LOCKS)


@CLAIMS.claim("The first example's tables show which numbers are locked.")
def first_tables() -> CheckResult:
    right = [_locked(replay(GAME, FIRST[:ply]).state) for ply in range(1, len(FIRST) + 1)]
    extra = [set(theirs) - set(ours) for theirs, ours in zip(FIRST_TABLES, right, strict=True)]
    if tuple(right) == FIRST_TABLES:
        return True, f"All {len(right)} tables are right."
    wrong = f"{sum(map(bool, extra))} of {len(right)} tables are wrong"
    evidence = f"{wrong}: they count {series(sorted(set().union(*extra)))} as locked, which had been removed."
    return False, evidence, claims.Example(GAME, FIRST)


@CLAIMS.claim("The second example is right: choices, newly locked numbers, and Bob, Player 2, wins.")
def second_example() -> CheckResult:
    return _check_example(SECOND, SECOND_CHOICES, SECOND_LOCKS)


def _check_example(moves: tuple[int, ...], choices: dict[int, tuple[int, ...]], locks: Lists) -> CheckResult:
    holds, evidence = claims.check_example(GAME, moves, "Player 2", choices)
    ours = [members(GAME.locks(before, move)) for before, move, _ in replay(GAME, moves).steps()]
    right = sum(mine == theirs for mine, theirs in zip(ours, locks, strict=True))
    locked = f"{right} of {len(locks)} lists of newly locked numbers are right"
    return holds and right == len(locks), f"{evidence} And {locked}."


def _locked(state: Shelf) -> tuple[int, ...]:
    """The numbers that are neither available nor removed."""
    available, removed = state
    return tuple(number for number in GAME.all_moves() if not (available | removed) >> number & 1)


@CLAIMS.claim("Removing a number with many multiples and factors cuts the opponent's choices, and so pays.")
def high_impact() -> CheckResult:
    oracle: Nimbers[Shelf, int] = Nimbers(GAME)
    start = replay(GAME)
    first, best = _greatest_locks(start.state)[0], oracle.best_moves(start.state)
    winnable = [state for state in claims.positions(GAME) if oracle.evaluate(state).value == WIN]
    pays = sum(bool(set(_greatest_locks(state)) & set(oracle.best_moves(state))) for state in winnable)
    start.play(first)
    while choices := oracle.best_moves(start.state):
        start.play(choices[0])
    return "true" if pays == len(winnable) else "partly", (
        f"It cuts choices: at the start {first} locks {GAME.locks(start.start, first).bit_count()} numbers."
        f" But of all first moves only {', '.join(map(str, best))} wins; and of {len(winnable)} positions"
        f" that can be won, the greatest lock wins in {pays}."
    ), claims.Example(GAME, start.played)  # fmt: skip


def _greatest_locks(state: Shelf) -> list[int]:
    """The moves that lock the most numbers."""
    counts = {move: GAME.locks(state, move).bit_count() for move in GAME.moves(state)}
    return [move for move, count in counts.items() if count == max(counts.values())]


@CLAIMS.claim("A careless choice sets you up for a loss.")
def careless() -> CheckResult:
    worths = Nimbers[Shelf, int](GAME).evaluate_moves(replay(GAME).state)
    lost = [move for move, worth in worths.items() if worth.value == LOSS]
    both = all(moves[0] in lost for moves in (FIRST, SECOND))
    openings = "and so do both openings of the book" if both else "but not both openings of the book"
    evidence = f"{len(lost)} of {len(worths)} first moves lose against best play, {openings}."
    return 0 < len(lost) < len(worths), evidence


@CLAIMS.claim("The game tests foresight: the more strategic player wins.")
def skill() -> CheckResult:
    return claims.wins_more_often(GAME, 500)


METHOD = "node Kayles on the graph of factors and multiples, a search of each connected component"
NUMBERS = "Restricted Removal with the numbers 2 to n"

_winners = from_starts(RestrictedRemoval, winner)

SEQUENCES = (
    IntegerSequence(
        "restricted-removal-nimbers",
        f"the nimber of {NUMBERS}",
        range(2, 61),
        from_starts(RestrictedRemoval, nimber),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "restricted-removal-winner",
        f"the player, 1 or 2, who wins {NUMBERS}",
        range(2, 81),
        _winners,
        METHOD,
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "restricted-removal-lost-sizes",
        "the n-th size N for which Player 2 wins Restricted Removal with the numbers 2 to N",
        range(1, 14),
        indices_with(_winners, 2, range(2, 101)),
        METHOD,
        ProofStatus.COMPUTED,
        "all sizes up to 100: docs/games/restricted_removal.md",
    ),
    IntegerSequence(
        "restricted-removal-winning-first-moves",
        f"the number of first moves that win {NUMBERS}",
        range(2, 61),
        from_starts(RestrictedRemoval, winning_first_moves),
        METHOD,
        ProofStatus.COMPUTED,
    ),
    *(
        IntegerSequence(
            f"restricted-removal-length-{wish}-first",
            f"the number of moves of {NUMBERS} if one player wants a long game and the other one a short"
            f" game, and the one who wants a {wish} game begins",
            range(2, 71),
            length_terms(RestrictedRemoval, long_begins=wish == "long"),
            "null windows on the graph of factors and multiples",
            ProofStatus.COMPUTED,
            "docs/erdos_872.md",
        )
        for wish in ("long", "short")
    ),
)
