"""What a page shows of Number Snatch: the pool, the points, and what could be snatched."""

from __future__ import annotations

from collections.abc import Sequence

from numberduels.game.bits import members
from numberduels.game.board import Bar, Board, Effect, Tile, takers
from numberduels.game.messages import Message
from numberduels.games.number_snatch.rules import NumberSnatch, Pool


def board(game: NumberSnatch, state: Pool, played: Sequence[int]) -> Board:
    """The numbers of the deal in order: left, or taken by whom; and the points of both."""
    left, last, mine, theirs = state
    kinds = takers(played)
    if last and last not in kinds:
        kinds[last] = "first" if game.turn(state) else "second"
    numbers = sorted({*game.numbers, *members(left), *played, *((last,) if last else ())})
    places = {number: place for place, number in enumerate(numbers)}

    def tile(number: int) -> Tile:
        name = str(number)
        if left >> number & 1:
            return Tile(name, "open", name)
        return Tile(name, kinds.get(number, "removed"))

    effects = {str(move): _takes(game, state, move, places) for move in game.moves(state)}
    # A snatch only moves points: what both have and what is left is always the sum of the deal.
    whole = sum(members(left)) + mine + theirs
    first, second = game.scores(state)
    return Board(
        tiles=tuple(tile(number) for number in numbers),
        effects=effects,
        last=(places[last],) if last else (),
        bars=(
            Bar("points", Message("points"), first, whole, 0),
            Bar("points", Message("points"), second, whole, 1),
        ),
        note=_taken(last, effects) if last and left else None,
    )


def _takes(game: NumberSnatch, state: Pool, move: int, places: dict[int, int]) -> Effect:
    """What this number would bring."""
    _, last, _, theirs = state
    stolen = theirs - game.play(state, move)[2]
    if not stolen:
        return Effect("takes", Message("takes {number}", number=move))
    return Effect(
        "snatches",
        Message("takes {number} and snatches {points}", number=move, points=stolen),
        (places[last],),
    )


def _taken(last: int, effects: dict[str, Effect]) -> Effect:
    """The number that the opponent took last, and whether it is in danger."""
    if any(effect.touches for effect in effects.values()):
        return Effect(
            "last_taken", Message("last taken: {number}; a multiple of it snatches it", number=last)
        )
    return Effect("last_safe", Message("last taken: {number}; nothing left can snatch it", number=last))
