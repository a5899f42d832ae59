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
from typing import Any

from numberduels.arena.intervals import Interval, Z
from numberduels.arena.results import ABANDONED, FAILED, LOST, OPEN, TIED, WON, GameResult

ZERO, HUNDRED = "random", "perfect"
ANCHORED = "random is 0 and perfect is 100"
PLAIN = "the average is 0 and 100 points are odds of ten to one"

POINTS = {WON: 1.0, TIED: 0.5, OPEN: 0.5, LOST: 0.0}

Matrix = list[list[float]]


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
    rows, scales = [], []
    for number, group in enumerate(connected(points)):
        fitted, scale = _scaled(group, points, number)
        rows += fitted
        scales.append(scale)
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


def strengths(players: Sequence[str], points: Mapping[tuple[str, str], float]) -> tuple[list[float], Matrix]:
    """The log strengths, with 0 for the first player, and the covariance matrix of the others.

    `points` has the points of each player against each other: 1 for a win, 0.5 for a tie. All players must be
    connected by games. Newton's method on a concave likelihood, with step halving.
    """
    won, met = _tally(players, points)
    logs = [0.0] * len(players)
    likelihood = _likelihood(logs, won)
    for _ in range(200):
        gradient, information = _gradient(logs, won, met)
        step = [0.0, *(row[0] for row in _solve_linear(information, [[each] for each in gradient]))]
        size = max(map(abs, step))
        if size < 1e-11:
            break
        share = min(1.0, 5.0 / size)
        while share > 1e-9:
            trial = [old + share * change for old, change in zip(logs, step, strict=True)]
            better = _likelihood(trial, won)
            if better >= likelihood:
                break
            share /= 2
        else:
            break
        logs, likelihood = trial, better
    _, information = _gradient(logs, won, met)
    others = range(len(information))
    unit = [[float(row == column) for column in others] for row in others]
    return logs, _solve_linear(information, unit)


def _tally(players: Sequence[str], points: Mapping[tuple[str, str], float]) -> tuple[Matrix, Matrix]:
    """The points of each player against each other, and the number of games, including the prior."""
    won = [[points.get((one, other), 0.0) for other in players] for one in players]
    everyone = range(len(players))
    met = [[won[i][j] + won[j][i] for j in everyone] for i in everyone]
    for i in everyone:
        for j in everyone:
            if met[i][j]:
                won[i][j] += 0.5
    return won, [[games + (games > 0) for games in row] for row in met]


def _likelihood(logs: Sequence[float], won: Matrix) -> float:
    return -sum(
        points * _softplus(logs[j] - logs[i])
        for i, row in enumerate(won)
        for j, points in enumerate(row)
        if points
    )


def _softplus(x: float) -> float:
    """log(1 + exp(x)) without overflow."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _gradient(logs: Sequence[float], won: Matrix, met: Matrix) -> tuple[list[float], Matrix]:
    """The gradient of the log likelihood and the Fisher information, without the first player."""
    count = len(logs)
    gradient = [0.0] * count
    information = [[0.0] * count for _ in range(count)]
    for i in range(count):
        for j in range(count):
            if met[i][j]:
                chance = math.exp(-_softplus(logs[j] - logs[i]))
                gradient[i] += won[i][j] - met[i][j] * chance
                weight = met[i][j] * chance * math.exp(-_softplus(logs[i] - logs[j]))
                information[i][i] += weight
                information[i][j] -= weight
    return gradient[1:], [row[1:] for row in information[1:]]


def _solve_linear(matrix: Matrix, right: Matrix) -> Matrix:
    """Solve matrix @ x = right by Gauss-Jordan elimination with pivoting."""
    rows = [[*left, *other] for left, other in zip(matrix, right, strict=True)]
    size = len(rows)
    for place in range(size):
        best = max(range(place, size), key=lambda row: abs(rows[row][place]))
        rows[place], rows[best] = rows[best], rows[place]
        pivot = rows[place][place]
        rows[place] = [value / pivot for value in rows[place]]
        for other in range(size):
            factor = rows[other][place]
            if other != place and factor:
                rows[other] = [
                    value - factor * top for value, top in zip(rows[other], rows[place], strict=True)
                ]
    return [row[size:] for row in rows]


def _scaled(
    group: Sequence[str], points: Mapping[tuple[str, str], float], number: int
) -> tuple[list[Rating], str]:
    """The ratings of one group, the best first, and the meaning of the points."""
    logs, covariance = strengths(group, points)
    zero, hundred = (group.index(name) if name in group else None for name in (ZERO, HUNDRED))
    gap, anchored = 0.0, False
    if zero is not None and hundred is not None:
        gap = logs[hundred] - logs[zero]
        ends = [float(place == hundred) - float(place == zero) for place in range(len(group))]
        # If the two are too close, they cannot define a scale.
        anchored = gap > Z * math.sqrt(max(_variance(ends[1:], covariance), 0.0))
    mean = sum(logs) / len(logs)
    rows = []
    for place, (player, log) in enumerate(zip(group, logs, strict=True)):
        weights = [0.0] * len(group)
        if anchored:
            assert zero is not None and hundred is not None
            rating = 100 * (log - logs[zero]) / gap
            weights[place] += 100 / gap
            weights[zero] += (rating - 100) / gap
            weights[hundred] -= rating / gap
        else:
            unit = 100 / math.log(10)
            rating = unit * (log - mean)
            weights = [-unit / len(group)] * len(group)
            weights[place] += unit
        half = Z * math.sqrt(max(_variance(weights[1:], covariance), 0.0))
        fixed = anchored and place in (zero, hundred)
        games = sum(points.get((player, other), 0) + points.get((other, player), 0) for other in group)
        interval = None if fixed else (rating - half, rating + half)
        rows.append(Rating(player, rating, interval, round(games), number))
    rows.sort(key=lambda row: (-row.rating, row.player))
    return rows, ANCHORED if anchored else PLAIN


def _variance(weights: Sequence[float], covariance: Matrix) -> float:
    """The variance of a linear combination of the strengths, with these coefficients."""
    return sum(
        one * other * covariance[i][j]
        for i, one in enumerate(weights)
        for j, other in enumerate(weights)
        if one
    )
