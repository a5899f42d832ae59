"""SeatSetup: who sits where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numberduels.game.contract import HUMAN

if TYPE_CHECKING:
    from numberduels.players import Player


YOU = "you"
"""What the player at this keyboard is called."""


class SeatSetup(NamedTuple):
    """One seat: a name or "", a kind such as `human` or `mcts:400`, and the computer player if any."""

    name: str = ""
    """The name in the record."""
    kind: str = HUMAN
    player: Player | None = None
