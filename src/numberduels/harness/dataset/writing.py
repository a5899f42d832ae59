"""Writing a dataset: the rows to one file, or to one for each split, and the datasheet beside them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple

from numberduels import __version__
from numberduels.game.contract import ProgressCallback
from numberduels.game.files import atomic_writer, check_writable
from numberduels.game.formatting import plural
from numberduels.harness.dataset import trajectories
from numberduels.harness.dataset.positions import (
    COLUMNS,
    LEVELS,
    WHOLE,
    Split,
    position_row,
    sample_positions,
)
from numberduels.harness.dataset.row_files import Columns, RowWriter, check_format, row_writer
from numberduels.harness.dataset.trajectories import TrajectoryPlan, play_trajectories
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings

POSITION_SUMMARY = ("split", "difficulty", "value", "greedy_fails", "wrong_share")
TRAJECTORY_SUMMARY = ("outcome", "player", "moves", "verdict")
"""The columns that the datasheet counts; only these stay in memory."""


LICENCE = (
    "The software is under the MIT licence. The rows are facts computed by it and texts of the software;"
    " you may use and share them under the same licence."
)

POSITION_LIMITS = (
    "Positions come from games of random moves: positions that good players reach are not more frequent.",
    "Only positions in which a wrong move exists are kept. Without draws and points these are won positions.",
    "A position that the solver cannot solve, or with more than 200 legal moves, is left out.",
    "Where a game has too few positions of a difficulty, the others fill up: see the table.",
    "Prompts name the limits for answers and time that the arena tells models.",
)
TRAJECTORY_LIMITS = (
    "Every game begins with a deal or with moves drawn by lot; games that need not end stop after 60 moves.",
    "`reward` is half the change of the exact value by the move: 0 if it keeps the value, else -0.5 or -1.",
    "In a game of points a move with reward 0 may still give points away: see `points_given`.",
    "Different games can reach the same position: trajectories have no splits.",
)
DISGUISE_LIMIT = (
    "In the disguise the reason is a general sentence, because a game's own explanation would give it away."
    " The columns `game`, `rules` and `moves_played` (`opening`) are for you, not for the model."
)


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
                raise ValueError(
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


# The datasheet


def position_sheet(title: str, command: str, games: Mapping[str, Sequence[Any]], disguised: bool) -> str:
    """The datasheet of a file of positions; `games` has the rows of each game."""
    rows = [row for part in games.values() for row in part]
    splits = Counter(row["split"] for row in rows)
    table: list[tuple[object, ...]] = [("game", *(f"difficulty {level}" for level in LEVELS), "all")]
    values: list[tuple[object, ...]] = [
        ("game", "win", "draw", "loss", "greedy can fail", "wrong moves, mean share")
    ]
    for text, part in games.items():
        levels, counts = (Counter(row[name] for row in part) for name in ("difficulty", "value"))
        table.append((f"`{text}`", *(levels[level] for level in LEVELS), len(part)))
        fails, share = (sum(row[name] for row in part) for name in ("greedy_fails", "wrong_share"))
        values.append(
            (f"`{text}`", counts["win"], counts["draw"], counts["loss"], fails, f"{share / len(part):.2f}")
        )
    return _sheet(
        title,
        f"{plural(len(rows), 'position')} of {plural(len(games), 'game')}, each with the exact value of every"
        " legal move, the best moves, a reason in words, and the prompt that asks for a move.",
        command,
        [
            "Random games were played from the seed, every position was solved exactly, and positions were"
            " chosen as evenly over the difficulties as each game allows. No two positions of the dataset are"
            " equivalent; the split of a position follows from its canonical form, so splits share no"
            " position up to symmetry.",
            *([] if set(splits) == {"all"} else [_counts("split", splits)]),
            "Difficulty, from 0 to 4, gives a point for each of: more than half of the moves are wrong; best"
            " play takes more than two plies; it takes more than six, or no end is known; a greedy player can"
            " go wrong.",
            _markdown(table),
            _markdown(values),
        ],
        (*POSITION_LIMITS, *([DISGUISE_LIMIT] if disguised else [])),
    )


def trajectory_sheet(
    title: str, command: str, games: Mapping[str, Sequence[Any]], disguised: bool, form: str
) -> str:
    """The datasheet of a file of trajectories; `games` has the rows of each game."""
    rows = [row for part in games.values() for row in part]
    moves = [move for row in rows for move in row.get("moves", [row])]
    ends = ("win", "loss", "tie", "unfinished")
    table: list[tuple[object, ...]] = [("game", "rows", *ends)]
    for text, part in games.items():
        counts = Counter(row["outcome"] for row in part)
        table.append((f"`{text}`", len(part), *(counts[end] for end in ends)))
    what = "one conversation for each seat of a game" if form == "messages" else "one row for each decision"
    return _sheet(
        title,
        f"{plural(len(rows), 'row')} in the format `{form}`: {what}, with an exact reward for every move.",
        command,
        [
            "Players of known strength played each other from the seed, changing seats from game to game.",
            _counts("player", Counter(row["player"] for row in rows)),
            _counts("verdict", Counter(move["verdict"] for move in moves)),
            _markdown(table),
        ],
        (*TRAJECTORY_LIMITS, *([DISGUISE_LIMIT] if disguised else [])),
    )


def _sheet(title: str, what: str, command: str, how: Sequence[str], limits: Sequence[str]) -> str:
    made = "\n\n".join(how)
    known = "\n".join(f"- {each}" for each in limits)
    return f"""\
# {title}

{what}

## How it was made

With Number Duels {__version__}, by

    {command}

The same command and version make the same bytes.

{made}

The columns are explained in the documentation of Number Duels (docs/datasets.md).

## Known limits

{known}

## Licence

{LICENCE}
"""


def _counts(what: str, counts: Counter[str]) -> str:
    return _markdown([(what, "count"), *sorted(counts.items())])


def _markdown(rows: Sequence[tuple[object, ...]]) -> str:
    """A table in Markdown; the first row is its head."""
    head, *body = (f"| {' | '.join(map(str, row))} |" for row in rows)
    return "\n".join([head, f"|{'---|' * len(rows[0])}", *body])
