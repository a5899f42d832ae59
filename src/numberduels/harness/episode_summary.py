"""The figures of an episode that harnesses report: how good the moves were, and how it ended."""

from __future__ import annotations

from numberduels.harness.rewards import WON, decision_reward
from numberduels.harness.text_episode import TextEpisode

FORFEIT_CAUSES = ("unreadable", "illegal")


def summarize(episode: TextEpisode) -> dict[str, float]:
    """The figures of the agent, each from 0 to 1.

        accuracy            the share of right moves where a wrong one was possible; 1 if there was none
        value_kept          1 if no move lost value, 0.5 if a win became a draw or a draw a loss, 0 below that
        win                 1 if the agent won
        finished            1 if the episode has come to its end
        retries             the share of answers that could not be played
        forfeit_unreadable  1 if the agent forfeited because its last answer stated no move
        forfeit_illegal     1 if the agent forfeited because its last answer stated an illegal move

    A forfeit is a wrong decision. What could not be judged counts in no figure of the moves.

    >>> from numberduels.harness.episode_settings import EpisodeSettings
    >>> episode = TextEpisode(EpisodeSettings("range-war:size=12", attempts=1, winnable=True))
    >>> _ = episode.answer("I resign.")
    >>> figures = summarize(episode)
    >>> figures["accuracy"], figures["value_kept"], figures["forfeit_unreadable"]
    (0.0, 0.0, 1.0)
    """
    judged = [step.judged for step in episode.steps if step.judged and step.judged.before]
    matter = [each for each in judged if each.losing or each.worth is None]
    right = [each for each in matter if each.worth and each.before and each.worth.value == each.before.value]
    lost = sum(decision_reward("value_change", each, None) for each in judged)
    steps = len(episode.steps)
    cause = episode.forfeit[1] if episode.forfeit else ""
    return {
        "accuracy": len(right) / len(matter) if matter else 1.0,
        "value_kept": max(0.0, 1.0 + lost),
        "win": float(episode.outcome_of(episode.seat or 0) == WON),
        "finished": float(episode.done),
        "retries": sum(bool(step.fault) for step in episode.steps) / steps if steps else 0.0,
        **{f"forfeit_{each}": float(cause == each) for each in FORFEIT_CAUSES},
    }
