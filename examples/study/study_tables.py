"""The tables of a study, built from its results."""

from __future__ import annotations

from study_config import DECISIONS, GAMES
from study_results import StudyResults

from numberduels.arena.aggregate import PlayerStats
from numberduels.arena.failures import COUNT, LEAVE_OUT
from numberduels.arena.intervals import Proportion
from numberduels.arena.table_model import Cell, ChangeCell, Column, Name, RatingCell, ReportTable
from numberduels.players.variants import read_variant

PLAYER = Column("Player")


def build_tables(results: StudyResults) -> dict[str, ReportTable]:
    """The tables by the name of their files; those without rows are left out."""
    tables = {
        "accuracy": _accuracy(results),
        "sizes": _sizes(results),
        "conditions": _conditions(results),
        "opponents": _opponents(results),
        "seats": _seats(results),
        "failures": _failures(results),
        "costs": _costs(results),
    }
    return {name: table for name, table in tables.items() if table.rows}


def _accuracy(results: StudyResults) -> ReportTable:
    factors = results.factors
    columns = [PLAYER, *(Column(factor.capitalize()) for factor in factors)]
    columns += [Column("Accuracy"), Column("Decisions"), Column("No move")]
    rows: list[list[Cell]] = [
        [
            *_name_and_conditions(row.player, factors),
            row.accuracy,
            row.decisions,
            Proportion(row.unanswered, row.decisions),
        ]
        for row in results.variants
        if row.decisions
    ]
    note = (
        "Accuracy: the share of single decisions that kept the value, averaged over games and sizes. No move:"
        " decisions without a legal answer, which count as mistakes here."
    )
    return ReportTable("Accuracy in single decisions", columns, rows, note, text_columns=1 + len(factors))


def _name_and_conditions(player: str, factors: list[str]) -> list[Cell]:
    variant = read_variant(player)
    return [Name(variant.base), *(dict(variant.levels).get(factor, "-") for factor in factors)]


def _sizes(results: StudyResults) -> ReportTable:
    columns = [Column("Game"), Column("Size"), *(Column(player) for player in results.players)]
    rows: list[list[Cell]] = []
    for game, sizes in results.study.games.items():
        for size in sizes:
            found = [
                results.by_size.get((results.study.label(game, size), player)) for player in results.players
            ]
            if any(found):
                rows.append([game, size, *(row.accuracy if row else None for row in found)])
    note = "The share of single decisions that kept the value, over all conditions."
    return ReportTable("Accuracy by game and size", columns, rows, note, text_columns=2)


def _conditions(results: StudyResults) -> ReportTable:
    columns = [PLAYER, Column("Condition"), Column("Change"), Column("Accuracy, points")]
    columns += [Column("No move, points"), Column("Score, points")]
    rows: list[list[Cell]] = [
        [
            Name(effect.model),
            effect.factor,
            " to ".join(effect.change),
            ChangeCell(effect.differences.get((DECISIONS, "accuracy"))),
            ChangeCell(effect.differences.get((DECISIONS, "no_move"))),
            ChangeCell(effect.differences.get((GAMES, "score"))),
        ]
        for effect in results.effects()
    ]
    note = (
        "Differences in percentage points, the second value minus the first, paired by opening and taken over"
        " all other conditions. Accuracy and no move: single decisions. Score: whole games, 1 for a win,"
        " 0 for a loss, else 1/2."
    )
    return ReportTable("What a condition changes", columns, rows, note, text_columns=3)


def _opponents(results: StudyResults) -> ReportTable:
    opponents = results.study.opponents
    ratings = {row.player: rating for row, rating in results.games.ranking}
    factors = results.factors
    columns = [PLAYER, *(Column(factor.capitalize()) for factor in factors), Column("Rating"), Column("Won")]
    columns += [Column("Won when winning"), Column("Games")]
    rows: list[list[Cell]] = [
        [
            *_name_and_conditions(row.player, factors),
            RatingCell(ratings[row.player], row.unrated_reason),
            row.win_rate,
            row.won_when_winning,
            row.started,
        ]
        for row, _ in results.games.ranking
        if row.started
    ]
    note = (
        f"Opponents: {', '.join(opponents)}. Rating: Bradley-Terry strength; random is 0 and perfect is 100"
        " if both played and differ significantly. Won when winning: games won of those that were a win for"
        " the player at its first decision."
    )
    return ReportTable("Whole games", columns, rows, note, text_columns=1 + len(factors))


def _seats(results: StudyResults) -> ReportTable:
    opponents = results.study.opponents
    columns = [PLAYER, Column("Seat"), Column("Won"), Column("Accuracy"), Column("Games")]
    rows: list[list[Cell]] = [
        [Name(row.player), seat_word(row), row.win_rate, row.accuracy, row.started]
        for row in seat_rows(results)
    ]
    several = [*columns, *(Column(f"Won against {opponent}") for opponent in opponents)]
    for stats, cells in zip(seat_rows(results), rows, strict=True):
        cells += [results.won_against(stats.player, opponent, stats.seat) for opponent in opponents]
    note = "Whole games over all conditions. The first seat moves first."
    return ReportTable("Seat by seat", several, rows, note, text_columns=2)


def seat_rows(results: StudyResults) -> list[PlayerStats]:
    """Whole games of each studied player in each seat, over all conditions, in the order of the study."""
    found = {(row.player, row.seat): row for row in results.pooled_games.by_seat}
    names = [player for player in results.players if player not in results.study.opponents]
    return [found[player, seat] for player in names for seat in (0, 1) if (player, seat) in found]


def seat_word(row: PlayerStats) -> str:
    """The seat of a row in a word."""
    return "second" if row.seat else "first"


def _failures(results: StudyResults) -> ReportTable:
    """Decisions without a legal move, by cause, and the accuracy with and without them."""
    report, factors = results.decisions, results.factors
    refused = dict.fromkeys(cause for row in results.variants for cause in row.refused)
    compared = report.compared_failures
    columns = [PLAYER, *(Column(factor.capitalize()) for factor in factors), Column("Decisions")]
    columns += [Column("No move"), *(Column(f"Refused: {cause}") for cause in refused)]
    columns += [Column("Accuracy, failures counted"), Column("Accuracy, failures left out")]
    rows: list[list[Cell]] = [
        [
            *_name_and_conditions(row.player, factors),
            row.decisions,
            row.unanswered,
            *(row.refused.get(cause, 0) for cause in refused),
            compared[COUNT][row.player][0].accuracy,
            compared[LEAVE_OUT][row.player][0].accuracy,
        ]
        for row in results.variants
        if row.refused or row.unanswered
    ]
    note = (
        "Refused: answers without a legal move, by cause; the player may have answered better in the next"
        " attempt. No move: decisions in which all attempts were refused."
    )
    return ReportTable("Failures in single decisions", columns, rows, note, text_columns=1 + len(factors))


COSTS = {
    "seconds": Column("Seconds"),
    "tokens_in": Column("Tokens in"),
    "tokens_out": Column("Tokens out"),
    "cost": Column("Cost"),
}
"""What a decision of a model takes."""


def _costs(results: StudyResults) -> ReportTable:
    """Time, tokens and cost of the single decisions of models."""
    factors = results.factors
    models = [row for row in results.variants if row.player.startswith("chat:") and row.decisions]
    measured = [name for name in COSTS if any(name in row.means for row in models)]
    columns = [PLAYER, *(Column(factor.capitalize()) for factor in factors)]
    columns += [Column("Decisions"), *(COSTS[name] for name in measured)]
    rows: list[list[Cell]] = [
        [
            *_name_and_conditions(row.player, factors),
            row.decisions,
            *(row.means.get(name) for name in measured),
        ]
        for row in models
    ]
    note = "Averages of a single decision with all its attempts."
    return ReportTable("What a decision takes", columns, rows, note, text_columns=1 + len(factors))
