"""Why to place a number of Number Collision, by the cells that stay empty; repetition is allowed."""

from __future__ import annotations

from numberduels.game.messages import Message
from numberduels.games.number_collision.rules import Line, Place
from numberduels.solvers.oracle import DRAW, LOSS, Oracle


def explain(theory: Oracle[Line, Place], state: Line, move: Place) -> Message:
    """What a placement leaves."""
    after = theory.game.play(state, move)
    left = after[0].bit_count()
    if ending := explain_ending(theory, state, move):
        return ending
    value = theory.evaluate_move(state, move).value
    if value == LOSS:
        if theory.value(state) == LOSS:
            return Message("Every move loses here: one cell stays empty, and they fill it.")
        return Message("It leaves exactly one empty cell, and they fill it.")
    if last := explain_last_cell(theory, state, move):
        return last
    if theory.value(state) > DRAW:
        return Message("It gives the win away: there is a number that fits the last empty cell.")
    if left == 1:
        return Message("One cell stays empty, but no number fits it: whatever they place collides.")
    told = {"left": str(left)}
    if left <= state[0].bit_count():
        return Message(
            "It leaves {left} empty cells. You are safe as long as you don't leave exactly one empty cell.",
            **told,
        )
    if _only_collisions_hold(theory, state):
        return Message(
            "Only a collision helps here: it leaves {left} empty cells. Anything else leaves exactly one, and"
            " they fill it.",
            **told,
        )
    return Message(
        "It collides and leaves {left} empty cells. You are safe as long as you don't leave exactly one empty"
        " cell.",
        **told,
    )


def explain_ending(theory: Oracle[Line, Place], state: Line, move: Place) -> Message | None:
    """Why a placement ends the game, if it does; repetition may be forbidden."""
    after = theory.game.play(state, move)
    if theory.game.moves(after):
        return None
    if not after[0]:
        return Message("It fills the last empty cell, so they are stuck and you win.")
    return Message("Whatever they place would bring back an earlier line, so they are stuck and you win.")


def explain_last_cell(theory: Oracle[Line, Place], state: Line, move: Place) -> Message | None:
    """Why a placement wins by force if the next two placements end the game; repetition may be forbidden."""
    game, after = theory.game, theory.game.play(state, move)
    replies = [game.play(after, reply) for reply in game.moves(after)]
    if all(any(not game.play(line, place)[0] for place in game.moves(line)) for line in replies):
        return Message("Whatever they place, you can fill the last empty cell and win.")
    return None


def _only_collisions_hold(theory: Oracle[Line, Place], state: Line) -> bool:
    """Whether two cells are empty and every number that stays leaves the last cell to the opponent."""
    empty = state[0].bit_count()
    if empty != 2:
        return False
    staying = [
        place for place in theory.game.moves(state) if theory.game.play(state, place)[0].bit_count() == 1
    ]
    return bool(staying) and all(theory.evaluate_move(state, place).value == LOSS for place in staying)
