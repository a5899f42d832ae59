"""Why to remove a number in Restricted Removal: what it leaves, and how to answer from then on.

The reasons need no nimbers. The simplest that holds is given: the number of moves left is even however both
go on; groups come in pairs that are built alike; or there is an answer to each number that can be removed.
"""

from __future__ import annotations

from typing import Any

from numberduels.game.bits import members
from numberduels.game.formatting import bracket
from numberduels.game.messages import Message
from numberduels.games.restricted_removal.groups import Groups
from numberduels.games.restricted_removal.rules import Shelf
from numberduels.solvers.node_kayles import Mask
from numberduels.solvers.oracle import LOSS, Oracle

NAMED = 10
"""The most numbers that are named."""

EXAMPLES = 3
"""So many answers are listed. Every set of so few numbers has a simpler reason."""

TRIED = 30
"""With more numbers left, no answers are looked for."""


def explain(theory: Oracle[Shelf, int], groups: Groups, state: Shelf, move: int) -> Message:
    """What a removal leaves, and why that wins or loses."""
    after = theory.game.play(state, move)
    if not after[0]:
        return Message("Nothing is left to remove, so they are stuck and you win.")
    if theory.value(after) != LOSS:
        return _losing(theory, groups, state, move, after)
    parts = groups.split(after[0])
    unsteady = [part for part in parts if not groups.is_steady(part)]
    steady = [part for part in parts if groups.is_steady(part)]
    pairs = groups.pairs(unsteady)
    if pairs is None:
        return _answers(theory, after)
    if pairs:
        return _twins(pairs, steady)
    return _even(groups, parts)


def group_text(group: Mask) -> int | str:
    """A number alone as it is, several in brackets."""
    numbers = members(group)
    return numbers[0] if len(numbers) == 1 else bracket(numbers)


def _named(parts: list[Mask]) -> bool:
    """Whether there are few enough numbers to name them all."""
    return sum(part.bit_count() for part in parts) <= NAMED


def _even(groups: Groups, parts: list[Mask]) -> Message:
    """However both go on, the number of moves left is even."""
    least, most, _ = groups.length(sum(parts))
    named: dict[str, Any] = {"groups": tuple(map(group_text, parts))}
    if len(parts) == 2 == most:
        if sum(parts).bit_count() == 2:
            return Message(
                "It leaves {groups}, which don't lock each other: they take one, you take the other.", **named
            )
        return Message(
            "It leaves {groups}, and each takes one move: they take one, you take the other.", **named
        )
    if most == len(parts):
        told = {"moves": str(most)}
        if not _named(parts):
            return Message(
                "It leaves {moves} groups that take one move each: an even number, so you make the last"
                " move.",
                **told,
            )
        return Message(
            "It leaves {groups}: {moves} groups that take one move each. That is an even number, so you make"
            " the last move.",
            **told,
            **named,
        )
    if least == most:
        if not _named(parts):
            return Message(
                "However you both go on, exactly {moves} moves are left: an even number, so you make the last"
                " one.",
                moves=str(most),
            )
        return Message(
            "It leaves {groups}. However you both go on, exactly {moves} moves are left: an even number, so"
            " you make the last one.",
            moves=str(most),
            **named,
        )
    if not _named(parts):
        return Message("However you both go on, an even number of moves is left, so you make the last one.")
    return Message(
        "It leaves {groups}. However you both go on, an even number of moves is left, so you make the last"
        " one.",
        **named,
    )


def _twins(pairs: list[tuple[Mask, Mask]], steady: list[Mask]) -> Message:
    """Groups in pairs that are built alike; the rest takes an even number of moves."""
    named = tuple(
        Message("{one} like {other}", one=group_text(one), other=group_text(other)) for one, other in pairs
    )
    if not steady:
        return Message(
            "It leaves groups in pairs that are built alike: {pairs}. Whatever they do in one, do the same in"
            " the other.",
            pairs=named,
        )
    if not _named(steady):
        return Message(
            "It leaves groups in pairs that are built alike: {pairs}. Whatever they do in one, do the same in"
            " the other. The rest takes an even number of moves however you both go on.",
            pairs=named,
        )
    return Message(
        "It leaves groups in pairs that are built alike: {pairs}. Whatever they do in one, do the same in the"
        " other. The rest, {groups}, takes an even number of moves however you both go on.",
        pairs=named,
        groups=tuple(map(group_text, steady)),
    )


def _answers(theory: Oracle[Shelf, int], after: Shelf) -> Message:
    """No simple reason: answers to some of the numbers that they can remove."""
    numbers = members(after[0])
    if len(numbers) > TRIED:
        return Message(
            "It leaves {left} numbers, and a complete search shows that you have an answer to each. There is"
            " no shorter reason.",
            left=str(len(numbers)),
        )
    answers = tuple(
        Message(
            "after {reply} remove {answer}",
            reply=reply,
            answer=_answer(theory, theory.game.play(after, reply)),
        )
        for reply in numbers[:EXAMPLES]
    )
    if len(numbers) <= NAMED:
        return Message(
            "It leaves {numbers}, and you have an answer to each. For example, {answers}.",
            numbers=numbers,
            answers=answers,
        )
    return Message(
        "It leaves {left} numbers, and you have an answer to each. For example, {answers}.",
        left=str(len(numbers)),
        answers=answers,
    )


def _answer(theory: Oracle[Shelf, int], state: Shelf) -> int:
    """A winning move: the one that leaves the fewest numbers."""
    return min(theory.winning_moves(state), key=lambda move: theory.game.play(state, move)[0].bit_count())


def _losing(theory: Oracle[Shelf, int], groups: Groups, state: Shelf, move: int, after: Shelf) -> Message:
    """Why a removal loses, or why every one does."""
    lost, choices = theory.value(state) == LOSS, theory.game.moves(state)
    replies = theory.game.moves(after)
    if len(replies) > 1 and len(choices) > 1:
        least, most, steady = _length(groups, after[0])
        if steady and most > 1:
            told = {"moves": str(most)}
            if least < most:
                if lost:
                    return Message(
                        "Every move loses here: an odd number of moves is left then, however you both go on,"
                        " so they make the last one."
                    )
                return Message(
                    "It leaves an odd number of moves, however you both go on, so they make the last one."
                )
            if lost:
                return Message(
                    "Every move loses here: {moves} moves are left then, however you both go on. That is an"
                    " odd number, so they make the last one.",
                    **told,
                )
            return Message(
                "It leaves {moves} moves, however you both go on: an odd number, so they make the last one.",
                **told,
            )
        ending = next((each for each in replies if not theory.game.play(after, each)[0]), 0)
        if ending and lost:
            return Message(
                "Every move loses here; after {move} they remove {answer}, and nothing is left.",
                move=move,
                answer=ending,
            )
        if ending:
            return Message("It loses: they remove {answer}, and nothing is left.", answer=ending)
    return theory.why_it_loses(state, move)


def _length(groups: Groups, available: Mask) -> tuple[int, int, bool]:
    """The least and the most moves, and whether even or odd is certain; not if a group is too large."""
    if all(groups.is_steady(part) for part in groups.split(available)):
        return groups.length(available)
    return 0, 0, False
