"""The tables of a report as data. They are built once; `text_report` and `page` render them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from numberduels.arena.cells import (
    Cell,
    ChangeCell,
    Column,
    CountedCell,
    Name,
    PercentCell,
    RatingCell,
    ReportTable,
    ScaleCell,
    Section,
    ShareCell,
    visible,
)
from numberduels.arena.conditions import FactorEffect
from numberduels.arena.intervals import Proportion
from numberduels.arena.ratings import Rating
from numberduels.arena.report import Report
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
from numberduels.arena.statistics import PlayerStats, SampleStats
from numberduels.players.external import LEVELS, read_variant


def build_sections(report: Report) -> list[Section]:
    """All tables of a report, without empty sections."""
    sections = [
        _leaderboard(report),
        _moves(report),
        _factors(report),
        _samples(report),
        _failures(report),
        _costs(report),
        _seats(report),
        _accuracy(report),
    ]
    return [section for section in sections if section.tables]


PLAYER = Column("Player", "player")
ENDS = {
    WON: Column("Won", "won"),
    LOST: Column("Lost", "lost"),
    TIED: Column("Tied", "tied"),
    OPEN: Column("Unfinished", "open"),
    ABANDONED: Column("Abandoned", "abandoned"),
}

Field = tuple[Column, Callable[[PlayerStats], Cell]]
"""A column and the function that computes its cells."""


def _table(
    title: str,
    fields: Iterable[Field],
    stats: Iterable[PlayerStats],
    note: str = "",
    caption: str = "",
    text_columns: int = 1,
) -> ReportTable:
    """A table with one row for each player."""
    columns, functions = zip(*[(PLAYER, lambda row: Name(row.player)), *fields], strict=True)
    rows = [[function(row) for function in functions] for row in stats]
    return ReportTable(title, columns, rows, note, caption, text_columns)


def _end_fields(report: Report) -> list[Field]:
    fields: list[Field] = [
        (column, lambda row, end=end: row.ends[end])  # type: ignore[misc]
        for end, column in ENDS.items()
    ]
    left_out: Field = (Column("Left out", "left out"), lambda row: row.left_out)
    return fields if report.failures == COUNT else [*fields, left_out]


def _leaderboard(report: Report) -> Section:
    ratings = {row.player: rating for row, rating in report.ranking}
    ends = [end for each in report.ratings.rows for end in (each.interval or (each.rating, each.rating))]
    low = min(ends, default=0.0)
    high = max([low + 1, *ends])
    fields: list[Field] = []
    if len(report.ratings.scales) > 1:
        fields.append((Column("Group", "group"), lambda row: _group(ratings[row.player])))
    # The most important columns come first: on a phone the others are out of sight.
    fields += [
        (
            Column("Rating, 95 % interval", "rating"),
            lambda row: RatingCell(ratings[row.player], report.unrated_reason(row)),
        ),
        (Column("Accuracy", "accuracy"), lambda row: PercentCell(row.accuracy)),
        *_end_fields(report),
        (Column("Not reached"), lambda row: row.errors),
        (Column("Games", "games"), lambda row: row.started),
        (Column("Moves made", "moves"), lambda row: row.moves),
        (Column("On the scale"), lambda row: ScaleCell(ratings[row.player], low, high)),
        (Column("Forfeits", "forfeits"), lambda row: sum(row.forfeits.values())),
        *_cause_fields(report, "Forfeit: {}", ""),
    ]
    table = _table(
        "Leaderboard",
        fields,
        _ranked(report),
        caption="Players by rating; forfeits are "
        + ("among the lost games" if report.failures == COUNT else "left out"),
    )
    tables = [table] if report.has_games else []
    title = "Games won against each opponent"
    return Section("leaderboard", "Leaderboard", tables, "", [_opponents(report, title)], title)


def _opponents(report: Report, title: str) -> ReportTable:
    names = [row.player for row in _ranked(report)]
    fields: list[Field] = [
        (
            Column(f"Against {other}"),
            lambda row, other=other: report.won_against.get((row.player, other)),  # type: ignore[misc]
        )
        for other in names
        if any(pair[1] == other for pair in report.won_against)
    ]
    return _table(title, fields, _ranked(report))


def _group(rating: Rating | None) -> int | None:
    return None if rating is None else rating.group + 1


def _cause_fields(report: Report, heading: str, short: str, *, occurred: bool = False) -> list[Field]:
    """A column for each cause of forfeits; with `occurred`, only for those that are not zero everywhere."""
    return [
        (
            Column(heading.format(visible(cause)), short.format(visible(cause))),
            lambda row, cause=cause: row.forfeits.get(cause, 0),  # type: ignore[misc]
        )
        for cause in report.causes
        if not occurred or any(row.forfeits.get(cause) for row in report.stats.players)
    ]


def _moves(report: Report) -> Section:
    fields: list[Field] = [
        (Column("Games won", "win rate"), lambda row: row.win_rate),
        (Column("Won when theirs to win", "if theirs"), lambda row: row.won_when_winning),
        (Column("Value kept, all moves", "kept"), lambda row: row.kept),
        (Column("Accuracy", "accuracy"), lambda row: row.accuracy),
        (Column("Margin given", "given"), lambda row: row.means.get("margin_given")),
    ]
    note = (
        "if theirs: games won of those that were a win for the player at its first decision; kept: of all"
        " judged moves; given: points of margin given away by a move."
    )
    caption = "Rates with their 95 % intervals in percent"
    table = _table("How they played", fields, _ranked(report), note=note, caption=caption)
    return Section("moves", "How they played", [table])


def _ranked(report: Report) -> list[PlayerStats]:
    return [row for row, _ in report.ranking]


DECISIONS: Field = (Column("Decisions", "decisions"), lambda row: row.decisions)
MOVE_COSTS = {"faults": Column("Bad answers", "bad answers"), "seconds": Column("Seconds", "seconds")}
MODEL_COSTS = {
    "tokens_in": Column("Tokens in", "tokens in"),
    "tokens_out": Column("Tokens out", "tokens out"),
    "cost": Column("Cost", "cost"),
}


def _costs(report: Report) -> Section:
    """Time, tokens and cost of a decision, and why decisions ended without a move."""
    tables = []
    for title, columns in (("What a move took", MOVE_COSTS), ("What a move of a model took", MODEL_COSTS)):
        fields: list[Field] = [
            (column, lambda row, name=name: row.means.get(name))  # type: ignore[misc]
            for name, column in columns.items()
            if report.has_measure(name)
        ]
        if "cost" in columns and report.has_measure("cost"):
            fields.append((Column("Cost in all", "cost in all"), _total_cost))
        if fields:
            tables.append(_table(title, [DECISIONS, *fields], _ranked(report)))
    if any(row.unanswered or any(row.forfeits.values()) for row in report.stats.players):
        fields = [
            DECISIONS,
            (Column("No move", "no move"), lambda row: row.unanswered),
            *_cause_fields(report, "{}", "{}", occurred=True),
        ]
        if any(row.errors for row in report.stats.players):
            fields.append((Column("Not reached", "not reached"), lambda row: row.errors))
        tables.append(_table("Decisions without a move", fields, _ranked(report)))
    intro = "Averages of a decision with their 95 % intervals."
    return Section("taken", "What it took", tables, intro)


def _failures(report: Report) -> Section:
    """Failures apart from bad play: refused answers by cause, and the figures with and without failures."""
    tables = []
    causes = dict.fromkeys(cause for row in report.stats.players for cause in row.refused)
    if any(cause != UNKNOWN_CAUSE for cause in causes):
        fields: list[Field] = [DECISIONS]
        fields += [
            (Column(visible(cause), visible(cause)), lambda row, cause=cause: row.refused.get(cause, 0))  # type: ignore[misc]
            for cause in causes
        ]
        note = "The player may have answered better afterwards."
        tables.append(_table("Refused answers by cause", fields, _ranked(report), note=note))
    if report.has_failures:
        tables.append(_with_and_without_failures(report))
    intro = "Answers without a legal move, which say nothing about how well a player plays."
    return Section("failures", "Failures", tables, intro)


MARKS = {COUNT: "", LEAVE_OUT: "*"}
"""The marks of columns in the text report."""


def _with_and_without_failures(report: Report) -> ReportTable:
    compared = report.compared_failures
    names = {COUNT: "counted", LEAVE_OUT: "left out"}
    fields: list[Field] = [(Column("Failures", "failures"), lambda row: sum(row.forfeits.values()))]
    measures: dict[str, Callable[[PlayerStats, Rating | None], Cell]] = {
        "rating": lambda _, rating: None if rating is None else round(rating.rating),
        "won": lambda row, _: row.win_rate,
        "accuracy": lambda row, _: row.accuracy,
    }
    for measure, cell in measures.items():
        if measure == "accuracy" or report.has_games:
            fields += [
                (
                    Column(f"{measure.capitalize()}, failures {told}", f"{measure}{MARKS[failures]}"),
                    lambda row, rows=compared[failures], cell=cell: cell(*rows[row.player]),  # type: ignore[misc]
                )
                for failures, told in names.items()
            ]
    note = (
        "counted: a failure is a lost game and a mistake; left out, or with a star: it is neither."
        f" The other tables have failures {names[report.failures]}."
    )
    return _table("With and without failures", fields, _ranked(report), note=note)


def _total_cost(row: PlayerStats) -> float | None:
    return row.means["cost"].total if "cost" in row.means else None


def _seats(report: Report) -> Section:
    def table(title: str, stats: Iterable[PlayerStats]) -> ReportTable:
        fields: list[Field] = [
            (Column("Seat", "seat"), lambda row: "second" if row.seat else "first"),
            (Column("Games won", "win rate"), lambda row: row.win_rate),
            (Column("Accuracy", "accuracy"), lambda row: row.accuracy),
            *_end_fields(report),
            (Column("Games", "games"), lambda row: row.started),
        ]
        return _table(title, fields, report.by_rank(stats), text_columns=2)

    if not report.has_games:
        return Section("seats", "Seat by seat", [])
    games = _by_game(report.stats.by_game_and_seat)
    details = [table(visible(game), stats) for game, stats in games.items()] if len(games) > 1 else []
    tables = [table("Seat by seat", report.stats.by_seat)]
    return Section("seats", "Seat by seat", tables, "", details, "Seat by seat in each game")


def _by_game(stats: Iterable[PlayerStats]) -> dict[str, list[PlayerStats]]:
    games: dict[str, list[PlayerStats]] = {}
    for row in stats:
        games.setdefault(row.game or "", []).append(row)
    return dict(sorted(games.items()))


def _accuracy(report: Report) -> Section:
    """The accuracy in each game, by depth."""
    tables = []
    for game, stats in _by_game(report.stats.by_game).items():
        fields: list[Field] = [(Column("All", "all"), lambda row: row.accuracy)]
        fields += [
            (_depth_column(depth), lambda row, depth=depth: CountedCell(row.depths[depth]))  # type: ignore[misc]
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


def _depth_column(depth: str) -> Column:
    if depth == UNKNOWN_DEPTH:
        return Column("Depth unknown", depth)
    if depth in PROOFS:
        return Column(f"{depth.capitalize()} positions", depth)
    return Column(f"{depth} moves to the end", f"{depth} to go")


# Conditions and samples


def _factors(report: Report) -> Section:
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


def _side_by_side(report: Report, stats: list[PlayerStats]) -> ReportTable:
    used = [factor for factor in LEVELS if any(factor in _levels(row) for row in stats)]
    columns = [Column("Model", "model"), *(Column(factor.capitalize(), factor) for factor in used)]
    columns.append(Column("Accuracy", "accuracy"))
    columns += [Column("Games won", "win rate")] if report.has_games else []
    columns += [Column("No move", "no move"), Column("Decisions", "decisions")]
    rows: list[list[Cell]] = []
    for row in stats:
        cells: list[Cell] = [Name(read_variant(row.player).base)]
        cells += [_levels(row).get(factor) for factor in used]
        cells.append(row.accuracy)
        cells += [row.win_rate] if report.has_games else []
        rows.append([*cells, Proportion(row.unanswered, row.decisions), row.decisions])
    return ReportTable("Conditions side by side", columns, rows, text_columns=1 + len(used))


def _levels(row: PlayerStats) -> dict[str, str]:
    return dict(read_variant(row.player).levels)


def _changes(report: Report, title: str, effects: list[FactorEffect]) -> ReportTable:
    columns = [Column("Model", "model"), Column("Condition", "condition"), Column("Change", "change")]
    split = any(effect.others for effect in effects)
    columns += [Column("Where", "where")] if split else []
    columns.append(Column("Accuracy, points", "accuracy"))
    columns += [Column("Score, points", "score")] if report.has_games else []
    columns += [Column("No move, points", "no move"), Column("Openings", "openings")]
    rows: list[list[Cell]] = []
    for effect in effects:
        found = effect.differences
        cells: list[Cell] = [Name(effect.model), effect.factor, " to ".join(effect.change)]
        if split:
            cells.append(", ".join("=".join(each) for each in effect.others or ()))
        cells.append(ChangeCell(found.get("accuracy")))
        cells += [ChangeCell(found.get("score"))] if report.has_games else []
        openings = max(each.openings for each in found.values())
        rows.append([*cells, ChangeCell(found.get("no_move")), openings])
    note = "score: 1 for a game won, 0 for a loss, else 1/2." if report.has_games else ""
    return ReportTable(title, columns, rows, note, text_columns=4 if split else 3)


def _samples(report: Report) -> Section:
    every = [row for row in report.samples if row.game is None]
    if not every:
        return Section("samples", "Several answers to a position", [])
    labels = list(dict.fromkeys(row.game for row in report.samples if row.game is not None))
    details = [
        _sample_table(visible(label), [row for row in report.samples if row.game == label])
        for label in labels
    ]
    note = (
        "pass@k: at least one of k answers keeps the value; agreement: the share of the most frequent move;"
        " majority: the most frequent move keeps the value."
    )
    table = _sample_table("Several answers to a position", every, note)
    return Section("samples", table.title, [table], "", details, "In each game")


def _sample_table(title: str, stats: list[SampleStats], note: str = "") -> ReportTable:
    ks = sorted({k for row in stats for k in row.passes})
    columns = [Column("Player", "player"), Column("Positions", "positions"), Column("Answers", "answers")]
    columns += [Column(f"pass@{k}", f"pass@{k}") for k in ks]
    columns += [Column("Agreement", "agreement"), Column("Majority keeps the value", "majority")]
    rows: list[list[Cell]] = [
        [
            Name(row.player),
            row.positions,
            row.answers,
            *(ShareCell(row.passes[k]) if k in row.passes else None for k in ks),
            ShareCell(row.agreement),
            ShareCell(row.majority),
        ]
        for row in stats
    ]
    return ReportTable(title, columns, rows, note)
