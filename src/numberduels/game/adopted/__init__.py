"""Games of other libraries, named by a text, as games of ours.

- `openspiel:NAME(parameters)` a game of OpenSpiel
- `pettingzoo:NAME` a classic environment of PettingZoo, such as `pettingzoo:tictactoe_v3`
- `python:FILE.py:NAME` a class or a function of a file: a Gymnasium environment that steps both seats, or
  one of PettingZoo

Their code runs in this process, so they are adopted only if the person at the keyboard names them. A file, a
request or a plan cannot do that: see `allow`.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from numberduels.game.adopted.interface import CannotAdopt, Environment, describe
from numberduels.game.formatting import printable, short
from numberduels.game.spec import GameSpec, load_object

__all__ = [
    "CannotAdopt",
    "adopt",
    "allow",
    "is_adopted",
    "load_environment",
    "restore",
    "split_text",
]

KINDS = {
    "openspiel": "openspiel:load_environment",
    "pettingzoo": "environments:load_pettingzoo",
    "python": "environments:load_python",
}
"""The kinds of adopted games and the functions that load them."""

ALLOWED = "NUMBERDUELS_ALLOW_CODE"
"""The environment variable with the games, one a line, that may be loaded. Worker processes inherit it."""

FORMS = "openspiel:NAME, pettingzoo:NAME or python:FILE.py:NAME"


def is_adopted(text: str) -> bool:
    """Whether a text names a game of another library.

    >>> is_adopted("openspiel:nim"), is_adopted("range-war:size=12")
    (True, False)
    """
    kind, colon, _ = text.partition(":")
    return bool(colon) and kind in KINDS


def split_text(text: str) -> tuple[str, list[str]]:
    """The name of a game, and the options that follow it after colons.

    >>> split_text("openspiel:connect_four(rows=4,columns=4)"), split_text("range-war:size=12")
    (('openspiel:connect_four(rows=4,columns=4)', []), ('range-war', ['size=12']))
    >>> split_text("python:games/x.py:CustomEnv:deal=3")
    ('python:games/x.py:CustomEnv', ['deal=3'])
    """
    parts = text.split(":")
    count = len(parts) if is_adopted(text) else 1
    while count > 2 and "=" in parts[count - 1] and "(" not in parts[count - 1]:
        count -= 1
    return ":".join(parts[:count]), parts[count:]


def allow(text: str) -> None:
    """Note that the person at the keyboard named this game, so that its code may run, here and in workers."""
    if text not in _allowed():
        os.environ[ALLOWED] = "\n".join([*_allowed(), text])


def _allowed() -> list[str]:
    return [each for each in os.environ.get(ALLOWED, "").split("\n") if each]


def adopt(text: str) -> GameSpec:
    """The spec of an adopted game; CannotAdopt says why there is none.

    Every text that names such a game comes here, and most of them come from files: a game that was not
    allowed is refused, before anything of it is loaded.
    """
    if text not in _allowed():
        raise CannotAdopt(
            f"{short(text, 120)} is a game of another library, which no file can open: type its name on the"
            " command line, after --game if it is the game of a file"
        )
    spec = _specs(text)
    allow(spec.name)  # the same game as its library writes it, and so as records name it
    return spec


@cache
def _specs(text: str) -> GameSpec:
    environment = load_environment(text)
    if environment.text != text:
        return _specs(environment.text)
    spec: GameSpec = load_object("game:make_spec", __name__)(environment)
    return spec


def load_environment(text: str) -> Environment:
    """The environment behind a text, without any question whether it may run; CannotAdopt if it fails."""
    kind, _, name = text.partition(":")
    if kind not in KINDS or not name:
        raise CannotAdopt(f"{short(text)} is no game of another library; write {FORMS}")
    load = load_object(KINDS[kind], __name__)
    try:
        environment: Environment = load(name)
    except (CannotAdopt, MemoryError):
        raise
    except (Exception, SystemExit) as fault:
        raise CannotAdopt(f"{short(text, 120)} cannot be loaded: {describe(fault)}") from None
    environment.title, environment.about = printable(environment.title), printable(environment.about)
    return environment


def restore(text: str, seed: int) -> Any:
    """The game of a pickle, which only our own processes exchange."""
    spec = adopt(text)
    return spec.build({"deal": seed} if seed else {})
