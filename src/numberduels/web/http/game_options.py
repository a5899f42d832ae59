"""Makes the game that a visitor asks for, within the limits of the server."""

from __future__ import annotations

from dataclasses import Field
from random import SystemRandom
from typing import Any

from numberduels import options
from numberduels.spec import GameSpec
from numberduels.text import short
from numberduels.web.errors import UserError, sentence
from numberduels.web.settings import Settings

MAX_TEXT = 2_000
"""Characters of the text of one option."""


def requested_game(spec: GameSpec, fields: dict[str, str], settings: Settings) -> Any:
    """The game with the options of a form; UserError names the option and the limit that it exceeds."""
    declared = {each.name: each for each in options.declared(spec.rules)}
    for given in fields:
        if given.startswith("options.") and given.removeprefix("options.") not in declared:
            raise UserError("option", f"{spec.title} has no option {short(given[8:])}.")
    texts = {name: fields.get(f"options.{name}", "").strip() for name in declared}
    texts = {name: text for name, text in texts.items() if text}
    too_large: list[UserError] = []
    try:
        for name in texts:
            texts[name] = _limited(declared[name], texts[name], settings.largest, too_large)
        game = spec.make(texts)
    except options.BadOption as error:
        name = error.name if error.name in declared else next(reversed(texts), "")
        if error.bounds and name:
            low, high = error.bounds
            high = min(high, largest_value(declared[name], settings.largest))
            raise _bounds_error(declared[name], low, high) from None
        alone = not name or declared[name].metadata["choices"]
        raise _option_error("option" if alone else "option.together", str(error), name) from None
    except ValueError as error:  # about several options together
        raise _option_error("option.together", str(error), next(reversed(texts), "")) from None
    if too_large:
        raise too_large[0]
    moves = len(game.moves(game.start(SystemRandom())))
    most = settings.legal_moves
    if moves > most:
        text = f"a game here may begin with at most {most} possible moves, and this one has {moves}"
        raise _option_error("option.moves", text, next(reversed(texts), ""), most=most, moves=moves)
    return game


def largest_value(option: Field[Any], most: int) -> int:
    """The largest value of an option, or of each number in a list, if a size may be at most `most`.

    An option with a large default, such as a target, may be larger in proportion.
    """
    return most * max(1, option.default // 10) if isinstance(option.default, int) else 10 * most


def _option_error(key: str, text: str, name: str, **values: object) -> UserError:
    field = f"options.{name}" if name else ""
    return UserError(key, sentence(ValueError(text)), field, option=name, **values)


def _bounds_error(option: Field[Any], low: int, high: int) -> UserError:
    single = isinstance(option.default, int)
    what = option.name if single else f"each of the {option.name}"
    text = f"{what} must be a whole number from {low} to {high}"
    return _option_error(
        "option.bounds" if single else "option.bounds_each", text, option.name, low=low, high=high
    )


def _limited(option: Field[Any], text: str, most: int, too_large: list[UserError]) -> str:
    """The text of an option, or the largest allowed value: nothing larger is ever made.

    The error for a value that is too large comes last, because the game itself may have a lower limit.
    """
    name, top = option.name, largest_value(option, most)
    if len(text) > MAX_TEXT:
        message = f"{name} may have at most {MAX_TEXT} characters"
        raise _option_error("option.longest", message, name, most=MAX_TEXT)
    try:
        value = options.read(option, text)
    except options.BadOption:  # the game has a better message for this
        return text
    if isinstance(value, int) and value > top:
        too_large.append(_option_error("option.large", f"{name} may be at most {top}", name, most=top))
        return str(top)
    if isinstance(value, tuple) and len(value) > most:
        raise _option_error("option.many_numbers", f"{name} may have at most {most} entries", name, most=most)
    if isinstance(value, tuple) and max(value, default=0) > top:
        raise _option_error("option.large_number", f"each of the {name} may be at most {top}", name, most=top)
    return text
