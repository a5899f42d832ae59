"""The games and matches in the data folder, newest first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from numberduels.game import files, record
from numberduels.game.record import UNFINISHED, BadRecord, Record
from numberduels.play import series
from numberduels.play.series import Series
from numberduels.play.storage import read_bytes

Kept = TypeVar("Kept")

ID_LENGTH = 6
"""The characters of a short id."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game in the data folder."""

    path: str
    record: Record
    modified: float
    """When it was written, in seconds since 1970."""

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.record.result != UNFINISHED

    @property
    def id(self) -> str:
        """A short name that no other kept game is likely to have."""
        return short_id(self.path)


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match in the data folder."""

    path: str
    series: Series
    modified: float

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return self.series.over

    @property
    def id(self) -> str:
        """A short name that no other kept match is likely to have."""
        return short_id(self.path)


@dataclass(frozen=True, slots=True)
class UnopenedGame:
    """A file in the data folder that names a game of another library, which the user has not named."""

    path: str
    game: str
    modified: float

    @property
    def id(self) -> str:
        """A short name that no other kept game is likely to have."""
        return short_id(self.path)


def short_id(path: str) -> str:
    """The random part of the name of a kept file; the whole name if a person has named it.

    >>> short_id("/games/2026-11-16-200500-0a1b2c3d4e-range-war.duel"), short_id("/games/mine.duel")
    ('0a1b2c', 'mine')
    """
    found = full_id(path)
    return found[:ID_LENGTH] if found != _stem(path) else found


def full_id(path: str) -> str:
    """The whole random part of the name of a kept file; the whole name if a person has named it."""
    parts = _stem(path).split("-")
    return parts[4] if len(parts) > 5 and len(parts[4]) == 10 else _stem(path)


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def kept_paths() -> list[str]:
    """The files of all kept games and matches, newest first, without reading them."""
    found = [each for kind in files.SUFFIXES for each in _files(kind)]
    return [path for path, _ in sorted(found, key=lambda each: (each[1], each[0]), reverse=True)]


def matching_paths(text: str) -> list[str]:
    """The kept files that this text means: a short id, a longer beginning of it, or the name of a file."""
    paths = kept_paths()
    exact = [path for path in paths if text in (short_id(path), os.path.basename(path))]
    return exact or [path for path in paths if len(text) > ID_LENGTH and full_id(path).startswith(text)]


def is_kept(path: str) -> bool:
    """Whether a file is one of the games and matches in the data folder."""
    folder, suffix = os.path.realpath(os.path.dirname(files.absolute_path(path))), os.path.splitext(path)[1]
    return any(
        suffix == wanted and folder == os.path.realpath(os.path.join(files.data_folder(), kind))
        for kind, wanted in files.SUFFIXES.items()
    )


def saved_games(limit: int | None = None, notes: list[str] | None = None) -> list[SavedGame]:
    """The kept games, newest first; files that are no records are left out and noted."""
    return _first((each for each in _games(notes) if isinstance(each, SavedGame)), limit)


def unfinished_games(limit: int | None = None) -> list[SavedGame]:
    """The kept games that are not over, newest first."""
    return _first(_unfinished_games(), limit)


def saved_matches(limit: int | None = None, notes: list[str] | None = None) -> list[SavedMatch]:
    """The kept matches, newest first; files that are no matches are left out and noted."""
    return _first((each for each in _matches(notes) if isinstance(each, SavedMatch)), limit)


def listed(
    limit: int | None = None, notes: list[str] | None = None
) -> list[SavedGame | SavedMatch | UnopenedGame]:
    """The kept games and matches, newest first, and the files that name games of other libraries."""
    found = [*_first(_games(notes), limit), *_first(_matches(notes), limit)]
    found.sort(key=lambda each: each.modified, reverse=True)
    return found[:limit]


def newest_unfinished() -> SavedGame | SavedMatch | None:
    """The game or match that was played last and is not over; None if there is none."""
    game = next(_unfinished_games(), None)
    since = game.modified if game else 0.0
    for match in _matches(None):
        if match.modified < since:
            break
        if isinstance(match, SavedMatch) and not match.finished:
            return match
    return game


def delete_game(path: str) -> None:
    """Delete a kept game or match; ValueError if the file is not one of the data folder, else OSError."""
    if not is_kept(path):
        raise ValueError("only games and matches in the data folder can be deleted")
    os.unlink(files.absolute_path(path))


def _games(notes: list[str] | None) -> Iterator[SavedGame | UnopenedGame]:
    for path, found, modified in _read("games", record.LONGEST, record.read, notes):
        if isinstance(found, str):
            yield UnopenedGame(path, found, modified)
        else:
            yield SavedGame(path, found, modified)


def _unfinished_games() -> Iterator[SavedGame]:
    for path, found, modified in _read("games", record.LONGEST, record.read, None, UNFINISHED.encode()):
        if not isinstance(found, str) and not (game := SavedGame(path, found, modified)).finished:
            yield game


def _matches(notes: list[str] | None) -> Iterator[SavedMatch | UnopenedGame]:
    for path, found, modified in _read("matches", series.LONGEST, series.read, notes):
        if isinstance(found, str):
            yield UnopenedGame(path, found, modified)
        else:
            yield SavedMatch(path, found, modified)


def _read(
    kind: str, longest: int, read: Callable[[str], Kept], notes: list[str] | None, ending: bytes = b""
) -> Iterator[tuple[str, Kept | str, float]]:
    """Every readable file of a folder, newest first, one after the other.

    Of a file with a game of another library that cannot be opened there is only the name of the game.

    Only files with this `ending` are parsed, which takes ten times as long as reading them.
    """
    for path, modified in _files(kind):
        try:
            data = read_bytes(path, 4 * longest + 1)
            if not data.rstrip().endswith(ending):
                continue
            text = data.decode("utf-8")
            yield path, read(text), modified
        except FileNotFoundError:
            continue  # another process has deleted it
        except UnicodeDecodeError:
            fault = "this is not UTF-8 text"
        except BadRecord as error:
            if game := record.foreign_game(text):
                yield path, game, modified
                continue
            fault = str(error)
        except OSError as error:
            fault = str(error)
        else:
            continue
        if notes is not None:
            notes.append(f"Note: {path}: {fault}")


def _files(kind: str) -> list[tuple[str, float]]:
    """The files of a folder that have its suffix, newest first; equal times by name."""
    found = []
    try:
        with os.scandir(os.path.join(files.data_folder(), kind)) as entries:
            for entry in entries:
                try:
                    if entry.name.endswith(files.SUFFIXES[kind]) and entry.is_file():
                        found.append((entry.path, entry.stat().st_mtime))
                except OSError:
                    continue
    except OSError:
        return []
    return sorted(found, key=lambda each: (each[1], each[0]), reverse=True)


def _first(found: Iterator[Kept], limit: int | None) -> list[Kept]:
    return list(islice(found, limit))
