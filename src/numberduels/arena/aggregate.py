"""What the saved games of a run say about each player: counted from the lines alone, nothing left out.

Every game that was started counts once for each seat: as won, lost, tied, unfinished or abandoned. Who
forfeits (by a crash, a timeout, an illegal move) has lost and the other has won, and the forfeits are told
apart beside that. A game is abandoned when one side could not be reached. It has a column of its own and
enters no rate of games, for either side. All other games started enter the rates.

Intervals of shares are Wilson's, at 95 %, and of averages by a bootstrap over games. Moves are counted as in
a review: a share of value-keeping moves among all that were judged, and among those where some choice would
have lost the value. A choice that was not made kept nothing. The moves of one game are alike, so that their
intervals are widened by the design effect; and over several games each game counts alike, lest the longest
of them speak for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from numberduels.analysis.review import FORCED
from numberduels.arena.intervals import (
    NO_PROPORTION,
    Mean,
    Proportion,
    average_proportion,
    bootstrap_mean,
    clustered_proportion,
)
from numberduels.arena.results import ABANDONED, DEPTHS, ENDS, LOST, WON, Decision, GameResult
from numberduels.arena.results_file import ERROR

CAUSES = ("crash", "timeout", "illegal")
"""The forfeits that everybody is asked about; another word in a line is counted under that word."""


def _given(choice: Decision) -> float | None:
    """Points given away by a judged move that was not forced, as in a review; None without points."""
    return choice.margin_given if choice.judged and choice.verdict != FORCED else None


MEASURES: dict[str, Callable[[Decision], float | None]] = {
    "margin_given": _given,
    "faults": lambda choice: None if choice.abandoned else choice.faults,
    "seconds": lambda choice: None if choice.abandoned else choice.seconds,
    "tokens_in": lambda choice: choice.tokens_in,
    "tokens_out": lambda choice: choice.tokens_out,
    "cost": lambda choice: choice.cost,
}
"""What is averaged over the decisions of a player; None where it was not measured.

Tokens and cost of a decision that was abandoned were spent, so they count.
"""


@dataclass(slots=True)
class PlayerStats:
    """Everything counted about one player: in all, in one game, or in one seat of it."""

    player: str
    game: str | None = None
    seat: int | None = None
    ends: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ENDS, 0))
    started: int = 0
    forfeits: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CAUSES, 0))
    """Games that this player forfeited, by cause; all of them are among the lost ones."""
    forfeits_won: int = 0
    """Games that were won because the other forfeited."""
    errors: int = 0
    """Abandoned games in which the error was on this player's side."""
    theirs: Proportion = NO_PROPORTION
    """Games won among those that were theirs to win when they first had to choose."""
    kept: Proportion = NO_PROPORTION
    """Value-keeping moves among all that were judged; over several games, each game counting alike."""
    accuracy: Proportion = NO_PROPORTION
    """Value-keeping moves among those where a choice would have lost the value; the same."""
    depths: dict[str, Proportion] = field(default_factory=lambda: dict.fromkeys(DEPTHS, NO_PROPORTION))
    """The same by how far the end was."""
    decisions: int = 0
    unanswered: int = 0
    """Decisions that ended in no move at all; unless by an error, they have kept nothing."""
    means: dict[str, Mean] = field(default_factory=dict)
    """The averages of MEASURES, without those that nobody measured."""
    _sums: dict[str, list[tuple[float, int]]] = field(default_factory=dict, repr=False)
    """For each measure its sum over each game, and of how many decisions."""
    _hits: dict[str, list[tuple[int, int]]] = field(default_factory=dict, repr=False)
    """For each share of moves its hits in each game, and of how many."""

    @property
    def win_rate(self) -> Proportion:
        """Games won among all that were started and not abandoned."""
        return Proportion(self.ends[WON], self.started - self.ends[ABANDONED])

    @property
    def moves(self) -> int:
        """Moves that the player made; those of an opening were made by nobody."""
        return self.decisions - self.unanswered

    def _count_game(self, game: GameResult, seat: int) -> None:
        if game.forfeit:
            who, cause = game.forfeit
            if cause == ERROR:
                self.errors += who == seat
            elif who == seat:
                self.forfeits[cause] = self.forfeits.get(cause, 0) + 1
            else:
                self.forfeits_won += 1
        if game.ends is None:
            return  # a single decision is neither won nor lost
        end = game.ends[seat]
        self.started += 1
        self.ends[end] += 1
        first = next((each for each in game.decisions if each.seat == seat), None)
        if first and first.before == "win" and end != ABANDONED:
            self.theirs = Proportion(self.theirs.hits + (end == WON), self.theirs.of + 1)

    def _count_moves(self, decisions: Sequence[Decision]) -> None:
        """All that the player chose in one game."""
        for name, measure in MEASURES.items():
            found = [value for each in decisions if (value := measure(each)) is not None]
            if found:
                self._sums.setdefault(name, []).append((sum(found), len(found)))
        self.decisions += len(decisions)
        self.unanswered += sum(not each.made for each in decisions)
        judged = [each for each in decisions if each.judged]
        risky = [each for each in judged if each.losing]
        self._hit("kept", judged)
        self._hit("accuracy", risky)
        for depth in DEPTHS:
            self._hit(depth, [each for each in risky if each.depth == depth])

    def _hit(self, name: str, decisions: Sequence[Decision]) -> None:
        if decisions:
            kept = sum(each.kept for each in decisions)
            self._hits.setdefault(name, []).append((kept, len(decisions)))

    def _close(self) -> PlayerStats:
        for name, games in self._sums.items():
            self.means[name] = bootstrap_mean(games, f"{self.player} {self.game} {self.seat} {name}")
        self.kept, self.accuracy = (
            clustered_proportion(self._hits.get(name, ())) for name in ("kept", "accuracy")
        )
        self.depths = {name: clustered_proportion(self._hits.get(name, ())) for name in DEPTHS}
        self._check()
        return self

    def _check(self) -> None:
        """Nothing was lost on the way: every game started is in exactly one column."""
        assert sum(self.ends.values()) == self.started
        assert not self.started or sum(self.forfeits.values()) <= self.ends[LOST]
        assert self.forfeits_won <= self.ends[WON]
        assert sum(each.of for each in self.depths.values()) == self.accuracy.of

    def data(self) -> dict[str, Any]:
        """The row as plain data; seats are counted from 1, as players see them."""
        return {
            "player": self.player,
            "game": self.game,
            "seat": None if self.seat is None else self.seat + 1,
            "started": self.started,
            **self.ends,
            "forfeits": dict(self.forfeits),
            "won_by_forfeit": self.forfeits_won,
            "own_errors": self.errors,
            "win_rate": self.win_rate.data(),
            "win_rate_when_theirs": self.theirs.data(),
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
    """The rows of a run: each player in all, in each game, and in each seat of each game."""

    players: tuple[PlayerStats, ...]
    games: tuple[PlayerStats, ...]
    seats: tuple[PlayerStats, ...]
    sides: tuple[PlayerStats, ...]
    """Each player in each seat, all games together."""


def aggregate(games: Iterable[GameResult], players: Iterable[str] = ()) -> RunStats:
    """Count all lines; players named here have a row even if they never played.

    >>> from numberduels.arena.results import played
    >>> line = {"game": "range-war", "players": ["a", "b"], "result": "1-0", "moves": []}
    >>> row = aggregate([played(1, line)]).players[1]
    >>> row.player, row.started, row.ends["lost"]
    ('b', 1, 1)
    """
    rows: dict[tuple[str, str | None, int | None], PlayerStats] = {}

    def at(player: str, game: str | None, seat: int | None) -> PlayerStats:
        return rows.setdefault((player, game, seat), PlayerStats(player, game, seat))

    for player in players:
        at(player, None, None)
    for each in games:
        seats = (0, 1) if each.ends else sorted({decision.seat for decision in each.decisions})
        # In a game with itself a player has both seats, and so two games in the count.
        for seat in seats:
            mine = [decision for decision in each.decisions if decision.seat == seat]
            name = each.player(seat)
            for game in (None, each.game):
                for place in (None, seat):
                    row = at(name, game, place)
                    row._count_game(each, seat)
                    row._count_moves(mine)
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

    def chosen(game: bool, seat: bool) -> tuple[PlayerStats, ...]:
        return tuple(row for row in closed if (row.game is None, row.seat is None) == (not game, not seat))

    return RunStats(chosen(False, False), chosen(True, False), chosen(True, True), chosen(False, True))
