"""Advice at the table: a good move and one phrase on how sure it is."""

from __future__ import annotations

from random import Random

from numberduels.core import Game, M, S
from numberduels.players.mcts import MctsPlayer
from numberduels.players.simple import GreedyPlayer
from numberduels.solve import DRAW, LOSS, WIN, TooLarge, solver

QUICK = 20_000
"""Positions that can be solved while somebody waits."""

FEW = 60
"""Moves among which it can be found out by trying, while somebody waits."""

VERDICTS = {
    WIN: "it wins",
    DRAW: "it holds the draw; nothing wins by force",
    LOSS: "every move loses against best play; this one makes it hardest",
}


def hint(game: Game[S, M], state: S, rng: Random) -> tuple[M, str]:
    """A move to make, and why: proven where the rest of the game can be solved at once."""
    try:
        solved = solver(game, state, QUICK)
    except TooLarge:
        few = len(game.moves(state)) <= FEW
        player = MctsPlayer(1_000) if few else GreedyPlayer()
        return player.choose(game, state, rng), "it looks good, but that is not proven"
    return rng.choice(solved.best(state)), VERDICTS[solved.value(state)]
