"""The tables of a report as data, and the report as text; `page` renders the same tables.

A table has a row for each player or other subject, and a Field for each column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from numberduels.arena.cells import (
    Cell,
    CountedCell,
    Name,
    ReportColumn,
    ReportTable,
    Section,
    fill_lines,
    percent,
    render_table,
    visible,
)
from numberduels.arena.conditions import FactorEffect
from numberduels.arena.intervals import Proportion
from numberduels.arena.ratings import Rating
from numberduels.arena.report import RunReport
from numberduels.arena.results import (
    ABANDONED,
    COUNT,
    DEPTHS,
    LEAVE_OUT,
    LOST,
    OPEN,
    PROOFS,
    TIED,
    UNKNOWN_CAUSE,
    UNKNOWN_DEPTH,
    WON,
)
from numberduels.arena.statistics import PlayerStats
from numberduels.players.external import LEVELS, read_variant

Field = tuple[str, str, Callable[[Any], Cell]]
"""The heading on the page, the one in the text (empty: only on the page), and what computes the cells."""


def _for(value: Any, cell: Callable[[Any, Any], Cell]) -> Callable[[Any], Cell]:
    """The cells of one of several columns that differ in a value."""
    return lambda row: cell(row, value)


def build_sections(report: RunReport) -> list[Section]:
    """All tables of a report, without empty sections."""
    sections = [
        _leaderboard(report),
        _moves(report),
        _factors(report),
        _failures(report),
        _costs(report),
        _seats(report),
        _accuracy(report),
    ]
    return [section for section in sections if section.tables]


def render_text(report: RunReport) -> str:
    """The report as text, in lines of at most 100 characters."""
    tables = [render_table(table) for section in build_sections(report) for table in section.tables]
    return "\n".join([fill_lines(report.summary()), *tables, fill_lines(report.notes())])


PLAYER: Field = ("Player", "player", lambda row: Name(row.player))


def _table(
    title: str,
    fields: Iterable[Field],
    rows: Iterable[Any],
    note: str = "",
    caption: str = "",
    text_columns: int = 1,
    first: Field = PLAYER,
) -> ReportTable:
    """A table with one row for each of `rows`; the first field names the row."""
    fields = [first, *fields]
    columns = [ReportColumn(heading, short) for heading, short, _ in fields]
    cells = [[function(row) for _, _, function in fields] for row in rows]
    return ReportTable(title, columns, cells, note, caption, text_columns)


ENDS = {WON: ("Won", "won"), LOST: ("Lost", "lost"), TIED: ("Tied", "tied"), OPEN: ("Unfinished", "open")}
ENDS |= {ABANDONED: ("Abandoned", "abandoned")}


def _end_fields(report: RunReport) -> list[Field]:
    fields: list[Field] = [(*names, _for(end, lambda row, end: row.ends[end])) for end, names in ENDS.items()]
    left_out: Field = ("Left out", "left out", lambda row: row.left_out)
    return fields if report.failures == COUNT else [*fields, left_out]


def _leaderboard(report: RunReport) -> Section:
    if not report.has_games:
        return Section("leaderboard", "Leaderboard", [])
    ratings = {row.player: rating for row, rating in report.ranking}
    fields: list[Field] = []
    if len(report.ratings.scales) > 1:
        fields.append(("Group", "group", lambda row: _group(ratings[row.player])))
    # The most important columns come first: on a phone the others are out of sight.
    fields += [
        (
            "Rating, 95 % interval",
            "rating",
            lambda row: ratings[row.player] or f"- ({report.unrated_reason(row)})",
        ),
        ("Accuracy", "accuracy", lambda row: percent(row.accuracy)),
        *_end_fields(report),
        ("Not reached", "", lambda row: row.errors),
        ("Games", "games", lambda row: row.started),
        ("Moves made", "moves", lambda row: row.moves),
        ("Forfeits", "forfeits", lambda row: sum(row.forfeits.values())),
        *_cause_fields(report.causes, "Forfeit: {}", ""),
    ]
    forfeits = "among the lost games" if report.failures == COUNT else "left out"
    caption = f"Players by rating; forfeits are {forfeits}"
    table = _table("Leaderboard", fields, _ranked(report), caption=caption)
    title = "Games won against each opponent"
    return Section("leaderboard", "Leaderboard", [table], "", [_opponents(report, title)], title)


def _group(rating: Rating | None) -> int | None:
    return None if rating is None else rating.group + 1


def _opponents(report: RunReport, title: str) -> ReportTable:
    met = {opponent for _, opponent in report.won_against}
    fields: list[Field] = [
        (f"Against {name}", "", _for(name, lambda row, name: report.won_against.get((row.player, name))))
        for name in (row.player for row in _ranked(report))
        if name in met
    ]
    return _table(title, fields, _ranked(report))


def _cause_fields(causes: Iterable[str], heading: str, short: str) -> list[Field]:
    """A column for each cause of forfeits."""
    return [
        (
            heading.format(visible(cause)),
            short.format(visible(cause)),
            _for(cause, lambda row, cause: row.forfeits.get(cause, 0)),
        )
        for cause in causes
    ]


def _moves(report: RunReport) -> Section:
    fields: list[Field] = [
        ("Games won", "win rate", lambda row: row.win_rate),
        ("Won when theirs to win", "if theirs", lambda row: row.won_when_winning),
        ("Value kept, all moves", "kept", lambda row: row.kept),
        ("Accuracy", "accuracy", lambda row: row.accuracy),
        ("Margin given", "given", lambda row: row.means.get("margin_given")),
    ]
    note = (
        "if theirs: games won of those that were a win for the player at its first decision; kept: of all"
        " judged moves; given: points of margin given away by a move."
    )
    caption = "Rates with their 95 % intervals in percent"
    table = _table("How they played", fields, _ranked(report), note=note, caption=caption)
    return Section("moves", "How they played", [table])


def _ranked(report: RunReport) -> list[PlayerStats]:
    return [row for row, _ in report.ranking]


DECISIONS: Field = ("Decisions", "decisions", lambda row: row.decisions)
COSTS = {
    "What a move took": {"faults": "Bad answers", "seconds": "Seconds"},
    "What a move of a model took": {"tokens_in": "Tokens in", "tokens_out": "Tokens out", "cost": "Cost"},
}
"""For each table the measures and their headings."""


def _costs(report: RunReport) -> Section:
    """Time, tokens and cost of a decision, and why decisions ended without a move."""
    tables = []
    stats = report.stats.players
    for title, measures in COSTS.items():
        fields: list[Field] = [
            (heading, heading.lower(), _for(name, lambda row, name: row.means.get(name)))
            for name, heading in measures.items()
            if report.has_measure(name)
        ]
        if "cost" in measures and report.has_measure("cost"):
            fields.append(("Cost in all", "cost in all", _total_cost))
        if fields:
            tables.append(_table(title, [DECISIONS, *fields], _ranked(report)))
    if any(row.unanswered or any(row.forfeits.values()) for row in stats):
        occurred = [cause for cause in report.causes if any(row.forfeits.get(cause) for row in stats)]
        fields = [DECISIONS, ("No move", "no move", lambda row: row.unanswered)]
        fields += _cause_fields(occurred, "{}", "{}")
        if any(row.errors for row in stats):
            fields.append(("Not reached", "not reached", lambda row: row.errors))
        tables.append(_table("Decisions without a move", fields, _ranked(report)))
    return Section("taken", "What it took", tables, "Averages of a decision with their 95 % intervals.")


def _total_cost(row: PlayerStats) -> float | None:
    return row.means["cost"].total if "cost" in row.means else None


def _failures(report: RunReport) -> Section:
    """Failures apart from bad play: refused answers by cause, and the figures with and without failures."""
    tables = []
    causes = dict.fromkeys(cause for row in report.stats.players for cause in row.refused)
    if any(cause != UNKNOWN_CAUSE for cause in causes):
        fields: list[Field] = [
            (visible(cause), visible(cause), _for(cause, lambda row, cause: row.refused.get(cause, 0)))
            for cause in causes
        ]
        note = "The player may have answered better afterwards."
        tables.append(_table("Refused answers by cause", [DECISIONS, *fields], _ranked(report), note=note))
    if report.has_failures:
        tables.append(_with_and_without_failures(report))
    intro = "Answers without a legal move, which say nothing about how well a player plays."
    return Section("failures", "Failures", tables, intro)


WAYS = {COUNT: ("counted", ""), LEAVE_OUT: ("left out", "*")}
"""How failures are treated: in words, and as the mark of a column in the text report."""


def _with_and_without_failures(report: RunReport) -> ReportTable:
    measures: dict[str, Callable[[PlayerStats, Rating | None], Cell]] = {
        "rating": lambda _, rating: None if rating is None else round(rating.rating),
        "won": lambda row, _: row.win_rate,
        "accuracy": lambda row, _: row.accuracy,
    }
    fields: list[Field] = [("Failures", "failures", lambda row: sum(row.forfeits.values()))]
    fields += [
        (
            f"{measure.capitalize()}, failures {told}",
            f"{measure}{mark}",
            _for((failures, cell), lambda row, of: of[1](*report.compared_failures[of[0]][row.player])),
        )
        for measure, cell in measures.items()
        if measure == "accuracy" or report.has_games
        for failures, (told, mark) in WAYS.items()
    ]
    note = (
        "counted: a failure is a lost game and a mistake; left out, or with a star: it is neither."
        f" The other tables have failures {WAYS[report.failures][0]}."
    )
    return _table("With and without failures", fields, _ranked(report), note=note)


def _seats(report: RunReport) -> Section:
    if not report.has_games:
        return Section("seats", "Seat by seat", [])
    fields: list[Field] = [
        ("Seat", "seat", lambda row: "second" if row.seat else "first"),
        ("Games won", "win rate", lambda row: row.win_rate),
        ("Accuracy", "accuracy", lambda row: row.accuracy),
        *_end_fields(report),
        ("Games", "games", lambda row: row.started),
    ]

    def table(title: str, stats: Iterable[PlayerStats]) -> ReportTable:
        return _table(title, fields, report.by_rank(stats), text_columns=2)

    games = _by_game(report.stats.by_game_and_seat)
    details = [table(visible(game), stats) for game, stats in games.items()] if len(games) > 1 else []
    tables = [table("Seat by seat", report.stats.by_seat)]
    return Section("seats", "Seat by seat", tables, "", details, "Seat by seat in each game")


def _by_game(stats: Iterable[PlayerStats]) -> dict[str, list[PlayerStats]]:
    games: dict[str, list[PlayerStats]] = {}
    for row in stats:
        games.setdefault(row.game or "", []).append(row)
    return dict(sorted(games.items()))


def _accuracy(report: RunReport) -> Section:
    """The accuracy in each game, by depth."""
    tables = []
    for game, stats in _by_game(report.stats.by_game).items():
        fields: list[Field] = [("All", "all", lambda row: row.accuracy)]
        fields += [
            (*_depth_names(depth), _for(depth, lambda row, depth: CountedCell(row.depths[depth])))
            for depth in DEPTHS
            if any(row.depths[depth].of for row in stats)
        ]
        name = visible(game)
        tables.append(_table(f"Accuracy by depth: {name}", fields, report.by_rank(stats), caption=name))
    intro = (
        "The share of moves that kept the value where another move would have lost it, by the number of moves"
        " to the end at best play. A draw has no such number: there, and where it takes too long to find,"
        " proof counts the positions of a proof that the losing moves lose. Bars show the share, and the"
        " brackets on them its 95 % interval."
    )
    return Section("accuracy", "Accuracy by game and by depth", tables, intro)


def _depth_names(depth: str) -> tuple[str, str]:
    if depth == UNKNOWN_DEPTH:
        return "Depth unknown", depth
    if depth in PROOFS:
        return f"{depth.capitalize()} positions", depth
    return f"{depth} moves to the end", f"{depth} to go"


# Conditions


def _factors(report: RunReport) -> Section:
    rows = [row for row in report.stats.players if read_variant(row.player).levels]
    rows.sort(key=lambda row: read_variant(row.player).base)  # stable: in the order of the plan
    tables = [_side_by_side(report, rows)] if rows else []
    main = [effect for effect in report.factors if effect.others is None]
    details = [effect for effect in report.factors if effect.others is not None]
    if main:
        tables.append(_changes(report, "What a condition changes", main))
    if details:
        tables.append(_changes(report, "What it changes under each of the other conditions", details))
    intro = (
        "Every variant of a model met the same openings. Differences are in percentage points, the second"
        " value minus the first, over the openings that both have played, with 95 % intervals over openings."
    )
    return Section("conditions", "Conditions side by side", tables, intro)


def _side_by_side(report: RunReport, stats: list[PlayerStats]) -> ReportTable:
    levels = {row.player: dict(read_variant(row.player).levels) for row in stats}
    used = [factor for factor in LEVELS if any(factor in each for each in levels.values())]
    fields: list[Field] = [
        (factor.capitalize(), factor, _for(factor, lambda row, factor: levels[row.player].get(factor)))
        for factor in used
    ]
    fields.append(("Accuracy", "accuracy", lambda row: row.accuracy))
    fields += [("Games won", "win rate", lambda row: row.win_rate)] if report.has_games else []
    fields += [("No move", "no move", lambda row: Proportion(row.unanswered, row.decisions)), DECISIONS]
    model: Field = ("Model", "model", lambda row: Name(read_variant(row.player).base))
    return _table("Conditions side by side", fields, stats, text_columns=1 + len(used), first=model)


def _changes(report: RunReport, title: str, effects: list[FactorEffect]) -> ReportTable:
    def change(heading: str, name: str) -> Field:
        return heading, name.replace("_", " "), lambda effect: effect.differences.get(name)

    split = any(effect.others for effect in effects)
    model: Field = ("Model", "model", lambda effect: Name(effect.model))
    fields: list[Field] = [("Condition", "condition", lambda effect: effect.factor)]
    fields.append(("Change", "change", lambda effect: " to ".join(effect.change)))
    if split:
        fields.append(("Where", "where", lambda effect: ", ".join(map("=".join, effect.others or ()))))
    fields.append(change("Accuracy, points", "accuracy"))
    fields += [change("Score, points", "score")] if report.has_games else []
    fields.append(change("No move, points", "no_move"))
    fields.append(
        ("Openings", "openings", lambda effect: max(each.openings for each in effect.differences.values()))
    )
    note = "score: 1 for a game won, 0 for a loss, else 1/2." if report.has_games else ""
    return _table(title, fields, effects, note, text_columns=4 if split else 3, first=model)
