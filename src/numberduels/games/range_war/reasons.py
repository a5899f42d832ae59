"""Why a move of Range War wins or loses, in the numbers that both players have left."""

from __future__ import annotations

from collections.abc import Callable

from numberduels.game.bits import members
from numberduels.game.messages import Message
from numberduels.games.range_war.rules import ANYWHERE, Line
from numberduels.solvers.oracle import LOSS, Oracle

Sides = Callable[[Line], tuple[int, int]]
"""How many free numbers lie where the player to move must go, and how many on the other side."""

FEW = 2
"""So many numbers of the opponent are named; more of them are counted."""


def explain(theory: Oracle[Line, int], sides: Sides, state: Line, move: int) -> Message:
    """What a move leaves to both players."""
    after = theory.game.play(state, move)
    if not theory.game.moves(after):
        return _stuck(after)
    theirs, ours = sides(after)
    told = {"theirs": _numbers(theirs), "ours": str(ours) if ours else Message("none")}
    if not state[1]:
        return _first(theory, theirs, ours, told)
    lost = theory.value(state) == LOSS
    skipped = _skipped(state, move)
    if lost:
        return _lost(theory, state, move, skipped, told)
    if theory.value(after) == LOSS:
        return _winning(state, skipped, told)
    if state[2] == ANYWHERE and _went_to_shorter_side(state, move):
        return Message(
            "It gives them the longer side: that leaves {theirs} for them and {ours} for you, so you run out"
            " first.",
            **told,
        )
    return Message(
        "It skips {skipped}, and what you skip becomes theirs: that leaves {theirs} for them and {ours} for"
        " you, so you run out first.",
        skipped=_numbers(skipped),
        **told,
    )


def _stuck(after: Line) -> Message:
    """The opponent has no number to go to."""
    free, _, side = after
    if not free:
        return Message("No number is left for them, so they are stuck and you win.")
    if side < 0:
        return Message("No higher number is left for them, so they are stuck and you win.")
    return Message("No lower number is left for them, so they are stuck and you win.")


def _first(theory: Oracle[Line, int], theirs: int, ours: int, told: dict[str, str]) -> Message:
    """The first number of the game."""
    if theory.game.opening == "lower":
        if ours >= theirs:
            return Message(
                "That leaves {theirs} below it for them and {ours} above it for you, and it is their turn:"
                " they run out first.",
                **told,
            )
        return Message(
            "That leaves {theirs} below it for them and {ours} above it for you: you run out first.", **told
        )
    if ours == theirs:
        return Message(
            "It is the middle, with {theirs} on each side: whichever side they choose, the other one is"
            " yours, and they run out first.",
            theirs=told["theirs"],
        )
    if theory.game.size % 2 == 0:
        return Message(
            "Every move loses here, because there is no middle: they choose the longer side, with {theirs},"
            " and leave you {ours}.",
            **told,
        )
    return Message(
        "It is not the middle: they choose the longer side, with {theirs}, and leave you {ours}.", **told
    )


def _winning(state: Line, skipped: int, told: dict[str, str]) -> Message:
    """The opponent runs out of numbers first."""
    if skipped:
        return Message(
            "It gives them {skipped} that you skip, but you can afford it: that leaves {theirs} for them and"
            " {ours} for you, and it is their turn. They run out first.",
            skipped=_numbers(skipped),
            **told,
        )
    if state[2] == ANYWHERE:
        return Message(
            "Go to the longer side and take the nearest: that leaves {theirs} for them and {ours} for you,"
            " and it is their turn. They run out first.",
            **told,
        )
    return Message(
        "Take the nearest: every number you skip becomes theirs. That leaves {theirs} for them and {ours} for"
        " you, and it is their turn: they run out first.",
        **told,
    )


def _lost(theory: Oracle[Line, int], state: Line, move: int, skipped: int, told: dict[str, str]) -> Message:
    """Every move loses; the nearest number takes longest."""
    replies = theory.game.moves(theory.game.play(state, move))
    if len(theory.game.moves(state)) == 1:
        return Message("It is your only number: you have none after it, and they win.")
    if state[2] == ANYWHERE:
        return Message(
            "Every move loses here, because both sides are equally long: it leaves {theirs} for them and"
            " {ours} for you.",
            **told,
        )
    if skipped:
        return Message(
            "Every move loses here, and this one also gives them {skipped} that you skip: it leaves {theirs}"
            " for them and {ours} for you.",
            skipped=_numbers(skipped),
            **told,
        )
    if len(replies) <= FEW:
        return Message(
            "Every move loses here; {move} at least leaves them only {replies}.", move=move, replies=replies
        )
    return Message(
        "Every move loses here: it leaves {theirs} for them and {ours} for you. The nearest holds out"
        " longest.",
        **told,
    )


def _went_to_shorter_side(state: Line, move: int) -> bool:
    free, last, _ = state
    higher = (free >> last).bit_count()
    lower = free.bit_count() - higher
    return higher < lower if move > last else lower < higher


def _skipped(state: Line, move: int) -> int:
    """How many free numbers lie between the last one and the move."""
    free, last, _ = state
    low, high = sorted((last, move))
    return sum(low < number < high for number in members(free))


def _numbers(count: int) -> Message:
    return Message("{count} number", "{count} numbers", count=count)
