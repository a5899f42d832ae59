"""What the book of Restricted Removal says about itself, and how to find out."""

from __future__ import annotations

from numberduels.analysis.claims import (
    Book,
    Finding,
    Verdict,
    ends,
    mislisted,
    played,
    positions,
    rewarded,
    shown,
    verdict,
)
from numberduels.bits import members
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf
from numberduels.solvers import LOSS, WIN, Nimbers
from numberduels.text import bracket, series

CLAIMS = Book("restricted-removal")

FIRST = (5, 2, 9, 7)
FIRST_CHOICES = {
    1: (2, 3, 4, 5, 6, 7, 8, 9, 10),
    2: (2, 3, 4, 6, 7, 8, 9),
    3: (3, 7, 9),
    4: (7,),
}
FIRST_LOCKS = ((10,), (4, 6, 8), (3,), ())
FIRST_TABLES = ((10,), (4, 6, 8, 10), (3, 4, 6, 8, 9, 10), (3, 4, 6, 7, 8, 9, 10))
"""The first example: its choices, what each removal locks, and its tables of all locked numbers."""

SECOND = (3, 5, 2, 7)
SECOND_CHOICES = {2: (2, 4, 5, 7, 8, 10), 3: (2, 4, 7, 8), 4: (7,)}
SECOND_LOCKS = ((6, 9), (10,), (4, 8), ())
"""The second example."""


def _game() -> RestrictedRemoval:
    return RestrictedRemoval()


@CLAIMS.says("Every game has a winner: who removes the last available number; who finds none loses.")
def last_mover_wins() -> Finding:
    """Compare the winner with the last mover at every end."""
    found = ends(_game())
    return Finding(
        verdict(not found.tied and not found.lost_by_last),
        f"Of {found.count} ends, reached through {found.positions} positions, {found.tied} have no winner,"
        f" and at {found.lost_by_last} the last mover is not the winner.",
    )


@CLAIMS.says("The winner removes the last number that remains in the list.")
def nothing_remains() -> Finding:
    """Count the locked numbers that are still in the list at each end."""
    game = _game()
    over = [state for state in positions(game) if game.outcome(state)]
    left = [len(_locked(game, state)) for state in over]
    holds = not any(left)
    return Finding(
        verdict(holds),
        f"Locked numbers remain in the list at {sum(map(bool, left))} of {len(over)} ends, from {min(left)}"
        f" to {max(left)} of them: it is the last available number that counts.",
        None if holds else shown(game, FIRST),
    )


@CLAIMS.says("With numbers up to 10 a game is quick.")
def quick() -> Finding:
    """Count the moves of the longest game and of the shortest."""
    found = ends(_game())
    numbers = len(_game().all_moves())
    return Finding(
        verdict(found.longest <= numbers),
        f"Every game takes from {found.shortest} to {found.longest} moves, though there are {numbers}"
        " numbers.",
    )


@CLAIMS.says("The first example is right: choices, newly locked numbers, and Bob, Player 2, wins.")
def first_example() -> Finding:
    """Play it again."""
    return _replayed(FIRST, FIRST_CHOICES, FIRST_LOCKS)


@CLAIMS.says("The first example's tables show which numbers are locked.")
def first_tables() -> Finding:
    """Compare each table with the numbers that are neither available nor removed."""
    game = _game()
    ours = [_locked(game, played(game, FIRST[:ply]).state) for ply in range(1, len(FIRST) + 1)]
    extra = [sorted(set(theirs) - set(right)) for theirs, right in zip(FIRST_TABLES, ours, strict=True)]
    wrong = [
        ply for ply, (theirs, right) in enumerate(zip(FIRST_TABLES, ours, strict=True)) if theirs != right
    ]
    slips = sorted({number for numbers in extra for number in numbers})
    if not wrong:
        return Finding("true", f"All {len(ours)} tables are right.")
    removed = [number for number in slips if number in FIRST]
    return Finding(
        "false",
        f"{len(wrong)} of {len(ours)} tables are wrong: they count {series(slips)} as locked, of which"
        f" {len(removed)} had been removed. At the end {bracket(ours[-1])} are locked.",
        shown(game, FIRST),
    )


@CLAIMS.says("The second example is right: choices, newly locked numbers, and Bob, Player 2, wins.")
def second_example() -> Finding:
    """Play it again."""
    return _replayed(SECOND, SECOND_CHOICES, SECOND_LOCKS)


def _replayed(
    moves: tuple[int, ...], choices: dict[int, tuple[int, ...]], locks: tuple[tuple[int, ...], ...]
) -> Finding:
    """Whether an example is legal, prints the right lists, and is won by Player 2."""
    game = _game()
    slip = mislisted(game, moves, choices)
    table = played(game, moves)
    ours = [members(game.locks(before, move)) for before, move, _ in table.steps()]
    right = sum(mine == theirs for mine, theirs in zip(ours, locks, strict=True))
    winner = table.outcome.winner if table.outcome else None
    return Finding(
        verdict(slip is None and right == len(locks) and winner == 1),
        f"{'All' if slip is None else 'Not all'} {len(choices)} lists of choices and {right} of {len(locks)}"
        f" lists of newly locked numbers are right; the winner is"
        f" {'nobody' if winner is None else f'Player {winner + 1}'}.",
    )


def _locked(game: RestrictedRemoval, state: Shelf) -> tuple[int, ...]:
    """The numbers that are neither available nor removed."""
    available, removed = state
    return tuple(number for number in game.all_moves() if not (available | removed) >> number & 1)


@CLAIMS.says("Removing a number with many multiples and factors cuts the opponent's choices, and so pays.")
def high_impact() -> Finding:
    """Count what the greatest lock leaves, and how often it wins where something does."""
    game = _game()
    oracle: Nimbers[Shelf, int] = Nimbers(game)
    start = played(game, ()).state
    first, best = _greatest(game, start)[0], oracle.best_moves(start)
    winnable = [state for state in positions(game) if oracle.evaluate(state).value == WIN]
    pays = sum(bool(set(_greatest(game, state)) & set(oracle.best_moves(state))) for state in winnable)
    cut = game.locks(start, first).bit_count()
    came: Verdict = "partly" if cut and pays < len(winnable) else verdict(pays == len(winnable))
    return Finding(
        came,
        f"It does cut choices: at the start {first} locks {cut} of the other {len(game.all_moves()) - 1}"
        f" numbers. But the first moves that win are {bracket(best)}; and of {len(winnable)} positions that"
        f" can be won, the greatest lock wins in {pays}.",
        shown(game, _punished(oracle, (first,))) if came != "true" and first not in best else None,
    )


def _greatest(game: RestrictedRemoval, state: Shelf) -> list[int]:
    """The moves that lock the most."""
    counts = {move: game.locks(state, move).bit_count() for move in game.moves(state)}
    return [move for move, count in counts.items() if count == max(counts.values())]


def _punished(oracle: Nimbers[Shelf, int], moves: tuple[int, ...]) -> tuple[int, ...]:
    """The game that goes on from these moves with a best move each time."""
    while choices := oracle.best_moves(played(oracle.game, moves).state):
        moves = (*moves, choices[0])
    return moves


@CLAIMS.says("A careless choice sets you up for a loss.")
def careless() -> Finding:
    """Count the first moves that lose, those of the examples among them."""
    game = _game()
    oracle: Nimbers[Shelf, int] = Nimbers(game)
    choices = oracle.evaluate_moves(played(game, ()).state)
    lost = [move for move, worth in choices.items() if worth.value == LOSS]
    openings = [moves[0] for moves in (FIRST, SECOND) if moves[0] in lost]
    return Finding(
        verdict(0 < len(lost) < len(choices)),
        f"{len(lost)} of {len(choices)} first moves lose against best play, and {len(openings)} of the"
        f" book's two openings, {FIRST[0]} and {SECOND[0]}, are among them; only"
        f" {bracket([move for move in choices if move not in lost])} wins.",
    )


@CLAIMS.says("The game tests foresight: the more strategic player wins.")
def skill() -> Finding:
    """Play perfect against random."""
    return rewarded(_game(), 500)
