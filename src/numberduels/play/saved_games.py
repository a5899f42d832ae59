"""The saved games and matches: those in the data folder, newest first, and how they are told in words.

A saved game is called by a short id, the random part of its file name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from typing import NamedTuple, TypeVar

from numberduels.game import files, record
from numberduels.game.contract import HUMAN, Seat
from numberduels.game.formatting import printable
from numberduels.game.record import DRAWN, UNFINISHED, BadRecord, Record
from numberduels.play import series
from numberduels.play.game_in_progress import person_of
from numberduels.play.series import Series
from numberduels.play.storage import read_bytes
from numberduels.players import opponent_name

Read = TypeVar("Read")
Saved = TypeVar("Saved", bound="_SavedFile")

ID_LENGTH = 6
"""The characters of a short id."""


@dataclass(frozen=True)
class _SavedFile:
    """A file in the data folder."""

    path: str
    modified: float
    """When it was written, in seconds since 1970."""

    @property
    def id(self) -> str:
        """A short name that no other saved game is likely to have."""
        return short_id(self.path)


@dataclass(frozen=True)
class SavedGame(_SavedFile):
    """A game in the data folder."""

    record: Record

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.record.result != UNFINISHED


@dataclass(frozen=True)
class SavedMatch(_SavedFile):
    """A match in the data folder."""

    series: Series

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return self.series.over


@dataclass(frozen=True)
class UnopenedGame(_SavedFile):
    """A file in the data folder that names a game of another library, which the user has not named."""

    game: str


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
    """The saved games, newest first; files that are no records are left out and noted."""
    return list(islice((each for each in _games(notes) if isinstance(each, SavedGame)), limit))


def saved_matches(limit: int | None = None, notes: list[str] | None = None) -> list[SavedMatch]:
    """The saved matches, newest first; files that are no matches are left out and noted."""
    return list(islice((each for each in _matches(notes) if isinstance(each, SavedMatch)), limit))


def listed(
    limit: int | None = None, notes: list[str] | None = None
) -> list[SavedGame | SavedMatch | UnopenedGame]:
    """The saved games and matches, newest first, and the files that name games of other libraries."""
    found = [*islice(_games(notes), limit), *islice(_matches(notes), limit)]
    return _newest_first(found)[:limit]


def opened(limit: int | None = None) -> list[SavedGame | SavedMatch]:
    """The saved games and matches that can be opened, newest first."""
    found: list[SavedGame | SavedMatch] = [*saved_games(limit), *saved_matches(limit)]
    return _newest_first(found)[:limit]


def unfinished() -> list[SavedGame | SavedMatch]:
    """The games and matches that are not over, newest first."""
    found: list[SavedGame | SavedMatch] = [*_unfinished_games()]
    found += [each for each in saved_matches() if not each.finished]
    return _newest_first(found)


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


def _newest_first(found: list[Saved]) -> list[Saved]:
    return sorted(found, key=lambda each: each.modified, reverse=True)


def delete_game(path: str) -> None:
    """Delete a kept game or match; ValueError if the file is not one of the data folder, else OSError."""
    if not is_kept(path):
        raise ValueError("only games and matches in the data folder can be deleted")
    os.unlink(files.absolute_path(path))


def _games(notes: list[str] | None, ending: bytes = b"") -> Iterator[SavedGame | UnopenedGame]:
    for path, found, modified in _read("games", record.LONGEST, record.read, notes, ending):
        yield (UnopenedGame if isinstance(found, str) else SavedGame)(path, modified, found)  # type: ignore[arg-type]


def _unfinished_games() -> Iterator[SavedGame]:
    found = _games(None, UNFINISHED.encode())
    return (each for each in found if isinstance(each, SavedGame) and not each.finished)


def _matches(notes: list[str] | None) -> Iterator[SavedMatch | UnopenedGame]:
    for path, found, modified in _read("matches", series.LONGEST, series.read, notes):
        yield (UnopenedGame if isinstance(found, str) else SavedMatch)(path, modified, found)  # type: ignore[arg-type]


def _read(
    kind: str, longest: int, read: Callable[[str], Read], notes: list[str] | None, ending: bytes = b""
) -> Iterator[tuple[str, Read | str, float]]:
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


# In words

LONGEST_PART = 60
"""The most characters of a part of a line."""


class SavedLine(NamedTuple):
    """One kept game or match, in words."""

    id: str
    title: str
    opponent: str
    standing: str
    when: str


def describe(each: SavedGame | SavedMatch | UnopenedGame) -> SavedLine:
    """A kept game or match in words."""
    if isinstance(each, UnopenedGame):
        parts = printable(each.game), "", "a game of another library"
    elif isinstance(each, SavedGame):
        parts = each.record.spec.title, opponent(each.record.seats, each.record.names), standing(each.record)
    else:
        series = each.series
        title = f"{series.spec.title}, match"
        parts = title, opponent(series.seats, series.names), match_standing(series)
    # Somebody else may have named the file and written the names in it.
    title, against, state = (_cut(text) for text in parts)
    return SavedLine(_cut(printable(each.id)), title, against, state, when(each.modified))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART - 3]}..."


def opponent(seats: tuple[str, str], names: tuple[str, str]) -> str:
    """Who plays against the person at this keyboard.

    >>> opponent(("casual", "human"), ("", "")), opponent(("human", "human"), ("Ada", "Max"))
    ('against casual', 'Ada and Max')
    >>> opponent(("human", "human"), ("Ada", "")), opponent(("greedy", "perfect"), ("", ""))
    ('against a friend', 'greedy and perfect')
    """
    if seats == (HUMAN, HUMAN) and all(names):
        return " and ".join(names)
    if HUMAN in seats:
        return f"against {opponent_name(seats[1 - seats.index(HUMAN)])}"
    return " and ".join(seats)


def standing(record: Record) -> str:
    """How a game stands: who won, or whose turn it is."""
    person, table = person_of(record.seats), record.table()
    text = record.spec.text_for(record.game, record.names)
    if record.result == UNFINISHED:
        if person is None:
            return f"unfinished, {text.label(table.turn)} to move"
        return "unfinished, your turn" if table.turn == person else "unfinished, their turn"
    if record.result == DRAWN:
        return "a draw"
    winner: Seat = 0 if record.result == "1-0" else 1
    if person is None:
        return f"{text.label(winner)} won"
    return "you won" if winner == person else "you lost"


def match_standing(series: Series) -> str:
    """How a match stands."""
    if not series.over:
        return f"unfinished, game {series.standing.games + 1} of {series.total}"
    ahead = series.standing.ahead
    if not ahead:
        return "level"
    winner: Seat = 0 if ahead > 0 else 1
    person = person_of(series.seats)
    if person is None:
        return f"{series.names[winner]} won"
    return "you won" if winner == person else "you lost"


def when(modified: float) -> str:
    """The day, and for today and yesterday the time."""
    moment = datetime.fromtimestamp(modified)
    for day, name in ((date.today(), "today"), (date.today() - timedelta(1), "yesterday")):
        if moment.date() == day:
            return f"{name} {moment:%H:%M}"
    return f"{moment:%Y-%m-%d}"


def in_one_line(each: SavedGame | SavedMatch) -> str:
    """A kept game as one entry of a menu."""
    line = describe(each)
    return f"{line.title} {line.opponent}: {line.standing}, {line.when}"


def plain_ids(paths: list[str]) -> list[str]:
    """The ids of these files, without those that a shell might read as anything but one word."""
    ids = (short_id(path) for path in paths if os.path.basename(path).isascii())
    return [each for each in ids if each.replace("-", "").replace("_", "").isalnum() and each[0] != "-"]
