"""The datasheet of a dataset: what it holds, how it was made, and what to know before using it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from numberduels import __version__
from numberduels.game.formatting import plural
from numberduels.harness.dataset.difficulty import LEVELS

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


def position_sheet(title: str, command: str, games: Mapping[str, Sequence[Any]], disguised: bool) -> str:
    """The datasheet of a file of positions; `games` has the rows of each game."""
    rows = [row for part in games.values() for row in part]
    splits = Counter(row["split"] for row in rows)
    table: list[tuple[str, ...]] = [("game", *(f"difficulty {level}" for level in LEVELS), "all")]
    for text, part in games.items():
        counts = Counter(row["difficulty"] for row in part)
        table.append((f"`{text}`", *(str(counts[level]) for level in LEVELS), str(len(part))))
    values: list[tuple[str, ...]] = [
        ("game", "win", "draw", "loss", "greedy can fail", "wrong moves, mean share")
    ]
    for text, part in games.items():
        counts = Counter(row["value"] for row in part)
        fails = sum(row["greedy_fails"] for row in part)
        share = sum(row["wrong_share"] for row in part) / len(part)
        values.append(
            (
                f"`{text}`",
                *(str(counts[each]) for each in ("win", "draw", "loss")),
                str(fails),
                f"{share:.2f}",
            )
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
    table: list[tuple[str, ...]] = [("game", "rows", "win", "loss", "tie", "unfinished")]
    for text, part in games.items():
        counts = Counter(row["outcome"] for row in part)
        ends = (str(counts[each]) for each in ("win", "loss", "tie", "unfinished"))
        table.append((f"`{text}`", str(len(part)), *ends))
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
    return _markdown([(what, "count"), *((name, str(count)) for name, count in sorted(counts.items()))])


def _markdown(rows: Sequence[tuple[str, ...]]) -> str:
    """A table in Markdown; the first row is its head."""
    head, *body = rows
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in body)])
