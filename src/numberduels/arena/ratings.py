"""Ratings: Bradley-Terry strengths, fitted to all games at once.

Each player has a strength; the odds of one player against another are the ratio of their strengths. The
strengths maximise the likelihood of the games. A tie is half a win for each player, and so is an unfinished
game. Abandoned games and games of a player with itself are left out. A player who never made a move has no
rating, and its games are left out too. The report says how many games are left out.

The prior is one additional tied game for every pair that met. It keeps a player who never lost at a finite
strength.

The confidence intervals come from the Fisher information at the fitted strengths. A bootstrap would be wrong
for a player who never lost, such as `perfect`: it loses in no resample either, so its interval would have no
width.

The scale: if `random` and `perfect` both played and differ significantly, random is 0 and perfect is 100, and
all others are placed on the same logarithmic scale. Otherwise the average player is 0, and 100 points are
odds of ten to one. Players that are not connected by games cannot be compared: each connected group is fitted
alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numberduels.arena.intervals import Interval, Z
from numberduels.arena.results import ABANDONED, FAILED, LOST, OPEN, TIED, WON, GameResult

ANCHORED = "random is 0 and perfect is 100"
PLAIN = "the average is 0 and 100 points are odds of ten to one"

try:
    import numpy as np
except ModuleNotFoundError:  # the report says what to install
    np = None  # type: ignore[assignment]
if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RANDOM, PERFECT = "random", "perfect"

Points = Mapping[tuple[str, str], float]
"""The points of each player against each other: 1 for a win, 0.5 for a tie."""

POINTS = {WON: 1.0, TIED: 0.5, OPEN: 0.5, LOST: 0.0}


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of one player on the scale of its group."""

    player: str
    rating: float
    interval: Interval | None
    """None for the two players that define the scale."""
    games: int
    """The number of games it is based on."""
    group: int
    """The connected group, from 0; ratings of different groups cannot be compared."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of all players with a game that counts."""

    rows: tuple[Rating, ...]
    """By group, the best first."""
    scales: tuple[str, ...]
    """The meaning of the points in each group."""
    left_out: dict[str, int]
    """Games left out, by reason: ABANDONED, SELF, NO_MOVE or FAILED."""
    installed: bool = True
    """False if numpy is missing, and so are the ratings."""

    @property
    def groups(self) -> list[list[str]]:
        """The players of each group."""
        return [[row.player for row in self.rows if row.group == each] for each in range(len(self.scales))]

    def of(self, player: str) -> Rating | None:
        """The rating of this player, if it has one."""
        return next((row for row in self.rows if row.player == player), None)

    def data(self) -> dict[str, Any]:
        """The ratings as JSON data."""
        return {
            "method": "Bradley-Terry, a tied game more for every two who met, 95 % by Fisher information",
            "groups": [
                {
                    "scale": scale,
                    "players": [
                        {
                            "player": row.player,
                            "rating": row.rating,
                            "interval": None if row.interval is None else list(row.interval),
                            "games": row.games,
                        }
                        for row in self.rows
                        if row.group == group
                    ],
                }
                for group, scale in enumerate(self.scales)
            ],
            "left_out": dict(self.left_out),
        }


SELF = "with itself"
NO_MOVE = "without a move"
"""Reason: one of the players made no move in any game that counts."""


def rate(games: Iterable[GameResult]) -> Ratings:
    """Fit the ratings of all players of these games.

    >>> from numberduels.arena.results import read_result
    >>> moves = [{"seat": seat, "move": "4", "seconds": 0.1} for seat in (0, 1)]
    >>> line = {"game": "range-war", "players": ["perfect", "random"], "result": "1-0", "moves": moves}
    >>> [(row.player, row.rating) for row in rate([read_result(1, line)] * 9).rows]
    [('perfect', 100.0), ('random', 0.0)]
    """
    left_out = {ABANDONED: 0, SELF: 0, NO_MOVE: 0}
    met = []
    for each in (game for game in games if game.is_game):
        if each.end == FAILED:
            left_out[FAILED] = left_out.get(FAILED, 0) + 1
        elif each.abandoned:
            left_out[ABANDONED] += 1
        elif each.players[0] == each.players[1]:
            left_out[SELF] += 1
        else:
            met.append(each)
    counted = _between_movers(met)
    left_out[NO_MOVE] = len(met) - len(counted)
    points: dict[tuple[str, str], float] = {}
    for each in counted:
        ends = each.ends
        assert ends
        first, second = each.players
        for pair, end in (((first, second), ends[0]), ((second, first), ends[1])):
            points[pair] = points.get(pair, 0.0) + POINTS[end]
    if np is None:
        return Ratings((), (), left_out, installed=False)
    rows, scales = [], []
    for number, group in enumerate(connected(points)):
        fitted, anchored = fit_group(group, points)
        scales.append(ANCHORED if anchored else PLAIN)
        found = []
        for player, (rating, half) in zip(group, fitted, strict=True):
            fixed = anchored and player in (RANDOM, PERFECT)
            interval = None if fixed else (rating - half, rating + half)
            count = sum(score for pair, score in points.items() if player in pair)
            found.append(Rating(player, rating, interval, round(count), number))
        rows += sorted(found, key=lambda row: (-row.rating, row.player))
    return Ratings(tuple(rows), tuple(scales), left_out)


def _between_movers(games: list[GameResult]) -> list[GameResult]:
    """The games between players who each made a move in at least one of the games returned."""
    while True:
        movers = {each.player(choice.seat) for each in games for choice in each.decisions if choice.made}
        counted = [each for each in games if movers.issuperset(each.players)]
        if len(counted) == len(games):
            return counted
        games = counted  # without these games another player may be left without a move


def connected(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The connected groups of players, the largest first.

    >>> connected([("a", "b"), ("c", "d"), ("b", "e")])
    [['a', 'b', 'e'], ['c', 'd']]
    """
    groups: dict[str, list[str]] = {}
    for first, second in pairs:
        one, other = groups.setdefault(first, [first]), groups.setdefault(second, [second])
        if one is not other:
            one += other
            groups.update((player, one) for player in other)
    unlike = {id(group): sorted(group) for group in groups.values()}
    return sorted(unlike.values(), key=lambda group: (-len(group), group))


# The fit of one connected group of players


def fit_group(group: Sequence[str], points: Points) -> tuple[list[tuple[float, float]], bool]:
    """The rating of each player and half the width of its interval; whether random and perfect are fixed."""
    logs, covariance = strengths(group, points)
    unit = np.identity(len(group))
    scale, anchored = 100 / math.log(10), False
    weights = scale * (unit - 1 / len(group))
    """For each player, how its rating depends on the log strengths."""
    if RANDOM in group and PERFECT in group:
        zero, hundred = group.index(RANDOM), group.index(PERFECT)
        ends = unit[hundred] - unit[zero]
        gap = ends @ logs
        # If the two are too close, they cannot define a scale.
        anchored = gap > Z * math.sqrt(max(ends @ covariance @ ends, 0.0))
    if anchored:
        ratings = 100 * (logs - logs[zero]) / gap
        weights = (100 * (unit - unit[zero]) - np.outer(ratings, ends)) / gap
    else:
        ratings = weights @ logs
    halves = Z * np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", weights, covariance, weights), 0.0))
    return list(zip(ratings.tolist(), halves.tolist(), strict=True)), bool(anchored)


def strengths(players: Sequence[str], points: Points) -> tuple[Floats, Floats]:
    """The log strengths, with 0 for the first player, and their covariance matrix.

    All players must be connected by games. Newton's method on a concave likelihood, with step halving.
    """
    won = np.array([[points.get((one, other), 0.0) for other in players] for one in players])
    won += 0.5 * (won + won.T > 0)  # the prior
    met = won + won.T
    logs = np.zeros(len(players))
    likelihood = _likelihood(logs, won)
    for _ in range(200):
        gradient, information = _gradient(logs, won, met)
        step = np.zeros(len(players))
        step[1:] = np.linalg.solve(information, gradient)
        size = np.abs(step).max()
        if size < 1e-11:
            break
        share = min(1.0, 5.0 / size)
        while (better := _likelihood(logs + share * step, won)) < likelihood and share > 1e-9:
            share /= 2
        if better < likelihood:
            break
        logs, likelihood = logs + share * step, better
    covariance = np.zeros((len(players), len(players)))
    covariance[1:, 1:] = np.linalg.inv(_gradient(logs, won, met)[1])
    return logs, covariance


def _likelihood(logs: Floats, won: Floats) -> float:
    return -float((won * np.logaddexp(0, logs - logs[:, None])).sum())


def _gradient(logs: Floats, won: Floats, met: Floats) -> tuple[Floats, Floats]:
    """The gradient of the log likelihood and the Fisher information, without the first player."""
    chance = np.exp(-np.logaddexp(0, logs - logs[:, None]))
    weight = met * chance * chance.T
    information = np.diag(weight.sum(axis=1)) - weight
    return (won - met * chance).sum(axis=1)[1:], information[1:, 1:]
