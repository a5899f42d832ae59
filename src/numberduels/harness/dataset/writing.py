"""Writing a dataset: the rows to one file, or to one for each split, and the datasheet beside them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple

from numberduels.game.contract import ProgressCallback
from numberduels.game.files import atomic_writer, check_writable
from numberduels.harness.dataset import trajectories
from numberduels.harness.dataset.datasheet import position_sheet, trajectory_sheet
from numberduels.harness.dataset.positions import COLUMNS, position_row, sample_positions
from numberduels.harness.dataset.row_files import Columns, RowWriter, check_format, row_writer
from numberduels.harness.dataset.splits import WHOLE, Split
from numberduels.harness.dataset.trajectories import TrajectoryPlan, play_trajectories
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings

POSITION_SUMMARY = ("split", "difficulty", "value", "greedy_fails", "wrong_share")
TRAJECTORY_SUMMARY = ("outcome", "player", "moves", "verdict")
"""The columns that the datasheet counts; only these stay in memory."""


class NoPositions(ValueError):
    """A game has no position that fits. The message is one sentence."""


class Target(NamedTuple):
    """Where a dataset goes."""

    path: str
    splits: tuple[Split, ...] = WHOLE
    force: bool = False

    @property
    def files(self) -> dict[str, str]:
        """The file of each split.

        >>> Target("a.jsonl").files, Target("a.jsonl", (Split("train", 0.5), Split("test", 0.5))).files
        ({'all': 'a.jsonl'}, {'train': 'a-train.jsonl', 'test': 'a-test.jsonl'})
        """
        stem, suffix = os.path.splitext(self.path)
        if self.splits == WHOLE:
            return {WHOLE[0].name: self.path}
        return {split.name: f"{stem}-{split.name}{suffix}" for split in self.splits}

    @property
    def datasheet(self) -> str:
        """The file of the datasheet."""
        return f"{os.path.splitext(self.path)[0]}.md"

    @property
    def title(self) -> str:
        """The name of the dataset."""
        return os.path.basename(os.path.splitext(self.path)[0])

    def check(self) -> None:
        """Check that everything can be written; ValueError or OSError says why not."""
        check_format(self.path)
        for path in (*self.files.values(), self.datasheet):
            check_writable(path, force=self.force)


def write_positions(
    target: Target,
    games: Mapping[str, Any],
    count: int,
    seed: str,
    *,
    command: str,
    settings: ExternalSettings = DEFAULT_SETTINGS,
    progress: ProgressCallback | None = None,
) -> dict[str, int]:
    """Write `count` positions of each game, or all that are found; returns how many there are of each."""
    kept: dict[str, list[dict[str, Any]]] = {}

    def write(writers: Mapping[str, RowWriter]) -> None:
        for number, (text, game) in enumerate(games.items()):
            kept[text] = []
            chosen = sample_positions(text, game, count, seed, target.splits, _part(progress, number, games))
            if not any(chosen.values()):
                raise NoPositions(
                    f"no position of {text} was found in which a wrong move exists and that can be solved"
                )
            for split, candidates in chosen.items():
                for candidate in candidates:
                    row = position_row(candidate, split, settings)
                    writers[split].write(row)
                    kept[text].append({name: row[name] for name in POSITION_SUMMARY})

    _write(target, COLUMNS, write, partial(position_sheet, target.title, command, kept, settings.disguise))
    return {text: len(rows) for text, rows in kept.items()}


def write_trajectories(
    target: Target,
    games: Mapping[str, Any],
    count: int,
    seed: str,
    plan: TrajectoryPlan,
    form: str,
    *,
    command: str,
    progress: ProgressCallback | None = None,
) -> dict[str, int]:
    """Write the rows of `count` played games of each game; returns how many rows there are of each."""
    kept: dict[str, list[dict[str, Any]]] = {}

    def write(writers: Mapping[str, RowWriter]) -> None:
        (writer,) = writers.values()
        for number, (text, game) in enumerate(games.items()):
            report = _part(progress, number, games)
            kept[text] = []
            for row in play_trajectories(text, game, count, seed, plan, form):
                writer.write(row)
                kept[text].append({name: row[name] for name in TRAJECTORY_SUMMARY if name in row})
                report(min(len(kept[text]) // 2, count), count)

    disguised = plan.settings.disguise
    sheet = partial(trajectory_sheet, target.title, command, kept, disguised, form)
    _write(target, trajectories.COLUMNS[form], write, sheet)
    return {text: len(rows) for text, rows in kept.items()}


def _write(
    target: Target,
    columns: Columns,
    write: Callable[[Mapping[str, RowWriter]], None],
    sheet: Callable[[], str],
) -> None:
    """Write all files of a dataset; after an error none of them has changed."""
    with ExitStack() as stack:
        datasheet = stack.enter_context(atomic_writer(target.datasheet, force=target.force))
        write(
            {
                split: stack.enter_context(row_writer(path, columns, force=target.force))
                for split, path in target.files.items()
            }
        )
        datasheet.write(sheet().encode())


def _part(progress: ProgressCallback | None, number: int, games: Mapping[str, Any]) -> ProgressCallback:
    """The progress of one game as a part of the whole."""

    def report(done: int, total: int) -> None:
        if progress:
            progress(number * total + done, len(games) * total)

    return report
