"""Games of other libraries, named by a text, as games of ours.

- `openspiel:NAME(parameters)` a game of OpenSpiel
- `pettingzoo:NAME` a classic environment of PettingZoo, such as `pettingzoo:tictactoe_v3`
- `python:FILE.py:NAME` a class or a function of a file: a Gymnasium environment that steps both seats, or
  one of PettingZoo

`python:` and `pettingzoo:` run code, so they are adopted only if the person at the keyboard names them. A
file, a request or a plan cannot do that: see `allow`.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from numberduels.adopted.simulator import CannotAdopt, Environment
from numberduels.loading import load_object
from numberduels.spec import GameSpec
from numberduels.text import short

__all__ = [
    "CannotAdopt",
    "adopt",
    "allow",
    "is_adopted",
    "is_allowed",
    "load_environment",
    "restore",
    "runs_code",
    "split_text",
]

KINDS = {
    "openspiel": "openspiel:load_environment",
    "pettingzoo": "pettingzoo_env:load_environment",
    "python": "python_file:load_environment",
}
"""The kinds of adopted games and the functions that load them."""

CODE = ("pettingzoo", "python")
"""The kinds that import what the text names."""

ALLOWED = "NUMBERDUELS_ALLOW_CODE"
"""The environment variable with the games, one a line, that may run code. Worker processes inherit it."""

FORMS = "openspiel:NAME, pettingzoo:NAME or python:FILE.py:NAME"


def is_adopted(text: str) -> bool:
    """Whether a text names a game of another library.

    >>> is_adopted("openspiel:nim"), is_adopted("range-war:size=12")
    (True, False)
    """
    kind, colon, _ = text.partition(":")
    return bool(colon) and kind in KINDS


def split_text(text: str) -> tuple[str, list[str]]:
    """The name of an adopted game, and the options that follow it after colons.

    >>> split_text("openspiel:connect_four(rows=4,columns=4)")
    ('openspiel:connect_four(rows=4,columns=4)', [])
    >>> split_text("python:games/x.py:CustomEnv:deal=3")
    ('python:games/x.py:CustomEnv', ['deal=3'])
    """
    parts = text.split(":")
    count = len(parts)
    while count > 2 and "=" in parts[count - 1] and "(" not in parts[count - 1]:
        count -= 1
    return ":".join(parts[:count]), parts[count:]


def allow(text: str) -> None:
    """Note that the person at the keyboard named this game, so that its code may run, here and in workers."""
    if not is_allowed(text):
        os.environ[ALLOWED] = "\n".join([*_allowed(), text])


def is_allowed(text: str) -> bool:
    """Whether this game may be loaded: it runs no code that the text names, or it was allowed."""
    return not runs_code(text) or text in _allowed()


def runs_code(text: str) -> bool:
    """Whether loading this game imports what the text names.

    >>> runs_code("python:my_env.py:CustomEnv"), runs_code("openspiel:nim"), runs_code("range-war")
    (True, False, False)
    """
    return is_adopted(text) and text.partition(":")[0] in CODE


def _allowed() -> list[str]:
    return [each for each in os.environ.get(ALLOWED, "").split("\n") if each]


def adopt(text: str) -> GameSpec:
    """The spec of an adopted game; CannotAdopt says why there is none."""
    if not is_allowed(text):
        raise CannotAdopt(
            f"{short(text, 120)} is code, which runs only if you name it on the command line; to allow it for"
            f" a file that you trust, set {ALLOWED} to this name"
        )
    return _specs(text)


@cache
def _specs(text: str) -> GameSpec:
    environment = load_environment(text)
    if environment.text != text:
        return _specs(environment.text)
    spec: GameSpec = load_object("game:make_spec", __name__)(environment)
    return spec


def load_environment(text: str) -> Environment:
    """The environment behind a text, without any question whether it may run."""
    kind, _, name = text.partition(":")
    if kind not in KINDS or not name:
        raise CannotAdopt(f"{short(text)} is no game of another library; write {FORMS}")
    environment: Environment = load_object(KINDS[kind], __name__)(name)
    return environment


def restore(text: str, seed: int) -> Any:
    """The game of a pickle, which only our own processes exchange."""
    spec = adopt(text)
    return spec.build({"deal": seed} if seed else {})
