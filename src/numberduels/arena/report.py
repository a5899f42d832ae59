"""The report of a run, computed from its saved games alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from numberduels.arena.cells import visible
from numberduels.arena.conditions import factor_effects
from numberduels.arena.plan import external_players, named_players
from numberduels.arena.ratings import NO_MOVE, SELF, Rating, Ratings, rate
from numberduels.arena.results import (
    ABANDONED,
    COUNT,
    FAILED,
    FAILURES,
    GameResult,
    UniqueGames,
    leave_out_failures,
)
from numberduels.arena.run_folder import SavedRun, join_games, joined_config, label_players, read_run
from numberduels.arena.statistics import CAUSES, PlayerStats, RunStats, aggregate, won_against
from numberduels.game.formatting import plural
from numberduels.players.external import FACTORS, MODEL, read_variant

MOST_REASONS = 5
"""So many reasons why a player could not be reached are told, the most frequent ones."""
LONGEST_REASON = 300


class RunReport:
    """The games of a run with statistics and ratings."""

    def __init__(
        self,
        games: Iterable[GameResult],
        config: Mapping[str, Any],
        *,
        incomplete_line: bool = False,
        failures: str = COUNT,
    ) -> None:
        """Count the games. `config` is the saved plan; `incomplete_line` if a last line was left out.

        `failures` is one of FAILURES: whether decisions without a legal move are counted.
        """
        self.config = config
        self.failures = failures
        self.incomplete_line = incomplete_line
        unique = UniqueGames(games)
        self.games = list(unique.found.values())
        self.repeated, self.replayed = unique.repeated, unique.replayed
        counted = self.games if failures == COUNT else leave_out_failures(self.games)
        self.factors = factor_effects(counted)
        """What each condition changes for each model, if the run varies conditions."""
        self.stats: RunStats = aggregate(counted, named_players(config))
        self.won_against = won_against(counted)
        """The games that a player won against an opponent, by both names."""
        self.ratings: Ratings = rate(counted)
        self.ranking = self._ranked()
        """The players with their ratings, the best first; players without a rating come last."""

    def unrated_reason(self, row: PlayerStats) -> str:
        """Why a player has no rating, if it has none."""
        if not self.ratings.installed:
            return "no numpy"
        return "no game" if row.moves else "no move"

    def _ranked(self) -> list[tuple[PlayerStats, Rating | None]]:
        stats = {row.player: row for row in self.stats.players}
        rated = [(stats.pop(rating.player), rating) for rating in self.ratings.rows]
        return [*rated, *((row, None) for row in stats.values())]

    @property
    def has_failures(self) -> bool:
        """Whether a decision ended without a legal move."""
        return any(game.has_failure for game in self.games)

    @cached_property
    def compared_failures(self) -> dict[str, dict[str, tuple[PlayerStats, Rating | None]]]:
        """Statistics and ratings with failures counted and with failures left out, by player."""
        found = {}
        for failures in FAILURES:
            report = self
            if failures != self.failures:
                report = RunReport(self.games, self.config, failures=failures)
            found[failures] = {row.player: (row, rating) for row, rating in report.ranking}
        return found

    def by_rank(self, stats: Iterable[PlayerStats]) -> list[PlayerStats]:
        """The rows in the order of the ranking, then by seat."""
        order = {row.player: place for place, (row, _) in enumerate(self.ranking)}
        return sorted(stats, key=lambda row: (order[row.player], row.seat or 0))

    @property
    def has_games(self) -> bool:
        """Whether there are whole games, not only single decisions."""
        return any(game.is_game for game in self.games)

    @property
    def causes(self) -> list[str]:
        """The usual causes of forfeits, and any other that occurred."""
        return list(
            dict.fromkeys([*CAUSES, *(cause for row in self.stats.players for cause in row.forfeits)])
        )

    def has_measure(self, name: str) -> bool:
        """Whether any player has this measure."""
        return any(name in row.means for row in self.stats.players)

    @property
    def versions(self) -> list[str]:
        """The versions of the program that played the games."""
        return sorted({game.version for game in self.games if game.version})

    def summary(self) -> list[str]:
        """What was played, in a few sentences."""
        games = sum(game.is_game for game in self.games)
        positions = len(self.games) - games
        counts = [plural(games, "game")] if games or not positions else []
        counts += [plural(positions, "position")] if positions else []
        parts = [f"{' and '.join(counts)}, {plural(len(self.stats.players), 'player')}"]
        seed, total = self.config.get("seed"), self.config.get("total")
        parts += [f"seed {visible(str(seed))}"] if seed is not None else []
        parts += [f"Number Duels {visible(version)}" for version in self.versions]
        sentences = [", ".join(parts) + "."]
        if isinstance(total, int) and len(self.games) < total:
            left = total - len(self.games)
            sentences.append(f"The run is not over: {left} of {total} are still to be played.")
        return [*sentences, *self._terms()]

    def _terms(self) -> list[str]:
        """The conditions for programs and models, a sentence each."""
        terms = self.config.get("terms")
        names = external_players(self.config)
        if not isinstance(terms, Mapping) or not names:
            return []
        attempts, seconds = terms.get("attempts"), terms.get("seconds")
        sentences = [f"Programs and models had {attempts} answers a move, and {seconds} seconds."]
        if any(name.startswith(MODEL) for name in names):
            varied = {factor for name in names for factor, _ in read_variant(name).levels}
            sentences += _conditions(terms, varied)
            sentences += _model_terms(terms)
        return [visible(sentence) for sentence in sentences]

    def notes(self) -> list[str]:
        """How the numbers are computed and what is left out, a sentence each."""
        return list(_notes(self))

    def data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "config": dict(self.config),
            "versions": self.versions,
            "games": sum(game.is_game for game in self.games),
            "positions": sum(not game.is_game for game in self.games),
            "ratings": self.ratings.data(),
            "unrated": {
                row.player: self.unrated_reason(row) for row, rating in self.ranking if rating is None
            },
            "players": [row.data() for row, _ in self.ranking],
            "by_game": [row.data() for row in self.stats.by_game],
            "by_seat": [row.data() for row in self.stats.by_seat],
            "by_game_and_seat": [row.data() for row in self.stats.by_game_and_seat],
            "by_opponent": [
                {"player": player, "opponent": opponent, "win_rate": won.data()}
                for (player, opponent), won in self.won_against.items()
            ],
            "factors": [effect.data() for effect in self.factors],
            "torn_line": self.incomplete_line,
            "repeated_lines": list(self.repeated),
            "replayed_games": self.replayed,
            "failures": self.failures,
            "with_and_without_failures": self._failures_data(),
            "notes": self.notes(),
        }

    def _failures_data(self) -> list[dict[str, Any]]:
        """What the table of failures says, for each player."""
        if not self.has_failures:
            return []
        return [
            {"player": player, "failures": failures}
            | {
                "rating": rating and rating.rating,
                "win_rate": row.win_rate.data(),
                "kept": row.kept.data(),
                "accuracy": row.accuracy.data(),
            }
            for failures, rows in self.compared_failures.items()
            for player, (row, rating) in rows.items()
        ]


def read_report(*folders: str, failures: str = COUNT) -> RunReport:
    """Read one or several runs from their folders; ValueError names a bad line, OSError a file."""
    if len(folders) == 1:
        run = read_run(folders[0])
        return RunReport(run.games, run.config, incomplete_line=run.incomplete_line, failures=failures)
    runs = label_players([_named_run(folder) for folder in folders])
    incomplete = any(run.incomplete_line for run in runs)
    return RunReport(join_games(runs), joined_config(runs), incomplete_line=incomplete, failures=failures)


def _named_run(folder: str) -> SavedRun:
    try:
        return read_run(folder)
    except ValueError as fault:
        raise ValueError(f"{folder}: {fault}") from None


def _model_terms(terms: Mapping[str, Any]) -> list[str]:
    """What else was set for models, if it was."""
    sentences = []
    if terms.get("board") == "json":
        sentences.append("They saw positions as JSON.")
    models = terms.get("models") if isinstance(terms.get("models"), list) else None
    pairs = [each for each in models if isinstance(each, list) and len(each) == 2] if models else []
    return [*sentences, *(f"Options of chat:{name}: {options}." for name, options in pairs)]


def _conditions(terms: Mapping[str, Any], varied: set[str]) -> Iterator[str]:
    """What all models were shown, and what differs between their variants."""
    clauses = {
        "legal": f"were {'' if terms.get('legal') else 'not '}shown the legal moves",
        "reasoning": f"could{'' if terms.get('reasoning') else ' not'} think aloud",
        "disguise": "met the games under"
        f" {'other names and numbers' if terms.get('disguise') else 'their own names'}",
    }
    told = [clause for factor, clause in clauses.items() if factor not in varied]
    if told:
        ending = f"{', and' if len(told) > 2 else ' and'} {told[-1]}" if len(told) > 1 else told[0]
        yield f"Models {', '.join(told[:-1])}{ending}."
    if varied:
        factors = [factor for factor in FACTORS if factor in varied]
        yield f"Models played under each combination of these conditions: {', '.join(factors)}."


def _unreached(report: RunReport) -> Iterator[str]:
    """Which players could not be reached, and why."""
    found = Counter(each for game in report.games if (each := game.unreached))
    for (player, reason), count in found.most_common(MOST_REASONS):
        told = f": {visible(reason[:LONGEST_REASON])}" if reason else "."
        yield f"Not reached: {visible(player)} ({plural(count, 'time')}){told}"
    if len(found) > MOST_REASONS:
        yield f"The report page has {plural(len(found) - MOST_REASONS, 'more reason')}, with the games."


_LEFT_OUT = {
    ABANDONED: "abandoned",
    SELF: "of a player with itself",
    NO_MOVE: "of a player who made no move",
    FAILED: "forfeited",
}


def _notes(report: RunReport) -> Iterator[str]:
    ratings = report.ratings
    several = len(ratings.scales) > 1
    if report.has_games and not ratings.installed:
        yield "There are no ratings, because they need numpy: pip install 'numberduels[arena]'."
    for number, (group, scale) in enumerate(zip(ratings.groups, ratings.scales, strict=True), 1):
        whose = f"Group {number} ({', '.join(map(visible, group))}): " if several else ""
        yield (
            f"{whose}Ratings are Bradley-Terry strengths on a logarithmic scale: {scale}. One tied game more"
            " for every two who met keeps them finite."
            if number == 1
            else f"{whose}{scale}."
        )
    if several:
        yield (
            f"There are {len(ratings.scales)} groups of players with no game between them:"
            " ratings of different groups cannot be compared."
        )
    if report.has_games:
        yield (
            "Each game started is won, lost, tied, open (unfinished) or abandoned (a player could not be"
            f" reached). Forfeits ({', '.join(map(visible, report.causes))}) are"
            f" {'among the lost games' if report.failures == COUNT else 'left out'}. Rates count all games"
            f" started but the abandoned {'' if report.failures == COUNT else 'and forfeited '}ones."
        )
    yield from _unreached(report)
    idle = [row.player for row, rating in report.ranking if rating is None and row.started and not row.moves]
    if idle:
        yield f"No rating, because they made no move: {', '.join(map(visible, idle))}."
    yield (
        "Accuracy is the share of moves that kept the value where another move would have lost it."
        " Intervals, in brackets, are at 95 %."
    )
    out = [f"{count} {_LEFT_OUT[name]}" for name, count in ratings.left_out.items() if count]
    if out:
        yield f"Games left out of the ratings: {', '.join(out)}."
    elif ratings.rows:
        yield "No game was left out of the ratings."
    unanswered = sum(row.unanswered for row in report.stats.players)
    if unanswered:
        yield (
            f"Decisions that ended without a legal move: {unanswered}. They count as value lost, but for"
            " those that an error broke off."
            if report.failures == COUNT
            else f"Decisions that ended without a legal move, and are left out: {unanswered}."
        )
    unjudged = sum(each.made and not each.judged for game in report.games for each in game.decisions)
    if unjudged:
        yield f"Moves that could not be judged, and so are in no accuracy: {unjudged}."
    if report.repeated:
        some = ", ".join(map(str, report.repeated[:5])) + (", ..." if len(report.repeated) > 5 else "")
        yield f"Lines that repeat a game, where the first one counts: {len(report.repeated)} (line {some})."
    if report.replayed:
        yield f"Games that were abandoned at first and played again later: {report.replayed}."
    if report.incomplete_line:
        yield "The last line was not written to its end and is left out."
