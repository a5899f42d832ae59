"""What the settings let the background process check: making a large game takes a while."""

from __future__ import annotations

from collections.abc import Mapping

from numberduels.game import registry
from numberduels.game.options import BadOption


def option_fault(game: str, texts: Mapping[str, str]) -> tuple[str, str] | None:
    """What is wrong with the player's own sizes: the option and a sentence; None if nothing is.

    Options that are not given are the book's. The option is empty if several do not fit together.

    >>> option_fault("range-war", {"size": "0"})
    ('size', 'size must be a whole number from 1 to 10000, not 0')
    """
    try:
        registry.spec(game).make(dict(texts))
    except BadOption as fault:
        return fault.name, str(fault)
    except ValueError as fault:
        return "", str(fault)
    return None
