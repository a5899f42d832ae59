"""review_game(): a verdict on each move of a record, and the accuracy of both players.

`numberduels.analysis.judgement` explains the verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from numberduels.analysis.judgement import (
    FORCED,
    NOT_JUDGED,
    PIE_RULE,
    Choice,
    Explain,
    JudgedMove,
    evaluate_choice,
    judge_choice,
)
from numberduels.game import options
from numberduels.game.contract import OTHER, Scored, Seat
from numberduels.game.messages import Message
from numberduels.game.record import Record
from numberduels.solvers import MAX_POSITIONS, Oracle, TooLarge, Worth, make_oracle

PERSON = "human"
"""The kind of seat where a person plays."""


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
        else judge_choice(
            ply, record.mover(ply), move, worths[ply], choices_made[ply], worths[ply - 1] if ply else None
        )
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


def _evaluate_backwards(
    oracle: Oracle[Any, Any], states: Sequence[Any], moves: Sequence[Any], explain: Explain | None
) -> tuple[list[Worth | None], list[Choice | None], str]:
    """Evaluate every position and move, from the end back to the first position that is too large.

    The last positions are the smallest, and their results help with earlier ones. Positions before one
    that is too large are not tried.
    """
    worths: list[Worth | None] = [None] * len(states)
    choices_made: list[Choice | None] = [None] * len(moves)
    try:
        for ply in reversed(range(len(states))):
            worth = worths[ply] = oracle.evaluate(states[ply])
            if ply < len(moves):
                choices_made[ply] = evaluate_choice(oracle, states[ply], moves[ply], worth, explain)
    except TooLarge as fault:
        return worths, choices_made, str(fault)
    return worths, choices_made, ""


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
