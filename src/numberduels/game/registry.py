"""Find games by name: our own, and those of installed packages through entry points.

A package offers a game with an entry point in the group `numberduels.games` whose object is a
`GameSpec`. A game is imported when it is first used. The name of a game of ours always means ours.

>>> "range-war" in names()
True
>>> spec("range-war").title
'Range War'
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any

from numberduels.game import options
from numberduels.game.adopted import CannotAdopt, adopt, is_adopted, split_text
from numberduels.game.formatting import nearest, short
from numberduels.game.spec import GameSpec, load_object

GROUP = "numberduels.games"

OURS = {
    "range-war": "numberduels.games.range_war:spec",
    "number-snatch": "numberduels.games.number_snatch:spec",
    "restricted-removal": "numberduels.games.restricted_removal:spec",
    "summation-duel": "numberduels.games.summation_duel:spec",
    "number-collision": "numberduels.games.number_collision:spec",
}
"""Our own games and where their specs are, in the order in which they are listed everywhere."""


class UnknownGame(LookupError):
    """No installed package offers a game of that name."""


def names() -> list[str]:
    """The names of all installed games, ours first."""
    return list(_places())


def spec(name: str) -> GameSpec:
    """The spec of the game with this name."""
    if is_adopted(name):
        raise UnknownGame(f"{short(name, 80)} is a game of another library, which is not offered here")
    # Entry points are not read for a game of ours: that takes longer the more packages are installed.
    places = OURS if name in OURS else _places()
    if name not in places:
        raise _unknown(name)
    try:
        found = load_object(places[name].partition("[")[0].strip())
    except Exception as fault:  # a broken package must not break other games
        raise UnknownGame(
            f"the game {name} is installed but cannot be loaded: {short(str(fault), 80)}"
        ) from fault
    if not isinstance(found, GameSpec) or found.name != name:
        raise UnknownGame(f"the game {name} is installed but is not a GameSpec of that name")
    return found


def adopted_spec(name: str) -> GameSpec:
    """The spec of an installed game, or of a game of another library such as `openspiel:nim`.

    Use it where a person or a file names a game. A game of another library is refused unless `adopted.allow`
    was called, which only the command line does, for what was typed.

    >>> adopted_spec("range-war").title
    'Range War'
    """
    if not is_adopted(name):
        return spec(name)
    try:
        found = adopt(name)
    except CannotAdopt as fault:
        raise UnknownGame(str(fault)) from None
    _SPECS[found.rules] = found
    return found


def find_spec(text: str) -> GameSpec:
    """Find a game by its name, its title or the beginning of one of them.

    Case, spaces and hyphens do not matter.

    >>> find_spec("Range War").name, find_spec("rangewar").name, find_spec("range").name
    ('range-war', 'range-war', 'range-war')
    >>> find_spec("number")
    Traceback (most recent call last):
    numberduels.game.registry.UnknownGame: 'number' can be number-snatch or number-collision: say which
    """
    if text in OURS:
        return spec(text)
    wanted = "" if is_adopted(text) else _letters(text)
    if not wanted:
        raise _unknown(text)
    spelled = {name: _letters(name) for name in names()}
    found = _matches(wanted, spelled) or _matches(
        wanted, {each.name: _letters(each.title) for each in specs()}
    )
    if not found:
        raise _unknown(text)
    if len(found) > 1:
        raise UnknownGame(f"{short(text)} can be {' or '.join(found)}: say which")
    return spec(found[0])


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _matches(wanted: str, spelled: dict[str, str]) -> list[str]:
    """The names with exactly this spelling; if there are none, those that begin with it."""
    exact = [name for name, spelling in spelled.items() if spelling == wanted]
    return exact or [name for name, spelling in spelled.items() if spelling.startswith(wanted)]


def _unknown(text: str) -> UnknownGame:
    meant = nearest(text, names())
    question = f"; did you mean {meant}? The" if meant else "; the"
    return UnknownGame(f"there is no game called {short(text)}{question} games are {', '.join(names())}")


def specs() -> list[GameSpec]:
    """All games that can be imported, in the order of `names`."""
    found = []
    for name in names():
        with suppress(UnknownGame):
            found.append(spec(name))
    return found


def spec_of(game: object) -> GameSpec:
    """The spec of a game, found in the package of its class or among the installed games.

    A game need not be installed if its package contains its `GameSpec`.

    >>> from numberduels.games.template.rules import LastCounter
    >>> spec_of(LastCounter(size=3)).name
    'last-counter'
    """
    kind = type(game)
    if kind not in _SPECS:
        found = next((each for each in (*_in_package(kind), *specs()) if each.rules is kind), None)
        if found is None:
            raise UnknownGame(
                f"{kind.__name__} belongs to no installed game, and its package has no GameSpec for it"
            )
        _SPECS[kind] = found
    return _SPECS[kind]


_SPECS: dict[type, GameSpec] = {}
"""The cache of `spec_of`."""


def _in_package(kind: type) -> Iterator[GameSpec]:
    """The specs in the module of a class and in its parent packages, innermost first."""
    name = kind.__module__
    while name:
        yield from [
            each for each in vars(sys.modules.get(name, object)).values() if isinstance(each, GameSpec)
        ]
        name = name.rpartition(".")[0]


def _places() -> dict[str, str]:
    """The name and the place of every game, ours first."""
    return OURS | _declared(tuple(sys.path)) | OURS


@lru_cache(maxsize=8)
def _declared(_folders: tuple[str, ...]) -> dict[str, str]:
    """The name and the place of every game that an installed package declares; the first one counts."""
    from importlib.metadata import distributions

    found: dict[str, str] = {}
    for package in distributions():
        with suppress(Exception):  # a damaged package must not break other games
            for entry in package.entry_points.select(group=GROUP):
                found.setdefault(entry.name, entry.value)
    return found


# A game with its options as one text


def read_game(text: str) -> tuple[str, Any]:
    """Parse a game such as `range-war:size=12`: returns its full text and the game.

    >>> read_game("range-war:size=12")
    ('range-war:size=12:opening=lower', RangeWar(size=12, opening='lower'))
    """
    if is_adopted(text):
        adopted_spec(split_text(text)[0])  # whether it may be opened is asked every time
    return _read_game(text)


@lru_cache(maxsize=1024)
def _read_game(text: str) -> tuple[str, Any]:
    name, given = split_text(text)
    found = adopted_spec(name) if is_adopted(text) else find_spec(name)
    known = [field.name for field in options.declared(found.rules)]
    texts = {}
    for each in given:
        option, equals, value = each.partition("=")
        if not equals or option not in known:
            hint = (
                f"write {found.name}:option=value, with one of {', '.join(known)}" if known else "it has none"
            )
            raise ValueError(f"{each!r} is no option of {found.name}; {hint}")
        texts[option] = value.replace("+", ",")
    game = found.make(texts)
    return format_game(game), game


def format_game(game: Any) -> str:
    """A game as one text with all its options, which `read_game` reads.

    >>> from numberduels.games.number_snatch.rules import NumberSnatch
    >>> format_game(NumberSnatch(numbers=(2, 5, 7)))
    'number-snatch:size=3:top=20:numbers=2+5+7'
    """
    written = options.format_options(game).items()
    texts = [f"{option}={value.replace(',', '+')}" for option, value in written if value]
    return ":".join([spec_of(game).name, *texts])
