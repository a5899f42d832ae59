"""What the book of Range War says about itself, and how to find out."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from numberduels.analysis.claims import (
    Book,
    Finding,
    contest,
    ends,
    layers,
    mislisted,
    played,
    positions,
    rewarded,
    shown,
    verdict,
)
from numberduels.games.range_war.rules import RangeWar
from numberduels.text import series

CLAIMS = Book("range-war")

WALK = (6, 4, 9, 5, 7, 3, 8, 2, 10, 1)
"""The worked game."""

PRINTED = {
    3: (5, 7, 8, 9, 10),
    4: (1, 2, 3, 5, 7, 8),
    5: (7, 8, 10),
    6: (1, 2, 3, 8),
    7: (8, 10),
    8: (1, 2),
    9: (10,),
    10: (1,),
}
"""The choices that the worked game prints, by the number of the move."""


@CLAIMS.says("No game ends in a draw.")
def no_draws() -> Finding:
    """Look at every end, with either opening."""
    lower, free = ends(RangeWar()), ends(RangeWar(opening="free"))
    return Finding(
        verdict(lower.tied + free.tied == 0),
        f"Every claim uses up a number, so no position comes back; {lower.count:,} ends can be reached"
        f" through {lower.positions:,} positions (with a free opening {free.count:,} through"
        f" {free.positions:,}), and {lower.tied + free.tied} of them have no winner.",
    )


@CLAIMS.says("Whoever makes the last legal move wins.")
def last_mover_wins() -> Finding:
    """Compare the winner with the last mover at every end."""
    lower, free = ends(RangeWar()), ends(RangeWar(opening="free"))
    lost = lower.lost_by_last + free.lost_by_last
    return Finding(
        verdict(not lost), f"At {lost} of {lower.count + free.count:,} ends the last mover is not the winner."
    )


@CLAIMS.says("A game is over quickly.")
def over_quickly() -> Finding:
    """Count the moves of the longest game and of the shortest."""
    game = RangeWar()
    found = ends(game)
    return Finding(
        verdict(found.longest <= game.size),
        f"No game is longer than {found.longest} moves, one for each number, and one can end after"
        f" {found.shortest}.",
    )


@CLAIMS.says("After a step up, from 3 to 7 say, the next number is lower; after 8 to 4 it is higher.")
def directions() -> Finding:
    """Look at the choices after every step that any game can make."""
    game = RangeWar(opening="free")
    steps = wrong = 0
    for before, _ in pairwise(layers(game)):
        for state in before:
            for move in game.moves(state) if state[1] else ():
                after = game.play(state, move)
                down = move < state[1]
                steps += 1
                wrong += any((reply > move) != down for reply in game.moves(after))
    return Finding(
        verdict(steps > 0 and not wrong),
        f"After {wrong} of {steps:,} steps can anybody go the same way again.",
    )


@CLAIMS.says("A skilful player can steer the trend.")
def steering() -> Finding:
    """See whether the direction of any move depends on anything but its number in the game."""
    ways = _ways(RangeWar())
    steered = [number for number, found in ways.items() if len(found) > 1]
    free = RangeWar(opening="free")
    # The first layers are the start and the positions after one number.
    later = sum(
        len({move > state[1] for move in free.moves(state)}) > 1 for state in positions(free)[free.size + 1 :]
    )
    return Finding(
        verdict(bool(steered)),
        f"Of the {len(ways)} moves from the second on, {len(steered)} can go up in one game and down in"
        " another: the number of the move settles its way, and a player chooses only how far to go. With a"
        f" free opening the second move picks the way for the whole game; after it, {later} positions leave"
        " the mover a choice of ways.",
    )


def _ways(game: RangeWar) -> dict[int, set[bool]]:
    """For the number of each move from the second on, whether it can go up and whether down."""
    found: dict[int, set[bool]] = {}
    for ply, layer in enumerate(layers(game)):
        ways = {move > state[1] for state in layer if state[1] for move in game.moves(state)}
        if ways:
            found[ply + 1] = ways
    return found


@CLAIMS.says("To win, one has to think ahead.")
def thinking_ahead() -> Finding:
    """Look for a first move that ends the game at once."""
    game = RangeWar()
    start = played(game, ())
    at_once = [move for move in start.moves if game.outcome(game.play(start.state, move))]
    free = ends(RangeWar(opening="free")).shortest
    return Finding(
        verdict(not at_once),
        f"With the book's convention that the second number is lower, {len(at_once)} of {game.size} first"
        f" moves ends the game on the spot with a win: {', '.join(map(str, at_once)) or 'none'}. With a free"
        f" opening no game is shorter than {free} moves.",
        shown(game, at_once[:1]) if at_once else None,
    )


@CLAIMS.says("Skill is rewarded.")
def skill() -> Finding:
    """Play perfect against random."""
    found = rewarded(RangeWar(), 500)
    free = contest(RangeWar(opening="free"), 500)
    return replace(found, evidence=f"{found.evidence} With a free opening perfect won {free.told()}.")


@CLAIMS.says("The worked game is legal, uses every number, and is won by Player 2.")
def worked_game() -> Finding:
    """Play it again."""
    table = played(RangeWar(), WALK)
    winner = table.outcome.winner if table.outcome else None
    free = RangeWar().size - table.ply
    return Finding(
        verdict(winner == 1 and not free),
        f"All {table.ply} moves are legal, {free} numbers are left, and the winner is"
        f" {'nobody' if winner is None else f'Player {winner + 1}'}.",
    )


@CLAIMS.says("The worked game lists the choices of each move rightly, such as 1, 2, 3 and 8 below 7.")
def listed_choices() -> Finding:
    """Compare each printed list with the legal moves."""
    slip = mislisted(RangeWar(), WALK, PRINTED)
    if slip is None:
        return Finding("true", f"All {len(PRINTED)} lists are those of the legal moves.")
    number, legal = slip
    wrong = sorted(set(PRINTED[number]) - set(legal))
    return Finding(
        "false",
        f"Before move {number} the legal choices are {series(legal)}; the book's list"
        f" also has {', '.join(map(str, wrong))}, which does not lie below {WALK[number - 2]}.",
        shown(RangeWar(), WALK[: number - 1]),
    )
