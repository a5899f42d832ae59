"""A verdict on one move: whether it kept the exact value of the position.

The value of a position is what the player to move can force. The verdicts:

    forced             it was the only legal move
    only move          it kept the value, and every other move would have lost it
    kept               it kept the value; others did too
    gave points away   in a game of points: it kept the value, but another move ends with more points
    threw away a win   the win was there before the opponent's last move already, and now it is gone
    missed a win       the opponent's last move had just given the win, and it was not taken
    threw away a draw  the position was a draw, and now it is lost
    no move            the player gave no legal move
    not judged         the position is too large to solve
    pie rule           the first move under the pie rule: the second player may take its seat

In a game of points the value is also win, draw or loss. A move that gives points away and keeps the value
is no mistake, and counts as right in the accuracy. A win lost at the first move, or where the position before
the opponent's last move could not be solved, counts as thrown away. Under the pie rule a first move is good
if it is fair, not if it wins: it has no verdict and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from numberduels.game.contract import Seat
from numberduels.game.messages import Message
from numberduels.solvers import LOSS, WIN, Oracle, TooLarge, Worth
from numberduels.solvers.oracle import select_best

FORCED = "forced"
ONLY = "only move"
KEPT = "kept"
GAVE_POINTS = "gave points away"
THREW_WIN = "threw away a win"
MISSED_WIN = "missed a win"
THREW_DRAW = "threw away a draw"
NOT_JUDGED = "not judged"
PIE_RULE = "pie rule"
NO_MOVE = "no move"

VERDICTS = (FORCED, ONLY, KEPT, GAVE_POINTS, THREW_WIN, MISSED_WIN, THREW_DRAW, NOT_JUDGED, PIE_RULE)
"""The verdicts on the moves of a record; a missing move is in none."""

MISTAKES = (THREW_WIN, MISSED_WIN, THREW_DRAW)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move with its verdict and its value for the player who made it."""

    ply: int
    """Which move of the game it is, counted from 1."""
    seat: Seat
    """The seat of the player; after a swap their new seat."""
    move: Any
    """None if the player gave no legal move."""
    verdict: str
    before: Worth | None = None
    """The value of the position before the move; None if not judged."""
    worth: Worth | None = None
    """The value of the move; None if not judged."""
    keeping: int = 0
    """How many legal moves kept the value."""
    losing: int = 0
    """How many legal moves lost it."""
    better: tuple[Any, ...] = ()
    """The best moves, fastest first, unless this was one of them; in a game of points by margin."""
    why: str = ""
    """To its player: why the first better move is better; of an only move, why it is right."""

    @property
    def mistake(self) -> bool:
        """Whether it lost a win or a draw."""
        return self.verdict in MISTAKES

    @property
    def value_change(self) -> float | None:
        """Half the change of the value: 0 if it was kept, -0.5 or -1; no legal move is a move to a loss."""
        if self.before is None:
            return None
        return ((self.worth.value if self.worth else LOSS) - self.before.value) / 2

    @property
    def given(self) -> int | None:
        """The points that it gave away; None without points or without a verdict."""
        if self.before is None or self.worth is None:
            return None
        if self.before.margin is None or self.worth.margin is None:
            return None
        return self.before.margin - self.worth.margin


Explain = Callable[[Any, Any], Message]
"""Says why a move is good in a position."""


class EvaluatedChoice(NamedTuple):
    """The evaluation of one chosen move."""

    worth: Worth | None
    """None if no legal move was given."""
    keeping: int
    losing: int
    better: tuple[Any, ...]
    why: str = ""


def evaluate_choice(
    oracle: Oracle[Any, Any], state: Any, move: Any, before: Worth, explain: Explain | None = None
) -> EvaluatedChoice:
    """Compare a move, or None for no legal move, with all legal moves; TooLarge if that is impossible."""
    choice = compare_moves(oracle.evaluate_moves(state), move, before)
    only = choice.losing and choice.keeping == 1
    if explain and (choice.better or only):
        return choice._replace(why=explain(state, choice.better[0] if choice.better else move))
    return choice


def compare_moves(worths: Mapping[Any, Worth], move: Any, before: Worth) -> EvaluatedChoice:
    """Compare a move, or None for no legal move, with the worths of all legal moves."""
    losing = sum(worth.value < before.value for worth in worths.values())
    best = select_best(worths)
    better: list[Any] = []
    if move not in best:
        better = sorted(best, key=lambda each: worths[each].remoteness or 0)
    return EvaluatedChoice(worths.get(move), len(worths) - losing, losing, tuple(better))


def judge_choice(
    ply: int,
    seat: Seat,
    move: Any,
    before: Worth | None,
    choice: EvaluatedChoice | None,
    earlier: Worth | None,
) -> JudgedMove:
    """The verdict on an evaluated choice; `earlier` is the worth before the opponent's last move, if known.

    Without `before` or `choice` the move is not judged.
    """
    if before is None or choice is None:
        return JudgedMove(ply + 1, seat, move, NOT_JUDGED)
    # The opponent was not losing before their last move, so that move gave the win away.
    just_given = earlier is not None and earlier.value > LOSS
    return JudgedMove(ply + 1, seat, move, _verdict(before, choice, just_given), before, *choice)


def judge_move(
    oracle: Oracle[Any, Any], ply: int, state: Any, move: Any, earlier_state: Any = None
) -> JudgedMove:
    """Judge one move by itself, or None for no legal move; not judged if the position is too large.

    `earlier_state` is the position before the opponent's last move: it tells a missed win from a win that
    was thrown away.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> from numberduels.solvers import make_oracle
    >>> game = RangeWar(size=10)
    >>> start = game.start(None)
    >>> judge_move(make_oracle(game), 0, start, 6).verdict, judge_move(make_oracle(game), 0, start, 5).keeping
    ('threw away a win', 5)
    """
    seat = oracle.game.turn(state)
    try:
        before = oracle.evaluate(state)
        choice = evaluate_choice(oracle, state, move, before)
    except TooLarge:
        return JudgedMove(ply + 1, seat, move, NOT_JUDGED)
    earlier = None
    if earlier_state is not None:
        try:
            earlier = oracle.evaluate(earlier_state)
        except TooLarge:
            earlier = None
    return judge_choice(ply, seat, move, before, choice, earlier)


def _verdict(before: Worth, choice: EvaluatedChoice, just_given: bool) -> str:
    if choice.worth is None:
        return NO_MOVE
    if choice.keeping + choice.losing == 1:
        return FORCED
    if choice.worth.value == before.value:
        if choice.better:  # it kept the value: only points can make another move better
            return GAVE_POINTS
        return ONLY if choice.keeping == 1 else KEPT
    if before.value == WIN:
        return MISSED_WIN if just_given else THREW_WIN
    return THREW_DRAW
