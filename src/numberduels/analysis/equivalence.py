"""Which positions count as the same, so that sets of positions can be kept apart."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from numberduels.game import registry
from numberduels.game.contract import Scored, Symmetric


def equivalence_text(game: Any, state: Any) -> str:
    """A text that is the same for all equivalent positions of a game, in every process and with any options.

    Positions are equivalent if they have the same canonical form. In a game of points the scores do not
    count, because they do not change which move is best. What a position remembers of its past does not
    count either.

    >>> from numberduels.games.number_collision.rules import NumberCollision, Place
    >>> game = NumberCollision()
    >>> one, other = (game.play(game.start(None), move) for move in (Place(3, 1), Place(5, 10)))
    >>> equivalence_text(game, one) == equivalence_text(game, other)  # mirrored, and another number
    True
    """
    if isinstance(game, Scored):
        state = game.without_scores(state)
    if isinstance(game, Symmetric):
        state = game.canonical(state)
    return f"{registry.spec_of(game).name} {_stable_text(state)}"


def equivalence_class(game: Any, state: Any) -> str:
    """A short name for all positions that are equivalent to this one."""
    return sha256(equivalence_text(game, state).encode()).hexdigest()[:16]


def _stable_text(value: Any) -> str:
    """A text for a part of a position that is the same in every process; empty if there is none."""
    if isinstance(value, tuple):
        return f"({','.join(map(_stable_text, value))})"
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(_stable_text, value)))}}}"
    kind: Any = type(value)
    return "" if kind.__repr__ is object.__repr__ else repr(value)
