"""What an episode earns: each answer with its reward, the score of the whole, and the figures of a report.

    kept          1 for a move that keeps the exact value of the position, else 0; the score is the mean
    value_change  half the change of the value by the agent's own move: 0, -0.5 or -1; the score is the sum
    outcome       at the end 1 for a win, 0.5 for a tie or an unfinished game, 0 for a loss; before it 0

A value is win (1), draw (0) or loss (-1). A forfeit counts as a move to a lost position. An answer that
cannot be played costs nothing as long as another attempt is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numberduels.analysis.judgement import JudgedMove
from numberduels.game.contract import Outcome, Seat
from numberduels.solvers import LOSS, Worth

if TYPE_CHECKING:
    from numberduels.harness.text_episode import TextEpisode

WON, TIED, LOST, UNFINISHED = "win", "tie", "loss", "unfinished"
"""The outcomes of an episode for one seat."""

OUTCOME_REWARDS = {WON: 1.0, TIED: 0.5, LOST: 0.0, UNFINISHED: 0.5}
REWARD_KINDS = ("kept", "value_change", "outcome")
FORFEIT_CAUSES = ("unreadable", "illegal")


def outcome_for(seat: Seat, outcome: Outcome | None) -> str:
    """The outcome of a game that goes no further, for one seat."""
    if outcome is None:
        return UNFINISHED
    if outcome.winner is None:
        return TIED
    return WON if outcome.winner == seat else LOST


def decision_reward(kind: str, judged: JudgedMove, outcome: str | None) -> float:
    """The reward for one decision, a move or a forfeit; the outcome is None while the episode goes on.

    ValueError if the position is too large to judge.
    """
    if kind == "outcome":
        return 0.0 if outcome is None else OUTCOME_REWARDS[outcome]
    change = judged.value_change
    if change is None:
        raise ValueError(f"the reward {kind} needs positions that can be solved, and this one is too large")
    if kind == "kept":
        return 1.0 if change == 0 and judged.worth else 0.0
    return change


def episode_score(kind: str, rewards: Sequence[float]) -> float | None:
    """The score of an episode from the rewards of its decisions; None before the first one.

    >>> episode_score("kept", [1.0, 0.0]), episode_score("value_change", [-0.5, -0.5])
    (0.5, -1.0)
    """
    if not rewards:
        return None
    return sum(rewards) / len(rewards) if kind == "kept" else sum(rewards)


def guaranteed_score(kind: str, first: Worth | None) -> float | None:
    """The score that perfect play reaches at least, whatever the opponent does.

    It is the highest possible score for `kept` and `value_change`. For `outcome` it follows from the worth of
    the first decision; it is unknown if that is. Against an opponent that errs more is possible.

    >>> guaranteed_score("kept", None), guaranteed_score("outcome", Worth(0))
    (1.0, 0.5)
    """
    if kind == "outcome":
        return None if first is None else (first.value - LOSS) / 2
    return 1.0 if kind == "kept" else 0.0


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
        if self.judged is None or self.judged.before is None:
            return None
        return self.judged.worth is not None and self.judged.worth.value == self.judged.before.value

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
        names = ("answer", "move", "fault", "cause", "attempts_left", "reward", "reply", "done", "outcome")
        told = {name: getattr(self, name) for name in names}
        return {"ply": self.ply, "player": self.seat + 1, **told, "judgement": self.judgement()}


def summarize(episode: TextEpisode) -> dict[str, float]:
    """The figures of the agent, each from 0 to 1.

        accuracy            the share of right moves where a wrong one was possible; 1 if there was none
        value_kept          1 if no move lost value, 0.5 if a win became a draw or a draw a loss, 0 below that
        win                 1 if the agent won
        finished            1 if the episode has come to its end and was not abandoned
        retries             the share of answers that could not be played
        forfeit_unreadable  1 if the agent forfeited because its last answer stated no move
        forfeit_illegal     1 if the agent forfeited because its last answer stated an illegal move

    A forfeit is a wrong decision. What could not be judged counts in no figure of the moves.
    """
    decided = [(step.judged, step.kept) for step in episode.steps if step.judged and step.judged.before]
    matter = [kept for judged, kept in decided if judged.losing or judged.worth is None]
    lost = sum(decision_reward("value_change", judged, None) for judged, _ in decided)
    steps = len(episode.steps)
    cause = episode.forfeit[1] if episode.forfeit else ""
    return {
        "accuracy": matter.count(True) / len(matter) if matter else 1.0,
        "value_kept": max(0.0, 1.0 + lost),
        "win": float(episode.outcome_of(episode.seat or 0) == WON),
        "finished": float(episode.done and not episode.abandoned),
        "retries": sum(bool(step.fault) for step in episode.steps) / steps if steps else 0.0,
        **{f"forfeit_{each}": float(cause == each) for each in FORFEIT_CAUSES},
    }
