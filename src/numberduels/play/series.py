"""Series: several games between the same two players, their standing and their text.

There are two kinds. In a match of rounds every deal is played twice, once in each seat; the total margin
decides a game of points, the number of wins all others. In a best-of series the players take turns to
begin, and a player wins when the other can no longer catch up.

The text consists of tags and the record of each game; all games but the last must be over:

    [Match "range-war"]
    [Rounds "1"]
    [First "1"]
    [Swap "no"]
    [Friendly "no"]
    [Size "10"]
    [Opening "lower"]
    [Player1 "Ann"]
    [Player2 "Bob"]
    [Seat1 "human"]
    [Seat2 "human"]
    [Seed "7"]

    [Game "range-war"]
    ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from numberduels.game import options, record, registry
from numberduels.game.contract import HUMAN, OTHER, Scored, Seat
from numberduels.game.formatting import capitalised, plural, read_number, short
from numberduels.game.record import LONGEST_NAME, BadRecord, Record
from numberduels.game.spec import GameSpec
from numberduels.game.table import deal

LONGEST = 10_000_000
"""The most characters of a series."""

MOST = 999
"""The most rounds, or games of a best-of series."""

HEAD = "[Match "
"""How the text of every series begins."""


class ScheduledGame(NamedTuple):
    """One game of a series: the game with its deal, who begins, and its seed."""

    game: Any
    first: Seat
    seed: str


class Standing(NamedTuple):
    """The score of a series."""

    games: int
    """Games that are over."""
    wins: tuple[int, int]
    margin: int | None
    """The points by which the first player leads; None if wins decide."""

    @property
    def ahead(self) -> int:
        """Positive if the first player leads, 0 if they are equal."""
        return self.wins[0] - self.wins[1] if self.margin is None else self.margin

    @property
    def swapped(self) -> Standing:
        """The score with the seats swapped, as a rematch has them."""
        return Standing(self.games, self.wins[::-1], None if self.margin is None else -self.margin)

    def after(self, winner: Seat | None) -> Standing:
        """The score after one more game that wins decide; no winner means that nobody won it.

        >>> Standing(1, (1, 0), None).after(1)
        Standing(games=2, wins=(1, 1), margin=None)
        """
        one, other = self.wins
        return Standing(self.games + 1, (one + (winner == 0), other + (winner == 1)), None)

    def decides(self, best_of: int) -> bool:
        """Whether a best-of series is decided: all games are played, or nobody can catch up.

        >>> Standing(2, (2, 0), None).decides(3), Standing(2, (1, 1), None).decides(3)
        (True, False)
        """
        left = best_of - self.games
        return left <= 0 or abs(self.wins[0] - self.wins[1]) > left


@dataclass(frozen=True, slots=True)
class Series:
    """A series and its games so far. Exactly one of `rounds` and `best_of` is not 0."""

    spec: GameSpec
    game: Any
    names: tuple[str, str]
    seats: tuple[str, str] = (HUMAN, HUMAN)
    seed: str = ""
    rounds: int = 0
    best_of: int = 0
    first: Seat = 0
    """Who begins the first game."""
    swap: bool = False
    """The pie rule: after the first move of a game the other player chooses a seat."""
    friendly: bool = False
    """Whether undo, hints and move values are allowed."""
    played: tuple[Record, ...] = ()
    """The games so far; all but the last are over."""

    @property
    def total(self) -> int:
        """The most games that can be played."""
        return 2 * self.rounds or self.best_of

    def scheduled_game(self, index: int) -> ScheduledGame:
        """The game with this index."""
        first, _ = replace(self, played=()).order(index)
        if self.rounds:
            seed = f"{self.seed} {index // 2 + 1}"
            return ScheduledGame(deal(self.game, Random(f"{seed} deal")), first, f"{seed} {index % 2}")
        seed = f"{self.seed}/{index + 1}" if index else self.seed
        return ScheduledGame(deal(self.game, Random(f"{seed} deal")), first, seed)

    def order(self, index: int) -> tuple[Seat, Seat]:
        """The players of a game by seat, after a swap if there was one."""
        first: Seat = OTHER[self.first] if index % 2 else self.first
        if index < len(self.played) and self.played[index].swapped:
            first = OTHER[first]
        return first, OTHER[first]

    def ended(self, game: Record) -> bool:
        """Whether a game is over; between computers also if it has reached the ply limit."""
        result = _result(game)
        return result.over or (result.exceeds_ply_limit and HUMAN not in self.seats)

    @property
    def current(self) -> Record | None:
        """The game in progress, if there is one."""
        return None if not self.played or self.ended(self.played[-1]) else self.played[-1]

    @property
    def standing(self) -> Standing:
        """The score so far."""
        wins, margin, games = [0, 0], 0, 0
        for index, game in enumerate(self.played):
            if self.ended(game):
                games += 1
                order, result = self.order(index), _result(game)
                if result.winner is not None:
                    wins[order[result.winner]] += 1
                margin += result.margin * (-1 if order[0] else 1)
        scored = self.rounds and isinstance(self.game, Scored)
        return Standing(games, (wins[0], wins[1]), margin if scored else None)

    @property
    def over(self) -> bool:
        """Whether all games are played, or a best-of series is decided."""
        standing = self.standing
        return standing.games == self.total if self.rounds else standing.decides(self.best_of)

    @property
    def score(self) -> str:
        """The score in words."""
        games, wins, margin = self.standing
        told = f"{self.names[0]} {wins[0]}, {self.names[1]} {wins[1]}"
        if self.rounds:
            told = f"wins {told}"
        if undecided := games - sum(wins):
            told += f", without a winner {undecided}"
        if margin is None:
            return told
        leader = self.names[margin < 0]
        points = f"in points {leader} is ahead by {abs(margin)}" if margin else "in points they are level"
        return f"{told}; {points}"

    @property
    def result(self) -> str:
        """Who has won the match, which is over, and by how much; it speaks to the only person."""
        margin, ahead = self.standing.margin, self.standing.ahead
        if not ahead:
            return "The match ends level."
        winner: Seat = 1 if ahead < 0 else 0
        by = plural(abs(ahead), "game" if margin is None else "point")
        people = self.seats.count(HUMAN)
        if people == 1 and self.seats[winner] == HUMAN:
            return f"You win the match by {by}."
        if people == 1:
            return f"{capitalised(self.names[winner])} wins the match by {by}."
        return f"The match goes to {self.names[winner]} by {by}."


class _Result(NamedTuple):
    over: bool
    exceeds_ply_limit: bool
    winner: Seat | None
    margin: int


@lru_cache(2 * MOST)
def _result(game: Record) -> _Result:
    """The result of a game; cached, because it is needed often."""
    table = game.table()
    outcome = table.outcome
    if game.resigned is not None:
        return _Result(True, False, OTHER[game.resigned], margin_of(game))
    if game.agreed:
        return _Result(True, False, None, 0)
    winner = outcome.winner if outcome else None
    return _Result(outcome is not None, table.exceeds_ply_limit, winner, margin_of(game))


def margin_of(game: Record) -> int:
    """The points by which seat 0 won a game: negative if it lost, 0 if the game has no points.

    In a resigned game the winner gets every point that was still to be made, so that resigning is never
    better than playing on.

    >>> from numberduels.games.number_snatch import spec
    >>> game = spec.build({"numbers": (3, 5, 8)})
    >>> margin_of(Record(spec, game, (8, 5), resigned=0))
    0
    >>> margin_of(Record(spec, game, resigned=0))
    -16
    """
    rules, table = game.game, game.table()
    if not isinstance(rules, Scored):
        return 0
    ours, theirs = rules.scores(table.state)
    if game.resigned is None:
        return ours - theirs if table.outcome else 0
    left = rules.points_left(table.state)
    return ours - theirs + (left if game.resigned else -left)


# Its text

YES_NO = {True: "yes", False: "no"}


def write(series: Series) -> str:
    """The series as text."""
    tags = {"Match": series.spec.name}
    tags |= {"Rounds": str(series.rounds)} if series.rounds else {"BestOf": str(series.best_of)}
    tags |= {"First": str(series.first + 1), "Swap": YES_NO[series.swap], "Friendly": YES_NO[series.friendly]}
    written = options.format_options(series.game)
    tags |= {name.capitalize(): text for name, text in written.items() if text}
    tags |= {f"Player{number}": name for number, name in enumerate(series.names, 1)}
    tags |= {f"Seat{number}": kind for number, kind in enumerate(series.seats, 1)} | {"Seed": series.seed}
    head = "".join(f"{record.tag_line(name, text)}\n" for name, text in tags.items())
    return "\n".join([head, *map(record.write, series.played)])


def read(text: str) -> Series:
    """Parse a series; BadRecord names the line, or the game and its line, and the error.

    >>> read('[Match "range-war"]')
    Traceback (most recent call last):
    numberduels.game.record.BadRecord: line 1: a match states its Rounds or BestOf, from 1 to 999
    """
    if len(text) > LONGEST:
        raise BadRecord(f"line 1: a match has at most {LONGEST:,} characters")
    lines = text.removeprefix("\ufeff").split("\n")
    begins = [number for number, line in enumerate(lines) if line.startswith("[Game ")] + [len(lines)]
    series = _head(lines[: begins[0]])
    played: list[Record] = []
    for index, (begin, end) in enumerate(pairwise(begins)):
        try:
            game = record.read("\n".join(lines[begin:end]))
        except BadRecord as fault:
            raise BadRecord(f"game {index + 1}, {fault}") from None
        _check(series, played, game)
        played.append(game)
    return replace(series, played=tuple(played))


def _check(series: Series, before: list[Record], game: Record) -> None:
    """Check that a game is the next one of the series."""
    index = len(before)
    if index == series.total or (before and not series.ended(before[-1])):
        raise BadRecord(f"game {index + 1}: there is no such game, after the games before it")
    if game.swapped is not None and not series.swap:
        raise BadRecord(f"game {index + 1}: nobody may change seats in this match")
    scheduled_game = series.scheduled_game(index)
    one = OTHER[scheduled_game.first] if game.swapped else scheduled_game.first
    other = OTHER[one]
    if game.game != scheduled_game.game or game.names != (series.names[one], series.names[other]):
        raise BadRecord(f"game {index + 1}: it is not the next game of this match")


def _head(lines: list[str]) -> Series:
    tags: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, 1):
        if stripped := line.strip(" \t\r"):
            name, value = record.read_tag(number, stripped)
            if name in tags:
                raise BadRecord(f"line {number}: the tag {name} is there twice")
            tags[name] = number, value
    if "Match" not in tags:
        raise BadRecord('line 1: a match begins with a tag like [Match "range-war"]')

    def chosen(name: str, default: str, fits: Callable[[str], bool], right: str) -> str:
        number, text = tags.get(name, (1, default))
        if not fits(text):
            raise BadRecord(f"line {number}: {name} is {right}, not {short(text)}")
        return text

    def yes(name: str) -> bool:
        return chosen(name, "no", lambda text: text in YES_NO.values(), "yes or no") == "yes"

    rounds, best_of = (_count(tags.get(name, (0, "0"))[1]) for name in ("Rounds", "BestOf"))
    if bool(rounds) == bool(best_of) or (best_of and not best_of % 2):
        raise BadRecord(f"line 1: a match states its Rounds or BestOf, from 1 to {MOST}")

    def named(name: str) -> str:
        return chosen(name, "", lambda text: 0 < len(text) <= LONGEST_NAME, "a name")

    names = named("Player1"), named("Player2")
    if names[0] == names[1]:
        raise BadRecord(f"line {tags['Player2'][0]}: the two players must have different names")
    spec, game = _game(tags)
    return Series(
        spec,
        game,
        names,
        seats=(tags.get("Seat1", (0, HUMAN))[1], tags.get("Seat2", (0, HUMAN))[1]),
        seed=tags.get("Seed", (0, ""))[1],
        rounds=rounds,
        best_of=best_of,
        first=1 if chosen("First", "1", lambda text: text in ("1", "2"), "1 or 2") == "2" else 0,
        swap=yes("Swap"),
        friendly=yes("Friendly"),
    )


def _count(text: str) -> int:
    try:
        count = read_number(text)
    except ValueError:
        return 0
    return count if count <= MOST else 0


def _game(tags: dict[str, tuple[int, str]]) -> tuple[GameSpec, Any]:
    number, name = tags["Match"]
    try:
        spec = registry.adopted_spec(name)
        known = {each.name.capitalize(): each.name for each in options.declared(spec.rules)}
        return spec, spec.make({known[tag]: text for tag, (_, text) in tags.items() if tag in known})
    except registry.UnknownGame as fault:
        raise BadRecord(f"line {number}: {fault}") from None
    except options.BadOption as fault:
        number, _ = tags.get(fault.name.capitalize(), tags["Match"])
        raise BadRecord(f"line {number}: {fault}") from None
    except ValueError as fault:
        raise BadRecord(f"line {number}: {fault}") from None
