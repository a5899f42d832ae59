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

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from numberduels.arena.intervals import Interval
from numberduels.arena.results import ABANDONED, FAILED, LOST, OPEN, TIED, WON, GameResult

ANCHORED = "random is 0 and perfect is 100"
PLAIN = "the average is 0 and 100 points are odds of ten to one"

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
    try:
        from numberduels.arena.bradley_terry import fit_group
    except ModuleNotFoundError:
        return Ratings((), (), left_out, installed=False)
    rows, scales = [], []
    for number, group in enumerate(connected(points)):
        fitted, anchored = fit_group(group, points)
        scales.append(ANCHORED if anchored else PLAIN)
        found = []
        for player, (rating, half) in zip(group, fitted, strict=True):
            fixed = anchored and player in ("random", "perfect")
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
