"""Advice at the table: a good move, and one sentence on why."""

from __future__ import annotations

from random import Random

from numberduels.core import Game, M, S
from numberduels.messages import Message
from numberduels.oracles import make_oracle, strongest_moves
from numberduels.players.mcts import MctsPlayer
from numberduels.players.player import Player
from numberduels.players.simple import GreedyPlayer
from numberduels.solvers import TooLarge

QUICK = 40_000
"""The most positions to search while the player waits."""

FEW = 60
"""With more legal moves, Monte Carlo tree search would take too long."""


def find_hint(game: Game[S, M], state: S, rng: Random) -> tuple[M, Message]:
    """A move to make, and why: proven where the rest of the game is known."""
    oracle = make_oracle(game, QUICK)
    try:
        move: M = rng.choice(strongest_moves(oracle, state))
        return move, oracle.why(state, move)
    except TooLarge:
        few = len(game.moves(state)) <= FEW
        player: Player = MctsPlayer(1_000) if few else GreedyPlayer()
        return player.choose(game, state, rng), Message("It looks good, but that is not proven.")
