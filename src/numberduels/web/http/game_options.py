"""The game that a visitor asks for, within the limits of the server; refusals name limit and field."""

from __future__ import annotations

from dataclasses import Field
from random import SystemRandom
from typing import Any

from numberduels import options
from numberduels.spec import GameSpec
from numberduels.text import short
from numberduels.web.http import forms
from numberduels.web.match.model import Refused
from numberduels.web.settings import Settings

LONGEST = 2_000
"""Characters of the text of one option."""


def requested_game(spec: GameSpec, fields: dict[str, str], settings: Settings) -> Any:
    """The game that a form asks for, no larger than visitors may have it."""
    declared = {each.name: each for each in options.declared(spec.rules)}
    for given in fields:
        if given.startswith("options.") and given.removeprefix("options.") not in declared:
            raise Refused("option", f"{spec.title} has no option {short(given[8:])}.", 422)
    texts = {name: fields.get(f"options.{name}", "").strip() for name in declared}
    texts = {name: text for name, text in texts.items() if text}
    too_large: list[Refused] = []
    try:
        for name in texts:
            texts[name] = _bounded(declared[name], texts[name], settings.largest, too_large)
        found = spec.make(texts)
    except options.BadOption as fault:
        name = fault.name if fault.name in declared else next(reversed(texts), "")
        if fault.bounds and name:
            low, high = fault.bounds
            high = min(high, allowed(declared[name], settings.largest))
            single = isinstance(declared[name].default, int)
            text = f"{name if single else f'each of the {name}'} must be a whole number from {low} to {high}"
            raise _bad(
                "option.bounds" if single else "option.bounds_each", text, name, low=low, high=high
            ) from None
        alone = not name or declared[name].metadata["choices"]
        raise _bad("option", str(fault), name, 422 if alone else 409) from None
    except ValueError as fault:  # about several options together
        raise _bad("option", str(fault), next(reversed(texts), ""), 409) from None
    if too_large:
        raise too_large[0]
    moves = len(found.moves(found.start(SystemRandom())))
    most = settings.legal_moves
    if moves > most:
        text = f"a game here may begin with at most {most} possible moves, and this one has {moves}"
        raise _bad("option.moves", text, next(reversed(texts), ""), 409, most=most, moves=moves)
    return found


def _bad(key: str, text: str, option: str, status: int = 422, **values: object) -> Refused:
    field = f"options.{option}" if option else ""
    return Refused(key, forms.sentence(ValueError(text)), status, field, option=option, **values)


def _bounded(each: Field[Any], text: str, most: int, too_large: list[Refused]) -> str:
    """The text of an option, or of the largest value that it may have, before anything larger is made.

    What was too large is refused afterwards, unless the game itself has a tighter limit to tell.
    """
    name = each.name
    if len(text) > LONGEST:
        raise _bad(
            "option.longest",
            f"{name} may have at most {LONGEST} characters",
            name,
            most=LONGEST,
        )
    top = allowed(each, most)
    try:
        value = options.read(each, text)
    except options.BadOption:  # the game itself says it better
        return text
    if isinstance(value, int) and value > top:
        too_large.append(_bad("option.large", f"{name} may be at most {top}", name, most=top))
        return str(top)
    if isinstance(value, tuple) and len(value) > most:
        raise _bad("option.many_numbers", f"{name} may have at most {most} entries", name, most=most)
    if isinstance(value, tuple) and max(value, default=0) > top:
        raise _bad("option.large_number", f"each of the {name} may be at most {top}", name, most=top)
    return text


def allowed(each: Field[Any], most: int) -> int:
    """How large the value of an option, or each in a list, may be, where a size may be as large as `most`.

    A target grows faster than what it is made of.
    """
    return most * max(1, each.default // 10) if isinstance(each.default, int) else 10 * most
