"""The opponent of the agent: a player by name, a Player, or a function."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from random import Random
from typing import Any

from numberduels import players
from numberduels.game.contract import HUMAN
from numberduels.game.options import BadOption
from numberduels.players import Player
from numberduels.players.callables import CallablePlayer

Opponent = str | Player | type[Player] | Callable[[Any, Any, Random], Any]
"""What the environments accept as an opponent."""


def make_opponent(given: object) -> Player:
    """The player for this opponent; ValueError says what is accepted.

    A string is the name of a player, as in the `duel` command. A Player is used as it is; a subclass of
    Player is called without arguments. Any other callable is a function `choose(game, state, rng)`.

    >>> make_opponent("greedy").name
    'greedy'
    >>> make_opponent(lambda game, state, rng: max(game.moves(state))).name
    '<lambda>'
    """
    if isinstance(given, str) and given != HUMAN:
        return players.make_player(given)
    if isinstance(given, Player):
        return given
    if isinstance(given, type) and issubclass(given, Player):
        return given()
    if callable(given):
        return CallablePlayer(getattr(given, "__name__", type(given).__name__), given)
    raise BadOption(
        "opponent",
        f"opponent is the name of a computer player ({', '.join(players.KINDS)}), a Player, or a"
        " function that is called with game, state and rng",
    )


class HasOpponent:
    """The `opponent` attribute of an environment."""

    _opponent: Player

    @property
    def opponent(self) -> Player:
        """The player against the agent. You may set another one at any time."""
        return self._opponent

    @opponent.setter
    def opponent(self, given: Opponent) -> None:
        player = make_opponent(given)
        self._accept(player)
        self._opponent = player

    @abstractmethod
    def _accept(self, player: Player) -> None:
        """Prepare the player for a running game; BadOption if it cannot play here."""
