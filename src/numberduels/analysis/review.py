"""review_game(): a verdict on each move of a record, and the accuracy of both players.

`numberduels.analysis.judgement` explains the verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from numberduels.analysis.judgement import (
    FORCED,
    NOT_JUDGED,
    PIE_RULE,
    EvaluatedChoice,
    Explain,
    JudgedMove,
    evaluate_choice,
    judge_choice,
)
from numberduels.game import options
from numberduels.game.contract import HUMAN, OTHER, Scored, Seat
from numberduels.game.formatting import capitalised
from numberduels.game.messages import Message
from numberduels.game.record import Record
from numberduels.game.text import player_label
from numberduels.solvers import DRAW, LOSS, MAX_POSITIONS, WIN, Oracle, TooLarge, Worth, make_oracle


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
        return summarize(self)

    @property
    def unjudged(self) -> int:
        """How many moves are not judged; they are the first ones."""
        return sum(each.verdict == NOT_JUDGED for each in self.moves)

    def advice(self, judged: JudgedMove) -> str:
        """The reason of a move, introduced with whom it speaks to.

        It speaks to the player who moved. If that is the only person of the game, it needs no introduction.
        """
        kinds = self.record.seats
        if not judged.why or (kinds[judged.seat] == HUMAN != kinds[OTHER[judged.seat]]):
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
) -> Review:
    """Judge every move of a record, within `max_positions`; pass an `oracle` to reuse what it has solved.

    Without `reasons` the review does not say why a better move is better, which saves a little time.

    >>> from numberduels.games.range_war import spec
    >>> judged = review_game(Record(spec, spec.make(), (6, 5))).moves
    >>> [each.verdict for each in judged], judged[0].better
    (['threw away a win', 'only move'], (1, 2, 3, 4, 5))
    """
    table = record.table()
    game, states = record.game, [table.start, *(after for _, _, after in table.steps())]
    oracle = oracle or make_oracle(game, max_positions)
    explain = oracle.why if reasons else None
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
) -> tuple[list[Worth | None], list[EvaluatedChoice | None], str]:
    """Evaluate every position and move, from the end back to the first position that is too large.

    The last positions are the smallest, and their results help with earlier ones. Positions before one
    that is too large are not tried.
    """
    worths: list[Worth | None] = [None] * len(states)
    choices_made: list[EvaluatedChoice | None] = [None] * len(moves)
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


# Where a game was decided: by the last move that lost a win or a draw. After it, nothing changed any more.


def summarize(review: Review) -> Message:
    """One sentence that says where the game was decided."""
    record = review.record
    decisive = _last_mistake(review)
    if record.resigned is not None and (found := _given_up(review, record.resigned)):
        return found
    if not review.moves:
        return Message("No move was made.")
    if record.result == "*":
        return _unfinished(review, decisive)
    return _blamed(review, decisive) if decisive else _without_mistakes(review)


def player_name(review: Review, seat: Seat) -> str:
    """The name of a player, or Player 1 and Player 2.

    It is both if the players have the same name, or if the name is "you", which fits no verb.
    """
    name, other = review.record.names[seat], review.record.names[OTHER[seat]]
    if not name:
        return player_label(seat)
    if name.casefold() == "you":
        name = other = "you"
    if name == other:
        return Message("{player} ({name})", player=player_label(seat), name=name)
    return name


def decisive_move(review: Review) -> JudgedMove | None:
    """The move that decided the game; None if there is none.

    Without a mistake, in a game of points, it is the costliest move of the loser.
    """
    return _last_mistake(review) or _costliest_gift(review)


def _costliest_gift(review: Review) -> JudgedMove | None:
    """The move by which the loser gave most points away, the first of several."""
    winner = review.values[-1]
    if not winner:
        return None
    loser: Seat = 1 if winner > 0 else 0
    gifts = [each for each in review.moves if each.seat == loser and each.given and each.better]
    return max(gifts, key=lambda each: each.given or 0, default=None)


def _last_mistake(review: Review) -> JudgedMove | None:
    return next((each for each in reversed(review.moves) if each.mistake), None)


def _given_up(review: Review, seat: Seat) -> Message | None:
    """The end by resignation or on time: it decided the game; None if the position was lost already."""
    player, on_time = player_name(review, seat), review.record.timed_out
    value = review.values[-1] if review.moves else None
    own = value if value is None or not seat else -value
    if own == WIN and on_time:
        return Message("The clock decided the game: {player} could still have won.", player=player)
    if own == WIN:
        return Message("The resignation decided the game: {player} could still have won.", player=player)
    if own == DRAW and on_time:
        return Message("The clock decided the game: {player} could still have held the draw.", player=player)
    if own == DRAW:
        return Message(
            "The resignation decided the game: {player} could still have held the draw.", player=player
        )
    if own is not None:
        return None
    if on_time:
        return Message("{player} exceeded the time.", player=player)
    if not review.moves:
        return Message("{player} resigned before the first move.", player=capitalised(player))
    return Message("{player} resigned in a position that is too large to judge.", player=capitalised(player))


def _blamed(review: Review, judged: JudgedMove) -> Message:
    """The move that decided the game, and a better one."""
    assert judged.before is not None and judged.worth is not None
    spoken = review.record.spec.text_for(review.record.game).spoken
    told = {
        "ply": str(judged.ply),
        "move": spoken(judged.move),
        "player": player_name(review, judged.seat),
        "better": spoken(judged.better[0]),
    }
    if judged.before.value == DRAW:
        return Message(
            "Move {ply} decided the game: {player} played {move} and gave the draw away; {better} would have"
            " held it.",
            **told,
        )
    if judged.worth.value == LOSS:
        return Message(
            "Move {ply} decided the game: {player} played {move} and gave the win away; {better} would have"
            " kept it.",
            **told,
        )
    return Message(
        "Move {ply} decided the game: {player} played {move} and let the win slip to a draw; {better} would"
        " have kept it.",
        **told,
    )


def _without_mistakes(review: Review) -> Message:
    """Nobody lost a win or a draw in the judged moves; in a game of points, what cost the loser most."""
    first, gift = _never_let_go(review), _costliest_gift(review)
    if gift is None:
        return first
    second = Message(
        "{player} gave {count} point away at move {ply}, where {better} was better.",
        "{player} gave {count} points away at move {ply}, where {better} was better.",
        player=capitalised(player_name(review, gift.seat)),
        count=gift.given,
        ply=str(gift.ply),
        better=review.record.spec.text_for(review.record.game).spoken(gift.better[0]),
    )
    return Message("{first} {second}", first=first, second=second)


def _never_let_go(review: Review) -> Message:
    """Who was winning all the time."""
    winner, judged_from = review.values[-1], review.unjudged
    if not winner:
        if judged_from:
            return Message("Nobody went wrong in the moves that are judged, and the game is a draw.")
        return Message("Nobody went wrong: with best play this game is a draw.")
    seat: Seat = 0 if winner > 0 else 1
    player = capitalised(player_name(review, seat))
    if judged_from:
        return Message(
            "{player} was winning after move {ply} at the latest; what came before is too large to judge.",
            player=player,
            ply=str(judged_from),
        )
    given = sum(each.given or 0 for each in review.moves if each.seat == seat)
    if given:
        return Message(
            "{player} was winning from the first move and never let go, but gave {count} point away.",
            "{player} was winning from the first move and never let go, but gave {count} points away.",
            player=player,
            count=given,
        )
    return Message("{player} was winning from the first move and never let go.", player=player)


def _unfinished(review: Review, decisive: JudgedMove | None) -> Message:
    value = review.values[-1]
    if value is None:
        return Message("The game is not over, and its last position is too large to judge.")
    if value == DRAW:
        return Message("The game is not over, and neither player can force a win.")
    told = {"player": player_name(review, 0 if value > 0 else 1)}
    if decisive is None:
        return Message("The game is not over, and {player} can still force a win.", **told)
    return Message(
        "The game is not over, but since move {ply} {player} can force a win.",
        ply=str(decisive.ply),
        **told,
    )
