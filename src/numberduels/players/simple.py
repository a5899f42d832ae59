"""RandomPlayer and GreedyPlayer, which look at most two moves ahead."""

from __future__ import annotations

from random import Random

from numberduels.core import Game, M, S
from numberduels.players.player import Player


class RandomPlayer(Player):
    """Plays a random legal move."""

    name = "random"

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        return rng.choice(game.moves(state))


class GreedyPlayer(Player):
    """Wins at once if it can, and avoids moves after which the opponent can; otherwise random."""

    name = "greedy"

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        moves = list(game.moves(state))
        rng.shuffle(moves)
        for move in moves:
            if wins_at_once(game, state, move):
                return move
        for move in moves:
            after = game.play(state, move)
            if not game.outcome(after) and not any(
                wins_at_once(game, after, reply) for reply in game.moves(after)
            ):
                return move
        # Every move left loses now or next turn, or ends in a tie: prefer the tie, then the later loss.
        return max(moves, key=lambda move: self._rank(game, state, move))

    @staticmethod
    def _rank(game: Game[S, M], state: S, move: M) -> int:
        outcome = game.outcome(game.play(state, move))
        if outcome is None:
            return 1
        return 2 if outcome.winner is None else 0


def wins_at_once(game: Game[S, M], state: S, move: M) -> bool:
    """Whether the move ends the game with a win for the player who makes it."""
    outcome = game.outcome(game.play(state, move))
    return outcome is not None and outcome.winner == game.turn(state)
