"""The rewards of an episode: what a move earns, the score of a whole episode, and the best score.

    kept          1 for a move that keeps the exact value of the position, else 0; the score is the mean
    value_change  half the change of the value by the agent's own move: 0, -0.5 or -1; the score is the sum
    outcome       at the end 1 for a win, 0.5 for a tie or an unfinished game, 0 for a loss; before it 0

A value is win (1), draw (0) or loss (-1). A forfeit counts as a move to a lost position. An answer that
cannot be played costs nothing as long as another attempt is left.
"""

from __future__ import annotations

from collections.abc import Sequence

from numberduels.analysis.judgement import JudgedMove
from numberduels.solvers import LOSS, Worth

WON, TIED, LOST, UNFINISHED = "win", "tie", "loss", "unfinished"
"""The outcomes of an episode for one seat."""

OUTCOME_REWARDS = {WON: 1.0, TIED: 0.5, LOST: 0.0, UNFINISHED: 0.5}
REWARD_KINDS = ("kept", "value_change", "outcome")


def is_kept(judged: JudgedMove) -> bool | None:
    """Whether the move kept the exact value; None if the position is too large to judge."""
    if judged.before is None:
        return None
    return judged.worth is not None and judged.worth.value == judged.before.value


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
        return 1.0 if is_kept(judged) else 0.0
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
