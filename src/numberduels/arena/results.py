"""The schema of games.jsonl: what a run saves of each game, and what the report reads.

The base install has no dependencies, so the schema is plain dataclasses and a small decoder.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from numberduels.analysis.review import MISTAKES, NOT_JUDGED
from numberduels.record import RESULTS, UNFINISHED

WON, LOST, TIED, OPEN, ABANDONED = "won", "lost", "tied", "unfinished", "abandoned"
ENDS = (WON, LOST, TIED, OPEN, ABANDONED)
"""How a game can end for a seat. A game counts in exactly one of these columns."""
GAME, POSITION = "game", "position"
ERROR = "error"
"""The end and the forfeit cause of a game in which a player could not be reached."""

MAX_NUMBER = 1e15
"""Larger numbers are refused: sums of them would overflow."""

DEPTHS = ("1-2", "3-4", "5-8", "9+", "unknown")
"""Buckets of remoteness: plies to the end at best play."""
_DEPTH_LIMITS = (("1-2", 2.0), ("3-4", 4.0), ("5-8", 8.0), ("9+", math.inf))


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """One answer of a program or a model."""

    answer: str = ""
    fault: str = ""
    """Why the answer was refused; empty if it was played."""
    seconds: float | None = None
    tokens_in: float | None = None
    tokens_out: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class MoveResult:
    """One move, or a decision that ended without a move. Only chosen moves have a verdict and a time."""

    seat: int
    move: str | None
    """In the notation of records; None if the player made no legal move."""
    ply: int | None = None
    seconds: float | None = None
    attempts: tuple[AttemptResult, ...] = ()
    verdict: str | None = None
    """As in a review, or `no move`; None if the position is too large to judge."""
    before: str | None = None
    """The value for the player before the move: win, draw or loss."""
    after: str | None = None
    keeping: int | None = None
    """How many legal moves keep the value."""
    losing: int | None = None
    """How many legal moves lose it."""
    margin_given: float | None = None
    remoteness: int | None = None
    better: tuple[str, ...] = ()
    """The best moves, if this is none of them."""

    @property
    def chosen(self) -> bool:
        """Whether a player had to choose it; the moves of an opening are drawn at random."""
        return (
            self.move is None or self.verdict is not None or self.seconds is not None or bool(self.attempts)
        )

    @property
    def made(self) -> bool:
        """Whether the player made a legal move."""
        return self.move is not None

    @property
    def judged(self) -> bool:
        """Whether the value of the position is known."""
        return self.verdict is not None and self.verdict != NOT_JUDGED

    @property
    def kept(self) -> bool:
        """Whether the move kept the value of the position."""
        return self.judged and self.made and self.verdict not in MISTAKES

    @property
    def depth(self) -> str:
        """The bucket of its remoteness."""
        remoteness = self.remoteness
        if remoteness is None:
            return DEPTHS[-1]
        return next(name for name, limit in _DEPTH_LIMITS if remoteness <= limit)

    @property
    def faults(self) -> int:
        """The number of refused answers."""
        return sum(bool(attempt.fault) for attempt in self.attempts)

    def total(self, name: str) -> float | None:
        """The sum of one number over all attempts; None if no attempt has it."""
        counts = [count for each in self.attempts if (count := getattr(each, name)) is not None]
        return sum(counts) if counts else None

    def to_json(self) -> dict[str, Any]:
        """The move as JSON data. A move of the opening has only ply, seat and move."""
        data: dict[str, Any] = {"ply": self.ply, "seat": self.seat, "move": self.move}
        return data | _json(self, _MOVE_DETAILS) if self.chosen else data


_MOVE_DETAILS = tuple(each.name for each in fields(MoveResult) if each.name not in ("ply", "seat", "move"))


@dataclass(frozen=True, slots=True)
class ForfeitResult:
    """A game that a player could not finish."""

    seat: int
    cause: str
    """crash, timeout, illegal; or error, which is not a loss."""
    message: str = ""


@dataclass(frozen=True, slots=True)
class GameResult:
    """One line of games.jsonl: a whole game, or a single decision of a run over positions."""

    game: str
    players: tuple[str, ...]
    """By seat; only one in a run over positions."""
    result: str
    moves: tuple[MoveResult, ...]
    key: str = ""
    """Identifies the game within its run."""
    version: str = ""
    ended: str = ""
    kind: str = GAME
    options: dict[str, str] = field(default_factory=dict)
    round: int = 0
    seed: str = ""
    opening: int = 0
    """How many first moves were drawn at random."""
    record: str = ""
    end: str = ""
    """How it ended: the game's own word, or limit, forfeit or error."""
    forfeit: ForfeitResult | None = None
    seconds: float | None = None
    number: int = field(default=0, metadata={"saved": False})
    """The line number in the file, from 1."""

    @property
    def is_game(self) -> bool:
        """Whether it is a whole game, not a single decision."""
        return self.kind != POSITION

    @property
    def abandoned(self) -> bool:
        """Whether a player could not be reached."""
        return self.end == ERROR or (self.forfeit is not None and self.forfeit.cause == ERROR)

    @property
    def label(self) -> str:
        """The game with its options, such as `range-war:size=12`, if the key has them."""
        head = self.key.partition(" | ")[0]
        return head if head.startswith((f"{self.game} ", f"{self.game}:")) else self.game

    @property
    def ends(self) -> tuple[str, str] | None:
        """How it ended for each seat, one of ENDS; None for a single decision."""
        if not self.is_game:
            return None
        if self.abandoned:
            return ABANDONED, ABANDONED
        if self.forfeit:
            return (LOST, WON) if self.forfeit.seat == 0 else (WON, LOST)
        if self.result == UNFINISHED:
            return OPEN, OPEN
        if self.result == "1/2-1/2":
            return TIED, TIED
        return (WON, LOST) if self.result == "1-0" else (LOST, WON)

    @property
    def decisions(self) -> tuple[MoveResult, ...]:
        """The moves that a player chose, or failed to choose."""
        return tuple(move for move in self.moves if move.chosen)

    def player(self, seat: int) -> str:
        """The name of the player in this seat."""
        return self.players[seat] if self.is_game else self.players[0]

    def to_json(self) -> dict[str, Any]:
        """The line as JSON data."""
        data: dict[str, Any] = _json(self, _SAVED[:-1])
        return data | {"moves": [move.to_json() for move in self.moves]}


_SAVED = (
    *("key", "version", "ended", "kind", "game", "options", "round", "seed", "players", "opening"),
    *("record", "result", "end", "forfeit", "seconds", "moves"),
)


def read_result(number: int, line: object) -> GameResult:
    """Decode a line; ValueError names its number and what is wrong.

    >>> read_result(3, {"game": "range-war", "players": ["a", "b"], "result": "1-0"})
    Traceback (most recent call last):
    ValueError: line 3: there is no "moves"
    """
    try:
        found = _decode(GameResult, line, number=number)
        _check(found)
    except _Invalid as fault:
        raise ValueError(f"line {number}: {fault}") from None
    return found


def _check(line: GameResult) -> None:
    """Check what the types of the fields do not say."""
    if len(line.players) != (2 if line.is_game else 1):
        raise _Invalid(f'"players" must be {"two names" if line.is_game else "one name"}')
    if line.result not in RESULTS:
        raise _Invalid(f'"result" must be one of {" ".join(RESULTS)}')
    if line.forfeit:
        _check_seat(line.forfeit.seat)
    for ply, move in enumerate(line.moves, 1):
        try:
            _check_seat(move.seat)
            for name in ("before", "losing") if move.judged else ():
                if getattr(move, name) is None:
                    raise _Invalid(f'there is no "{name}"')
        except _Invalid as fault:
            raise _Invalid(f"move {ply}: {fault}") from None


def _check_seat(seat: int) -> None:
    if seat not in (0, 1):
        raise _Invalid('"seat" must be 0 or 1')


# JSON and dataclasses

T = TypeVar("T")
Reader = Callable[[object], Any]


class _Invalid(Exception):
    """What is wrong with a value."""


def _json(value: Any, names: tuple[str, ...] = ()) -> Any:
    """A dataclass as JSON data."""
    if is_dataclass(value):
        names = names or tuple(each.name for each in fields(value))
        return {name: _json(getattr(value, name)) for name in names}
    return [_json(each) for each in value] if isinstance(value, tuple) else value


def _decode(kind: type[T], data: object, **given: Any) -> T:
    """An object of this dataclass from JSON data. Unknown fields are ignored."""
    if not isinstance(data, Mapping):
        raise _Invalid("it is not an object")
    for name, required, reader in _readers(kind):  # type: ignore[arg-type]  # a class is hashable
        if name in data:
            try:
                given[name] = reader(data[name])
            except _Invalid as fault:
                raise _Invalid(str(fault).replace("{name}", f'"{name}"')) from None
        elif required:
            raise _Invalid(f'there is no "{name}"')
    return kind(**given)


@cache
def _readers(kind: type[Any]) -> list[tuple[str, bool, Reader]]:
    """For each saved field its name, whether it is required, and the function that reads it."""
    hints = get_type_hints(kind)
    return [
        (each.name, each.default is MISSING and each.default_factory is MISSING, _reader(hints[each.name]))
        for each in fields(kind)
        if each.metadata.get("saved", True)
    ]


def _reader(hint: Any) -> Reader:
    """A function that checks a JSON value against a type hint and returns it."""
    if get_origin(hint) is types.UnionType:
        inner, _ = get_args(hint)
        return _optional(_reader(inner))
    if get_origin(hint) is tuple:
        return _items(_reader(get_args(hint)[0]), get_args(hint)[0] is MoveResult)
    return {str: _text, int: _integer, float: _number, dict: _texts}.get(get_origin(hint) or hint) or (
        lambda data: _decode(hint, data)
    )


def _optional(reader: Reader) -> Reader:
    def read(data: object) -> Any:
        try:
            return None if data is None else reader(data)
        except _Invalid as fault:
            raise _Invalid(str(fault).replace("must be", "must be null or", 1)) from None

    return read


def _items(reader: Reader, moves: bool) -> Reader:
    def read(data: object) -> tuple[Any, ...]:
        if data is None and not moves:
            return ()
        if not isinstance(data, list):
            raise _Invalid("{name} must be a list")
        if not moves:
            return tuple(map(reader, data))
        found = []
        for ply, each in enumerate(data, 1):
            try:
                found.append(reader(each))
            except _Invalid as fault:
                raise _Invalid(f"move {ply}: {fault}") from None
        return tuple(found)

    return read


def _text(data: object) -> str:
    if not isinstance(data, str):
        raise _Invalid("{name} must be a text")
    return data


def _texts(data: object) -> dict[str, str]:
    if not isinstance(data, dict) or not all(isinstance(each, str) for each in data.values()):
        raise _Invalid("{name} must be an object of texts")
    return data


def _number(data: object) -> float:
    if isinstance(data, bool) or not isinstance(data, (int, float)) or not abs(data) <= MAX_NUMBER:
        raise _Invalid(f"{{name}} must be a number of at most {MAX_NUMBER:.0e}")
    return data


def _integer(data: object) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or abs(data) > MAX_NUMBER:
        raise _Invalid(f"{{name}} must be a whole number of at most {MAX_NUMBER:.0e}")
    return data
