"""What the saved games of a run say about each player: counted from the lines alone, nothing left out.

Every game that was started counts once for each seat: as won, lost, tied, unfinished or abandoned. Who
forfeits (by a crash, a timeout, an illegal move) has lost and the other has won, and the forfeits are told
apart beside that. A game that an error broke off, which is nobody's fault at the table, is abandoned. All
rates have the games started below the line, so that no game can leave the count unseen.

Intervals of shares are Wilson's, at 95 %. Moves are counted as in a review: a share of value-keeping moves
among all that were judged, and among those where some choice would have lost the value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from numberduels.record import RESULTS, UNFINISHED
from numberduels.review import FORCED, MISTAKES, NOT_JUDGED

Line = Mapping[str, Any]
"""One line of games.jsonl, as docs/arena.md has it."""
Interval = tuple[float, float]

WON, LOST, TIED, OPEN, ABANDONED = "won", "lost", "tied", "unfinished", "abandoned"
ENDS = (WON, LOST, TIED, OPEN, ABANDONED)
"""What a game can be for a seat; it is always exactly one of them."""
CAUSES = ("crash", "timeout", "illegal")
"""The forfeits that everybody is asked about; another word in a line is counted under that word."""
ERROR = "error"
POSITION = "position"

DEPTHS = ("1-2", "3-4", "5-8", "9+", "unknown")
"""How far the end was at best play: buckets of remoteness."""

Z = 1.959963984540054
"""Standard errors on each side of a 95 % interval."""
RESAMPLES, DRAWS = 1_000, 100_000
"""The most resamples of a bootstrap, and the most draws that all of them together may take."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with Wilson's 95 % interval.

    >>> Share(5, 10).share, [round(end, 3) for end in Share(5, 10).interval or ()]
    (0.5, [0.237, 0.763])
    >>> Share(0, 0).share is None
    True
    """

    hits: int = 0
    of: int = 0

    @property
    def share(self) -> float | None:
        """The share itself; None of none."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """Where the true share may lie; None where nothing was counted."""
        if not self.of:
            return None
        share, spread = self.hits / self.of, Z * Z / self.of
        middle = share + spread / 2
        half = math.sqrt(spread * (share * (1 - share) + spread / 4))
        low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
        # Rounding must not push an end past the share that it belongs to, nor out of 0 to 1.
        return max(0.0, min(low, share)), min(1.0, max(high, share))

    def data(self) -> dict[str, Any]:
        """The share as plain data."""
        return {"hits": self.hits, "of": self.of, "share": self.share, "interval": _listed(self.interval)}


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of a player: what it was worth, and what it took."""

    seat: int
    made: bool
    """Whether it was made at all: who forfeits leaves the last one open."""
    verdict: str | None
    before: str | None
    losing: int
    margin_given: float | None
    remoteness: int | None
    faults: int
    seconds: float | None
    tokens_in: int | None
    tokens_out: int | None

    @property
    def judged(self) -> bool:
        """Whether anything is known about it."""
        return self.verdict is not None and self.verdict != NOT_JUDGED

    @property
    def kept(self) -> bool:
        """Whether it kept the value of the position."""
        return self.judged and self.verdict not in MISTAKES

    @property
    def depth(self) -> str:
        """The bucket that its remoteness falls into."""
        if self.remoteness is None:
            return DEPTHS[-1]
        return next(name for name, most in _MOST if self.remoteness <= most)


_MOST = (("1-2", 2.0), ("3-4", 4.0), ("5-8", 8.0), ("9+", math.inf))


@dataclass(frozen=True, slots=True)
class Played:
    """One line, read: a whole game, or a single decision of a run over positions."""

    number: int
    game: str
    """The game with what was said about its size, such as `range-war:size=12`."""
    players: tuple[str, ...]
    """By seat; only one in a position."""
    ends: tuple[str, str] | None
    """What it was for each seat, one of ENDS; None for a position, which is no game."""
    forfeit: tuple[int, str] | None
    """The seat that forfeited and the cause; the cause may be `error`, which is no loss."""
    decisions: tuple[Decision, ...]

    def player(self, seat: int) -> str:
        """Who sits there."""
        return self.players[seat] if self.ends else self.players[0]


def played(number: int, line: Line) -> Played:
    """Read one line; ValueError names its number and what it lacks.

    >>> played(3, {"game": "range-war", "players": ["a", "b"], "result": "1-0"})
    Traceback (most recent call last):
    ValueError: line 3: there is no "moves"
    """
    try:
        return _played(number, line)
    except _Fault as fault:
        raise ValueError(f"line {number}: {fault}") from None


class _Fault(Exception):
    """What is wrong with a line, before its number is said."""


def _played(number: int, line: Line) -> Played:
    if not isinstance(line, Mapping):
        raise _Fault("it is not an object")
    game = _need(line, "game", str)
    names = _need(line, "players", list)
    single = line.get("kind") == POSITION
    if len(names) != (1 if single else 2) or not all(isinstance(name, str) for name in names):
        raise _Fault(f'"players" must be {"one name" if single else "two names"}')
    result = _need(line, "result", str)
    if result not in RESULTS:
        raise _Fault(f'"result" must be one of {" ".join(RESULTS)}')
    forfeit = _forfeit(line)
    decisions = tuple(
        _decision(ply, move) for ply, move in enumerate(_need(line, "moves", list), 1) if _chosen(ply, move)
    )
    ends = None if single else _ends(result, forfeit, str(line.get("end", "")))
    return Played(number, _label(game, line.get("key")), tuple(names), ends, forfeit, decisions)


def _need(line: Line, name: str, kind: type) -> Any:
    if name not in line:
        raise _Fault(f'there is no "{name}"')
    found = line[name]
    if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
        raise _Fault(f'"{name}" must be {_KINDS[kind]}')
    return found


_KINDS: dict[type, str] = {str: "a text", list: "a list", int: "a whole number"}


def _label(game: str, key: Any) -> str:
    """The game and its size as the key has them; a key of another make tells nothing beyond the game."""
    head = key.partition(" | ")[0] if isinstance(key, str) else ""
    return head if head.startswith((f"{game} ", f"{game}:")) else game


def _forfeit(line: Line) -> tuple[int, str] | None:
    found = line.get("forfeit")
    if found is None:
        return None
    if not isinstance(found, Mapping):
        raise _Fault('"forfeit" must be null or an object')
    return _seat(found), _need(found, "cause", str)


def _seat(found: Line) -> int:
    seat: int = _need(found, "seat", int)
    if seat not in (0, 1):
        raise _Fault('"seat" must be 0 or 1')
    return seat


def _ends(result: str, forfeit: tuple[int, str] | None, end: str) -> tuple[str, str]:
    """What the game was for seat 0 and for seat 1."""
    if end == ERROR or (forfeit and forfeit[1] == ERROR):
        return ABANDONED, ABANDONED
    if forfeit:
        return (LOST, WON) if forfeit[0] == 0 else (WON, LOST)
    if result == UNFINISHED:
        return OPEN, OPEN
    if result == "1/2-1/2":
        return TIED, TIED
    return (WON, LOST) if result == "1-0" else (LOST, WON)


def _chosen(ply: int, move: Any) -> bool:
    """Whether a player chose it, or failed to: the moves of the opening were chosen by nobody."""
    if not isinstance(move, Mapping):
        raise _Fault(f"move {ply} is not an object")
    if "move" not in move:
        raise _Fault(f'move {ply}: there is no "move"')
    told = (move.get("verdict"), move.get("seconds"), move.get("attempts") or None)
    return move["move"] is None or any(each is not None for each in told)


def _decision(ply: int, move: Line) -> Decision:
    try:
        seat, verdict = _seat(move), move.get("verdict")
        if verdict is not None and verdict != NOT_JUDGED:
            before, losing = _need(move, "before", str), _need(move, "losing", int)
        else:
            before, losing = move.get("before"), 0
        attempts = [] if move.get("attempts") is None else _need(move, "attempts", list)
        if not all(isinstance(each, Mapping) for each in attempts):
            raise _Fault('"attempts" must be objects')
        remoteness = _number(move, "remoteness")
        return Decision(
            seat,
            move["move"] is not None,
            verdict,
            before,
            losing,
            _number(move, "margin_given"),
            None if remoteness is None else int(remoteness),
            sum(bool(each.get("fault")) for each in attempts),
            _number(move, "seconds"),
            _total(attempts, "tokens_in"),
            _total(attempts, "tokens_out"),
        )
    except _Fault as fault:
        raise _Fault(f"move {ply}: {fault}") from None


def _number(found: Line, name: str) -> float | None:
    value = found.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise _Fault(f'"{name}" must be null or a number')
    return value


def _total(attempts: Iterable[Line], name: str) -> int | None:
    """The tokens of all attempts at one move; None where nobody counted."""
    counts = [count for each in attempts if (count := _number(each, name)) is not None]
    return int(sum(counts)) if counts else None


@dataclass(frozen=True, slots=True)
class Mean:
    """An average, where the interval that belongs to it comes from resampling whole games."""

    mean: float
    of: int
    interval: Interval | None
    """None where there is only one game, which says nothing about how games differ."""

    def data(self) -> dict[str, Any]:
        """The average as plain data."""
        return {"mean": self.mean, "of": self.of, "interval": _listed(self.interval)}


@dataclass(slots=True)
class Row:
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
    theirs: Share = Share()
    """Games won among those that were theirs to win when they first had to choose."""
    kept: Share = Share()
    """Value-keeping moves among all that were judged."""
    accuracy: Share = Share()
    """Value-keeping moves among those where a choice would have lost the value."""
    depths: dict[str, Share] = field(default_factory=lambda: dict.fromkeys(DEPTHS, Share()))
    """The same by how far the end was."""
    decisions: int = 0
    unanswered: int = 0
    """Decisions that ended in no move at all; they are in no share of moves."""
    faults: int = 0
    """Answers that were no legal move."""
    margin_given: Mean | None = None
    """Points given away by a judged move that was not forced, as in a review; None without points."""
    seconds: float | None = None
    tokens_in: float | None = None
    tokens_out: float | None = None
    """Per decision, on average; None where nobody measured."""
    _gifts: list[tuple[float, int]] = field(default_factory=list, repr=False)
    _sums: dict[str, tuple[float, int]] = field(default_factory=dict, repr=False)

    @property
    def win_rate(self) -> Share:
        """Games won among all that were started."""
        return Share(self.ends[WON], self.started)

    @property
    def faults_per_move(self) -> float | None:
        """Illegal or unreadable answers for each decision."""
        return self.faults / self.decisions if self.decisions else None

    def _count_game(self, game: Played, seat: int) -> None:
        assert game.ends is not None
        end = game.ends[seat]
        self.started += 1
        self.ends[end] += 1
        if game.forfeit:
            who, cause = game.forfeit
            if end == ABANDONED:
                self.errors += who == seat
            elif who == seat:
                self.forfeits[cause] = self.forfeits.get(cause, 0) + 1
            else:
                self.forfeits_won += 1
        first = next((each for each in game.decisions if each.seat == seat), None)
        if first and first.before == "win":
            self.theirs = _more(self.theirs, end == WON)

    def _count_moves(self, decisions: Sequence[Decision]) -> None:
        """All that the player chose in one game."""
        gifts = [
            each.margin_given
            for each in decisions
            if each.judged and each.verdict != FORCED and each.margin_given is not None
        ]
        if gifts:
            self._gifts.append((sum(gifts), len(gifts)))
        for each in decisions:
            self.decisions += 1
            self.unanswered += not each.made
            self.faults += each.faults
            for name in _MEASURED:
                value = getattr(each, name)
                if value is not None:
                    total, count = self._sums.get(name, (0.0, 0))
                    self._sums[name] = total + value, count + 1
            if not each.judged:
                continue
            self.kept = _more(self.kept, each.kept)
            if each.losing:
                self.accuracy = _more(self.accuracy, each.kept)
                self.depths[each.depth] = _more(self.depths[each.depth], each.kept)

    def _close(self) -> Row:
        for name, (total, count) in self._sums.items():
            setattr(self, name, total / count)
        self.margin_given = _bootstrapped(self._gifts, f"{self.player} {self.game} {self.seat}")
        self._check()
        return self

    def _check(self) -> None:
        """Nothing was lost on the way: every game started is in exactly one column."""
        assert sum(self.ends.values()) == self.started
        assert sum(self.forfeits.values()) <= self.ends[LOST]
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
            "margin_given": self.margin_given and self.margin_given.data(),
            "decisions": self.decisions,
            "unanswered": self.unanswered,
            "faults": self.faults,
            "faults_per_move": self.faults_per_move,
            "seconds_per_move": self.seconds,
            "tokens_in_per_move": self.tokens_in,
            "tokens_out_per_move": self.tokens_out,
        }


_MEASURED = ("seconds", "tokens_in", "tokens_out")


def _more(share: Share, hit: bool) -> Share:
    return Share(share.hits + hit, share.of + 1)


def _listed(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _bootstrapped(games: Sequence[tuple[float, int]], seed: str) -> Mean | None:
    """The average over all moves; its interval from games drawn again, since moves of a game are alike.

    The seed is the row's own name, so that the same lines always give the same figures.
    """
    if not games:
        return None
    total, count = (sum(each) for each in zip(*games, strict=True))
    if len(games) == 1:
        return Mean(total / count, int(count), None)
    games = sorted(games)  # lines come in any order, and the draws must not depend on it
    rng = Random(seed)
    means = []
    for _ in range(max(100, min(RESAMPLES, DRAWS // len(games)))):
        drawn = rng.choices(games, k=len(games))
        means.append(sum(each[0] for each in drawn) / sum(each[1] for each in drawn))
    means.sort()
    aside = int(len(means) * 0.025)
    return Mean(total / count, int(count), (means[aside], means[-1 - aside]))


@dataclass(frozen=True, slots=True)
class Figures:
    """The rows of a run: each player in all, in each game, and in each seat of each game."""

    players: tuple[Row, ...]
    games: tuple[Row, ...]
    seats: tuple[Row, ...]
    sides: tuple[Row, ...]
    """Each player in each seat, all games together."""


def figures(games: Iterable[Played], players: Iterable[str] = ()) -> Figures:
    """Count all lines; players named here have a row even if they never played.

    >>> line = {"game": "range-war", "players": ["a", "b"], "result": "1-0", "moves": []}
    >>> row = figures([played(1, line)]).players[1]
    >>> row.player, row.started, row.ends["lost"]
    ('b', 1, 1)
    """
    rows: dict[tuple[str, str | None, int | None], Row] = {}

    def at(player: str, game: str | None, seat: int | None) -> Row:
        return rows.setdefault((player, game, seat), Row(player, game, seat))

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
                    _count(at(name, game, place), each, seat, mine)
    order = {player: number for number, player in enumerate(dict.fromkeys(name for name, _, _ in rows))}
    closed = [row._close() for row in rows.values()]
    closed.sort(key=lambda row: (row.game or "", order[row.player], row.seat or 0))

    def chosen(game: bool, seat: bool) -> tuple[Row, ...]:
        return tuple(row for row in closed if (row.game is None, row.seat is None) == (not game, not seat))

    return Figures(chosen(False, False), chosen(True, False), chosen(True, True), chosen(False, True))


def _count(row: Row, game: Played, seat: int, mine: Sequence[Decision]) -> None:
    if game.ends:
        row._count_game(game, seat)
    row._count_moves(mine)
