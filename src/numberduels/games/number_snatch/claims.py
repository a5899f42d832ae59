"""What the book of Number Snatch says about itself, and how to find out."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import comb
from random import Random

from numberduels.analysis.claims import (
    Book,
    Finding,
    Verdict,
    consistent,
    layers,
    mislisted,
    played,
    shown,
    verdict,
)
from numberduels.games.number_snatch.rules import NumberSnatch, Pool
from numberduels.solvers import Margins
from numberduels.text import bracket

CLAIMS = Book("number-snatch")

LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)
"""The sample list."""

WALK = (13, 5, 15, 2, 10, 18, 12, 20, 17, 7)
WALK_SNATCHES = (3, 5, 8)
WALK_SCORES = (62, 57)
WALK_CHOICES = {
    1: LIST,
    2: (2, 5, 7, 10, 12, 15, 17, 18, 20),
    3: (2, 7, 10, 12, 15, 17, 18, 20),
    4: (2, 7, 10, 12, 17, 18, 20),
    5: (7, 10, 12, 17, 18, 20),
    6: (7, 12, 17, 18, 20),
    7: (7, 12, 17, 20),
    8: (7, 17, 20),
    9: (7, 17),
    10: (7,),
}
"""The walk-through: its choices, the moves that it calls snatches, its last scores, its lists."""


def _game() -> NumberSnatch:
    return NumberSnatch(numbers=LIST)


@CLAIMS.says("No game ends level: there are no draws, and a tie cannot happen.")
def no_ties() -> Finding:
    """Play on lists with an even sum until a game ends level."""
    book = NumberSnatch()
    even, lists = _even(book), comb(book.top, book.size)
    level = _level_game(book)
    if level is None:
        return Finding("open", f"No level end was found on lists with an even sum, {even:,} of {lists:,}.")
    game, moves = level
    outcome = played(game, moves).outcome
    assert outcome is not None and outcome.scores is not None
    return Finding(
        "false",
        f"A snatch only moves points, so the scores add up to the sum of the list; {even:,} of the"
        f" {lists:,} lists have an even sum, and the game shown, on one that sums to {sum(game.numbers)},"
        f" ends {outcome.scores[0]} to {outcome.scores[1]}. Lists are therefore dealt with an odd sum here:"
        f" on the sample list, which sums to {sum(LIST)}, {_level_ends(_game())} ends are level.",
        shown(game, moves),
    )


def _even(book: NumberSnatch) -> int:
    """How many lists have an even sum: those with an even count of odd numbers."""
    odd = (book.top + 1) // 2
    return sum(
        comb(odd, count) * comb(book.top - odd, book.size - count) for count in range(0, book.size + 1, 2)
    )


def _level_game(book: NumberSnatch, tries: int = 2_000) -> tuple[NumberSnatch, tuple[int, ...]] | None:
    """A game that ends level, found by playing at random on lists with an even sum."""
    rng = Random(1)
    for _ in range(tries):
        order = rng.sample(book.all_moves(), book.size)
        if sum(order) % 2:
            continue
        game = NumberSnatch(numbers=tuple(order))
        outcome = played(game, order).outcome
        if outcome and outcome.scores and outcome.scores[0] == outcome.scores[1]:
            return game, tuple(order)
    return None


def _level_ends(game: NumberSnatch) -> int:
    """How many ends of the game have equal scores."""
    return sum(mine == theirs for layer in layers(game) for left, _, mine, theirs in layer if not left)


@CLAIMS.says("The game ends when every number has been taken.")
def all_taken() -> Finding:
    """Look at the length of every game on the sample list."""
    game = _game()
    over = [ply for ply, layer in enumerate(layers(game)) for state in layer if game.outcome(state)]
    return Finding(
        verdict(set(over) == {game.size}),
        f"Of {len(over)} ends on the sample list, the first comes after {min(over)} moves and the last after"
        f" {max(over)}; the list has {len(LIST)} numbers.",
    )


@CLAIMS.says("No score falls below zero: a snatch takes no more than there is.")
def never_below_zero() -> Finding:
    """Look at every position of the sample list, and at whether the limit is ever needed."""
    game = _game()
    seen = below = needed = 0
    for layer in layers(game):
        for _, last, mine, theirs in layer:
            seen += 1
            below += min(mine, theirs) < 0
            needed += theirs < last
    return Finding(
        verdict(not below),
        f"In {below} of the {seen:,} positions of the sample list is a score below zero. The limit is"
        f" needed in {needed}: whoever may be robbed of a number has just been given its points.",
    )


@CLAIMS.says("A score is what a player took, plus what they snatched, minus what was snatched from them.")
def formula() -> Finding:
    """Keep the accounts of every game on a part of the sample list by hand."""
    game = NumberSnatch(numbers=LIST[:7])
    orders = list(permutations(game.numbers))
    wrong = 0
    for order in orders:
        outcome = played(game, order).outcome
        wrong += outcome is None or outcome.scores != _accounts(order)
    return Finding(
        verdict(not wrong),
        f"Of all {len(orders):,} games on the first {game.size} numbers of the sample list,"
        f" {wrong} disagree.",
    )


def _accounts(order: tuple[int, ...]) -> tuple[int, int]:
    """The scores by the book's formula, from the numbers alone."""
    scores = [sum(order[0::2]), sum(order[1::2])]
    for ply, (last, taken) in enumerate(pairwise(order), 1):
        if taken % last == 0:
            scores[ply % 2] += last
            scores[1 - ply % 2] -= last
    return scores[0], scores[1]


@CLAIMS.says("Answering 5 with 15 takes 5 points from the opponent and gives them to you.")
def five_and_fifteen() -> Finding:
    """Make the two moves and compare with an answer that is no multiple."""
    game = NumberSnatch(numbers=(5, 15, 16))
    first, second = game.scores(played(game, (5, 15)).state)
    return Finding(
        verdict((first, second) == (5 - 5, 15 + 5)), f"After 5 and 15 the scores are {first} and {second}."
    )


@CLAIMS.says("The sample list is ten different numbers from 1 to 20.")
def sample_list() -> Finding:
    """Count them, and add them up."""
    book = NumberSnatch()
    fits = len(set(LIST)) == book.size and set(LIST) <= set(book.all_moves())
    return Finding(
        verdict(fits),
        f"{len(set(LIST))} different numbers from {min(LIST)} to {max(LIST)}; they sum to {sum(LIST)}.",
    )


@CLAIMS.says("The walk-through is legal, lists its choices rightly, and is won by Player 1.")
def walk() -> Finding:
    """Play it again."""
    slip = mislisted(_game(), WALK, WALK_CHOICES)
    outcome = played(_game(), WALK).outcome
    winner = outcome.winner if outcome else None
    return Finding(
        verdict(slip is None and winner == 0),
        f"{len(WALK_CHOICES) if slip is None else slip[0] - 1} of {len(WALK_CHOICES)} lists are right; the"
        f" winner is {'nobody' if winner is None else f'Player {winner + 1}'}.",
    )


@CLAIMS.says("In the walk-through 20 is a multiple of 12, so that there are three snatches.")
def walk_snatches() -> Finding:
    """See which moves of it snatch."""
    snatches = tuple(
        number
        for number, (before, move, after) in enumerate(played(_game(), WALK).steps(), 1)
        if after[2] < before[3]  # the rival holds less than before the move
    )
    holds = snatches == WALK_SNATCHES
    return Finding(
        verdict(holds),
        f"Divided by 12, 20 leaves {20 % 12}; the snatches are moves {bracket(snatches)}, and the book says"
        f" {bracket(WALK_SNATCHES)}.",
        None if holds else shown(_game(), WALK),
    )


@CLAIMS.says("The walk-through ends 62 to 57.")
def walk_scores() -> Finding:
    """Add it up again."""
    outcome = played(_game(), WALK).outcome
    assert outcome is not None and outcome.scores is not None
    holds = outcome.scores == WALK_SCORES
    return Finding(
        verdict(holds),
        f"The same moves end {outcome.scores[0]} to {outcome.scores[1]}.",
        None if holds else shown(_game(), WALK),
    )


@CLAIMS.says("A careful choice of numbers limits what the opponent can snatch.")
def careful_choice() -> Finding:
    """See in how many positions of the sample list some number, and the largest, is safe."""
    game = _game()
    open_ones = _open_positions(game)
    safe = sum(not _snatchable(game, state, max(game.moves(state))) for state in open_ones)
    return Finding(
        verdict(safe == len(open_ones)),
        f"In {safe:,} of {len(open_ones):,} positions of the sample list (points left out) the largest number"
        " left cannot be snatched.",
    )


@CLAIMS.says("Sometimes a lower number prevents a snatch.")
def lower_number() -> Finding:
    """Look for positions where a number can be snatched and a lower one cannot."""
    game = _game()
    oracle: Margins[Pool, int] = Margins(game)
    open_ones = _open_positions(game)
    found = [state for state in open_ones if _spared(game, state)]
    best = sum(any(move in oracle.best_moves(state) for _, move in _spared(game, state)) for state in found)
    risky, lower = _spared(game, played(game, ()).state)[0] if found else (0, 0)
    return Finding(
        verdict(bool(found)),
        f"In {len(found):,} of {len(open_ones):,} positions of the sample list, such as at the start: {risky}"
        f" can be snatched, {lower} cannot. Such a lower number is a best move in {best:,} of them.",
    )


def _spared(game: NumberSnatch, state: Pool) -> list[tuple[int, int]]:
    """Pairs of a number that can be snatched next and a lower one that cannot."""
    moves = game.moves(state)
    risky = [move for move in moves if _snatchable(game, state, move)]
    return [(high, low) for high in risky for low in moves if low < high and low not in risky]


def _snatchable(game: NumberSnatch, state: Pool, move: int) -> bool:
    """Whether the number, once taken, can be answered with a snatch."""
    after = game.play(state, move)
    return any(_snatches(game, after, reply) for reply in game.moves(after))


def _snatches(game: NumberSnatch, state: Pool, move: int) -> bool:
    """Whether the move takes points away."""
    return bool(state[1]) and game.play(state, move)[2] < state[3]


def _open_positions(game: NumberSnatch) -> list[Pool]:
    """Every position of the game that is not over, once for all scores that it can have."""
    twins = {(state[0], state[1]): state for layer in layers(game) for state in layer if state[0]}
    return list(twins.values())


@CLAIMS.says("It pays to snatch whenever there is the chance.")
def always_snatch() -> Finding:
    """Where a snatch is possible, see whether one has the best margin."""
    game = _game()
    oracle: Margins[Pool, int] = Margins(game)
    chances = pays = 0
    costly: Pool | None = None
    for state in _open_positions(game):
        if snatches := [move for move in game.moves(state) if _snatches(game, state, move)]:
            chances += 1
            if set(snatches) & set(oracle.best_moves(state)):
                pays += 1
            elif costly is None:
                costly = state
    came: Verdict = "true" if costly is None else "partly" if pays else "false"
    return Finding(
        came,
        f"Of {chances:,} positions of the sample list in which a snatch is possible, a snatch is a best move"
        f" in {pays:,} ({pays / chances:.0%})."
        + (" The game shown ends with one that is not." if costly else ""),
        shown(game, _costly_line(game, oracle)) if costly else None,
    )


def _costly_line(game: NumberSnatch, oracle: Margins[Pool, int]) -> tuple[int, ...]:
    """A shortest game whose last move is a snatch, though every snatch there costs points."""
    lines: list[tuple[int, ...]] = [()]
    for line in lines:
        state = played(game, line).state
        snatches = [move for move in game.moves(state) if _snatches(game, state, move)]
        if snatches and not set(snatches) & set(oracle.best_moves(state)):
            return (*line, snatches[0])
        lines.extend((*line, move) for move in game.moves(state))
    return ()


@CLAIMS.says("A skilled player consistently beats an unskilled one.")
def skill() -> Finding:
    """Play perfect against random, on the same deals in both seats."""
    return consistent(NumberSnatch(), 25)
