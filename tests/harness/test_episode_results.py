"""The summary of an episode: accuracy where a mistake was possible, value kept, and forfeits by cause."""

from __future__ import annotations

from numberduels.harness.episode_results import summarize
from numberduels.harness.episode_settings import EpisodeSettings
from numberduels.harness.text_episode import TextEpisode
from tables import table


def episode_of(*answers: str, **settings: object) -> TextEpisode:
    # Summation Duel to 6 with 1 to 4: Player 1 wins with 4 alone, because only 1 and 3 or 2 are left for 2.
    values: dict[str, object] = {"opening": 0, "seat": "first", "attempts": 2, **settings}
    episode = TextEpisode(EpisodeSettings("summation-duel:size=4:target=6", **values), seed=1)  # type: ignore[arg-type]
    for answer in answers:
        episode.answer(answer)
    return episode


def test_perfect_play_keeps_everything() -> None:
    episode = episode_of()
    while not episode.done:
        episode.play(episode.oracle_moves()[0])
    summary = summarize(episode)
    assert summary == {
        "accuracy": 1.0,
        "value_kept": 1.0,
        "win": float(episode.outcome_of(0) == "win"),
        "finished": 1.0,
        "retries": 0.0,
        "forfeit_unreadable": 0.0,
        "forfeit_illegal": 0.0,
    }


@table("last, cause", [("Nothing.", "unreadable"), ("MOVE: 9", "illegal")])
def test_a_forfeit_is_counted_by_its_last_cause(last: str, cause: str) -> None:
    summary = summarize(episode_of("MOVE: 77", last))
    assert {name: figure for name, figure in summary.items() if name.startswith("forfeit") and figure} == {
        f"forfeit_{cause}": 1.0
    }
    assert (summary["finished"], summary["win"], summary["retries"]) == (1.0, 0.0, 1.0)


def test_only_a_move_that_could_be_wrong_counts_for_accuracy() -> None:
    # After 1 only 4 wins, and then every number goes over.
    assert summarize(episode_of("MOVE: 1", "MOVE: 4", "MOVE: 2", seat="both"))["accuracy"] == 0.5


def test_value_that_is_lost_twice_counts_no_more_than_all_of_it() -> None:
    # 1 gives Player 2 a win (by 4), and 2 gives it back.
    summary = summarize(episode_of("MOVE: 1", "MOVE: 2", seat="both"))
    assert (summary["value_kept"], summary["accuracy"]) == (0.0, 0.0)


def test_an_episode_is_finished_at_its_end_and_not_by_being_abandoned() -> None:
    episode, ended = episode_of(), episode_of("MOVE: 4")
    assert summarize(episode)["finished"] == 0.0
    for each in (episode, ended):
        each.abandon()
        each.abandon()
    assert (summarize(episode)["finished"], summarize(ended)["finished"]) == (0.0, 1.0)
