"""Players that look ahead without solving the game: random, greedy, and Monte Carlo tree search."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Generic

from numberduels.game.contract import Game, M, Outcome, S, Seat
from numberduels.game.options import check_whole
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


# Monte Carlo tree search

DEEPEST = 400
"""A simulated game with more moves counts as a draw."""


class MctsPlayer(Player):
    """Monte Carlo tree search with UCB1 and random rollouts.

    As its first move of a game, it tries only moves that leave the opponent a choice.
    """

    def __init__(self, iterations: int = 1_000, patience: int | None = None) -> None:
        """With `patience` it stops early after that many legal moves of simulated games."""
        check_whole("the number of iterations", iterations, 1, 10_000_000)
        self.iterations = iterations
        self._patience = patience
        self.name = f"mcts:{iterations}"

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        root = TreeNode(game, state, rng)
        root.untried = moves_for_a_game(game, state)
        rng.shuffle(root.untried)
        if len(root.untried) == 1:
            return root.untried[0]
        looked_at = 0
        for done in range(self.iterations):
            if self.progress:
                self.progress(done, self.iterations)
            looked_at += iterate(game, root, rng)
            if self._patience is not None and looked_at > self._patience:
                break
        return max(root.children, key=lambda move: root.children[move].visits)


class TreeNode(Generic[S, M]):
    """A position in the tree. `score` is for the player who moved there: 1 for a win, 1/2 for a draw."""

    __slots__ = ("children", "outcome", "score", "state", "turn", "untried", "visits")

    def __init__(self, game: Game[S, M], state: S, rng: Random) -> None:
        self.state = state
        self.turn: Seat = game.turn(state)
        self.outcome = game.outcome(state)
        self.untried = list(game.moves(state))
        rng.shuffle(self.untried)
        self.children: dict[M, TreeNode[S, M]] = {}
        self.visits = 0
        self.score = 0.0

    def best_child(self) -> TreeNode[S, M]:
        """The child with the highest upper confidence bound."""
        spread = 2 * log(self.visits)
        return max(
            self.children.values(), key=lambda child: child.score / child.visits + sqrt(spread / child.visits)
        )


def iterate(game: Game[S, M], root: TreeNode[S, M], rng: Random) -> int:
    """One iteration: select, expand, simulate and update; how many legal moves the simulation had."""
    node, path = root, [root]
    while not node.untried and node.children and len(path) < DEEPEST:
        node = node.best_child()
        path.append(node)
    if node.untried:
        move = node.untried.pop()
        node.children[move] = node = TreeNode(game, game.play(node.state, move), rng)
        path.append(node)
    outcome, looked_at = (node.outcome, 0) if node.outcome else simulate(game, node.state, rng)
    for node in path:
        node.visits += 1
        if outcome is None or outcome.winner is None:
            node.score += 0.5
        elif outcome.winner != node.turn:
            node.score += 1
    return looked_at


def simulate(game: Game[S, M], state: S, rng: Random) -> tuple[Outcome | None, int]:
    """The outcome of random play, None if it takes too long; and the legal moves of all its positions."""
    chance = rng.random
    looked_at = 0
    for _ in range(DEEPEST):
        if outcome := game.outcome(state):
            return outcome, looked_at
        moves = game.moves(state)
        looked_at += len(moves)
        state = game.play(state, moves[int(chance() * len(moves))])
    return None, looked_at
