"""Why to take a number of Number Snatch: what it brings, what it risks, and how it ends."""

from __future__ import annotations

from numberduels.game.bits import members
from numberduels.game.messages import Message, either
from numberduels.games.number_snatch.rules import Pool
from numberduels.solvers.oracle import LOSS, WIN, Oracle


def explain(theory: Oracle[Pool, int], state: Pool, move: int) -> Message:
    """The gain of a move, and the result; where every move loses, that first."""
    left, last, _, _ = state
    snatches = bool(last) and move % last == 0
    if left == 1 << move:
        end = _end(theory, state, move)
        return _two(_snatch(last), end) if snatches else end
    result, lost = theory.result_message(state, move), theory.value(state) == LOSS
    if snatches:
        gain = _two(_snatch(last), _risk_of_snatcher(left, move))
    else:
        gain = _risk(left, move, lost)
    return _two(result, gain) if lost else _two(gain, result)


def _two(first: Message, second: Message) -> Message:
    return Message("{first} {second}", first=first, second=second)


def _snatch(last: int) -> Message:
    return Message(
        "It snatches their {last}: that is {points} points between you.", last=last, points=str(2 * last)
    )


def _snatchers(left: int, move: int) -> list[int]:
    return [each for each in members(left) if each > move and not each % move]


def _risk_of_snatcher(left: int, move: int) -> Message:
    threats = _snatchers(left, move)
    if threats:
        return Message("But they can snatch the {move} with {threats}.", move=move, threats=either(threats))
    return Message("Nothing left can snatch the {move} in turn.", move=move)


def _risk(left: int, move: int, lost: bool) -> Message:
    """What a number risks that snatches nothing."""
    threats = _snatchers(left, move)
    if threats:
        return Message("They can snatch the {move} with {threats}.", move=move, threats=either(threats))
    if left >> move > 1:
        return Message("Nothing left can snatch the {move}.", move=move)
    if lost:
        return Message("It is the largest, and nothing left can snatch it.")
    return Message(
        "{move} is the largest: nothing left can snatch it, and it is worth more than whatever they take"
        " next.",
        move=move,
    )


def _end(theory: Oracle[Pool, int], state: Pool, move: int) -> Message:
    """The last number of the game."""
    value, _, margin, _ = theory.evaluate_move(state, move)
    if not margin:
        if value == WIN:
            return Message("It is the last number: the points are level, and then you win.")
        return Message("It is the last number: the points are level, and then they win.")
    if margin > 0:
        return Message(
            "It is the last number, and you win by {count} point.",
            "It is the last number, and you win by {count} points.",
            count=margin,
        )
    return Message(
        "It is the last number, and you lose by {count} point.",
        "It is the last number, and you lose by {count} points.",
        count=-margin,
    )
