"""What came of a run: computed from its saved games alone, and so at any time again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from numberduels.arena.aggregate import CAUSES, PlayerStats, RunStats, aggregate
from numberduels.arena.formatting import (
    NONE,
    averaged,
    counted,
    percent,
    plural,
    rated,
    shown,
    spent,
    unrated,
    with_interval,
)
from numberduels.arena.ratings import NO_MOVE, SELF, Rating, Ratings, rate
from numberduels.arena.results import ABANDONED, DEPTHS, LOST, OPEN, TIED, WON, GameResult, Line, played
from numberduels.arena.results_file import ERROR, GAMES, PLAN, lines, parsed, torn

WIDTH = 100
"""Characters that a line of the text may have."""
NAME = 12
"""Characters that a name keeps at least, however little spec there is."""


class Report:
    """The lines of a run, counted and rated."""

    def __init__(self, lines: Iterable[Line], config: Mapping[str, Any], *, torn: bool = False) -> None:
        """Count the lines; `torn` says that a last line was not written to its end."""
        self.config = config
        self.torn = torn
        self.repeated: list[int] = []
        """Lines that tell a game again which was over already; the first one counts."""
        self.lines: list[Line] = []
        self.games: list[GameResult] = []
        self.replayed = 0
        """Games that were abandoned and played again later; what came of them then is what counts."""
        seen: dict[str, int] = {}
        for number, line in enumerate(lines, 1):
            game, key = played(number, line), line.get("key")
            if not isinstance(key, str) or key not in seen:
                seen[str(key)] = len(self.lines)
                self.lines.append(line)
                self.games.append(game)
            elif self.lines[seen[key]].get("end") == ERROR:
                self.replayed += 1
                self.lines[seen[key]], self.games[seen[key]] = line, game
            else:
                self.repeated.append(number)
        self.stats: RunStats = aggregate(self.games, _named(config))
        self.ratings: Ratings = rate(self.games)

    @property
    def causes(self) -> list[str]:
        """The causes of forfeits that there were, and those that are always told."""
        return list(
            dict.fromkeys([*CAUSES, *(cause for row in self.stats.players for cause in row.forfeits)])
        )

    @property
    def standing(self) -> list[tuple[PlayerStats, Rating | None]]:
        """The players, the strongest first; who has no rating comes last."""
        rows = {row.player: row for row in self.stats.players}
        rated = [(rows[rating.player], rating) for rating in self.ratings.rows]
        known = {row.player for row, _ in rated}
        return [*rated, *((row, None) for row in rows.values() if row.player not in known)]

    @property
    def order(self) -> dict[str, int]:
        """The place of each player in the standing."""
        return {row.player: place for place, (row, _) in enumerate(self.standing)}

    def by_game(self) -> dict[str, list[PlayerStats]]:
        """The rows of each game, in the order of the standing."""
        order, found = self.order, dict[str, list[PlayerStats]]()
        for row in sorted(self.stats.games, key=lambda row: order[row.player]):
            found.setdefault(row.game or "", []).append(row)
        return dict(sorted(found.items()))

    def by_seat(self) -> list[PlayerStats]:
        """Each player in each seat, all games together, in the order of the standing."""
        order = self.order
        return sorted(self.stats.sides, key=lambda row: (order[row.player], row.seat or 0))

    def measured(self, name: str) -> bool:
        """Whether that was measured of anybody."""
        return any(name in row.means for row in self.stats.players)

    @property
    def versions(self) -> list[str]:
        """The versions of the program that played the games."""
        return sorted({str(line["version"]) for line in self.lines if "version" in line})

    def conditions(self) -> list[str]:
        """On which terms programs and models played, a sentence each."""
        terms, kinds = self.config.get("terms"), {name.partition(":")[0] for name in _named(self.config)}
        if not isinstance(terms, Mapping) or not kinds & {"chat", "process"}:
            return []
        attempts, seconds = terms.get("attempts"), terms.get("seconds")
        told = [f"Programs and models had {attempts} answers a move, and {seconds} seconds."]
        if "chat" in kinds:
            told.append(
                f"Models were {'' if terms.get('legal') else 'not '}shown the legal moves, could"
                f"{'' if terms.get('reasoning') else ' not'} think aloud, and met the games under"
                f" {'other names and numbers' if terms.get('disguise') else 'their own names'}."
            )
        return told

    def notes(self) -> list[str]:
        """What the figures mean and what was left out, a sentence each."""
        return list(_notes(self))

    def data(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "config": dict(self.config),
            "versions": self.versions,
            "games": sum(each.ends is not None for each in self.games),
            "positions": sum(each.ends is None for each in self.games),
            "ratings": self.ratings.data(),
            "unrated": {row.player: unrated(row) for row, rating in self.standing if rating is None},
            "players": [row.data() for row, _ in self.standing],
            "by_game": [row.data() for row in self.stats.games],
            "by_seat": [row.data() for row in self.stats.sides],
            "by_game_and_seat": [row.data() for row in self.stats.seats],
            "torn_line": self.torn,
            "repeated_lines": list(self.repeated),
            "replayed_games": self.replayed,
            "notes": self.notes(),
        }

    def text(self) -> str:
        """The report in plain characters, no line longer than 100 of them."""
        parts = [_head(self)]
        if any(row.started for row, _ in self.standing):
            parts += [_leaderboard(self), _sides(self)]
        parts += [
            _moves(self),
            *_taken(self),
            *_depths(self),
            "".join(_folded(note) for note in self.notes()),
        ]
        return "\n".join(part for part in parts if part)


def report(folder: str) -> Report:
    """Read a run from its folder; ValueError names the line that is not one, OSError the file."""
    with open(os.path.join(folder, PLAN), "rb") as file:
        config = parsed(file.read())
    if not isinstance(config, dict):
        raise ValueError(f"{PLAN} is not the plan of a run")
    path = os.path.join(folder, GAMES)
    return Report(lines(path), config, torn=torn(path))


def _named(config: Mapping[str, Any]) -> list[str]:
    """Everybody whom the plan names, the fixed opponents included."""
    names = [*(config.get("players") or ()), *(config.get("against") or ())]
    return [name for name in names if isinstance(name, str)]


# What the figures mean

_OUT = {
    ABANDONED: "abandoned",
    SELF: "of a player with itself",
    NO_MOVE: "of a player who made no move",
}


def _notes(report: Report) -> Iterator[str]:
    ratings = report.ratings
    several = len(ratings.scales) > 1
    for number, (group, scale) in enumerate(zip(ratings.groups, ratings.scales, strict=True), 1):
        whose = f"Group {number} ({', '.join(map(shown, group))}): " if several else ""
        yield (
            f"{whose}Ratings are Bradley-Terry strengths on a logarithmic scale: {scale}. One tied game more"
            " for every two who met keeps them finite."
            if not number - 1
            else f"{whose}{scale}."
        )
    if several:
        yield (
            f"There are {len(ratings.scales)} groups of players with no game between them:"
            " ratings of different groups cannot be compared."
        )
    if any(row.started for row in report.stats.players):
        yield (
            "Each game started is won, lost, tied, open (unfinished) or abandoned (a player could not be"
            f" reached). Forfeits ({', '.join(map(shown, report.causes))}) are among the lost games. Rates"
            " count all games started but the abandoned ones."
        )
    idle = [row.player for row, rating in report.standing if rating is None and row.started and not row.moves]
    if idle:
        yield f"No rating, because they made no move: {', '.join(map(shown, idle))}."
    yield (
        "Accuracy is the share of value-keeping moves where another move would have lost the value."
        " Intervals, in brackets, are at 95 %."
    )
    out = [f"{count} {_OUT[name]}" for name, count in ratings.left_out.items() if count]
    if out:
        yield f"Games left out of the ratings: {', '.join(out)}."
    elif ratings.rows:
        yield "No game was left out of the ratings."
    unanswered = sum(row.unanswered for row in report.stats.players)
    if unanswered:
        yield (
            f"Decisions that ended without a legal move: {unanswered}. They count as value lost, but for"
            " those that an error broke off."
        )
    unjudged = sum(each.made and not each.judged for game in report.games for each in game.decisions)
    if unjudged:
        yield f"Moves that could not be judged, and so are in no accuracy: {unjudged}."
    if report.repeated:
        some = ", ".join(map(str, report.repeated[:5])) + (", ..." if len(report.repeated) > 5 else "")
        yield f"Lines that repeat a game, where the first one counts: {len(report.repeated)} (line {some})."
    if report.replayed:
        yield f"Games that were abandoned at first and played again later: {report.replayed}."
    if report.torn:
        yield "The last line was not written to its end and is left out."


# In plain characters


def _head(report: Report) -> str:
    games = sum(each.ends is not None for each in report.games)
    positions = len(report.games) - games
    what = [plural(games, "game")] if games or not positions else []
    what += [plural(positions, "position")] if positions else []
    told = [f"{' and '.join(what)}, {plural(len(report.stats.players), 'player')}"]
    seed, total = report.config.get("seed"), report.config.get("total")
    told += [f"seed {shown(str(seed))}"] if seed is not None else []
    told += [f"Number Duels {shown(version)}" for version in report.versions]
    lines = [", ".join(told) + "."]
    if isinstance(total, int) and len(report.games) < total:
        lines.append(f"The run is not over: {total - len(report.games)} of {total} are still to be played.")
    return "".join(map(_folded, [*lines, *report.conditions()]))


def _leaderboard(report: Report) -> str:
    several = len(report.ratings.scales) > 1
    head = ["player", *(["group"] if several else []), "rating", "interval", "games"]
    head += ["won", "lost", "tied", "open", "abandoned", "forfeits", "moves", "accuracy"]
    rows = []
    for row, rating in report.standing:
        group = [NONE if rating is None else str(rating.group + 1)] if several else []
        ends = [str(row.ends[end]) for end in (WON, LOST, TIED, OPEN, ABANDONED)]
        made = [str(sum(row.forfeits.values())), str(row.moves), percent(row.accuracy)]
        rows.append([row.player, *group, *rated(row, rating), str(row.started), *ends, *made])
    return "Leaderboard\n" + _table(head, rows)


def _sides(report: Report) -> str:
    head = ["player", "seat", "games", "won", "lost", "tied", "open", "abandoned", "win rate", "accuracy"]
    rows = [
        [
            row.player,
            "first" if row.seat == 0 else "second",
            str(row.started),
            *(str(row.ends[end]) for end in (WON, LOST, TIED, OPEN, ABANDONED)),
            with_interval(row.win_rate),
            with_interval(row.accuracy),
        ]
        for row in report.by_seat()
    ]
    return "Seat by seat\n" + _table(head, rows)


def _moves(report: Report) -> str:
    head = ["player", "win rate", "if theirs", "kept", "accuracy", "given"]
    rows = [
        [
            row.player,
            *map(with_interval, (row.win_rate, row.theirs, row.kept, row.accuracy)),
            averaged(row.means.get("margin_given")),
        ]
        for row, _ in report.standing
    ]
    legend = (
        "if theirs: games won of those that were theirs to win at their first choice; kept: of all judged"
        " moves; given: points of margin given away by a move."
    )
    return "Moves\n" + _table(head, rows) + _folded(legend)


def _taken(report: Report) -> Iterator[str]:
    """What the decisions took, and why some came to nothing; what nobody has is left out."""
    for title, heads in (("What a move took", TAKEN), ("What a move of a model took", TOKENS)):
        names = [name for name in heads if report.measured(name)]
        costs = "cost" in names
        head = ["player", "decisions", *(heads[name] for name in names), *["cost in all"] * costs]
        rows = [
            [
                row.player,
                str(row.decisions),
                *(averaged(row.means.get(name)) for name in names),
                *[spent(row)] * costs,
            ]
            for row, _ in report.standing
        ]
        if names:
            yield f"{title}\n" + _table(head, rows)
    if any(row.unanswered or any(row.forfeits.values()) for row in report.stats.players):
        head = ["player", "decisions", "no move", *map(_flat, report.causes), "not reached"]
        rows = [
            [
                row.player,
                str(row.decisions),
                str(row.unanswered),
                *(str(row.forfeits.get(cause, 0)) for cause in report.causes),
                str(row.errors),
            ]
            for row, _ in report.standing
        ]
        yield "Decisions without a move\n" + _table(head, rows)


TAKEN = {"faults": "bad answers", "seconds": "seconds"}
TOKENS = {"tokens_in": "tokens in", "tokens_out": "tokens out", "cost": "cost"}
"""The measures of what a decision took, with their heads: anybody's, and those of models."""


def _depths(report: Report) -> Iterator[str]:
    """Accuracy in each game, by how far the end was."""
    head = ["player", "all", *(f"{depth} to go" if depth == DEPTHS[0] else depth for depth in DEPTHS)]
    for game, rows in report.by_game().items():
        cells = [
            [row.player, with_interval(row.accuracy), *(counted(row.depths[depth]) for depth in DEPTHS)]
            for row in rows
        ]
        yield _cut(f"Accuracy by depth: {shown(game)}", WIDTH) + "\n" + _table(head, cells)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns under their heads, the first one cut to the spec that the others leave."""
    rows = [[_flat(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    gap = "  " if sum(widths) + 2 * len(widths) <= WIDTH else " "
    spec = WIDTH - sum(widths[1:]) - len(gap) * (len(widths) - 1)
    widths[0] = min(widths[0], max(spec, NAME))
    lines = []
    for row in [head, *rows]:
        first = f"{_squeezed(row[0], widths[0]):<{widths[0]}}"
        rest = [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append(gap.join([first, *rest]).rstrip())
    return "\n".join(lines) + "\n"


def _squeezed(text: str, most: int) -> str:
    """The two ends of a text that is too long: names of programs often differ in their end."""
    half = (most - 3) // 2
    return text if len(text) <= most else f"{text[: most - 3 - half]}...{text[-half:]}"


def _flat(text: str) -> str:
    return " ".join(shown(text).split()) if text else NONE


def _folded(text: str) -> str:
    """A sentence in lines that are not too long, words too long for one of them cut."""
    lines = [""]
    for word in text.split():
        word = _cut(word, WIDTH)
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines) + "\n"
