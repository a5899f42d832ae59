"""PlayResult: what became of a game or a match at the prompt."""

from __future__ import annotations

from typing import NamedTuple

from numberduels.game.contract import Seat


class PlayResult(NamedTuple):
    """What became of a game or a match."""

    status: int
    """The exit status: 1 if the input ended or if the game could not be saved."""
    finished: bool = False
    first: Seat = 0
    """Who of the two began."""
    name: tuple[str, ...] = ()
    """The arguments of `duel review` for the last game; none if it was not saved."""
    input_ended: bool = False
