"""Records for tests, made from the rules of a game alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from numberduels.game.record import Record
from numberduels.game.registry import spec_of


def record_of(game: Any, moves: Sequence[Hashable] = (), **rest: Any) -> Record:
    """The record of these moves; the spec is found by the rules."""
    return Record(spec_of(game), game, tuple(moves), **rest)
