"""Monte Carlo tree search: the move that did best in many games played in the head."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Generic

from numberduels.core import Game, M, Outcome, S, Seat
from numberduels.options import check_whole
from numberduels.players.player import Player

DEEPEST = 400
"""Moves after which a game played in the head counts as a draw."""


class MctsPlayer(Player):
    """Upper confidence bounds on trees, with random play beyond the tree."""

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
            grow(game, root, rng)
        return max(root.children, key=lambda move: root.children[move].visits)


class Node(Generic[S, M]):
    """A position in the tree. `score` counts for the player who moved into it: a win 1, a draw 1/2."""

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

    def favourite(self) -> Node[S, M]:
        """The child with the highest upper confidence bound."""
        spread = 2 * log(self.visits)
        return max(
            self.children.values(), key=lambda child: child.score / child.visits + sqrt(spread / child.visits)
        )


def grow(game: Game[S, M], root: Node[S, M], rng: Random) -> None:
    """One game in the head: down the tree, one new position, random to the end, and the result back up."""
    node, path = root, [root]
    while not node.untried and node.children and len(path) < DEEPEST:
        node = node.favourite()
        path.append(node)
    if node.untried:
        move = node.untried.pop()
        node.children[move] = node = Node(game, game.play(node.state, move), rng)
        path.append(node)
    outcome = node.outcome or finish(game, node.state, rng)
    for node in path:
        node.visits += 1
        if outcome is None or outcome.winner is None:
            node.score += 0.5
        elif outcome.winner != node.turn:
            node.score += 1


def finish(game: Game[S, M], state: S, rng: Random) -> Outcome | None:
    """How random play ends from here; None where it takes too long."""
    chance = rng.random
    for _ in range(DEEPEST):
        if outcome := game.outcome(state):
            return outcome
        moves = game.moves(state)
        state = game.play(state, moves[int(chance() * len(moves))])
    return None
