"""EpisodeTasks: numbered episodes of several games, split into train and test.

>>> tasks = EpisodeTasks("range-war:size=12,summation-duel")
>>> [(task.id, task.settings.game) for task in tasks.tasks("test", 3)]
[('test-0', 'range-war:size=12'), ('test-1', 'summation-duel'), ('test-2', 'range-war:size=12')]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import count, islice
from threading import Lock
from typing import Any

from numberduels.analysis.openings import equivalence_class
from numberduels.game.formatting import split_list
from numberduels.game.options import check_among, check_whole
from numberduels.harness.dataset.positions import Split, split_of_class
from numberduels.harness.episode_settings import EpisodeSettings, read_settings
from numberduels.harness.text_episode import TextEpisode

STANDARD_GAMES = (
    "range-war:size=20",
    "number-snatch",
    "restricted-removal:size=24",
    "summation-duel",
    "number-collision:size=6:values=1:repetition=forbidden",
)
"""All five games at sizes that are solved at once and that a random player does not win by chance."""

STANDARD_SETTINGS = {"winnable": True, "reward": "value_change"}
"""Every episode can be won, so each loss of value is the agent's own, and the best score is 0."""

SPLITS = ("train", "test")
ALL = "all"
"""Both splits together: every seed is a task."""

SHARES = (Split("train", 0.8), Split("test", 0.2))
"""The splits with their shares of all starts."""

MAX_SEEDS = 10_000
"""Seeds without one for a split after which a game is considered too small to be split."""


@dataclass(frozen=True, slots=True)
class EpisodeTask:
    """One episode that can be started again and again."""

    split: str
    index: int
    settings: EpisodeSettings
    seed: int

    @property
    def id(self) -> str:
        """A text that is different for every task of a list, such as `test-3`."""
        return f"{self.split}-{self.index}"

    @property
    def name(self) -> str:
        """The game and the seed."""
        return f"{self.settings.game} seed {self.seed}"

    def episode(self) -> TextEpisode:
        """A new episode of this task."""
        return TextEpisode(self.settings, self.seed)

    def data(self) -> dict[str, Any]:
        """The task as a flat row of JSON data: its place, its seed and every setting."""
        return {"split": self.split, "index": self.index, "seed": self.seed, **self.settings.data()}


class EpisodeTasks:
    """A list of tasks for each split; the games take turns.

    A start belongs to `train` or `test` by the hash of its position, with equivalent positions as one. So the
    splits share neither a seed nor the position of a first decision, whatever the number of tasks. Two tasks
    of one split may begin alike. The split `all` has every seed.
    """

    def __init__(self, games: str = ",".join(STANDARD_GAMES), start: int = 0, **settings: Any) -> None:
        """Games with commas between them, the first seed, and settings that differ from the standard."""
        check_whole("start", start, 0, 2**53)
        self.start = start
        self.settings = tuple(
            read_settings({**STANDARD_SETTINGS, **settings, "game": game})
            for game in split_list(games) or ("",)
        )

    def task(self, split: str, index: int) -> EpisodeTask:
        """One task; IndexError if the index is negative."""
        check_among("split", split, (*SPLITS, ALL))
        if index < 0:
            raise IndexError(f"there is no task {index}")
        place, number = divmod(index, len(self.settings))
        settings = self.settings[number]
        seed = self.start + place if split == ALL else _seeds(settings, split, self.start).at(place)
        return EpisodeTask(split, index, settings, seed)

    def tasks(self, split: str, number: int | None = None) -> Iterator[EpisodeTask]:
        """The first tasks of a split, or all of them, which never end."""
        return islice((self.task(split, index) for index in count()), number)


class _SplitSeeds:
    """The seeds of one split, found when they are needed."""

    def __init__(self, settings: EpisodeSettings, split: str, start: int) -> None:
        self._settings = settings
        self._split = split
        self._next = start
        self._found: list[int] = []
        self._lock = Lock()

    def at(self, place: int) -> int:
        """The seed at this place."""
        with self._lock:
            while len(self._found) <= place:
                self._found.append(self._find())
            return self._found[place]

    def _find(self) -> int:
        for seed in range(self._next, self._next + MAX_SEEDS):
            if split_of(TextEpisode(self._settings, seed)) == self._split:
                self._next = seed + 1
                return seed
        raise ValueError(f"{self._settings.game} has too few starts for a split {self._split}")


@cache
def _seeds(settings: EpisodeSettings, split: str, start: int) -> _SplitSeeds:
    return _SplitSeeds(settings, split, start)


def split_of(episode: TextEpisode) -> str:
    """The split of the start of an episode, as `duel dataset --splits train=0.8,test=0.2` has it."""
    return split_of_class(equivalence_class(episode.game, episode.table.state), SHARES)


def start_episode(row: Mapping[str, Any]) -> TextEpisode:
    """The episode of a row that `EpisodeTask.data` gave, which may have other columns by now."""
    settings = {each.name: row[each.name] for each in fields(EpisodeSettings) if each.name in row}
    return TextEpisode(read_settings(settings), row["seed"])
