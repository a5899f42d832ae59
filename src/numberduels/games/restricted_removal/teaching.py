"""What Restricted Removal teaches: why a move is good, the theorem to try, and the puzzles.

The reasons need no nimbers. The simplest that holds is given: the number of moves left is even however both
go on; groups come in pairs that are built alike; or there is an answer to each number that can be removed.

The rules teach that equal groups cancel, and what one, two, three or four numbers in a row are worth. A
position that this knowledge solves is no puzzle.
"""

from __future__ import annotations

from typing import Any

from numberduels.analysis.lessons import Exploration
from numberduels.analysis.puzzles.model import AnyTable, Puzzle, PuzzlePlan, PuzzleSource
from numberduels.game.bits import members
from numberduels.game.formatting import bracket
from numberduels.game.messages import Message, sentences
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf, neighbours
from numberduels.games.restricted_removal.theory import Groups
from numberduels.solvers.graphs import Mask
from numberduels.solvers.oracle import LOSS, WIN, Oracle

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
    if least == most:
        rest = Message(
            "However you both go on, exactly {moves} moves are left: an even number, so you make the last"
            " one.",
            moves=str(most),
        )
    else:
        rest = Message("However you both go on, an even number of moves is left, so you make the last one.")
    return sentences(Message("It leaves {groups}.", **named), rest) if _named(parts) else rest


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
    return Message(
        "It leaves groups in pairs that are built alike: {pairs}. Whatever they do in one, do the same in the"
        " other. The rest takes an even number of moves however you both go on.",
        pairs=named,
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
            if least < most:
                why = Message(
                    "It leaves an odd number of moves, however you both go on, so they make the last one."
                )
            else:
                why = Message(
                    "It leaves {moves} moves, however you both go on: an odd number, so they make the last"
                    " one.",
                    moves=str(most),
                )
            return sentences(Message("Every move loses here."), why) if lost else why
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


SIZE = 14


def explored_count(game: Any, state: Any) -> Message:
    """The groups that the first removal leaves."""
    available, removed = state
    groups = Groups(neighbours(game.size)).split(available)
    named = tuple("-".join(map(str, members(group))) for group in groups)
    (first,) = members(removed)
    return Message("{number} leaves these groups: {groups}.", number=first, groups=named)


EXPLORATION = Exploration(
    title=Message("Leave pairs"),
    about=Message(
        "Player 1 removes the first number, and numbers that lock each other form groups. Two groups cancel"
        " out if they are built alike or take one move each, because Player 1 answers in the other one. Move"
        " the first number until all groups cancel out."
    ),
    label=Message("The first number"),
    values=tuple(range(2, SIZE + 1)),
    first=7,
    position=lambda first: ({"size": SIZE}, (str(first),)),
    count=explored_count,
)


ROWS = {1: 1, 2: 1, 3: 2, 4: 0}
"""What the rules teach: the nimber of so many numbers in a row."""


def leave_pairs(table: AnyTable) -> int | None:
    """What the rules teach: leave equal groups in pairs, and rows whose nimbers cancel."""
    game, state = table.game, table.state
    return next((move for move in table.moves if taught_nimber(game, game.play(state, move)) == 0), None)


def taught_value(table: AnyTable) -> int | None:
    """Who wins, if the rules' knowledge of groups is enough."""
    nimber = taught_nimber(table.game, table.state)
    return None if nimber is None else WIN if nimber else LOSS


def taught_nimber(game: RestrictedRemoval, state: Shelf) -> int | None:
    """The nimber of a position by what the rules teach; None if that is not enough.

    >>> taught_nimber(RestrictedRemoval(10), (1 << 4 | 1 << 8 | 1 << 5 | 1 << 10 | 1 << 7 | 1 << 9, 0))
    0
    """
    total = 0
    others: set[tuple[int, ...]] = set()
    for part, _ in game.components(state):
        degrees = tuple(sorted(game.locks((part, 0), number).bit_count() for number in members(part)))
        if max(degrees) <= 2 and sum(degrees) == 2 * len(degrees) - 2 and len(degrees) in ROWS:
            total ^= ROWS[len(degrees)]
        else:
            others ^= {degrees}  # two groups that look alike cancel
    return None if others else total


def _locked(table: AnyTable, move: int) -> int:
    return int(table.game.locks(table.state, move).bit_count())


def _few(table: AnyTable) -> bool:
    """Whether a person can still draw the groups."""
    return len(table.moves) <= 16


def _some(table: AnyTable) -> bool:
    """The same for experts."""
    return len(table.moves) <= 22


def hint(puzzle: Puzzle) -> Message:
    """Where to look."""
    if puzzle.kind in ("which-position", "winning-moves"):
        return Message(
            "Draw the groups of numbers that lock each other. Groups that look alike cancel: cover them up"
            " and look at the rest."
        )
    return Message(
        "Draw the groups of numbers that lock each other. Which number splits them so that whatever they do"
        " in one group, you can answer in another?"
    )


PUZZLES = PuzzlePlan(
    sources=(
        PuzzleSource("only-move", {"size": range(12, 31)}, range(1, 31), choices=4, where=_few, share=3),
        PuzzleSource(
            "only-move",
            {"size": range(24, 41)},
            choices=14,
            where=lambda table: len(table.moves) <= 22,
            share=0.5,
        ),
        PuzzleSource("winning-moves", {"size": range(11, 25)}, choices=4, where=_few),
        PuzzleSource("which-position", {"size": range(11, 25)}, choices=4, where=_few),
    ),
    move_recipes={
        "pairs of groups": leave_pairs,
        "locks most": lambda table: max(table.moves, key=lambda move: _locked(table, move)),
        "locks fewest": lambda table: min(table.moves, key=lambda move: _locked(table, move)),
    },
    value_recipes={"pairs of groups": taught_value},
    hint=hint,
)
