"""What Number Snatch teaches: why a move is good, the theorem to try, and the puzzles.

The largest number, or else the largest multiple of their last one, always gives the best margin, and the
rules teach it. So the best move is no puzzle. What is left: how small a number one may take and still win,
the margin where the alternating sum is not the whole story, and who wins from positions that look alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numberduels.analysis.lessons import Exploration
from numberduels.analysis.puzzles.model import AnyTable, Puzzle, PuzzlePlan, PuzzleSource
from numberduels.game.bits import members
from numberduels.game.messages import Message, either, sentences
from numberduels.games.number_snatch.rules import NumberSnatch, Pool
from numberduels.games.number_snatch.theory import alternating, multiples
from numberduels.solvers.general import lead
from numberduels.solvers.oracle import LOSS, WIN, Oracle


def explain(theory: Oracle[Pool, int], state: Pool, move: int) -> Message:
    """The gain of a move, and the result; where every move loses, that first."""
    left, last, _, _ = state
    snatches = bool(last) and move % last == 0
    if left == 1 << move:
        end = _end(theory, state, move)
        return sentences(_snatch(last), end) if snatches else end
    result, lost = theory.result_message(state, move), theory.value(state) == LOSS
    if snatches:
        gain = sentences(_snatch(last), _risk_of_snatcher(left, move))
    else:
        gain = _risk(left, move, lost)
    return sentences(result, gain) if lost else sentences(gain, result)


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


NUMBERS = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)
"""The list of the book."""


def explored_count(game: Any, state: Any) -> Message:
    """The multiples of the first number that are left, and the larger numbers."""
    first = state[1]
    multiples = tuple(each for each in game.moves(state) if each % first == 0)
    if multiples:
        return Message("{number} can be snatched with {multiples}.", number=first, multiples=multiples)
    larger = sum(each > first for each in game.moves(state))
    return Message(
        "{number} cannot be snatched, and {count} larger number is left to Player 2.",
        "{number} cannot be snatched, and {count} larger numbers are left to Player 2.",
        number=first,
        count=larger,
    )


EXPLORATION = Exploration(
    title=Message("What a number costs"),
    about=Message(
        "Player 1 takes the first number. If a multiple of it is left, Player 2 can snatch it; and every"
        " larger number that is left may be theirs. Move the first number: which one keeps the largest lead?"
    ),
    label=Message("The first number"),
    values=NUMBERS,
    first=5,
    position=lambda first: ({"numbers": NUMBERS}, (str(first),)),
    count=explored_count,
)


DEALS = {"size": range(5, 12), "top": range(12, 26)}
LONG_DEALS = {"size": range(12, 14), "top": range(20, 31)}


def snatch_or_largest(table: AnyTable) -> int:
    """The largest multiple of their last number, or else the largest number."""
    left, last, _, _ = table.state
    return int(max(multiples(left, last) or table.moves))


def most_points_now(table: AnyTable) -> int:
    """The number that gains most at once."""
    left, last, _, _ = table.state
    snatching = multiples(left, last)
    return int(max(table.moves, key=lambda move: (move + 2 * last if move in snatching else move, move)))


def smallest_snatch(table: AnyTable) -> int | None:
    """The smallest multiple of their last number."""
    left, last, _, _ = table.state
    return min(multiples(left, last), default=None)


def safest_small_number(table: AnyTable) -> int | None:
    """The smallest number that cannot be snatched."""
    left = table.state[0]
    return min((move for move in table.moves if not multiples(left, move)), default=None)


def _by_the_rules(table: AnyTable) -> int:
    """The lead after adding and subtracting the numbers left in turn, as the rules teach."""
    return lead(table.game, table.state) + alternating(table.state[0])


def lead_after_a_snatch(table: AnyTable) -> int | None:
    """The same, and twice their last number for a snatch with the largest; None if that is no snatch."""
    left, last, _, _ = table.state
    return abs(_by_the_rules(table) + 2 * last) if max(table.moves) in multiples(left, last) else None


def _sign(margin: int) -> int | None:
    return WIN if margin > 0 else LOSS if margin < 0 else None


def twin(_: NumberSnatch) -> Callable[[Pool], Any]:
    """A key of a position: the last number matters only while a multiple of it is left."""

    def key(state: Pool) -> tuple[int, int]:
        left, last, _, _ = state
        return left, last if multiples(left, last) else 0

    return key


def hint(puzzle: Puzzle) -> Message:
    """Where to look."""
    if puzzle.kind == "lowest-move":
        return Message(
            "Look for the multiples of a small number: they may snatch it. How many points can you afford"
            " to lose?"
        )
    return Message(
        "Compare two ways: take the largest number, or snatch with the largest multiple of their last"
        " number. After that, both always take the largest."
    )


PUZZLES = PuzzlePlan(
    sources=(
        PuzzleSource("lowest-move", DEALS, range(12)),
        PuzzleSource("lowest-move", LONG_DEALS, range(2)),
        PuzzleSource("margin", DEALS, range(1, 12)),
        PuzzleSource("which-position", DEALS, range(1, 12), share=0.5),
    ),
    move_recipes={
        "snatch or largest": snatch_or_largest,
        "most points now": most_points_now,
        "smallest snatch": smallest_snatch,
        "smallest that is safe": safest_small_number,
    },
    value_recipes={
        "the leader": lambda table: _sign(lead(table.game, table.state)),
        "the alternating sum": lambda table: _sign(_by_the_rules(table)),
        "who can snatch": lambda table: WIN if multiples(*table.state[:2]) else LOSS,
    },
    number_recipes={
        "the lead now": lambda table: abs(lead(table.game, table.state)),
        "the alternating sum": lambda table: abs(_by_the_rules(table)),
        "the alternating sum and a snatch": lead_after_a_snatch,
        "the largest number": lambda table: max(table.moves),
    },
    hint=hint,
    twin=twin,
)
