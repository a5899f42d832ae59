"""RandomPlayer and GreedyPlayer, which look at most two moves ahead."""

from __future__ import annotations

from random import Random

from numberduels.game.contract import Game, M, S
from numberduels.players.player import Player

WINS, SAFE, TIES, HANDS_OVER, LOSES = 4, 3, 2, 1, 0
"""How a move looks two plies ahead: better is more. A safe one ends nothing and hands over no win."""

PATIENCE = 5_000
"""Replies that are looked at in one position; moves that come after them look safe."""


class RandomPlayer(Player):
    """Plays a random legal move."""

    name = "random"

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        # What rng.choice draws, without its two calls.
        moves = game.moves(state)
        count = len(moves)
        width = count.bit_length()
        number = rng.getrandbits(width)
        while number >= count > 0:
            number = rng.getrandbits(width)
        return moves[number]


class GreedyPlayer(Player):
    """Wins at once if it can, and avoids moves after which the opponent can; otherwise random.

    Its first move of a game does not win at once: the opponent has had no move yet.
    """

    name = "greedy"

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        moves = moves_for_a_game(game, state)
        rng.shuffle(moves)
        for move in moves:
            if wins_at_once(game, state, move):
                return move
        for move in moves:
            if outlook(game, state, move) == SAFE:
                return move
        # Every move left loses now or next turn, or ends in a tie: prefer the tie, then the later loss.
        return max(moves, key=lambda move: outlook(game, state, move))


def moves_for_a_game(game: Game[S, M], state: S) -> list[M]:
    """The legal moves; as the first move of a game, only those that leave the opponent a choice, if any do.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> moves_for_a_game(RangeWar(5), RangeWar(5).start(Random()))
    [3, 4, 5]
    """
    moves = list(game.moves(state))
    if state != game.start(Random(0)):  # a start that is dealt has no such moves
        return moves
    return [move for move in moves if len(game.moves(game.play(state, move))) > 1] or moves


def wins_at_once(game: Game[S, M], state: S, move: M) -> bool:
    """Whether the move ends the game with a win for the player who makes it."""
    outcome = game.outcome(game.play(state, move))
    return outcome is not None and outcome.winner == game.turn(state)


def outlook(game: Game[S, M], state: S, move: M) -> int:
    """How the move looks two plies ahead."""
    after = game.play(state, move)
    outcome = game.outcome(after)
    if outcome is None:
        handed = any(wins_at_once(game, after, reply) for reply in game.moves(after))
        return HANDS_OVER if handed else SAFE
    return TIES if outcome.winner is None else WINS if outcome.winner == game.turn(state) else LOSES


def moves_in_sight(game: Game[S, M], state: S) -> list[M]:
    """The moves among which somebody hesitates who looks two plies ahead.

    >>> from numberduels.games.summation_duel.rules import SummationDuel
    >>> game = SummationDuel(size=5, target=9)
    >>> moves_in_sight(game, game.start(Random()))  # after 4 and 5 the opponent adds the other
    [1, 2, 3]
    """
    looks: dict[M, int] = {}
    patience = PATIENCE
    for move in moves_for_a_game(game, state):
        looks[move] = SAFE if patience < 0 else outlook(game, state, move)
        patience -= len(game.moves(game.play(state, move))) if patience >= 0 else 0
    best = max(looks.values())
    return [move for move, look in looks.items() if look == best]
