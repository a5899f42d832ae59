"""Makes the game that a visitor asks for, within the limits of the server."""

from __future__ import annotations

from dataclasses import Field
from random import SystemRandom
from typing import Any

from numberduels.game import options
from numberduels.game.formatting import short
from numberduels.game.messages import Message, mark, message_of
from numberduels.game.spec import GameSpec, RuleSet
from numberduels.web.errors import UserError, sentence
from numberduels.web.settings import Settings

MAX_TEXT = 2_000
"""Characters of the text of one option."""


def requested_rules(spec: GameSpec, fields: dict[str, str]) -> RuleSet:
    """The rule set that a form names; the book's if it names none."""
    key = fields.get("rules") or spec.rule_sets[0].key
    for each in spec.rule_sets:
        if each.key == key:
            return each
    keys = " or ".join(each.key for each in spec.rule_sets)
    raise UserError(
        "rules",
        Message("{game} has no rules {rules}; choose {all}.", game=spec.title, rules=short(key), all=keys),
        "rules",
    )


def requested_game(spec: GameSpec, fields: dict[str, str], settings: Settings) -> Any:
    """The game with the rules and options of a form; UserError names the option that exceeds its limit."""
    declared = {each.name: each for each in options.declared(spec.rules)}
    for given in fields:
        if given.startswith("options.") and given.removeprefix("options.") not in declared:
            raise UserError(
                "option", Message("{game} has no option {option}.", game=spec.title, option=short(given[8:]))
            )
    texts = {name: fields.get(f"options.{name}", "").strip() for name in declared}
    rules = requested_rules(spec, fields).options
    texts = {name: options.format_value(value) for name, value in rules.items()} | {
        name: text for name, text in texts.items() if text
    }
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
        field = f"options.{name}" if name else ""
        raise UserError("option" if alone else "option.together", sentence(error), field) from None
    except ValueError as error:  # about several options together
        field = f"options.{next(reversed(texts), '')}" if texts else ""
        raise UserError("option.together", sentence(error), field, message_of(error)) from None
    if too_large:
        raise too_large[0]
    moves = len(game.moves(game.start(SystemRandom())))
    most = settings.legal_moves
    if moves > most:
        text = mark("A game here may begin with at most {most} possible moves, and this one has {moves}.")
        raise _option_error("option.moves", text, next(reversed(texts), ""), most=most, moves=moves)
    return game


def largest_value(option: Field[Any], most: int) -> int:
    """The largest value of an option, or of each number in a list, if a size may be at most `most`.

    An option with a large default, such as a target, may be larger in proportion.
    """
    return most * max(1, option.default // 10) if isinstance(option.default, int) else 10 * most


def _option_error(code: str, template: str, name: str, **values: Any) -> UserError:
    """An error about one option. Bots know it by its name, and `forms.error_text` puts in its label."""
    message = Message(template, option=name.capitalize(), name=name, **values)
    return UserError(code, message, f"options.{name}" if name else "")


def _bounds_error(option: Field[Any], low: int, high: int) -> UserError:
    if isinstance(option.default, int):
        return _option_error(
            "option",
            mark("{option} must be a whole number from {low} to {high}."),
            option.name,
            low=low,
            high=high,
        )
    return _option_error(
        "option",
        mark("Each of the {name} must be a whole number from {low} to {high}, with commas between them."),
        option.name,
        low=low,
        high=high,
    )


def _limited(option: Field[Any], text: str, most: int, too_large: list[UserError]) -> str:
    """The text of an option, or the largest allowed value: nothing larger is ever made.

    The error for a value that is too large comes last, because the game itself may have a lower limit.
    """
    name, top = option.name, largest_value(option, most)
    if len(text) > MAX_TEXT:
        raise _option_error(
            "option", mark("{option} may have at most {most} characters."), name, most=MAX_TEXT
        )
    try:
        value = options.read(option, text)
    except options.BadOption:  # the game has a better message for this
        return text
    if isinstance(value, int) and value > top:
        too_large.append(_option_error("option", mark("{option} may be at most {most}."), name, most=top))
        return str(top)
    if isinstance(value, tuple) and len(value) > most:
        raise _option_error("option", mark("{option} may be at most {most} numbers."), name, most=most)
    if isinstance(value, tuple) and max(value, default=0) > top:
        raise _option_error("option", mark("Each of the {name} may be at most {most}."), name, most=top)
    return text
