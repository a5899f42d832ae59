"""Retrograde analysis: the exact value of every position, right for any finite set of positions.

It is right for endless play too. Values are spread backwards from the ends of games; a position
that no end can force a value upon is one from which both sides can avoid losing for ever: a draw.
A tie counts as a draw, since neither side wins.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from numberduels.core import Game, M, S, Symmetric
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, WIN, Oracle, TooLarge, Worth


class Retrograde(Oracle[S, M]):
    """Every position that can be reached from the first one asked about, solved together.

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
        """Nothing is solved yet; twins are solved as one unless `canonical` is off."""
        super().__init__(game, max_positions)
        self._canonical: Callable[[Any], Any] = (
            game.canonical if use_symmetry and isinstance(game, Symmetric) else lambda twin: twin
        )
        self._worth: dict[S, Worth] = {}

    def evaluate(self, state: S) -> Worth:
        twin = self._canonical(state)
        if twin not in self._worth:
            self._worth.update(self._spread(*self._gather(twin)))
            self.positions = len(self._worth)
        return self._worth[twin]

    def __iter__(self) -> Iterator[S]:
        """Every position that has been solved."""
        return iter(self._worth)

    def _gather(self, root: S) -> tuple[dict[S, list[S]], dict[S, int]]:
        """All positions from the root on: who leads to each, and how many ways lead out of it."""
        game, canonical = self.game, self._canonical
        parents: dict[S, list[S]] = {root: []}
        ways: dict[S, int] = {}
        waiting = deque([root])  # nearest first: a state that carries its history stays small
        while waiting:
            state = waiting.popleft()
            children = {canonical(game.play(state, move)) for move in game.moves(state)}
            ways[state] = len(children)
            for child in children:
                if child in parents:
                    parents[child].append(state)
                else:
                    parents[child] = [state]
                    waiting.append(child)
            if len(parents) > self.max_positions:
                raise TooLarge(f"there are more than {self.max_positions:,} positions")
        return parents, ways

    def _spread(self, parents: dict[S, list[S]], ways: dict[S, int]) -> dict[S, Worth]:
        """Values from the ends of games backwards, nearest first, so that plies come out right."""
        worth: dict[S, Worth] = {}
        ready: deque[S] = deque()
        for state, count in ways.items():
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
                ways[parent] -= 1
                if value == LOSS:
                    worth[parent] = Worth(WIN, plies + 1)
                elif not ways[parent]:
                    worth[parent] = Worth(LOSS, plies + 1)
                else:
                    continue
                ready.append(parent)
        for state in ways:
            worth.setdefault(state, Worth(DRAW))
        return worth
