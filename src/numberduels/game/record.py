"""Records: games as text, similar to PGN, with tags, numbered moves and a result.

    [Game "summation-duel"]
    [Size "4"]
    [Target "6"]
    [Player1 "Alice"]
    [Player2 "Bob"]
    [Seat1 "human"]
    [Seat2 "greedy"]
    [Date "2026.11.15"]
    [Seed "7"]
    [Result "0-1"]

    1. 4 2 0-1

Reading checks every tag and every move. A text with any error is refused.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from numberduels.game import options, registry
from numberduels.game.adopted import CannotAdopt, is_adopted
from numberduels.game.contract import HUMAN, IllegalMove, Outcome, Seat, Unreadable, has_fixed_start
from numberduels.game.formatting import short, showable
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, replay

LONGEST = 1_000_000
"""The most characters of a record."""

LONGEST_NAME = 100
"""The most characters of a player's name, which many lines of a session contain."""

TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,30}) "((?:[^"\\]|\\["\\])*)"\]')
TAGS = (
    "Game",
    "Player1",
    "Player2",
    "Seat1",
    "Seat2",
    "Date",
    "Seed",
    "Result",
    "Termination",
    "Forfeit",
    "Swapped",
)
"""The tags of every record. Each game adds its options as tags."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
DRAWN, UNFINISHED = RESULTS[2:]
RESIGNED = "resigned"
AGREED = "draw agreed"
"""How a game ended if the moves do not show it."""
ON_TIME = "time"
UNKNOWN_DATE = "????.??.??"


class BadRecord(ValueError):
    """The text is not a record. The message names the line and the error."""


@dataclass(frozen=True, slots=True)
class Record:
    """One game as it was played, finished or not. The spec's text writes the moves."""

    spec: GameSpec
    game: Any
    moves: tuple[Hashable, ...] = ()
    names: tuple[str, str] = ("", "")
    seats: tuple[str, str] = (HUMAN, HUMAN)
    date: str = UNKNOWN_DATE
    seed: str = ""
    resigned: Seat | None = None
    timed_out: bool = False
    """Whether the seat in `resigned` did not resign, but exceeded its time."""
    agreed: bool = False
    """Whether the players agreed on a draw."""
    swapped: bool | None = None
    """With the pie rule: whether the players swapped seats after the first move. `names` and `seats` are
    those after the swap. None without that rule, and before the choice."""
    other: tuple[tuple[str, str], ...] = ()
    """Unknown tags, as name and value. They are kept."""

    def __post_init__(self) -> None:
        if not has_fixed_start(self.game):
            raise ValueError("the deal is missing: only a game with a fixed start can be recorded")
        if not all(showable(text) for text in (*self.names, *self.seats, self.date, self.seed)):
            raise ValueError("a name, a seat, a date or a seed cannot be printed")
        if any(len(name) > LONGEST_NAME for name in self.names):
            raise ValueError(f"a name has at most {LONGEST_NAME} characters")
        own = _own_tags(self.game) if self.other else set()
        if any(name in own or not TAG.fullmatch(tag_line(name, text)) for name, text in self.other):
            raise ValueError("another tag has a name that is taken or that is no name")
        if not all(showable(text) for _, text in self.other) or len(dict(self.other)) < len(self.other):
            raise ValueError("another tag cannot be printed, or is there twice")
        if self.resigned is not None and self.table().outcome:
            raise ValueError("a game that is over cannot be resigned")
        if self.timed_out and self.resigned is None:
            raise ValueError("a game that is lost on time names the seat that lost it")
        if self.agreed and (self.resigned is not None or self.table().outcome):
            raise ValueError("a game that is over cannot be drawn by agreement")
        if self.swapped is not None and not self.moves:
            raise ValueError("seats are changed after the first move, and there is none")

    def table(self, ply: int | None = None) -> Table[Any, Any]:
        """The game after this many moves; by default after all of them."""
        return replay(self.game, self.moves[:ply])

    def mover(self, ply: int) -> Seat:
        """The seat of the player who made the move with this index; after a swap, their new seat.

        >>> from numberduels.games.range_war import spec
        >>> [Record(spec, spec.make(), (6, 4, 9), swapped=True).mover(ply) for ply in range(3)]
        [1, 1, 0]
        """
        first = self.swapped and not ply
        return 1 if ply % 2 or first else 0

    @property
    def result(self) -> str:
        """1-0, 0-1, 1/2-1/2 for a tie, or * if the game is unfinished."""
        if self.resigned is not None:
            return RESULTS[1 - self.resigned]
        if self.agreed:
            return DRAWN
        return format_result(self.table().outcome)


def format_result(outcome: Outcome | None) -> str:
    """An outcome as a record writes it."""
    if outcome is None:
        return UNFINISHED
    return DRAWN if outcome.winner is None else RESULTS[outcome.winner]


def write(record: Record) -> str:
    """The record as text.

    >>> from numberduels.games.summation_duel import spec
    >>> print(write(Record(spec, spec.build({"size": 4, "target": 6}), (4, 2), seed="7")), end="")
    [Game "summation-duel"]
    [Size "4"]
    [Target "6"]
    [Player1 ""]
    [Player2 ""]
    [Seat1 "human"]
    [Seat2 "human"]
    [Date "????.??.??"]
    [Seed "7"]
    [Result "0-1"]
    <BLANKLINE>
    1. 4 2 0-1
    """
    spec = record.spec
    # Readers that do not know draws by agreement take such a game for an unfinished one.
    result = UNFINISHED if record.agreed else record.result
    tags = {"Game": spec.name}
    tags.update((name.capitalize(), text) for name, text in options.format_options(record.game).items())
    tags.update(
        Player1=record.names[0], Player2=record.names[1], Seat1=record.seats[0], Seat2=record.seats[1]
    )
    tags.update(Date=record.date, Seed=record.seed, Result=result)
    if record.resigned is not None:
        tags["Termination"] = RESIGNED
    if record.timed_out:
        # Readers that do not know clocks take such a game for a resigned one.
        tags["Forfeit"] = ON_TIME
    if record.agreed:
        tags["Termination"] = AGREED
    if record.swapped is not None:
        tags["Swapped"] = _SWAPPED[record.swapped]
    tags.update(record.other)
    game_text = spec.text_for(record.game)
    parts = []
    for ply, move in enumerate(record.moves):
        if ply % 2 == 0:
            parts.append(f"{ply // 2 + 1}.")
        parts.append(game_text.format_move(move))
    head = "".join(f"{tag_line(name, text)}\n" for name, text in tags.items())
    return f"{head}\n{_folded([*parts, result])}"


_SWAPPED = {True: "yes", False: "no"}


def tag_line(name: str, text: str) -> str:
    """One tag as a line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _own_tags(game: Any) -> set[str]:
    """The tags that have a meaning in a record of this game."""
    return {*TAGS, *(each.name.capitalize() for each in options.declared(type(game)))}


def _folded(parts: list[str], width: int = 78) -> str:
    """The parts, wrapped into lines of at most this width."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + 1 + len(part) > width:
            lines.append("")
        lines[-1] += f" {part}" if lines[-1] else part
    return "\n".join(lines) + "\n"


def read(text: str, spec: GameSpec | None = None, *, installed_only: bool = False) -> Record:
    """Parse a record; BadRecord names the line and the error.

    Without a spec the game must be an installed one or, unless `installed_only`, one of another library that
    the user has named (`adopted.allow`). A server reads records of visitors with `installed_only`.

    >>> read('[Game "range-war"]\\n\\n1. 6 7 *')
    Traceback (most recent call last):
    numberduels.game.record.BadRecord: line 3, move 2: Number 7 is not lower than 6.
    """
    if len(text) > LONGEST:
        raise BadRecord(f"line 1: a record has at most {LONGEST:,} characters")
    tags: dict[str, tuple[int, str]] = {}
    tokens: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = line.strip(" \t\r")
        if line.startswith("[") and not tokens:
            name, value = read_tag(number, line)
            if name in tags:
                raise BadRecord(f"line {number}: the tag {name} is there twice")
            tags[name] = number, value
        else:
            tokens.extend((number, token) for token in line.split())
    spec = _spec(tags, spec, installed_only)
    try:
        return _played(spec, _game(spec, tags), tags, tokens)
    except CannotAdopt as fault:
        raise BadRecord(f"line {tags['Game'][0]}: {fault}") from None


def foreign_game(text: str) -> str:
    """The game of another library that the text of a record or a match names; empty if it names none.

    >>> foreign_game('[Game "openspiel:nim"]'), foreign_game('[Game "range-war"]')
    ('openspiel:nim', '')
    """
    match = re.search(r'^\[(?:Game|Match) "([^"\n]*)"\]', text.removeprefix("\ufeff"), re.MULTILINE)
    return match[1] if match and is_adopted(match[1]) else ""


def read_tag(number: int, line: str) -> tuple[str, str]:
    """The name and the value of a tag; `number` is the line number for errors."""
    match = TAG.fullmatch(line)
    if not match or not showable(match[2]):
        raise BadRecord(f'line {number}: {short(line)} is not a tag like [Game "range-war"]')
    return match[1], re.sub(r"\\(.)", r"\1", match[2])


def _spec(tags: dict[str, tuple[int, str]], given: GameSpec | None, installed_only: bool) -> GameSpec:
    """The spec that the tags name."""
    if "Game" not in tags:
        raise BadRecord('line 1: a record begins with a tag like [Game "range-war"]')
    number, name = tags["Game"]
    if given:
        if given.name != name:
            raise BadRecord(f"line {number}: the game is {short(name)}, not {given.name}")
        return given
    try:
        return registry.spec(name) if installed_only else registry.adopted_spec(name)
    except registry.UnknownGame as fault:
        raise BadRecord(f"line {number}: {fault}") from None


def _game(spec: GameSpec, tags: dict[str, tuple[int, str]]) -> Any:
    """The game with the options of the tags."""
    number, _ = tags["Game"]
    names = {each.name.capitalize(): each.name for each in options.declared(spec.rules)}
    try:
        game = spec.make({names[tag]: text for tag, (_, text) in tags.items() if tag in names})
        Record(spec, game)
    except options.BadOption as fault:
        number, _ = tags.get(fault.name.capitalize(), tags["Game"])
        raise BadRecord(f"line {number}: {fault}") from None
    except ValueError as fault:
        raise BadRecord(f"line {number}: {fault}") from None
    return game


def _played(
    spec: GameSpec, game: Any, tags: dict[str, tuple[int, str]], tokens: list[tuple[int, str]]
) -> Record:
    """Replay the moves, check the result, and make the record."""
    if not tokens or tokens[-1][1] not in RESULTS:
        number = tokens[-1][0] if tokens else max(line for line, _ in tags.values())
        raise BadRecord(f"line {number}: the moves do not end with a result, one of {' '.join(RESULTS)}")
    *tokens, (last, result) = tokens
    table = replay(game)
    game_text = spec.text_for(game)
    numbered = None
    for number, token in tokens:
        if token.endswith("."):
            if table.ply % 2 or token != f"{table.ply // 2 + 1}." or numbered == token:
                raise BadRecord(f"line {number}: {short(token)} does not number the move that follows it")
            numbered = token
            continue
        try:
            table.play_text(token, game_text.parse_move)
        except (IllegalMove, Unreadable) as fault:
            raise BadRecord(f"line {number}, move {table.ply + 1}: {fault}") from None

    def tag(name: str, default: str = "") -> str:
        return tags.get(name, (0, default))[1]

    resigned: Seat | None = None
    actual = format_result(table.outcome)
    if actual == UNFINISHED and tag("Termination") == RESIGNED and result in ("1-0", "0-1"):
        resigned = 1 if result == "1-0" else 0
    agreed = actual == UNFINISHED and tag("Termination") == AGREED and result in (UNFINISHED, DRAWN)
    if resigned is None and not agreed and result != actual:
        raise BadRecord(f"line {last}: the result of these moves is {actual}, not {result}")
    if tag("Result", result) != result:
        raise BadRecord(f"line {tags['Result'][0]}: the moves end with the result {result}")
    swapped = next((value for value, text in _SWAPPED.items() if tag("Swapped") == text), None)
    if swapped is not None and not table.ply:
        raise BadRecord(
            f"line {tags['Swapped'][0]}: seats are changed after the first move, and there is none"
        )
    own = _own_tags(game)
    for name in ("Player1", "Player2"):
        if len(tag(name)) > LONGEST_NAME:
            raise BadRecord(f"line {tags[name][0]}: a name has at most {LONGEST_NAME} characters")
    return Record(
        spec,
        game,
        table.played,
        names=(tag("Player1"), tag("Player2")),
        seats=(tag("Seat1", HUMAN), tag("Seat2", HUMAN)),
        date=tag("Date", UNKNOWN_DATE),
        seed=tag("Seed"),
        resigned=resigned,
        timed_out=resigned is not None and tag("Forfeit") == ON_TIME,
        agreed=agreed,
        swapped=swapped,
        other=tuple((name, text) for name, (_, text) in tags.items() if name not in own),
    )
