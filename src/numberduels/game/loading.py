"""Loading objects by their names, `module:attribute`, and files that lie beside a module."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any


@cache
def load_object(name: str, package: str = "") -> Any:
    """Import the module and return its attribute; the module is looked for inside `package`, if one is given.

    ImportError and AttributeError say what is missing.

    >>> load_object("rules:RangeWar", "numberduels.games.range_war")
    <class 'numberduels.games.range_war.rules.RangeWar'>
    """
    module, _, attribute = name.partition(":")
    found = import_module(f"{package}.{module}" if package else module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return found


def load_file(module: str, name: str) -> bytes | None:
    """The content of a file in the folder of a module; None if there is no such file.

    >>> load_file("numberduels.games.range_war.rules", "no such file")
    """
    from pkgutil import get_data

    try:
        return get_data(module, name)
    except OSError:
        return None
