"""What a page shows of Juniper Green: the sheet, what may be struck out, and what a move leaves."""

from __future__ import annotations

from collections.abc import Sequence

from juniper_green.rules import JuniperGreen, Sheet
from numberduels.game.board import Bar, Board, Effect, Tile, takers
from numberduels.game.messages import Message

MOST = 8
"""So many answers are listed; more of them are counted."""


def board(game: JuniperGreen, state: Sheet, played: Sequence[int]) -> Board:
    """The sheet: who struck out what, what may be struck out now, and what is out of reach."""
    left, last = state
    legal = game.moves(state)
    kinds = takers(played)

    def tile(number: int) -> Tile:
        name = str(number)
        if number in legal:
            return Tile(name, "open", name)
        return Tile(name, "closed" if left >> number & 1 else kinds.get(number, "removed"))

    return Board(
        tiles=tuple(tile(number) for number in game.all_moves()),
        effects={str(move): _effect(game, state, move) for move in legal},
        last=(last - 1,) if last else (),
        bars=(Bar("struck_out", Message("Struck out"), game.size - left.bit_count(), game.size),),
        note=_note(game, state, bool(legal)),
    )


def _effect(game: JuniperGreen, state: Sheet, move: int) -> Effect:
    """What the opponent may strike out after this move."""
    answers = game.moves(game.play(state, move))
    touches = tuple(number - 1 for number in answers)
    if not answers:
        return Effect("leaves_nothing", Message("leaves no factor or multiple: wins"))
    if len(answers) > MOST:
        return Effect(
            "leaves_many",
            Message("leaves {count} answer", "leaves {count} answers", count=len(answers)),
            touches,
        )
    return Effect("leaves", Message("leaves {numbers}", numbers=answers), touches)


def _note(game: JuniperGreen, state: Sheet, more: bool) -> Effect:
    """What the next number must be, or why there is none."""
    last = state[1]
    if last and more:
        return Effect("related", Message("a factor or a multiple of {number}", number=last))
    if last:
        return Effect("stuck", Message("no factor or multiple of {number} is left", number=last))
    if game.opening == "even":
        return Effect("even", Message("an even number"))
    return Effect("any", Message("any number"))
