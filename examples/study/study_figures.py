"""The figures of a study, drawn from its results."""

from __future__ import annotations

from interval_charts import PERCENT, Estimate, Panel, Row, difference_axis, draw_panels, draw_rows
from study_config import DECISIONS
from study_results import StudyResults
from study_tables import seat_rows, seat_word

from numberduels.arena.intervals import Proportion
from numberduels.arena.table_model import ChangeCell
from numberduels.arena.text_report import format_cell
from numberduels.players.variants import read_variant

INTERVALS = "Bars are 95 % intervals."


def draw_figures(results: StudyResults) -> dict[str, str]:
    """The figures by the name of their files; those without data are left out."""
    figures = {
        "accuracy": _accuracy(results),
        "sizes": _sizes(results),
        "conditions": _conditions(results),
        "seats": _seats(results),
    }
    return {name: figure for name, figure in figures.items() if figure}


def percent_estimate(proportion: Proportion) -> Estimate | None:
    """A proportion in percent; None if it is empty."""
    if proportion.share is None or proportion.interval is None:
        return None
    low, high = proportion.interval
    return Estimate(100 * proportion.share, 100 * low, 100 * high)


def _accuracy(results: StudyResults) -> str:
    groups: dict[str, list[Row]] = {}
    for row in results.variants:
        if not row.accuracy.of:
            continue
        variant = read_variant(row.player)
        conditions = ", ".join(f"{factor}={word}" for factor, word in variant.levels)
        group, label = (variant.base, conditions) if conditions else ("without conditions", variant.base)
        rows = groups.setdefault(group, [])
        shape = len(rows) if conditions else 0
        rows.append(Row(label, percent_estimate(row.accuracy), format_cell(row.accuracy), shape))
    if not groups:
        return ""
    note = f"Percent of single decisions that kept the value, averaged over games and sizes. {INTERVALS}"
    return draw_rows("Accuracy under each condition", note, PERCENT, list(groups.items()))


def _sizes(results: StudyResults) -> str:
    names = [name for name in results.players if any(player == name for _, player in results.by_size)]
    panels = []
    for game, sizes in results.study.games.items():
        series = []
        for name in names:
            rows = [results.by_size.get((results.study.label(game, size), name)) for size in sizes]
            series.append([percent_estimate(row.accuracy) if row else None for row in rows])
        if any(any(each) for each in series):
            panels.append(Panel(game, sizes, series))
    if not panels:
        return ""
    note = f"Percent of single decisions that kept the value, over all conditions. {INTERVALS}"
    return draw_panels("Accuracy by game and size", note, PERCENT, names, panels)


def _conditions(results: StudyResults) -> str:
    groups: dict[str, list[Row]] = {}
    for effect in results.effects():
        found = effect.differences.get((DECISIONS, "accuracy"))
        if found is not None:
            low, high = found.interval or (found.change, found.change)
            estimate = Estimate(100 * found.change, 100 * low, 100 * high)
            rows = groups.setdefault(effect.model, [])
            label = f"{effect.factor}: {' to '.join(effect.change)}"
            rows.append(Row(label, estimate, format_cell(ChangeCell(found)), len(rows)))
    if not groups:
        return ""
    estimates = [row.estimate for rows in groups.values() for row in rows if row.estimate]
    axis = difference_axis("percentage points", estimates)
    note = f"Change of accuracy in single decisions, paired by position. {INTERVALS}"
    return draw_rows("What a condition changes", note, axis, list(groups.items()))


def _seats(results: StudyResults) -> str:
    groups: dict[str, list[Row]] = {}
    for row in seat_rows(results):
        if row.win_rate.of:
            told = format_cell(row.win_rate)
            rows = groups.setdefault(row.player, [])
            rows.append(Row(f"{seat_word(row)} seat", percent_estimate(row.win_rate), told, row.seat or 0))
    if not groups:
        return ""
    note = f"Percent of whole games won, over all conditions and opponents. {INTERVALS}"
    return draw_rows("Games won from each seat", note, PERCENT, list(groups.items()))
