"""MctsPlayer: Monte Carlo tree search."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Generic

from numberduels.game.contract import Game, M, Outcome, S, Seat
from numberduels.game.options import check_whole
from numberduels.players.player import Player
from numberduels.players.simple import moves_for_a_game

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
        root = Node(game, state, rng)
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


class Node(Generic[S, M]):
    """A position in the tree. `score` is for the player who moved there: 1 for a win, 1/2 for a draw."""

    __slots__ = ("children", "outcome", "score", "state", "turn", "untried", "visits")

    def __init__(self, game: Game[S, M], state: S, rng: Random) -> None:
        self.state = state
        self.turn: Seat = game.turn(state)
        self.outcome = game.outcome(state)
        self.untried = list(game.moves(state))
        rng.shuffle(self.untried)
        self.children: dict[M, Node[S, M]] = {}
        self.visits = 0
        self.score = 0.0

    def best_child(self) -> Node[S, M]:
        """The child with the highest upper confidence bound."""
        spread = 2 * log(self.visits)
        return max(
            self.children.values(), key=lambda child: child.score / child.visits + sqrt(spread / child.visits)
        )


def iterate(game: Game[S, M], root: Node[S, M], rng: Random) -> int:
    """One iteration: select, expand, simulate and update; how many legal moves the simulation had."""
    node, path = root, [root]
    while not node.untried and node.children and len(path) < DEEPEST:
        node = node.best_child()
        path.append(node)
    if node.untried:
        move = node.untried.pop()
        node.children[move] = node = Node(game, game.play(node.state, move), rng)
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
