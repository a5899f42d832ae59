"""What Summation Duel teaches: why a move is good, the theorem to try, and the puzzles.

The rules teach to count backwards from the target. What that finds within two moves is no puzzle, nor what
the book's rule of multiples finds.
"""

from __future__ import annotations

from typing import Any

from numberduels.analysis.lessons import Exploration
from numberduels.analysis.puzzles.model import AnyTable, Puzzle, PuzzlePlan, PuzzleSource
from numberduels.game.bits import members
from numberduels.game.messages import Message
from numberduels.games.summation_duel.rules import Sum
from numberduels.solvers.oracle import LOSS, Oracle

SHOWN = 3
"""The most answers that are listed."""


def explain(theory: Oracle[Sum, int], state: Sum, move: int) -> Message:
    """What a number does to the total, and what comes next."""
    unused, total = after = theory.game.play(state, move)
    target = theory.game.target
    if total == target:
        return Message("It makes exactly {target}: you win.", target=target)
    if theory.evaluate_move(state, move).value == LOSS:
        return _losing(theory, state, move)
    fitting = [number for number in members(unused) if total + number <= target]
    told = {"total": total, "target": target}
    if not fitting:
        return Message(
            "It makes {total}, and every number left goes over {target}: they must go over, and you win.",
            **told,
        )
    return _winning(theory, after, fitting, told)


def _winning(theory: Oracle[Sum, int], after: Sum, fitting: list[int], told: dict[str, int]) -> Message:
    """An answer to everything: where possible, the one that hits the target."""
    unused, total = after
    rest = theory.game.target - total
    hits = {reply: rest - reply for reply in fitting if rest - reply in fitting and rest != 2 * reply}
    everything = len(fitting) == unused.bit_count()
    listed = sorted(fitting, key=lambda reply: (reply not in hits, -reply))[:SHOWN]
    answers = tuple(
        Message(
            "after {reply} you add {answer}",
            reply=reply,
            answer=hits.get(reply) or _answer(theory, theory.game.play(after, reply)),
        )
        for reply in sorted(listed)
    )
    if len(hits) == len(fitting):
        if everything:
            return Message(
                "It makes {total}: they cannot hit {target} now, and whatever they add, you can. For example,"
                " {answers}.",
                answers=answers,
                **told,
            )
        return Message(
            "It makes {total}: they go over {target}, or you hit it next. For example, {answers}.",
            answers=answers,
            **told,
        )
    if everything:
        return Message(
            "It makes {total}, and you have an answer to whatever they add. For example, {answers}.",
            answers=answers,
            total=total,
        )
    return Message(
        "It makes {total}, and you have an answer to every number that fits. For example, {answers}.",
        answers=answers,
        total=total,
    )


def _answer(theory: Oracle[Sum, int], state: Sum) -> int:
    """A winning move, if possible one that leaves nothing that fits; then the largest."""
    unused, total = state

    def fitting_after(move: int) -> int:
        return sum(total + move + each <= theory.game.target for each in members(unused) if each != move)

    return min(theory.best_moves(state), key=lambda move: (fitting_after(move), -move))


def _losing(theory: Oracle[Sum, int], state: Sum, move: int) -> Message:
    """Why a number loses, or why every number does."""
    unused, total = theory.game.play(state, move)
    target, lost = theory.game.target, theory.value(state) == LOSS
    if total > target:
        if not lost:
            return Message("It goes over {target}: you lose.", target=target)
        if all(state[1] + number > target for number in members(state[0])):
            return Message("Every number left goes over {target}, so every move loses here.", target=target)
        return Message("Every move loses here, and this one goes over {target} at once.", target=target)
    answer = target - total
    if unused >> answer & 1 and len(theory.game.moves(state)) > 1:
        told = {"move": move, "answer": answer, "target": target}
        if lost:
            return Message("Every move loses here; after {move} they add {answer} and hit {target}.", **told)
        return Message("It loses: they add {answer} and hit {target}.", answer=answer, target=target)
    return theory.why_it_loses(state, move)


SIZE = 10
TOTAL = SIZE * (SIZE + 1) // 2
PAIR = SIZE + 1
"""What 1 and 10, 2 and 9, 3 and 8 make."""


def explored_count(game: Any, _state: Any) -> Message:
    """The target as pairs, and what is over."""
    times, rest = divmod(game.target, PAIR)
    told = {"target": game.target, "times": times, "pair": PAIR}
    if rest:
        return Message("{target} is {times} times {pair}, and {rest} more.", rest=rest, **told)
    return Message("{target} is {times} times {pair}, and nothing more.", **told)


EXPLORATION = Exploration(
    title=Message("Make 11 each time"),
    about=Message(
        "If the target is a multiple of 11, Player 2 wins: every number is answered with the one that makes"
        " 11 with it, 10 to 1, 9 to 2 and so on. For other targets that is no use, and Player 1 wins most of"
        " them. Move the target, and see which first numbers win."
    ),
    label=Message("The target"),
    values=tuple(range(1, TOTAL + 1)),
    first=42,
    position=lambda target: ({"size": SIZE, "target": target}, ()),
    count=explored_count,
)


SIZES = {"size": range(8, 15), "target": range(18, 76)}
LARGE = {"size": (14,), "target": (70, 75, 80, 84, 88, 92, 96, 100)}


def _fitting(table: AnyTable, state: tuple[int, int]) -> list[int]:
    """The numbers that do not pass the target."""
    return [move for move in table.game.moves(state) if state[1] + move <= table.game.target]


def one_answer(table: AnyTable) -> int | None:
    """What the rules teach: leave a single number that fits, after which you can finish."""
    game = table.game
    for move in _fitting(table, table.state):
        after = game.play(table.state, move)
        replies = _fitting(table, after)
        if len(replies) > 1:
            continue
        if not replies:
            return move
        then = game.play(after, replies[0])
        if any(not _fitting(table, game.play(then, last)) for last in _fitting(table, then)):
            return move
    return None


def to_a_multiple(table: AnyTable) -> int | None:
    """The book's rule: make what is missing a multiple of the largest number plus one."""
    missing = table.game.target - table.state[1]
    rest = missing % (table.game.size + 1)
    return rest if rest in table.moves else None


def largest_that_fits(table: AnyTable) -> int | None:
    """The largest number that does not pass the target."""
    return max(_fitting(table, table.state), default=None)


def hint(puzzle: Puzzle) -> Message:
    """Where to look."""
    if puzzle.kind == "which-position":
        return Message(
            "Count what is missing to {target}. Which numbers still fit, and how many of them can be added"
            " before nothing fits?",
            target=puzzle.game.target,
        )
    if puzzle.kind == "length":
        return Message(
            "Who wants the game to be short? Large numbers end it sooner, small ones make it longer."
        )
    return Message(
        "Count backwards from {target}: look for a total where you have an answer to each of their numbers.",
        target=puzzle.game.target,
    )


PUZZLES = PuzzlePlan(
    sources=(
        PuzzleSource("only-move", SIZES, range(1, 14), choices=4, share=2),
        PuzzleSource("first-move", SIZES, range(1), choices=4),
        PuzzleSource("highest-move", SIZES, range(14), choices=4),
        PuzzleSource("only-move", LARGE, range(1, 4), choices=4),
        PuzzleSource("first-move", LARGE, range(1), choices=4, share=0.3),
        PuzzleSource("highest-move", LARGE, range(4), choices=4, share=0.5),
        PuzzleSource("winning-moves", LARGE, range(4), choices=4, share=0.5),
        PuzzleSource("which-position", LARGE, range(4), choices=4, share=0.5),
        PuzzleSource("which-position", SIZES, range(1, 14), choices=4, share=0.5),
        PuzzleSource("winning-moves", SIZES, range(1, 14), choices=4, share=0.5),
        PuzzleSource("length", {"size": range(6, 13), "target": range(15, 56)}, range(12), share=0.3),
    ),
    move_recipes={
        "one answer": one_answer,
        "multiples": to_a_multiple,
        "largest that fits": largest_that_fits,
    },
    hint=hint,
)
