"""Finds games by name, ours and everybody's, through the entry points of installed packages.

A package offers a game by an entry point in the group `numberduels.games` whose object is a
`Room`. Nothing is loaded before it is asked for by name.

>>> "range-war" in names()
True
>>> room("range-war").title
'Range War'
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import import_module

from numberduels.spec import Room
from numberduels.text import nearest, short

GROUP = "numberduels.games"


class UnknownGame(LookupError):
    """No installed package offers a game of that name."""


def names() -> list[str]:
    """Every game that is installed, ours first."""
    return list(_declared(tuple(sys.path)))


def room(name: str) -> Room:
    """The room of the game with this name."""
    places = _declared(tuple(sys.path))
    if name not in places:
        raise _unknown(name)
    module, _, attribute = places[name].partition("[")[0].strip().partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except Exception as fault:  # whatever a package of somebody else's does wrong, ours must go on
        raise UnknownGame(
            f"the game {name} is installed but cannot be loaded: {short(str(fault), 80)}"
        ) from fault
    if not isinstance(found, Room) or found.name != name:
        raise UnknownGame(f"the game {name} is installed but is not a Room of that name")
    return found


def find(text: str) -> Room:
    """The room of the game that a person means by its name, its title or the beginning of one of them.

    Case, blanks and hyphens do not matter.

    >>> find("Range War").name, find("rangewar").name, find("range").name
    ('range-war', 'range-war', 'range-war')
    >>> find("number")
    Traceback (most recent call last):
    numberduels.registry.UnknownGame: 'number' can be number-collision or number-snatch: say which
    """
    asked = _letters(text)
    if not asked:
        raise _unknown(text)
    spelled = {name: _letters(name) for name in names()}
    found = _fitting(asked, spelled) or _fitting(asked, {each.name: _letters(each.title) for each in rooms()})
    if not found:
        raise _unknown(text)
    if len(found) > 1:
        raise UnknownGame(f"{short(text)} can be {' or '.join(found)}: say which")
    return room(found[0])


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _fitting(asked: str, spelled: dict[str, str]) -> list[str]:
    """The names that are spelled so; where there is none, those whose spelling begins so."""
    exact = [name for name, spelling in spelled.items() if spelling == asked]
    return exact or [name for name, spelling in spelled.items() if spelling.startswith(asked)]


def _unknown(text: str) -> UnknownGame:
    meant = nearest(text, names())
    question = f"; did you mean {meant}? The" if meant else "; the"
    return UnknownGame(f"there is no game called {short(text)}{question} games are {', '.join(names())}")


def rooms() -> list[Room]:
    """The rooms of all games that can be loaded, those that must end first."""
    found = []
    for name in names():
        with suppress(UnknownGame):
            found.append(room(name))
    return sorted(found, key=lambda each: not hasattr(each.game, "longest"))


def room_of(game: object) -> Room:
    """The room of this game: from the package that its class is in, or else from the installed games.

    So a game need not be installed, as long as its `Room` is in its package, as the template's is.

    >>> from numberduels.games.template.rules import LastCounter
    >>> room_of(LastCounter(size=3)).name
    'last-counter'
    """
    kind = type(game)
    if kind not in _ROOMS:
        found = next((each for each in (*_in_package(kind), *rooms()) if each.game is kind), None)
        if found is None:
            raise UnknownGame(
                f"{kind.__name__} belongs to no installed game, and there is no Room for it in its package"
            )
        _ROOMS[kind] = found
    return _ROOMS[kind]


_ROOMS: dict[type, Room] = {}
"""What `room_of` has found."""


def _in_package(kind: type) -> Iterator[Room]:
    """The rooms in the module of a class and in the packages around it, the nearest first."""
    name = kind.__module__
    while name:
        yield from [each for each in vars(sys.modules.get(name, object)).values() if isinstance(each, Room)]
        name = name.rpartition(".")[0]


@lru_cache(maxsize=8)
def _declared(folders: tuple[str, ...]) -> dict[str, str]:
    """Name and place of every game that packages in these folders declare.

    The files that hold the entry points are read directly: importlib.metadata does the same, but
    importing it takes longer than all else that happens before the first prompt.
    """
    found: dict[str, str] = {}
    ours: set[str] = set()
    for folder in folders:
        try:
            entries = sorted(
                entry.path for entry in os.scandir(folder or ".") if entry.name.endswith(".dist-info")
            )
        except OSError:
            continue
        for path in entries:
            try:
                with open(os.path.join(path, "entry_points.txt"), encoding="utf-8") as file:
                    lines = file.read().splitlines()
            except (OSError, UnicodeDecodeError):
                continue
            for name, place in _group(lines):
                found.setdefault(name, place)
                if os.path.basename(path).startswith("numberduels-"):
                    ours.add(name)
    # Our own come first, whatever else is installed.
    return dict(sorted(found.items(), key=lambda item: item[0] not in ours))


def _group(lines: list[str]) -> list[tuple[str, str]]:
    """The entries of our group in the lines of one entry_points.txt."""
    inside = False
    found = []
    for line in lines:
        line = line.strip()
        if line.startswith("["):
            inside = line == f"[{GROUP}]"
        elif inside and "=" in line and not line.startswith(("#", ";")):
            name, _, place = line.partition("=")
            found.append((name.strip(), place.strip()))
    return found
