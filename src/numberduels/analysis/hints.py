"""Advice at the table: a good move, and one sentence on why."""

from __future__ import annotations

from random import Random

from numberduels.game.contract import Game, M, S
from numberduels.game.messages import Message
from numberduels.players.search import GreedyPlayer, MctsPlayer
from numberduels.solvers import TooLarge, make_oracle
from numberduels.solvers.choose import strongest_moves

QUICK = 100_000
"""The most positions to search while the player waits."""

FEW = 60
"""With more legal moves, Monte Carlo tree search would take too long."""


TRIES = 1_000
"""Games that are played out to find a move where nothing is proven."""


def find_hint(game: Game[S, M], state: S, rng: Random) -> tuple[M, Message]:
    """A move to make, and why: proven where the rest of the game is known."""
    oracle = make_oracle(game, QUICK)
    try:
        move: M = rng.choice(strongest_moves(oracle, state))
        return move, oracle.why(state, move)
    except TooLarge:
        if len(game.moves(state)) > FEW:
            return GreedyPlayer().choose(game, state, rng), Message("It looks good, but that is not proven.")
        return MctsPlayer(TRIES).choose(game, state, rng), Message(
            "It did best when the rest of the game was tried out {tries} times. That is no proof.",
            tries=str(TRIES),
        )
