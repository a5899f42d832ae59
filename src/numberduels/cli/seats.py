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
    stand_in: str = ""
    """What somebody without a name is called on the screen, such as "you"."""

    @property
    def shown_name(self) -> str:
        """What the seat is called on the screen; empty for "Player 1" alone."""
        return self.name or self.stand_in


def names_for_you(kinds: tuple[str, str], names: tuple[str, str]) -> tuple[str, str]:
    """The names as they are told to the only person in the game: "you" if that person has none.

    >>> names_for_you(("casual", "human"), ("the computer", "")), names_for_you(("human", "human"), ("", ""))
    (('the computer', 'you'), ('', ''))
    """
    if kinds.count(HUMAN) != 1:
        return names
    first, second = (name or (YOU if kind == HUMAN else "") for kind, name in zip(kinds, names, strict=True))
    return first, second


def with_stand_ins(seats: tuple[SeatSetup, SeatSetup]) -> tuple[SeatSetup, SeatSetup]:
    """The seats, with "you" on the screen for the only person if that person has no name."""
    one, other = seats
    first, second = names_for_you((one.kind, other.kind), (one.name, other.name))
    return one._replace(stand_in=first), other._replace(stand_in=second)
