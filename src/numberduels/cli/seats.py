"""SeatSetup: who sits where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numberduels.core import HUMAN

if TYPE_CHECKING:
    from numberduels.players import Player


class SeatSetup(NamedTuple):
    """One seat: a name or "", a kind such as `human` or `mcts:400`, and the computer player if any."""

    name: str = ""
    kind: str = HUMAN
    player: Player | None = None
