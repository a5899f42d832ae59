"""The claims of the Range War book, with their checks, and the integer sequences of the game."""

from __future__ import annotations

from itertools import pairwise

from numberduels.analysis import claims
from numberduels.analysis.claims import CheckResult
from numberduels.analysis.sequences import (
    IntegerSequence,
    ProofStatus,
    from_starts,
    winner,
    winning_first_moves,
)
from numberduels.game.formatting import series
from numberduels.game.table import replay
from numberduels.games.range_war import spec
from numberduels.games.range_war.rules import RangeWar

CLAIMS = claims.ClaimList(spec)
GAME, FREE = RangeWar(), RangeWar(opening="free")

WALK = (6, 4, 9, 5, 7, 3, 8, 2, 10, 1)
PRINTED = {3: (5, 7, 8, 9, 10), 4: (1, 2, 3, 5, 7, 8), 5: (7, 8, 10), 6: (1, 2, 3, 8), 7: (8, 10)}
PRINTED |= {8: (1, 2), 9: (10,), 10: (1,)}
"""The worked game, and the choices that it prints before each move."""


@CLAIMS.claim("No game ends in a draw.")
def no_draws() -> CheckResult:
    lower, free = claims.count_ends(GAME), claims.count_ends(FREE)
    tied = lower.tied + free.tied
    won = claims.share(lower.ends - lower.tied, lower.ends), claims.share(free.ends - free.tied, free.ends)
    return not tied, (
        "Every move uses up a number, so every game ends."
        f" There is a winner in {won[0]} final positions, and in {won[1]} with a free opening."
    )


@CLAIMS.claim("Whoever makes the last legal move wins.")
def last_mover_wins() -> CheckResult:
    lower, free = claims.count_ends(GAME), claims.count_ends(FREE)
    lost, ends = lower.lost_by_last_mover + free.lost_by_last_mover, lower.ends + free.ends
    return not lost, f"The last mover is the winner in {claims.share(ends - lost, ends)} final positions."


@CLAIMS.claim("A game is over quickly.")
def over_quickly() -> CheckResult:
    ends = claims.count_ends(GAME)
    evidence = f"No game is longer than {ends.longest} moves; the shortest takes {ends.shortest}."
    return ends.longest <= GAME.size, evidence


@CLAIMS.claim("After a step up, from 3 to 7 say, the next number is lower; after 8 to 4 it is higher.")
def directions() -> CheckResult:
    steps = wrong = 0
    for before, _ in pairwise(claims.layers(FREE)):
        for state in before:
            for move in FREE.moves(state) if state[1] else ():
                steps += 1
                down = move < state[1]
                wrong += any((reply > move) != down for reply in FREE.moves(FREE.play(state, move)))
    return steps > 0 and not wrong, (
        f"After {claims.share(steps - wrong, steps)} steps the next number has to go the other way."
    )


@CLAIMS.claim("A skilful player can steer the trend.")
def steering() -> CheckResult:
    def ways(states: list[tuple[int, int, int]]) -> set[bool]:
        return {move > state[1] for state in states if state[1] for move in GAME.moves(state)}

    moves = [found for layer in claims.layers(GAME) if (found := ways(layer))]
    steered = sum(len(found) > 1 for found in moves)
    return steered > 0, (
        f"Of the {len(moves)} moves from the second on, {steered or 'none'} can go up in one game and down in"
        " another: the number of the move settles its direction, and a player chooses only how far to go."
    )


@CLAIMS.claim("To win, one has to think ahead.")
def thinking_ahead() -> CheckResult:
    wins = [move for move in range(1, GAME.size + 1) if replay(GAME, (move,)).outcome]
    evidence = f"First moves that win at once, of {GAME.size}: {', '.join(map(str, wins)) or 'none'}."
    return not wins, evidence, claims.Example(GAME, wins[:1])


@CLAIMS.claim("Skill is rewarded.")
def skill() -> CheckResult:
    return claims.wins_more_often(GAME, 500)


@CLAIMS.claim("The worked game is legal, uses every number, and is won by Player 2.")
def worked_game() -> CheckResult:
    table = replay(GAME, WALK)
    left, winner = GAME.size - table.ply, claims.winner_name(table)
    evidence = (
        f"All {table.ply} moves are legal, {left or 'no'} numbers are left, and the winner is {winner}."
    )
    return winner == "Player 2" and not left, evidence


@CLAIMS.claim("The worked game lists the choices of each move rightly, such as 1, 2, 3 and 8 below 7.")
def listed_choices() -> CheckResult:
    wrong = claims.first_wrong_list(GAME, WALK, PRINTED)
    if wrong is None:
        return True, f"All {len(PRINTED)} lists are those of the legal moves."
    number, legal = wrong
    extra = ", ".join(map(str, sorted(set(PRINTED[number]) - set(legal))))
    legal_choices = f"Before move {number} the legal choices are {series(legal)}"
    evidence = f"{legal_choices}; the book also lists {extra}, which does not lie below {WALK[number - 2]}."
    return False, evidence, claims.Example(GAME, WALK[: number - 1])


METHOD = "the count of free numbers on each side"

SEQUENCES = (
    IntegerSequence(
        "range-war-winning-first-moves",
        "the number of first moves that win Range War with the numbers 1 to n, if the second number must be"
        " lower than the first",
        range(1, 51),
        from_starts(lambda n: RangeWar(size=n), winning_first_moves),
        METHOD,
        ProofStatus.THEOREM,
        "ceiling(n / 2); docs/sequences.md",
    ),
    IntegerSequence(
        "range-war-free-winning-first-moves",
        "the number of first moves that win Range War with the numbers 1 to n, if the second number may be"
        " lower or higher",
        range(1, 51),
        from_starts(lambda n: RangeWar(size=n, opening="free"), winning_first_moves),
        METHOD,
        ProofStatus.THEOREM,
        "n mod 2; docs/sequences.md",
    ),
    IntegerSequence(
        "range-war-misere-winner",
        "the player, 1 or 2, who wins Range War with the numbers 1 to n if a stuck player wins",
        range(1, 51),
        from_starts(lambda n: RangeWar(size=n, ending="misere"), winner),
        "the parity of the count of free numbers",
        ProofStatus.THEOREM,
        "1 for even n and 2 for odd n; docs/theorems.md",
    ),
)
