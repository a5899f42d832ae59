"""MctsPlayer: Monte Carlo tree search."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Generic

from numberduels.core import Game, M, Outcome, S, Seat
from numberduels.options import check_whole
from numberduels.players.player import Player

DEEPEST = 400
"""A simulated game with more moves counts as a draw."""


class MctsPlayer(Player):
    """Monte Carlo tree search with UCB1 and random rollouts."""

    def __init__(self, iterations: int = 1_000) -> None:
        check_whole("the number of iterations", iterations, 1, 10_000_000)
        self.iterations = iterations
        self.name = f"mcts:{iterations}"

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        root = Node(game, state, rng)
        if len(root.untried) == 1:
            return root.untried[0]
        for done in range(self.iterations):
            if self.progress:
                self.progress(done, self.iterations)
            iterate(game, root, rng)
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


def iterate(game: Game[S, M], root: Node[S, M], rng: Random) -> None:
    """One iteration: select, expand, simulate and update."""
    node, path = root, [root]
    while not node.untried and node.children and len(path) < DEEPEST:
        node = node.best_child()
        path.append(node)
    if node.untried:
        move = node.untried.pop()
        node.children[move] = node = Node(game, game.play(node.state, move), rng)
        path.append(node)
    outcome = node.outcome or simulate(game, node.state, rng)
    for node in path:
        node.visits += 1
        if outcome is None or outcome.winner is None:
            node.score += 0.5
        elif outcome.winner != node.turn:
            node.score += 1


def simulate(game: Game[S, M], state: S, rng: Random) -> Outcome | None:
    """The outcome of random play; None if it takes too long."""
    chance = rng.random
    for _ in range(DEEPEST):
        if outcome := game.outcome(state):
            return outcome
        moves = game.moves(state)
        state = game.play(state, moves[int(chance() * len(moves))])
    return None
