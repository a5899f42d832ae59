"""Retrograde analysis: the exact value of every position, for any game with finitely many positions.

Values are propagated backwards from the final positions. The game need not end: a position that gets no value
is a draw, because both players can avoid losing for ever. A tie counts as a draw.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from numberduels.game.contract import Game, M, S, Symmetric
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, WIN, Oracle, TooLarge, Worth


class Retrograde(Oracle[S, M]):
    """Solves all positions reachable from the first position that is evaluated.

    >>> from numberduels.games.summation_duel.rules import SummationDuel
    >>> from random import Random
    >>> game = SummationDuel(size=10, target=20)
    >>> Retrograde(game).best_moves(game.start(Random()))
    [3]
    """

    method = "retrograde analysis of every position"

    def __init__(
        self, game: Game[S, M], max_positions: int = MAX_POSITIONS, *, use_symmetry: bool = True
    ) -> None:
        """With `use_symmetry`, equivalent positions are solved once, if the game is `Symmetric`."""
        super().__init__(game, max_positions)
        self._canonical: Callable[[Any], Any] = (
            game.canonical if use_symmetry and isinstance(game, Symmetric) else lambda state: state
        )
        self._worth: dict[S, Worth] = {}

    def evaluate(self, state: S) -> Worth:
        root = self._canonical(state)
        if root not in self._worth:
            self._worth.update(self._propagate(*self._explore(root)))
            self.positions = len(self._worth)
        return self._worth[root]

    def __iter__(self) -> Iterator[S]:
        """All solved positions."""
        return iter(self._worth)

    def _explore(self, root: S) -> tuple[dict[S, list[S]], dict[S, int]]:
        """All positions reachable from the root: the predecessors and the number of successors of each."""
        game, canonical = self.game, self._canonical
        parents: dict[S, list[S]] = {root: []}
        open_successors: dict[S, int] = {}
        queue = deque([root])  # breadth first: states that carry their history stay small
        while queue:
            state = queue.popleft()
            children = {canonical(game.play(state, move)) for move in game.moves(state)}
            open_successors[state] = len(children)
            for child in children:
                if child in parents:
                    parents[child].append(state)
                else:
                    parents[child] = [state]
                    queue.append(child)
            if len(parents) > self.max_positions:
                raise TooLarge(f"there are more than {self.max_positions:,} positions")
            if self.progress:
                self.progress(len(parents), 0)
        return parents, open_successors

    def _propagate(self, parents: dict[S, list[S]], open_successors: dict[S, int]) -> dict[S, Worth]:
        """Propagate values backwards in breadth-first order, so that remoteness is exact."""
        worth: dict[S, Worth] = {}
        ready: deque[S] = deque()
        for state, count in open_successors.items():
            if not count:
                outcome = self.game.outcome(state)
                assert outcome is not None, "a position without moves is the end of a game"
                if outcome.winner is not None:
                    won = outcome.winner == self.game.turn(state)
                    worth[state] = Worth(WIN if won else LOSS, 0)
                    ready.append(state)
        while ready:
            state = ready.popleft()
            value, plies, _, _ = worth[state]
            assert plies is not None
            for parent in parents[state]:
                if parent in worth:
                    continue
                open_successors[parent] -= 1
                if value == LOSS:
                    worth[parent] = Worth(WIN, plies + 1)
                elif not open_successors[parent]:
                    worth[parent] = Worth(LOSS, plies + 1)
                else:
                    continue
                ready.append(parent)
        for state in open_successors:
            worth.setdefault(state, Worth(DRAW))
        return worth
