"""The tables about conditions and samples: variants of a model side by side, and pass@k."""

from __future__ import annotations

from numberduels.arena.aggregate import PlayerStats
from numberduels.arena.factors import FactorEffect
from numberduels.arena.formatting import visible
from numberduels.arena.intervals import Proportion
from numberduels.arena.report import Report
from numberduels.arena.samples import SampleStats
from numberduels.arena.table_model import Cell, ChangeCell, Column, Name, ReportTable, Section, ShareCell
from numberduels.players.variants import LEVELS, read_variant

MODEL = Column("Model", "model")


def condition_sections(report: Report) -> list[Section]:
    """The sections about conditions and samples; empty ones if the run has neither."""
    return [_factors(report), _samples(report)]


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
    columns = [MODEL, *(Column(factor.capitalize(), factor) for factor in used)]
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
    columns = [MODEL, Column("Condition", "condition"), Column("Change", "change")]
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
