"""ReviewView: a game and what the review says about it, as somebody steps through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.analysis.judgement import GAVE_POINTS, JudgedMove
from numberduels.analysis.review import decisive_move
from numberduels.analysis.review_text import join_or
from numberduels.play.live_text import player_names

if TYPE_CHECKING:
    from numberduels.analysis.review import Review
    from numberduels.game.record import Record

MOST_BETTER = 6
"""The most better moves that are named beside the best one."""

OUTLOOK = {1: "won", 0: "a draw", -1: "lost"}


class ReviewView:
    """A record, and its review as soon as there is one. Moves count from 1."""

    def __init__(self, record: Record, review: Review | None = None) -> None:
        self.record = record
        self.review = review
        self.names = player_names(record.seats, record.names)
        self.text = record.spec.text_for(record.game, record.names)

    def judged(self, ply: int) -> JudgedMove | None:
        """The verdict on a move; None if it is not judged."""
        return self.review.moves[ply - 1] if self.review and 0 < ply <= len(self.review.moves) else None

    @property
    def given_away(self) -> list[int]:
        """The moves that are mistakes or gave points away."""
        moves = self.review.moves if self.review else ()
        return [each.ply for each in moves if each.mistake or each.verdict == GAVE_POINTS]

    @property
    def decisive(self) -> int:
        """The move that decided the game; 0 if none did, or if the game is not judged."""
        found = decisive_move(self.review) if self.review else None
        return found.ply if found else 0

    def next_mistake(self, ply: int, direction: int) -> int:
        """The next move after this one that gave something away, or before it; 0 if there is none."""
        found = [each for each in self.given_away if (each - ply) * direction > 0]
        return (min if direction > 0 else max)(found, default=0)

    def advice(self, judged: JudgedMove) -> str:
        """The better moves and why the first is best; after a good move, why it is good."""
        why = self.review.advice(judged) if self.review else ""
        if not judged.better:
            return f"Why: {why}" if why and why == judged.why else why
        first, *others = (self.text.spoken(move) for move in judged.better)
        if not others:
            return f"Better: {first}. {why}"
        more = len(others) - MOST_BETTER
        named = join_or(others) if more <= 0 else f"{', '.join(others[:MOST_BETTER])} and {more} more"
        return f"Better: {first} (or {named}). {why}"

    def ending(self) -> str:
        """How the game ended, if the moves do not show it."""
        record = self.record
        if record.resigned is not None:
            value = self.review.values[-1] if self.review else None
            side = None if value is None else -value if record.resigned else value
            known = "" if side is None else f", in a position that was {OUTLOOK[side]}"
            how = "lost on time" if record.timed_out else "resigned"
            return f"{self.text.label(record.resigned)} {how}{known}.\n"
        if record.agreed:
            return self.text.agreement()
        return "The game is unfinished.\n" if record.result == "*" else ""
