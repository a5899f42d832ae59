"""The results of a study: the reports of its two runs, and the same games without the conditions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from study_config import DECISIONS, GAMES, Study

from numberduels.arena.aggregate import PlayerStats, RunStats, aggregate
from numberduels.arena.factors import Difference
from numberduels.arena.intervals import Proportion
from numberduels.arena.plan import Plan
from numberduels.arena.report import Report, read_report
from numberduels.arena.results import ABANDONED, WON, GameResult
from numberduels.arena.results_file import PLAN
from numberduels.arena.saved_plan import conflicts
from numberduels.players.variants import read_variant


@dataclass(frozen=True)
class StudyResults:
    """What was measured: single decisions and whole games."""

    study: Study
    decisions: Report
    games: Report
    planned: int
    """Games and decisions of the plans of both runs."""

    @cached_property
    def pooled_decisions(self) -> RunStats:
        """Single decisions of each player, over all conditions."""
        return aggregate(without_conditions(self.decisions.games))

    @cached_property
    def pooled_games(self) -> RunStats:
        """Whole games of each player, over all conditions."""
        return aggregate(self._games_without_conditions)

    @cached_property
    def _games_without_conditions(self) -> list[GameResult]:
        return without_conditions(self.games.games)

    @cached_property
    def players(self) -> list[str]:
        """All players of the study without conditions: the studied ones, then the baselines."""
        return list(dict.fromkeys([*self.study.players, *self.study.baselines]))

    @cached_property
    def variants(self) -> list[PlayerStats]:
        """Single decisions of each player under each combination of conditions, in the order of the study."""
        order = {player: place for place, player in enumerate(self.players)}
        rows = self.decisions.stats.players
        return sorted(rows, key=lambda row: order.get(read_variant(row.player).base, len(order)))

    @cached_property
    def by_size(self) -> Mapping[tuple[str, str], PlayerStats]:
        """By game with its size and player: single decisions over all conditions."""
        return {(row.game or "", row.player): row for row in self.pooled_decisions.by_game}

    @property
    def factors(self) -> list[str]:
        """The conditions that were varied."""
        names = [row.player for row in (*self.decisions.stats.players, *self.games.stats.players)]
        return list(dict.fromkeys(factor for name in names for factor, _ in read_variant(name).levels))

    def effects(self) -> list[Effect]:
        """What each condition changes for each model, over all other conditions."""
        found: dict[tuple[str, str], Effect] = {}
        for kind, report in ((DECISIONS, self.decisions), (GAMES, self.games)):
            for each in report.factors:
                if each.others is None:
                    effect = found.setdefault(
                        (each.model, each.factor), Effect(each.model, each.factor, each.change, {})
                    )
                    effect.differences.update(
                        {(kind, measure): value for measure, value in each.differences.items()}
                    )
        order = {player: place for place, player in enumerate(self.players)}
        return sorted(found.values(), key=lambda effect: order.get(effect.model, len(order)))

    def won_against(self, player: str, opponent: str, seat: int | None) -> Proportion:
        """The games that a player won against an opponent from this seat, over all conditions."""
        ends = [
            game.ends[seat or 0]
            for game in self._games_without_conditions
            if game.ends and game.players[seat or 0] == player and game.players[1 - (seat or 0)] == opponent
        ]
        return Proportion(ends.count(WON), len(ends) - ends.count(ABANDONED))

    @property
    def missing(self) -> int:
        """Games and decisions of the plan that are not saved yet."""
        return self.planned - len(self.decisions.games) - len(self.games.games)

    @property
    def abandoned(self) -> int:
        """Games and decisions in which a player could not be reached."""
        return sum(game.abandoned for game in (*self.decisions.games, *self.games.games))


@dataclass(frozen=True)
class Effect:
    """What one condition changes for one model."""

    model: str
    factor: str
    change: tuple[str, str]
    differences: dict[tuple[str, str], Difference]
    """By run and measure."""


def without_conditions(games: Iterable[GameResult]) -> list[GameResult]:
    """The games with the names of players without their conditions."""
    return [replace(game, players=tuple(read_variant(name).base for name in game.players)) for game in games]


def read_results(study: Study, plans: Mapping[str, Plan], folder: str) -> StudyResults:
    """Read both runs from the folder of a study; a run that was not begun has no games.

    ValueError names a bad line, or says how the folder differs from the plans; OSError names a file.
    """
    reports, planned = {}, 0
    for run, plan in plans.items():
        place, data = os.path.join(folder, run), plan.data()
        planned += data["total"]
        reports[run] = read_report(place) if os.path.exists(os.path.join(place, PLAN)) else Report([], {})
        if reports[run].config and (differences := conflicts(reports[run].config, data)):
            raise ValueError(f"the folder holds another study; {'; '.join(differences)}")
    return StudyResults(study, reports[DECISIONS], reports[GAMES], planned)
