"""review_game(): a verdict on each move of a record, and the accuracy of both players.

The verdicts, each about one move. The value of a position is what the player to move can force:

    forced             it was the only legal move
    only move          it kept the value, and every other move would have lost it
    kept               it kept the value; others did too
    gave points away   in a game of points: it kept the value, but another move ends with more points
    threw away a win   the win was there before the opponent's last move already, and now it is gone
    missed a win       the opponent's last move had just given the win, and it was not taken
    threw away a draw  the position was a draw, and now it is lost
    not judged         the position is too large to solve
    pie rule           the first move under the pie rule: the second player may take its seat

In a game of points the value is also win, draw or loss. A move that gives points away and keeps the value
is no mistake, and counts as right in the accuracy. A win lost at the first move, or where the position before
the opponent's last move could not be solved, counts as thrown away. Under the pie rule a first move is good
if it is fair, not if it wins: it has no verdict and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from numberduels import options
from numberduels.core import OTHER, Scored, Seat
from numberduels.messages import Message
from numberduels.oracles import make_oracle
from numberduels.record import Record
from numberduels.solvers import LOSS, MAX_POSITIONS, WIN, Oracle, TooLarge, Worth
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

VERDICTS = (FORCED, ONLY, KEPT, GAVE_POINTS, THREW_WIN, MISSED_WIN, THREW_DRAW, NOT_JUDGED, PIE_RULE)
PERSON = "human"
"""The kind of seat where a person plays."""

MISTAKES = (THREW_WIN, MISSED_WIN, THREW_DRAW)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move with its verdict and its value for the player who made it."""

    ply: int
    """Which move of the game it is, counted from 1."""
    seat: Seat
    """The seat of the player; after a swap their new seat."""
    move: Any
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
    def given(self) -> int | None:
        """The points that it gave away; None without points or without a verdict."""
        if self.before is None or self.worth is None:
            return None
        if self.before.margin is None or self.worth.margin is None:
            return None
        return self.before.margin - self.worth.margin


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well one player chose, in the judged moves.

    >>> Accuracy(kept=3, chances=4).share, Accuracy(kept=0, chances=0).share
    (0.75, None)
    """

    kept: int
    """Moves that kept the value where another would have lost it."""
    chances: int
    """All moves where some choice would have lost the value."""
    given: float | None = None
    """In a game of points: the average points given away by a move that was not forced."""

    @property
    def share(self) -> float | None:
        """The share of moves that kept the value; None if no move could lose it."""
        return self.kept / self.chances if self.chances else None

    @property
    def percent(self) -> int | None:
        """The share in percent, rounded; but 100 only without a mistake, and 0 only without a right move.

        >>> [Accuracy(kept, of).percent for kept, of in ((2, 3), (999, 1000), (1, 1000), (0, 1), (4, 4))]
        [67, 99, 1, 0, 100]
        """
        if self.share is None:
            return None
        if self.kept in (0, self.chances):
            return round(100 * self.share)
        return min(max(round(100 * self.share), 1), 99)


@dataclass(frozen=True, slots=True)
class Review:
    """A recorded game with a verdict on every move."""

    record: Record
    moves: tuple[JudgedMove, ...]
    values: tuple[int | None, ...]
    """Who wins with best play, before the first move and after each: 1 for seat 0, -1 for seat 1, 0 for
    nobody; None if unknown."""
    margins: tuple[int | None, ...] | None
    """In a game of points: the final margin of seat 0 with best play, at the same times."""
    accuracy: tuple[Accuracy, Accuracy]
    method: str
    positions: int
    beyond: str = ""
    """Why the first moves are not judged, if some are not."""

    @property
    def course(self) -> tuple[int | None, ...]:
        """The values over the game for seat 0; in a game of points the margins."""
        return self.values if self.margins is None else self.margins

    @property
    def summary(self) -> Message:
        """One sentence that says where the game was decided."""
        from numberduels.analysis.review_summary import summarize

        return summarize(self)

    @property
    def unjudged(self) -> int:
        """How many moves are not judged; they are the first ones."""
        return sum(each.verdict == NOT_JUDGED for each in self.moves)

    def advice(self, judged: JudgedMove) -> str:
        """The reason of a move, introduced with whom it speaks to.

        It speaks to the player who moved. If that is the only person of the game, it needs no introduction.
        """
        from numberduels.analysis.review_summary import player_name

        kinds = self.record.seats
        if not judged.why or (kinds[judged.seat] == PERSON != kinds[OTHER[judged.seat]]):
            return judged.why
        return Message('To {player}: "{why}"', player=player_name(self, judged.seat), why=judged.why)

    def report(self) -> dict[str, Any]:
        """The review as plain data, with moves as in records and players 1 and 2."""
        game, spec = self.record.game, self.record.spec
        game_text = spec.text_for(game, self.record.names)
        return {
            "game": spec.name,
            "options": {each.name: getattr(game, each.name) for each in options.declared(type(game))},
            "names": list(self.record.names),
            "result": self.record.result,
            "summary": self.summary,
            "resigned": None if self.record.resigned is None else self.record.resigned + 1,
            "method": self.method,
            "positions": self.positions,
            "moves": [_move_report(each, game_text, self.advice(each)) for each in self.moves],
            "not_judged": self.unjudged,
            "beyond": self.beyond or None,
            "accuracy": [
                {
                    "player": player,
                    "share": each.share,
                    "percent": each.percent,
                    "kept": each.kept,
                    "chances": each.chances,
                    "margin_given": each.given,
                }
                for player, each in enumerate(self.accuracy, 1)
            ],
            "values": list(self.values),
            "margins": None if self.margins is None else list(self.margins),
        }


def _move_report(judged: JudgedMove, game_text: Any, why: str) -> dict[str, Any]:
    before, worth = judged.before, judged.worth
    return {
        "ply": judged.ply,
        "player": judged.seat + 1,
        "move": game_text.format_move(judged.move),
        "verdict": judged.verdict,
        "mistake": judged.mistake,
        "before": None if before is None else before.value_name,
        "value": None if worth is None else worth.value_name,
        "margin_before": None if before is None else before.margin,
        "margin": None if worth is None else worth.margin,
        "margin_given": judged.given,
        "keeping": judged.keeping,
        "losing": judged.losing,
        "better": [game_text.format_move(move) for move in judged.better],
        "why": why or None,
    }


def review_game(
    record: Record,
    max_positions: int = MAX_POSITIONS,
    oracle: Oracle[Any, Any] | None = None,
    *,
    reasons: bool = True,
    nimbers: bool = False,
) -> Review:
    """Judge every move of a record, within `max_positions`; pass an `oracle` to reuse what it has solved.

    Without `reasons` the review does not say why a better move is better, which saves a little time. With
    `nimbers` the reasons tell them, too.

    >>> from numberduels.games.range_war import spec
    >>> judged = review_game(Record(spec, spec.make(), (6, 5))).moves
    >>> [each.verdict for each in judged], judged[0].better
    (['threw away a win', 'only move'], (1, 2, 3, 4, 5))
    """
    table = record.table()
    game, states = record.game, [table.start, *(after for _, _, after in table.steps())]
    oracle = oracle or make_oracle(game, max_positions)
    explain = partial(oracle.reason, nimbers=nimbers) if reasons else None
    worths, choices_made, beyond = _evaluate_backwards(oracle, states, record.moves, explain)
    moves = tuple(
        JudgedMove(1, record.mover(0), move, PIE_RULE)
        if record.swapped is not None and not ply
        else _judged(ply, record.mover(ply), move, worths, choices_made[ply])
        for ply, move in enumerate(record.moves)
    )
    signs = [-1 if game.turn(state) else 1 for state in states]
    return Review(
        record,
        moves,
        values=_as_seat_0(signs, [worth and worth.value for worth in worths]),
        margins=_as_seat_0(signs, [worth and worth.margin for worth in worths])
        if isinstance(game, Scored)
        else None,
        accuracy=(_accuracy(moves, 0), _accuracy(moves, 1)),
        method=oracle.method,
        positions=oracle.positions,
        beyond=beyond,
    )


def _as_seat_0(signs: Iterable[int], figures: Iterable[int | None]) -> tuple[int | None, ...]:
    """The values for the player to move, converted to seat 0."""
    return tuple(
        None if figure is None else sign * figure for sign, figure in zip(signs, figures, strict=True)
    )


Explain = Callable[[Any, Any], Message]
"""Says why a move is good in a position."""


class _Choice(NamedTuple):
    """The evaluation of one chosen move."""

    worth: Worth
    keeping: int
    losing: int
    better: tuple[Any, ...]
    why: str


def _evaluate_backwards(
    oracle: Oracle[Any, Any], states: Sequence[Any], moves: Sequence[Any], explain: Explain | None
) -> tuple[list[Worth | None], list[_Choice | None], str]:
    """Evaluate every position and move, from the end back to the first position that is too large.

    The last positions are the smallest, and their results help with earlier ones. Positions before one
    that is too large are not tried.
    """
    worths: list[Worth | None] = [None] * len(states)
    choices_made: list[_Choice | None] = [None] * len(moves)
    try:
        for ply in reversed(range(len(states))):
            worth = worths[ply] = oracle.evaluate(states[ply])
            if ply < len(moves):
                choices_made[ply] = _evaluate_choice(oracle, states[ply], moves[ply], worth, explain)
    except TooLarge as fault:
        return worths, choices_made, str(fault)
    return worths, choices_made, ""


def _evaluate_choice(
    oracle: Oracle[Any, Any], state: Any, move: Any, before: Worth, explain: Explain | None
) -> _Choice:
    choices = oracle.evaluate_moves(state)
    losing = sum(worth.value < before.value for worth in choices.values())
    best = select_best(choices)
    better: list[Any] = []
    if move not in best:
        better = sorted(best, key=lambda each: choices[each].remoteness or 0)
    only = losing and len(choices) - losing == 1
    why = explain(state, better[0] if better else move) if explain and (better or only) else ""
    return _Choice(choices[move], len(choices) - losing, losing, tuple(better), why)


def _judged(
    ply: int, seat: Seat, move: Any, worths: Sequence[Worth | None], choice: _Choice | None
) -> JudgedMove:
    before = worths[ply]
    if before is None or choice is None:
        return JudgedMove(ply + 1, seat, move, NOT_JUDGED)
    earlier = worths[ply - 1] if ply else None
    # The opponent was not losing before their last move, so that move gave the win away.
    just_given = earlier is not None and earlier.value > LOSS
    verdict = _verdict(before, choice, just_given)
    return JudgedMove(ply + 1, seat, move, verdict, before, *choice)


def _verdict(before: Worth, choice: _Choice, just_given: bool) -> str:
    if choice.keeping + choice.losing == 1:
        return FORCED
    if choice.worth.value == before.value:
        if choice.better:  # it kept the value: only points can make another move better
            return GAVE_POINTS
        return ONLY if choice.keeping == 1 else KEPT
    if before.value == WIN:
        return MISSED_WIN if just_given else THREW_WIN
    return THREW_DRAW


def _accuracy(moves: Iterable[JudgedMove], seat: Seat) -> Accuracy:
    """The accuracy of a seat; moves that could not lose anything do not count."""
    mine = [each for each in moves if each.seat == seat and each.verdict not in (NOT_JUDGED, PIE_RULE)]
    risky = [each for each in mine if each.losing]
    gifts = [each.given for each in mine if each.verdict != FORCED and each.given is not None]
    return Accuracy(
        kept=sum(not each.mistake for each in risky),
        chances=len(risky),
        given=sum(gifts) / len(gifts) if gifts else None,
    )
