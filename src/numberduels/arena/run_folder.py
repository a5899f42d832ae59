"""The folder of a run: its plan, one JSON line for each finished game, the prompts, and a lock.

Every message to a model is in the file of prompts once, under the hash of its content. The attempts of a game
name the messages of their conversation by these ids.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from numberduels.arena.plan import Plan, conflicts, external_players, growth, same_terms
from numberduels.arena.results import ERROR, MAX_NUMBER, GameResult, UniqueGames, read_result
from numberduels.game import files
from numberduels.game.files import lock_file

PLAN, GAMES, PROMPTS, LOCK = "run.json", "games.jsonl", "prompts.jsonl", "lock"
"""The files of a run."""

TIMES = ("version", "ended", "seconds")
"""Entries of a line that say when and how fast it was played, not what."""

Line = dict[str, Any]


class RunFolderError(ValueError):
    """The folder cannot be used for this run; the message says why."""


def own_file(folder: str, name: str) -> str:
    """The path of a file that a run writes; OSError if it is a symbolic link."""
    path = os.path.join(folder, name)
    if os.path.islink(path):
        raise OSError(f"{name} is a link there, and only files inside the folder are written")
    return path


@contextmanager
def locked(folder: str) -> Iterator[None]:
    """Lock the folder against a second run."""
    with open(own_file(folder, LOCK), "a", encoding="utf-8") as lock:
        try:
            lock_file(lock.fileno(), wait=False)
        except OSError:
            raise RunFolderError("another run is writing there; wait for it, or stop it") from None
        yield


def save_plan(plan: Plan, folder: str) -> list[str]:
    """Save the plan in the folder, if it is new there or continues the one saved there.

    Returns what it adds to the saved plan. RunFolderError names the differences that would change games.
    """
    path = own_file(folder, PLAN)
    given = plan.data()
    text = json.dumps(given, indent=1) + "\n"
    try:
        with open(path, encoding="utf-8") as file:
            saved_text = file.read()
        saved = json.loads(saved_text)
        if not isinstance(saved, dict):
            raise ValueError
    except FileNotFoundError:
        files.write_text(path, text)
        return []
    except ValueError:
        raise RunFolderError(f"{PLAN} in that folder is not the plan of a run") from None
    differences = conflicts(saved, given)
    if differences:
        raise RunFolderError(
            f"that folder holds another run; {'; '.join(differences)}; a run can get more rounds, positions,"
            " players, opponents and games, and nothing else may change"
        )
    added = growth(saved, given)
    if added or saved.get("total") != given["total"]:
        files.write_text(path, text, replacing=saved_text)
    return added


# Writing


class LinesFile:
    """Appends lines of JSON. A killed process leaves at most one incomplete line; opening removes it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = open(path, "ab+", buffering=0)  # noqa: SIM115  # it stays open until `close`
        self._end = self._cut_incomplete_line()

    def _cut_incomplete_line(self) -> int:
        """Remove a last line without a line break, and return the size of the file."""
        size = os.path.getsize(self.path)
        end = size
        while end:
            start = max(0, end - 65_536)
            self._file.seek(start)
            found = self._file.read(end - start).rfind(b"\n")
            end = start
            if found >= 0:
                end = start + found + 1
                break
        if end < size:
            self._file.truncate(end)
        return end

    def append(self, lines: Iterable[Any]) -> None:
        """Append JSON data, one line each; OSError leaves the file unchanged."""
        data = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:])
        except OSError:
            self._file.truncate(self._end)
            raise
        self._end += len(data)

    def close(self) -> None:
        """Flush everything to the disk, and close the file."""
        os.fsync(self._file.fileno())
        self._file.close()


class PromptsFile:
    """Appends messages that the file does not hold yet. A run without models has no such file."""

    def __init__(self, folder: str) -> None:
        self.path = own_file(folder, PROMPTS)
        self._file: LinesFile | None = None
        self._ids: set[str] = set()

    def add(self, games: Iterable[GameResult]) -> None:
        """Append the messages of these games; OSError leaves the file unchanged."""
        messages = {name: text for game in games for name, text in game.prompts.items()}
        if messages and self._file is None:
            self._file = LinesFile(self.path)
            self._ids = {str(line.get("id")) for line in read_lines(self.path)}
        new = {name: text for name, text in messages.items() if name not in self._ids}
        if new and self._file is not None:
            self._file.append({"id": name, **json.loads(text)} for name, text in new.items())
            self._ids |= set(new)

    def close(self) -> None:
        """Flush everything to the disk, and close the file."""
        if self._file is not None:
            self._file.close()


def message_id(role: str, content: str) -> str:
    """The id of a message: the same content always has the same id.

    >>> message_id("user", "Hello")
    '08662b432edb1e3f'
    """
    return sha256(f"{role}\n{content}".encode()).hexdigest()[:16]


# Reading: a folder may come from anywhere


@dataclass(frozen=True, slots=True)
class SavedRun:
    """The folder of a run as it was read."""

    folder: str
    """As the user has named it."""
    config: Line
    """The saved plan."""
    games: tuple[GameResult, ...]
    incomplete_line: bool

    def unique(self) -> dict[tuple[str, str], GameResult]:
        """Every game once, by its seed and key."""
        return UniqueGames(self.games).found


def read_run(folder: str) -> SavedRun:
    """Read the folder of a run; ValueError names a bad line, OSError a file."""
    place = files.absolute_path(folder)
    with open(os.path.join(place, PLAN), "rb") as file:
        config = decode_json(file.read())
    if not isinstance(config, dict):
        raise ValueError(f"{PLAN} is not the plan of a run")
    path = os.path.join(place, GAMES)
    games = tuple(read_result(number, line) for number, line in enumerate(read_lines(path), 1))
    return SavedRun(folder, config, games, has_incomplete_line(path))


def read_lines(path: str) -> Iterator[Line]:
    """The lines of a file as JSON objects, without an incomplete last line; ValueError names a bad line."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            game = decode_json(line)
            if not isinstance(game, dict):
                raise ValueError(f"line {number} of {os.path.basename(path)} is not a game")
            yield game


def has_incomplete_line(path: str) -> bool:
    """Whether the last line of a file has no line break."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        return bool(size) and file.read() != b"\n"


def decode_json(text: bytes) -> Any:
    """The JSON value, or None if the text is not JSON."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


def line_cost(line: Line) -> float:
    """The known cost of a line of games.jsonl."""
    moves = [move for move in _listed(line.get("moves")) if isinstance(move, dict)]
    attempts = [each for move in moves for each in _listed(move.get("attempts")) if isinstance(each, dict)]
    costs: list[Any] = [each.get("cost") for each in attempts]
    return sum((cost for cost in costs if type(cost) in (int, float) and 0 <= cost <= MAX_NUMBER), 0.0)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


# Several runs as one


def joined_config(runs: Sequence[SavedRun]) -> Line:
    """What a report needs of the plans of several runs."""
    plans = [run.config for run in runs]
    names = ("players", "against", "games")
    config: Line = {name: _union(plan.get(name) for plan in plans) for name in names}
    seeds = _union([plan.get("seed")] for plan in plans)
    config |= {"seed": seeds[0]} if len(seeds) == 1 else {}
    config |= {"terms": plans[0].get("terms")} if same_terms(plans) else {}
    missing = [_total(run.config) - len(run.unique()) for run in runs]
    played = set().union(*(run.unique() for run in runs))
    return config | {"total": len(played) + sum(count for count in missing if count > 0)}


def _union(lists: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for each in lists:
        found += [member for member in _listed(each) if member not in found]
    return found


def _total(config: Mapping[str, Any]) -> int:
    total = config.get("total")
    return total if type(total) is int else 0


def join_games(runs: Sequence[SavedRun]) -> list[GameResult]:
    """The games of several runs, numbered anew. The same game in two runs is there once.

    A game that two runs have played differently, as models may, is there twice: the key of the second names
    its folder.
    """
    joined = UniqueGames()
    for run in runs:
        for game in run.unique().values():
            earlier = joined.add(game)
            if earlier and game.end != ERROR and _moves_made(earlier) != _moves_made(game):
                joined.add(replace(game, key=f"{game.key} | {run.folder}"))
    return [replace(game, number=number) for number, game in enumerate(joined.found.values(), 1)]


def _moves_made(game: GameResult) -> Any:
    """What was played, without what depends on the clock and the version."""
    return _without_times(game.to_json())


def _without_times(line: Any) -> Any:
    if isinstance(line, dict):
        return {name: _without_times(value) for name, value in line.items() if name not in TIMES}
    return [_without_times(each) for each in line] if isinstance(line, list) else line


def label_players(runs: Sequence[SavedRun]) -> tuple[SavedRun, ...]:
    """The runs, in which a program or model that had other settings in another run is another player.

    Its name gets the name of the folder.
    """
    if len(runs) < 2 or same_terms([run.config for run in runs]):
        return tuple(runs)
    count = Counter(name for run in runs for name in external_players(run.config))
    shared = {name for name in count if count[name] > 1}
    return tuple(_labelled(run, shared) for run in runs)


def _labelled(run: SavedRun, names: set[str]) -> SavedRun:
    def label(name: Any) -> Any:
        return f"{name} [{run.folder}]" if name in names else name

    seats = {key: [label(name) for name in _listed(run.config.get(key))] for key in ("players", "against")}
    games = tuple(
        replace(game, players=tuple(map(label, game.players)), key=f"{game.key} | {run.folder}")
        if names & {*game.players}
        else game
        for game in run.games
    )
    return replace(run, config=run.config | seats, games=games)
