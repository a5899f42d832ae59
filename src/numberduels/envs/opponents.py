"""Who plays against the agent: a player by name, a Player, or a function."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from numberduels import players
from numberduels.options import BadOption
from numberduels.players import Player
from numberduels.players.callables import CallablePlayer

Opponent = str | Player | type[Player] | Callable[[Any, Any, Random], Any]
"""What can be asked for."""


def opponent_of(given: object) -> Player:
    """The player that was asked for; ValueError says what would be right.

    A text is a name, as the `duel` command knows players. A Player is used as it is, and a class of players
    is made without arguments. Anything else that can be called is asked for each move, as
    `choose(game, state, rng)`.

    >>> opponent_of("greedy").name
    'greedy'
    >>> opponent_of(lambda game, state, rng: max(game.moves(state))).name
    '<lambda>'
    """
    if isinstance(given, str) and given != "human":
        return players.find(given)
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
