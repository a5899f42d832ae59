"""A game with its options as one text, such as `range-war:size=12`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from numberduels.game import options, registry
from numberduels.game.adopted import is_adopted, split_text


def read_game(text: str) -> tuple[str, Any]:
    """Parse a game such as `range-war:size=12`: returns its full text and the game.

    >>> read_game("range-war:size=12")
    ('range-war:size=12:opening=lower', RangeWar(size=12, opening='lower'))
    """
    if is_adopted(text):
        registry.adopted_spec(split_text(text)[0])  # whether it may be opened is asked every time
    return _read_game(text)


@lru_cache(maxsize=1024)
def _read_game(text: str) -> tuple[str, Any]:
    if is_adopted(text):
        name, given = split_text(text)
        spec = registry.adopted_spec(name)
    else:
        name, *given = text.split(":")
        spec = registry.find_spec(name)
    name = spec.name
    texts = {}
    for each in given:
        option, equals, value = each.partition("=")
        if not equals or option not in {field.name for field in options.declared(spec.rules)}:
            known = ", ".join(field.name for field in options.declared(spec.rules))
            hint = f"write {name}:option=value, with one of {known}" if known else "it has none"
            raise ValueError(f"{each!r} is no option of {name}; {hint}")
        texts[option] = value.replace("+", ",")
    game = spec.make(texts)
    return format_game(game), game


def format_game(game: Any) -> str:
    """A game as one text with all its options, which `read_game` reads.

    >>> from numberduels.games.number_snatch.rules import NumberSnatch
    >>> format_game(NumberSnatch(numbers=(2, 5, 7)))
    'number-snatch:size=3:top=20:numbers=2+5+7'
    """
    written = {
        option: value.replace(",", "+") for option, value in options.format_options(game).items() if value
    }
    return ":".join(
        [registry.spec_of(game).name, *(f"{option}={value}" for option, value in written.items())]
    )
