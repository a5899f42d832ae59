"""The options of a game: declared as dataclass fields, parsed from text and formatted as text.

The command line, records, pages and environments all use this module, so the default, the help and
the text form of an option are defined once: in the field.

>>> from numberduels.games.range_war.rules import RangeWar
>>> game_from_texts(RangeWar, {"size": "12"})
RangeWar(size=12, opening='lower')
>>> format_options(RangeWar(size=12))
{'size': '12', 'opening': 'lower'}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, field, fields, replace
from operator import index
from typing import Any, TypeVar

from numberduels.game.formatting import capitalised, read_number, short

LARGEST = 10_000
"""The largest number of numbers in any game here."""

G = TypeVar("G")


class BadOption(ValueError):
    """The value of an option is wrong; `name` says which option."""

    def __init__(self, name: str, message: str, bounds: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.name = name
        self.bounds = bounds
        """The lowest and the highest allowed value, if the option is a whole number."""


def option(
    default: Any,
    about: str,
    *,
    label: str = "",
    choices: Mapping[str, str] | Iterable[str] = (),
    added_later: bool = False,
) -> Any:
    """Declare an option: a dataclass field that is an int, one of `choices`, or a tuple of ints.

    `about` is the help on the command line. `label` is what forms call the option. `choices` may map each
    word to what forms call it. An option that is `added_later`, to a game that was released without it, is
    written only where it differs from its default: names of games, records and results stay as they were.
    """
    named = dict(choices) if isinstance(choices, Mapping) else {each: each for each in choices}
    label = label or capitalised(about)
    return field(
        default=default,
        metadata={"about": about, "label": label, "choices": named, "added_later": added_later},
    )


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise BadOption unless the value is a whole number from low to high.

    >>> check_whole("size", 0, 1, 10)
    Traceback (most recent call last):
    numberduels.game.options.BadOption: size must be a whole number from 1 to 10, not 0
    """
    if type(value) is not int or not low <= value <= high:
        if type(value) is int:
            shown = str(value) if abs(value) < 10**12 else "one as long as that"
        else:
            shown = short(value if isinstance(value, str) else ascii(value)[:40])
        raise BadOption(name, f"{name} must be a whole number from {low} to {high}, not {shown}", (low, high))


def check_choice(game: Any, name: str) -> None:
    """Raise BadOption unless the value of this option is one of its declared choices."""
    field = next(each for each in declared(type(game)) if each.name == name)
    check_among(name, getattr(game, name), field.metadata["choices"])


def check_among(name: str, value: object, choices: Iterable[str]) -> None:
    """Raise BadOption unless the value is one of the choices.

    >>> check_among("seat", "third", ["first", "second"])
    Traceback (most recent call last):
    numberduels.game.options.BadOption: seat must be first or second, not 'third'
    """
    choices = list(choices)
    if value not in choices:
        raise BadOption(name, f"{name} must be {' or '.join(choices)}, not {short(str(value))}")


def declared(kind: type[Any]) -> list[Field[Any]]:
    """The options of a class of games, in order."""
    return [each for each in fields(kind) if "about" in each.metadata]


def read(each: Field[Any], text: str) -> Any:
    """Parse the text of one option; ValueError says what is wrong."""
    if isinstance(each.default, str):
        return text
    try:
        if isinstance(each.default, tuple):
            return tuple(read_number(part) for part in text.split(",")) if text else ()
        return read_number(text)
    except ValueError as fault:
        raise BadOption(each.name, f"{each.name}: {fault}") from None


def game_from_texts(kind: type[G], texts: Mapping[str, str]) -> G:
    """Make a game from options given as text; omitted options take their defaults.

    BadOption names the wrong option; any other ValueError is about several options together.
    """
    known = _known(kind, texts)
    values: dict[str, Any] = {}
    for name, text in texts.items():
        try:
            values[name] = read(known[name], text)
        except BadOption as fault:
            raise _bounded(kind, values, known[name], text) or fault from None
    game = kind(**values)
    for name, value in values.items():
        settled = getattr(game, name)
        # A list of numbers determines other options, which must not contradict it.
        if settled != value and not isinstance(value, tuple):
            raise BadOption(
                name, f"{name} {value} does not fit the list of numbers, which makes it {settled}"
            )
    return game


def _bounded(kind: type[Any], values: dict[str, Any], each: Field[Any], text: str) -> BadOption | None:
    """The error of the game itself for a text that is no number, since it knows the bounds; or None."""
    value = tuple(map(_number, text.split(","))) if isinstance(each.default, tuple) else text
    try:
        kind(**values, **{each.name: value})
    except BadOption as fault:
        return BadOption(each.name, str(fault), fault.bounds)
    except Exception:  # a game that expects numbers only may fail in any way
        return None
    return None


def _number(text: str) -> int | str:
    """The text as a number, or unchanged if it is none."""
    try:
        return read_number(text)
    except ValueError:
        return text


def game_from_values(kind: type[G], values: Mapping[str, Any]) -> G:
    """Make a game from option values; BadOption names the wrong option.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> game_from_values(RangeWar, {"siz": 3})
    Traceback (most recent call last):
    numberduels.game.options.BadOption: there is no option 'siz'; there are size, opening, ending
    """
    known = _known(kind, values)
    return kind(**{name: _plain(known[name], value) for name, value in values.items()})


def _known(kind: type[Any], names: Iterable[str]) -> dict[str, Field[Any]]:
    """The options of a class of games by name; BadOption if one of these names is not among them."""
    known = {each.name: each for each in declared(kind)}
    for name in names:
        if name not in known:
            raise BadOption(name, f"there is no option {short(name)}; there are {', '.join(known)}")
    return known


def _plain(each: Field[Any], value: Any) -> Any:
    """The value with NumPy numbers and lists converted; everything else is checked by the game."""
    try:
        if isinstance(each.default, tuple):
            return tuple(index(number) for number in value)
        return value if isinstance(each.default, str) or type(value) is bool else index(value)
    except TypeError:
        if isinstance(each.default, tuple):
            raise BadOption(each.name, f"{each.name} must be a list of whole numbers") from None
        return value


def format_options(game: Any) -> dict[str, str]:
    """The options of a game as text, in order; of those that were added later, the ones not at their default.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> format_options(RangeWar(size=12, ending="misere"))
    {'size': '12', 'opening': 'lower', 'ending': 'misere'}
    """
    texts = format_every_option(game)
    for each in declared(type(game)):
        if each.metadata.get("added_later") and getattr(game, each.name) == each.default:
            del texts[each.name]
    return texts


def format_every_option(game: Any) -> dict[str, str]:
    """Every option of a game as text, in order."""
    return {each.name: format_value(getattr(game, each.name)) for each in declared(type(game))}


def format_repr(game: Any) -> str:
    """The `repr` of a game with options that were added later: they are left out as in `format_options`."""
    written = format_options(game)
    values = (f"{name}={getattr(game, name)!r}" for name in written)
    return f"{type(game).__name__}({', '.join(values)})"


def titled(title: str, game: Any) -> str:
    """The title of a game with its options; the title alone if it has none.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> titled("Range War", RangeWar(size=12))
    'Range War (size 12, opening lower)'
    """
    texts = ", ".join(f"{name} {text}" for name, text in format_options(game).items())
    return f"{title} ({texts})" if texts else title


def format_undealt(game: Any) -> dict[str, str]:
    """The options of a game as text without those that a deal fills in, which are empty by default.

    >>> from numberduels.games.number_snatch.rules import NumberSnatch
    >>> format_undealt(NumberSnatch(numbers=(2, 5, 7)))
    {'size': '3', 'top': '20'}
    """
    texts = format_options(game)
    dealt = {each.name for each in declared(type(game)) if not format_value(each.default)}
    return {name: text for name, text in texts.items() if name not in dealt}


def json_value(value: Any) -> Any:
    """The value of an option for JSON."""
    return list(value) if isinstance(value, tuple) else value


def format_value(value: Any) -> str:
    """The value of an option as text."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def with_size(game: G, size: int) -> G:
    """The same game with another size; a fixed list of numbers is dropped."""
    lists = {each.name: each.default for each in declared(type(game)) if isinstance(each.default, tuple)}
    return replace(game, size=size, **lists)  # type: ignore[type-var]  # every game is a dataclass
