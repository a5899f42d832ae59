"""The lines of a run, read with care: what each game was for both seats, and every choice in it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from numberduels.analysis.review import MISTAKES, NOT_JUDGED
from numberduels.arena.results_file import ERROR
from numberduels.record import RESULTS, UNFINISHED

Line = Mapping[str, Any]
"""One line of games.jsonl, as docs/arena.md has it."""

WON, LOST, TIED, OPEN, ABANDONED = "won", "lost", "tied", "unfinished", "abandoned"
ENDS = (WON, LOST, TIED, OPEN, ABANDONED)
"""What a game can be for a seat; it is always exactly one of them."""
POSITION = "position"

LARGEST = 1e15
"""Beyond this no number in a line can be meant, and sums of them would overflow."""

DEPTHS = ("1-2", "3-4", "5-8", "9+", "unknown")
"""How far the end was at best play: buckets of remoteness."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of a player: what it was worth, and what it took."""

    seat: int
    made: bool
    """Whether it was made at all: who forfeits leaves the last one open."""
    abandoned: bool
    """Whether it was not made because the player could not be reached."""
    verdict: str | None
    before: str | None
    losing: int
    margin_given: float | None
    remoteness: int | None
    faults: int
    seconds: float | None
    tokens_in: float | None
    tokens_out: float | None
    cost: float | None
    """In whatever the prices were told in."""

    @property
    def judged(self) -> bool:
        """Whether anything is known about it."""
        return self.verdict is not None and self.verdict != NOT_JUDGED

    @property
    def kept(self) -> bool:
        """Whether it kept the value of the position."""
        return self.judged and self.made and self.verdict not in MISTAKES

    @property
    def depth(self) -> str:
        """The bucket that its remoteness falls into."""
        if self.remoteness is None:
            return DEPTHS[-1]
        return next(name for name, most in _MOST if self.remoteness <= most)


_MOST = (("1-2", 2.0), ("3-4", 4.0), ("5-8", 8.0), ("9+", math.inf))


@dataclass(frozen=True, slots=True)
class GameResult:
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


def played(number: int, line: Line) -> GameResult:
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


def _played(number: int, line: Line) -> GameResult:
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
    error = line.get("end") == ERROR or bool(forfeit and forfeit[1] == ERROR)
    decisions = tuple(
        _decision(ply, move, error)
        for ply, move in enumerate(_need(line, "moves", list), 1)
        if _chosen(ply, move)
    )
    ends = None if single else _ends(result, forfeit, error)
    return GameResult(number, _label(game, line.get("key")), tuple(names), ends, forfeit, decisions)


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


def _ends(result: str, forfeit: tuple[int, str] | None, error: bool) -> tuple[str, str]:
    """What the game was for seat 0 and for seat 1."""
    if error:
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


def _decision(ply: int, move: Line, error: bool) -> Decision:
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
            error and move["move"] is None,
            verdict,
            before,
            losing,
            _number(move, "margin_given"),
            None if remoteness is None else int(remoteness),
            sum(bool(each.get("fault")) for each in attempts),
            _number(move, "seconds"),
            _total(attempts, "tokens_in"),
            _total(attempts, "tokens_out"),
            _total(attempts, "cost"),
        )
    except _Fault as fault:
        raise _Fault(f"move {ply}: {fault}") from None


def _number(found: Line, name: str) -> float | None:
    value = found.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= LARGEST:
        raise _Fault(f'"{name}" must be null or a number of at most {LARGEST:.0e}')
    return value


def _total(attempts: Iterable[Line], name: str) -> float | None:
    """The tokens, or the cost, of all attempts at one move; None where nobody counted."""
    counts = [count for each in attempts if (count := _number(each, name)) is not None]
    return sum(counts) if counts else None
