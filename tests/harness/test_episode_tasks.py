"""Tasks: every split has its own seeds and starts, and a task is the same episode every time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from numberduels.game.options import BadOption
from numberduels.harness.episode_tasks import ALL, STANDARD_GAMES, EpisodeTask, EpisodeTasks, split_of
from numberduels.harness.text_episode import TextEpisode


def first_position(task: EpisodeTask) -> str:
    return task.episode().messages()[-1]["content"].partition("The position now:")[2]


def test_the_splits_share_no_seed_and_no_start() -> None:
    tasks = EpisodeTasks()
    train, test = list(tasks.tasks("train", 100)), list(tasks.tasks("test", 100))
    assert not {(each.settings.game, each.seed) for each in train} & {
        (each.settings.game, each.seed) for each in test
    }
    seeds = {each.seed for each in (*train, *test) if each.settings.game == STANDARD_GAMES[0]}
    assert seeds >= set(range(20))  # every seed belongs to one of them
    assert not set(map(first_position, train)) & set(map(first_position, test))


def test_equivalent_starts_are_in_the_same_split() -> None:
    # In Number Collision numbers can be renamed and the line mirrored: 1@2 is as good as 3@4 of five cells.
    splits: dict[int, set[str]] = {}
    for task in EpisodeTasks("number-collision:size=7", opening=1, seat="second", winnable=False).tasks(
        ALL, 80
    ):
        episode = task.episode()
        (place,) = episode.table.played
        splits.setdefault(min(place.position, 8 - place.position), set()).add(split_of(episode))
    assert sorted(splits) == [1, 2, 3, 4]
    assert all(len(each) == 1 for each in splits.values())


def test_a_task_is_found_again_by_its_index_in_any_order_and_thread() -> None:
    def tasks() -> EpisodeTasks:
        return EpisodeTasks("range-war:size=11", opponent="casual")

    expected = [each.seed for each in tasks().tasks("test", 20)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda index: tasks().task("test", index).seed, reversed(range(20))))
    assert found == expected[::-1]


def test_a_game_with_a_single_start_cannot_be_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberduels.harness.episode_tasks.MAX_SEEDS", 20)
    tasks = EpisodeTasks("summation-duel:size=4:target=6", opening=0, seat="first")
    (there,) = {split_of(TextEpisode(tasks.settings[0], seed)) for seed in range(5)}
    with pytest.raises(ValueError, match="too few starts"):
        tasks.task("train" if there == "test" else "test", 0)


def test_an_unknown_split_and_a_negative_index_are_refused() -> None:
    for split in ("dev", ""):
        with pytest.raises(BadOption, match="split must be train or test"):
            EpisodeTasks().task(split, 0)
    with pytest.raises(IndexError):
        EpisodeTasks().task("train", -1)
