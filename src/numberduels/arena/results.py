"""The schema of games.jsonl: what a run saves of each game, and what the report reads.

Plain dataclasses and a small decoder, because `duel arena` is part of the base install, which has no
dependencies.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from functools import cache, partial
from typing import Any, get_args, get_origin, get_type_hints

from numberduels.analysis.judgement import MISTAKES, NOT_JUDGED
from numberduels.game.record import RESULTS, UNFINISHED

WON, LOST, TIED, OPEN, ABANDONED = "won", "lost", "tied", "unfinished", "abandoned"
ENDS = (WON, LOST, TIED, OPEN, ABANDONED)
"""How a game can end for a seat. A game counts in exactly one of these columns."""
FAILED = "left_out"
"""How a forfeited game ends for both seats in a report that leaves failures out."""
COUNT, LEAVE_OUT = "count", "leave-out"
FAILURES = (COUNT, LEAVE_OUT)
"""How a report treats failures, decisions without a legal move: as a loss and a mistake, or as neither."""
GAME, POSITION = "game", "position"
ERROR = "error"
"""The end and the forfeit cause of a game in which a player could not be reached."""

MAX_NUMBER = 1e15
"""Larger numbers are refused: sums of them would overflow."""

_PLIES = {"1-2": 2.0, "3-4": 4.0, "5-8": 8.0, "9+": math.inf}
"""Buckets of remoteness: plies to the end at best play, up to the number."""
PROOFS = {"proof 1-9": 9.0, "proof 10-99": 99.0, "proof 100-999": 999.0, "proof 1000+": math.inf}
"""Buckets of proofs, by positions, where there is no remoteness; see analysis/depth.py."""
UNKNOWN_DEPTH = "unknown"
DEPTHS = (*_PLIES, *PROOFS, UNKNOWN_DEPTH)
"""The buckets of depth."""

UNKNOWN_CAUSE = "unknown"
"""The cause of a refused answer for which none was saved."""


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
    cause: str = ""
    """Why it was refused, in a word; empty in runs of version 0.5."""
    finish: str = ""
    """The finish reason of the server."""
    reasoning: str = ""
    """The reasoning that came beside the answer."""
    tokens_reasoning: float | None = None
    tokens_cached: float | None = None
    prompt: tuple[str, ...] = ()
    """The messages that it answers, by their ids in the file of prompts."""
    cached: bool = False
    """Whether it was taken from a cache of answers."""


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
    """Plies to the end at best play; see analysis/depth.py."""
    proof: int | None = None
    """Where there is no remoteness: positions of the proof that the losing moves lose."""
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
        """The bucket of its remoteness, or of the size of its proof."""
        for number, limits in ((self.remoteness, _PLIES), (self.proof, PROOFS)):
            if number is not None:
                return next(name for name, limit in limits.items() if number <= limit)
        return UNKNOWN_DEPTH

    @property
    def fault_causes(self) -> list[str]:
        """The cause of each refused answer; UNKNOWN_CAUSE in runs of version 0.5."""
        return [attempt.cause or UNKNOWN_CAUSE for attempt in self.attempts if attempt.fault]

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
    """One of Forfeit.CAUSES; `error` is not a loss. In runs of 0.5 `illegal` stands for several causes."""
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
    number: int = 0
    """The line number in the file, from 1."""
    prompts: dict[str, str] = field(default_factory=dict)
    """The messages that attempts refer to: as JSON, by id. They go to a file of their own."""

    @property
    def is_game(self) -> bool:
        """Whether it is a whole game, not a single decision."""
        return self.kind != POSITION

    @property
    def abandoned(self) -> bool:
        """Whether a player could not be reached."""
        return self.end == ERROR or (self.forfeit is not None and self.forfeit.cause == ERROR)

    @property
    def unreached(self) -> tuple[str, str] | None:
        """The player who could not be reached and the reason; None if the game was not abandoned."""
        if self.forfeit is None or not self.abandoned:
            return None
        return self.player(self.forfeit.seat), self.forfeit.message

    @property
    def has_failure(self) -> bool:
        """Whether a player forfeited. A player who could not be reached has not."""
        return self.forfeit is not None and self.forfeit.cause != ERROR

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
        if self.end == FAILED:
            return FAILED, FAILED
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
    *("key", "version", "ended", "kind", "game", "options", "round", "seed", "players"),
    *("opening", "record", "result", "end", "forfeit", "seconds", "moves"),
)


def read_result(number: int, line: object) -> GameResult:
    """Decode a line; ValueError names its number and what is wrong.

    >>> read_result(3, {"game": "range-war", "players": ["a", "b"], "result": "1-0"})
    Traceback (most recent call last):
    ValueError: line 3: there is no "moves"
    """
    try:
        found: GameResult = _reader(GameResult)(line, "line")
        _check(found)
    except _Invalid as fault:
        raise ValueError(f"line {number}: {fault}") from None
    return replace(found, number=number)


def _check(line: GameResult) -> None:
    """Check what the types of the fields do not say."""
    if len(line.players) != (2 if line.is_game else 1):
        raise _Invalid(f'"players" must be {"two names" if line.is_game else "one name"}')
    if line.result not in RESULTS:
        raise _Invalid(f'"result" must be one of {" ".join(RESULTS)}')
    if line.forfeit and line.forfeit.seat not in (0, 1):
        raise _Invalid('"seat" must be 0 or 1')
    for ply, move in enumerate(line.moves, 1):
        if move.seat not in (0, 1):
            raise _Invalid(f'move {ply}: "seat" must be 0 or 1')
        for name in ("before", "losing") if move.judged else ():
            if getattr(move, name) is None:
                raise _Invalid(f'move {ply}: there is no "{name}"')


class UniqueGames:
    """Every game once: the first that is finished, or else the last that was abandoned."""

    def __init__(self, games: Iterable[GameResult] = ()) -> None:
        self.found: dict[tuple[str, str], GameResult] = {}
        """By seed and key, because runs of different seeds use the same keys."""
        self.repeated: list[int] = []
        """Numbers of lines that repeat a finished game."""
        self.replayed = 0
        """How often an abandoned game was played again."""
        for game in games:
            self.add(game)

    def add(self, game: GameResult) -> GameResult | None:
        """Add a game; returns the earlier one if that one counts."""
        identity = game.seed, game.key or f"line {game.number}"
        earlier = self.found.get(identity)
        if earlier is not None and earlier.end != ERROR:
            self.repeated.append(game.number)
            return earlier
        self.replayed += earlier is not None
        self.found[identity] = game
        return None


def leave_out_failures(games: Iterable[GameResult]) -> list[GameResult]:
    """The games for a report that leaves failures out.

    A forfeited game is neither won nor lost, and its decision without a move is not judged. The moves before
    it count.
    """
    return [_without_failure(game) if game.has_failure else game for game in games]


def _without_failure(game: GameResult) -> GameResult:
    moves = tuple(move if move.made else replace(move, verdict=None) for move in game.moves)
    return replace(game, end=FAILED, moves=moves)


# JSON and dataclasses


Reader = Callable[[Any, str], Any]
"""Checks a JSON value and returns it; the text names the value in errors."""


class _Invalid(Exception):
    """What is wrong with a value."""


def _json(value: Any, names: tuple[str, ...] = ()) -> Any:
    """A dataclass as JSON data, or only the named fields of it."""
    if is_dataclass(value):
        names = names or tuple(each.name for each in fields(value) if not _is_left_out(value, each.name))
        return {name: _json(getattr(value, name)) for name in names}
    return [_json(each) for each in value] if isinstance(value, tuple) else value


_OPTIONAL = ("cause", "finish", "reasoning", "tokens_reasoning", "tokens_cached", "prompt", "cached")
"""The entries of an attempt that are saved only if there is something to say."""


def _is_left_out(value: Any, name: str) -> bool:
    if not isinstance(value, AttemptResult) or name not in _OPTIONAL:
        return False
    return getattr(value, name) in (None, "", ()) or getattr(value, name) is False


@cache
def _reader(hint: Any) -> Reader:
    """The reader for a type hint: a simple type, an optional one, a tuple of one type, or a dataclass."""
    if get_origin(hint) is types.UnionType:
        inner = _reader(get_args(hint)[0])
        return lambda data, name: None if data is None else inner(data, name)
    if get_origin(hint) is tuple:
        return partial(_read_items, _reader(get_args(hint)[0]))
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        required = {each.name for each in fields(hint) if each.default is each.default_factory is MISSING}
        readers = {each.name: _reader(hints[each.name]) for each in fields(hint)}
        return partial(_read_object, hint, required, readers)
    return partial(_read_value, *_VALUES[hint])


def _read_object(kind: Any, required: set[str], readers: dict[str, Reader], data: Any, _name: str) -> Any:
    if not isinstance(data, Mapping):
        raise _Invalid("it is not an object")
    for name in kind.__match_args__:
        if name in required and name not in data:
            raise _Invalid(f'there is no "{name}"')
    return kind(**{name: reader(data[name], name) for name, reader in readers.items() if name in data})


def _read_items(reader: Reader, data: Any, name: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise _Invalid(f'"{name}" must be a list')
    found = []
    for number, each in enumerate(data, 1):
        try:
            found.append(reader(each, name))
        except _Invalid as fault:
            raise _Invalid(f"{name.removesuffix('s')} {number}: {fault}") from None
    return tuple(found)


def _read_value(kind: tuple[type, ...], description: str, data: Any, name: str) -> Any:
    large = isinstance(data, (int, float)) and not abs(data) <= MAX_NUMBER  # or not a number
    if large or not isinstance(data, kind) or isinstance(data, bool) != (kind == (bool,)):
        raise _Invalid(f'"{name}" must be {description}')
    return data


_VALUES: dict[Any, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a text"),
    bool: ((bool,), "true or false"),
    int: ((int,), f"a whole number of at most {MAX_NUMBER:.0e}"),
    dict[str, str]: ((dict,), "an object"),
    float: ((int, float), f"a number of at most {MAX_NUMBER:.0e}"),
}
