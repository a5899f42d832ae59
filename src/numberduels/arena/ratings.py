"""How strong the players are, from all their games at once: the model of Bradley and Terry.

Each player has a strength, and beats another with odds that are the ratio of the two. The strengths are
those that make the games as played most likely. A tie is half a win for each, and so is a game that neither
had won when it was broken off: who holds a draw against the best has shown strength. Abandoned games say
nothing about it and are left out, as are games of a player with itself. A player who never made a move has
no rating, and its games do not count for its opponents either. How many games are left out is told.

The prior: every two players who met are given one tied game more. It is the same for all, soon outweighed,
and keeps a player who never lost at a finite strength.

The intervals come from the Fisher information at the fitted strengths, not from a bootstrap: whoever never
lost has not lost in any resample either, so that a bootstrap would be most certain where least is known, and
`perfect` is such a player by design. It takes no chance and next to no time.

The scale: where `random` and `perfect` both took part and the games tell them apart for certain, random is 0
and perfect is 100, and all others are placed between or beside them by the logarithm of their strength.
Elsewhere the average player is 0, and 100 points are odds of ten to one. Players between whom no chain of
games leads cannot be compared: each such group is fitted alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numberduels.arena.intervals import Interval, Z
from numberduels.arena.results import ABANDONED, LOST, OPEN, TIED, WON, GameResult

ZERO, HUNDRED = "random", "perfect"
ANCHORED = "random is 0 and perfect is 100"
PLAIN = "the average is 0 and 100 points are odds of ten to one"

POINTS = {WON: 1.0, TIED: 0.5, OPEN: 0.5, LOST: 0.0}

Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong one player is, on the scale of its group."""

    player: str
    rating: float
    interval: Interval | None
    """None for the two fixed points of the scale."""
    games: int
    """How many games it rests on."""
    group: int
    """Which group of players that met, counted from 0; ratings of two groups cannot be compared."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of all who played a game that counts, and what they rest on."""

    rows: tuple[Rating, ...]
    """By group, the strongest first."""
    scales: tuple[str, ...]
    """What the points mean in each group."""
    left_out: dict[str, int]
    """Games that did not count, by reason: the keys are ABANDONED, SELF and NO_MOVE."""

    @property
    def groups(self) -> list[list[str]]:
        """The players of each group."""
        return [[row.player for row in self.rows if row.group == each] for each in range(len(self.scales))]

    def of(self, player: str) -> Rating | None:
        """The rating of this player, if it played a game that counts."""
        return next((row for row in self.rows if row.player == player), None)

    def data(self) -> dict[str, Any]:
        """The ratings as plain data."""
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
"""Games of a player who made no move in any game that counts."""


def rate(games: Iterable[GameResult]) -> Ratings:
    """Fit the strengths of all players of these games.

    >>> from numberduels.arena.results import played
    >>> moves = [{"seat": seat, "move": "4", "seconds": 0.1} for seat in (0, 1)]
    >>> line = {"game": "range-war", "players": ["perfect", "random"], "result": "1-0", "moves": moves}
    >>> [(row.player, row.rating) for row in rate([played(1, line)] * 9).rows]
    [('perfect', 100.0), ('random', 0.0)]
    """
    left_out = {ABANDONED: 0, SELF: 0, NO_MOVE: 0}
    met = []
    for each in games:
        if each.ends and each.ends[0] == ABANDONED:
            left_out[ABANDONED] += 1
        elif each.ends and each.players[0] == each.players[1]:
            left_out[SELF] += 1
        elif each.ends:
            met.append(each)
    counted = _of_movers(met)
    left_out[NO_MOVE] = len(met) - len(counted)
    points: dict[tuple[str, str], float] = {}
    for each in counted:
        assert each.ends
        first, second = each.players
        for pair, end in (((first, second), each.ends[0]), ((second, first), each.ends[1])):
            points[pair] = points.get(pair, 0.0) + POINTS[end]
    rows, scales = [], []
    for number, group in enumerate(connected(points)):
        fitted, scale = _scaled(group, points, number)
        rows += fitted
        scales.append(scale)
    return Ratings(tuple(rows), tuple(scales), left_out)


def _of_movers(games: list[GameResult]) -> list[GameResult]:
    """The games between players who each made a move in at least one of the games returned."""
    while True:
        movers = {each.player(choice.seat) for each in games for choice in each.decisions if choice.made}
        counted = [each for each in games if movers.issuperset(each.players)]
        if len(counted) == len(games):
            return counted
        games = counted  # without these games another player may be left without a move


def connected(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Players in groups between which there was no game, the largest group first.

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
    """The logarithms of the strengths, the first player's being 0, and the covariances of the others.

    `points` says how much each player made against each other: a win is 1 and a tie a half. All players
    must be connected by games. Newton's method on a concave likelihood, halving steps that go too far.
    """
    won, met = _tally(players, points)
    logs = [0.0] * len(players)
    likelihood = _likelihood(logs, won)
    for _ in range(200):
        gradient, information = _slope(logs, won, met)
        step = [0.0, *(row[0] for row in _eliminated(information, [[each] for each in gradient]))]
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
    _, information = _slope(logs, won, met)
    others = range(len(information))
    unit = [[float(row == column) for column in others] for row in others]
    return logs, _eliminated(information, unit)


def _tally(players: Sequence[str], points: Mapping[tuple[str, str], float]) -> tuple[Matrix, Matrix]:
    """Who made how much against whom, and how many games they had, the prior included."""
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
    """The logarithm of 1 + e to the x, where that itself may be too large."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _slope(logs: Sequence[float], won: Matrix, met: Matrix) -> tuple[list[float], Matrix]:
    """The gradient of the likelihood and the information, both without the first player."""
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


def _eliminated(matrix: Matrix, right: Matrix) -> Matrix:
    """The solution of matrix times x = right, by Gauss and Jordan with the largest pivot."""
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
    """The ratings of one group, the strongest first, and what their points mean."""
    logs, covariance = strengths(group, points)
    zero, hundred = (group.index(name) if name in group else None for name in (ZERO, HUNDRED))
    gap, anchored = 0.0, False
    if zero is not None and hundred is not None:
        gap = logs[hundred] - logs[zero]
        ends = [float(place == hundred) - float(place == zero) for place in range(len(group))]
        # Two points that might as well be one carry no scale: all others would be thrown far off.
        anchored = gap > Z * math.sqrt(max(_spread(ends[1:], covariance), 0.0))
    mean = sum(logs) / len(logs)
    rows = []
    for place, (player, log) in enumerate(zip(group, logs, strict=True)):
        lean = [0.0] * len(group)
        if anchored:
            assert zero is not None and hundred is not None
            rating = 100 * (log - logs[zero]) / gap
            lean[place] += 100 / gap
            lean[zero] += (rating - 100) / gap
            lean[hundred] -= rating / gap
        else:
            unit = 100 / math.log(10)
            rating = unit * (log - mean)
            lean = [-unit / len(group)] * len(group)
            lean[place] += unit
        half = Z * math.sqrt(max(_spread(lean[1:], covariance), 0.0))
        fixed = anchored and place in (zero, hundred)
        games = sum(points.get((player, other), 0) + points.get((other, player), 0) for other in group)
        interval = None if fixed else (rating - half, rating + half)
        rows.append(Rating(player, rating, interval, round(games), number))
    rows.sort(key=lambda row: (-row.rating, row.player))
    return rows, ANCHORED if anchored else PLAIN


def _spread(lean: Sequence[float], covariance: Matrix) -> float:
    """The variance of a figure that leans so much on each strength: by the first order of its change."""
    return sum(
        one * other * covariance[i][j] for i, one in enumerate(lean) for j, other in enumerate(lean) if one
    )
