"""What a page shows of Summation Duel: the numbers, and the way to the target."""

from __future__ import annotations

from collections.abc import Sequence

from numberduels.game.board import Bar, Board, Effect, Tile, takers
from numberduels.game.messages import Message
from numberduels.games.summation_duel.rules import Sum, SummationDuel


def board(game: SummationDuel, state: Sum, played: Sequence[int]) -> Board:
    """The numbers, unused or used by whom, and how far the total is."""
    unused, total = state
    legal = game.moves(state)
    kinds = takers(played)

    def tile(number: int) -> Tile:
        name = str(number)
        if unused >> number & 1:
            return Tile(name, "open", name) if legal else Tile(name, "closed")
        return Tile(name, kinds.get(number, "removed"))

    return Board(
        tiles=tuple(tile(number) for number in game.all_moves()),
        effects={str(move): _makes(game, state, move) for move in legal},
        last=(played[-1] - 1,) if played else (),
        bars=(Bar("total", Message("Total"), total, game.target),),
        note=Effect("to_go", Message("{left} to go", left=game.target - total)) if legal else None,
    )


def _makes(game: SummationDuel, state: Sum, move: int) -> Effect:
    """The total that this number would make."""
    after = game.play(state, move)
    outcome = game.outcome(after)
    total = after[1]
    if outcome is None:
        return Effect("makes", Message("makes {total}, {left} to go", total=total, left=game.target - total))
    if outcome.winner == game.turn(state):
        return Effect("makes_exactly", Message("makes {total} exactly: wins", total=total))
    return Effect("makes_over", Message("makes {total}: over the target, loses", total=total))
