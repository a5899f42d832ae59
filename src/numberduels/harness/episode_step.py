"""EpisodeStep: what one answer of the agent did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numberduels.analysis.judgement import JudgedMove
from numberduels.game.contract import Seat
from numberduels.harness.rewards import is_kept


@dataclass(frozen=True, slots=True)
class EpisodeStep:
    """One answer with its reward.

    An answer that cannot be played has a fault and a cause. If it was the last attempt, the agent forfeits:
    the episode is over, and the step is judged as a decision without a legal move.
    """

    ply: int
    """Which move of the game it is, counted from 1."""
    seat: Seat
    answer: str
    """The text of the answer; of a very long one both ends."""
    move: str | None
    """The move in the notation of records; None if it could not be played."""
    fault: str
    """To the agent: why the answer could not be played; empty if it could."""
    cause: str
    """unreadable or illegal; empty if the answer could be played."""
    attempts_left: int
    """How many more answers the agent has for this move."""
    judged: JudgedMove | None
    """The exact judgement; None if the agent may try again."""
    reward: float
    reply: str | None
    """The opponent's move in the notation of records; None if there is none."""
    done: bool
    outcome: str | None
    """At the end: win, tie, loss or unfinished, for the seat of this step."""

    @property
    def kept(self) -> bool | None:
        """Whether the move kept the exact value; None if it was not judged."""
        return is_kept(self.judged) if self.judged else None

    def judgement(self) -> dict[str, Any] | None:
        """The exact judgement as JSON data; None if the agent may try again."""
        if self.judged is None:
            return None
        before, after = self.judged.before, self.judged.worth
        return {
            "verdict": self.judged.verdict,
            "before": before and before.value_name,
            "after": after and after.value_name,
            "kept": self.kept,
            "keeping": self.judged.keeping,
            "losing": self.judged.losing,
            "margin_given": self.judged.given,
            "remoteness": before and before.remoteness,
        }

    def data(self) -> dict[str, Any]:
        """The step as JSON data, with players 1 and 2."""
        return {
            "ply": self.ply,
            "player": self.seat + 1,
            "answer": self.answer,
            "move": self.move,
            "fault": self.fault,
            "cause": self.cause,
            "attempts_left": self.attempts_left,
            "judgement": self.judgement(),
            "reward": self.reward,
            "reply": self.reply,
            "done": self.done,
            "outcome": self.outcome,
        }
