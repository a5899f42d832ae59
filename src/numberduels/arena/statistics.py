"""The statistics of each player, computed from the saved games alone.

Every game counts once for each seat: as won, lost, tied, unfinished or abandoned. A player who forfeits (by a
crash, a timeout or an illegal move) has lost and the opponent has won; forfeits are also counted by cause. A
game is abandoned if a player could not be reached. It has its own column and enters no rate of either player.

The 95 % confidence intervals are Wilson's for proportions, and a bootstrap over games for means. Moves are
counted as in a review: the share that kept the value, among all judged moves, and among those where some move
would have lost the value. A decision without a move has not kept the value. Moves of one game are correlated,
so their intervals are widened by the design effect. Over several games each game has the same weight, so that
games with many moves do not dominate.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from numberduels.analysis.judgement import FORCED
from numberduels.arena.intervals import (
    NO_PROPORTION,
    Mean,
    Proportion,
    average_proportion,
    bootstrap_mean,
    clustered_proportion,
)
from numberduels.arena.results import (
    ABANDONED,
    DEPTHS,
    ENDS,
    ERROR,
    FAILED,
    LOST,
    WON,
    GameResult,
    MoveResult,
)

CAUSES = ("crash", "timeout", "illegal")
"""The causes that every report shows; other causes are added if they occur."""


MEASURES: dict[str, Callable[[MoveResult], float | None]] = {
    "margin_given": lambda move: move.margin_given if move.judged and move.verdict != FORCED else None,
    "faults": lambda move: move.faults,
    "seconds": lambda move: move.seconds,
    "tokens_in": lambda move: move.total("tokens_in"),
    "tokens_out": lambda move: move.total("tokens_out"),
    "cost": lambda move: move.total("cost"),
}
"""What is averaged over the decisions of a player; None if it was not measured."""

Cluster = Hashable
"""What correlated decisions have in common: their game, or their position."""

ANSWERED = ("faults", "seconds")
"""Measures that leave out the decision at which a player could not be reached. Its tokens were spent."""


@dataclass(slots=True)
class PlayerStats:
    """The statistics of one player: over all games, in one game, or in one seat."""

    player: str
    game: str | None = None
    seat: int | None = None
    ends: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ENDS, 0))
    left_out: int = 0
    """Forfeited games in a report that leaves failures out; they are in none of the ends."""
    started: int = 0
    forfeits: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CAUSES, 0))
    """Games that this player forfeited, by cause; they are also counted as lost, or as left out."""
    forfeits_won: int = 0
    """Games won because the opponent forfeited."""
    errors: int = 0
    """Abandoned games in which this player could not be reached."""
    won_when_winning: Proportion = NO_PROPORTION
    """Games won, among those whose first decision was in a winning position."""
    kept: Proportion = NO_PROPORTION
    """Moves that kept the value, among all judged moves; over several games, the average of the games."""
    accuracy: Proportion = NO_PROPORTION
    """Moves that kept the value, among those where some move would have lost it; the same average."""
    depths: dict[str, Proportion] = field(default_factory=lambda: dict.fromkeys(DEPTHS, NO_PROPORTION))
    """The accuracy by depth."""
    decisions: int = 0
    unanswered: int = 0
    """Decisions without a legal move."""
    refused: dict[str, int] = field(default_factory=dict)
    """Answers that were refused, by cause; the player may have answered better afterwards."""
    means: dict[str, Mean] = field(default_factory=dict)
    """The means of those MEASURES that were measured."""
    _sums: dict[str, dict[Cluster, tuple[float, int]]] = field(default_factory=dict, repr=False)
    """For each measure and cluster its sum and the number of decisions."""
    _counts: dict[str, dict[Cluster, tuple[int, int]]] = field(default_factory=dict, repr=False)
    """For each proportion of moves and cluster the hits and the total."""

    @property
    def win_rate(self) -> Proportion:
        """Games won, among all that were not abandoned or left out."""
        return Proportion(self.ends[WON], self.started - self.ends[ABANDONED] - self.left_out)

    @property
    def moves(self) -> int:
        """Moves that the player made, without those of openings."""
        return self.decisions - self.unanswered

    def _count_game(self, game: GameResult, seat: int) -> None:
        if game.forfeit:
            own, cause = game.forfeit.seat == seat, game.forfeit.cause
            if cause == ERROR:
                self.errors += own
            elif own:
                self.forfeits[cause] = self.forfeits.get(cause, 0) + 1
            elif game.end != FAILED:
                self.forfeits_won += 1
        ends = game.ends
        if ends is None:
            return  # a single decision is neither won nor lost
        end = ends[seat]
        self.started += 1
        if end == FAILED:
            self.left_out += 1
            return
        self.ends[end] += 1
        first = next((each for each in game.decisions if each.seat == seat), None)
        if first and first.before == "win" and end != ABANDONED:
            self.won_when_winning = Proportion(
                self.won_when_winning.hits + (end == WON), self.won_when_winning.of + 1
            )

    def _count_moves(self, decisions: Sequence[MoveResult], abandoned: bool, cluster: Cluster) -> None:
        """Count the decisions of the player in one game."""
        answered = [each for each in decisions if each.made] if abandoned else decisions
        for name, measure in MEASURES.items():
            measured = answered if name in ANSWERED else decisions
            found = [value for each in measured if (value := measure(each)) is not None]
            if found:
                total, count = self._sums.setdefault(name, {}).get(cluster, (0, 0))
                self._sums[name][cluster] = total + sum(found), count + len(found)
        self.decisions += len(decisions)
        self.unanswered += sum(not each.made for each in decisions)
        for cause in (cause for each in decisions for cause in each.fault_causes):
            self.refused[cause] = self.refused.get(cause, 0) + 1
        judged = [each for each in decisions if each.judged]
        risky = [each for each in judged if each.losing]
        self._count_kept("kept", judged, cluster)
        self._count_kept("accuracy", risky, cluster)
        for depth in DEPTHS:
            self._count_kept(depth, [each for each in risky if each.depth == depth], cluster)

    def _count_kept(self, name: str, decisions: Sequence[MoveResult], cluster: Cluster) -> None:
        if decisions:
            kept, count = self._counts.setdefault(name, {}).get(cluster, (0, 0))
            self._counts[name][cluster] = kept + sum(each.kept for each in decisions), count + len(decisions)

    def _close(self) -> PlayerStats:
        """Compute the intervals, after the last game."""
        for name, sums in self._sums.items():
            self.means[name] = bootstrap_mean(
                list(sums.values()), f"{self.player} {self.game} {self.seat} {name}"
            )
        self.kept, self.accuracy = (
            clustered_proportion([*self._counts.get(name, {}).values()]) for name in ("kept", "accuracy")
        )
        self.depths = {name: clustered_proportion([*self._counts.get(name, {}).values()]) for name in DEPTHS}
        self._check()
        return self

    def _check(self) -> None:
        """Check that every game is in exactly one column."""
        assert sum(self.ends.values()) + self.left_out == self.started
        assert not self.started or sum(self.forfeits.values()) <= self.ends[LOST] + self.left_out
        assert self.forfeits_won <= self.ends[WON]
        assert sum(each.of for each in self.depths.values()) == self.accuracy.of

    def data(self) -> dict[str, Any]:
        """The statistics as JSON data; seats are counted from 1."""
        return {
            "player": self.player,
            "game": self.game,
            "seat": None if self.seat is None else self.seat + 1,
            "started": self.started,
            **self.ends,
            "left_out": self.left_out,
            "forfeits": dict(self.forfeits),
            "refused_answers": dict(self.refused),
            "won_by_forfeit": self.forfeits_won,
            "own_errors": self.errors,
            "win_rate": self.win_rate.data(),
            "win_rate_when_theirs": self.won_when_winning.data(),
            "kept": self.kept.data(),
            "accuracy": self.accuracy.data(),
            "accuracy_by_depth": {name: each.data() for name, each in self.depths.items()},
            "decisions": self.decisions,
            "unanswered": self.unanswered,
            "moves": self.moves,
            "per_move": {name: self.means[name].data() if name in self.means else None for name in MEASURES},
        }


@dataclass(frozen=True, slots=True)
class RunStats:
    """The statistics of a run: by player, by game, by game and seat, by seat."""

    players: tuple[PlayerStats, ...]
    by_game: tuple[PlayerStats, ...]
    by_game_and_seat: tuple[PlayerStats, ...]
    by_seat: tuple[PlayerStats, ...]
    """Each player in each seat, over all games."""


def aggregate(games: Iterable[GameResult], players: Iterable[str] = ()) -> RunStats:
    """Compute the statistics of all games. The named players have a row even if they never played.

    >>> from numberduels.arena.results import read_result
    >>> line = {"game": "range-war", "players": ["a", "b"], "result": "1-0", "moves": []}
    >>> row = aggregate([read_result(1, line)]).players[1]
    >>> row.player, row.started, row.ends["lost"]
    ('b', 1, 1)
    """
    rows: dict[tuple[str, str | None, int | None], PlayerStats] = {}

    def at(player: str, game: str | None, seat: int | None) -> PlayerStats:
        return rows.setdefault((player, game, seat), PlayerStats(player, game, seat))

    for player in players:
        at(player, None, None)
    for number, each in enumerate(games):
        # All answers to one position are one cluster, as all moves of one game are.
        cluster: Cluster = number if each.is_game or not each.seed else (each.label, each.seed)
        decisions = each.decisions
        seats = (0, 1) if each.is_game else sorted({decision.seat for decision in decisions})
        # A game of a player with itself counts twice: once for each seat.
        for seat in seats:
            mine = [decision for decision in decisions if decision.seat == seat]
            name = each.player(seat)
            for game in (None, each.label):
                for place in (None, seat):
                    row = at(name, game, place)
                    row._count_game(each, seat)
                    row._count_moves(mine, each.abandoned, cluster)
    order = {player: number for number, player in enumerate(dict.fromkeys(name for name, _, _ in rows))}
    closed = [row._close() for row in rows.values()]
    for row in closed:
        if row.game is None:
            parts = [
                each for each in closed if each.game and (each.player, each.seat) == (row.player, row.seat)
            ]
            row.kept = average_proportion(each.kept for each in parts)
            row.accuracy = average_proportion(each.accuracy for each in parts)
    closed.sort(key=lambda row: (row.game or "", order[row.player], row.seat or 0))

    def select(game: bool, seat: bool) -> tuple[PlayerStats, ...]:
        return tuple(row for row in closed if (row.game is None, row.seat is None) == (not game, not seat))

    return RunStats(select(False, False), select(True, False), select(True, True), select(False, True))


def won_against(games: Iterable[GameResult]) -> dict[tuple[str, str], Proportion]:
    """The games that a player won against an opponent, by both names, among those that count."""
    found: dict[tuple[str, str], Proportion] = {}
    for ends, players in ((game.ends, game.players) for game in games):
        if ends and ends[0] not in (ABANDONED, FAILED):
            for seat, end in enumerate(ends):
                pair = players[seat], players[1 - seat]
                known = found.get(pair, NO_PROPORTION)
                found[pair] = Proportion(known.hits + (end == WON), known.of + 1)
    return found
