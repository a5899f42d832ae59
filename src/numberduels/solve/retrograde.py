"""Retrograde analysis: the exact value of every position, right for any finite set of positions.

It is right for endless play too. Values are spread backwards from the ends of games; a position
that no end can force a value upon is one from which both sides can avoid losing for ever: a draw.
A tie counts as a draw, since neither side wins.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple

from numberduels.core import Folded, Game, M, S

WIN, DRAW, LOSS = 1, 0, -1


class TooLarge(ValueError):
    """More positions than the solver may look at: it has no value to give."""


class Worth(NamedTuple):
    """What a position is worth to the player to move, and in how many plies it ends at best play.

    The winner hurries and the loser delays; a draw has no end and so no number of plies.
    """

    value: int
    remoteness: int | None


class Retrograde(Generic[S, M]):
    """Every position that can be reached from a state, solved.

    >>> from numberduels.games.summation_duel.rules import SummationDuel
    >>> from random import Random
    >>> game = SummationDuel(size=10, target=20)
    >>> start = game.start(Random())
    >>> solved = Retrograde(game, start)
    >>> [move for move in game.moves(start) if solved.after(start, move).value == LOSS]
    [3]
    """

    def __init__(self, game: Game[S, M], state: S, most: int = 100_000, *, fold: bool = True) -> None:
        """Solve, twins as one unless `fold` is off; raises TooLarge beyond `most` positions."""
        self.game = game
        self._fold: Callable[[Any], Any] = (
            game.fold if fold and isinstance(game, Folded) else lambda twin: twin
        )
        self._worth: dict[S, Worth] = {}
        self._spread(*self._gather(self._fold(state), most))

    @property
    def positions(self) -> int:
        """How many positions were looked at, twins counted once."""
        return len(self._worth)

    def __iter__(self) -> Iterator[S]:
        """Every position that was solved."""
        return iter(self._worth)

    def __contains__(self, state: S) -> bool:
        """Whether the state is among the solved ones."""
        return self._fold(state) in self._worth

    def at(self, state: S) -> Worth:
        """What the state is worth to the player to move."""
        return self._worth[self._fold(state)]

    def after(self, state: S, move: M) -> Worth:
        """What the state after the move is worth to the opponent, who moves next."""
        return self.at(self.game.play(state, move))

    def value(self, state: S) -> int:
        """WIN, DRAW or LOSS for the player to move."""
        return self.at(state).value

    def best(self, state: S) -> list[M]:
        """The moves that keep the value: the soonest wins, the latest losses, any draw."""
        ranked = [(self._rank(self.after(state, move)), move) for move in self.game.moves(state)]
        top = max((rank for rank, _ in ranked), default=None)
        return [move for rank, move in ranked if rank == top]

    @staticmethod
    def _rank(reply: Worth) -> tuple[int, int]:
        """How good it is to leave the opponent with this."""
        value, plies = reply
        return -value, value * (plies or 0)

    def _gather(self, root: S, most: int) -> tuple[dict[S, list[S]], dict[S, int]]:
        """All positions from the root on: who leads to each, and how many ways lead out of it."""
        game, fold = self.game, self._fold
        parents: dict[S, list[S]] = {root: []}
        ways: dict[S, int] = {}
        waiting = deque([root])  # nearest first: a state that carries its history stays small
        while waiting:
            state = waiting.popleft()
            children = {fold(game.play(state, move)) for move in game.moves(state)}
            ways[state] = len(children)
            for child in children:
                if child in parents:
                    parents[child].append(state)
                else:
                    parents[child] = [state]
                    waiting.append(child)
            if len(parents) > most:
                raise TooLarge(f"more than {most:,} positions")
        return parents, ways

    def _spread(self, parents: dict[S, list[S]], ways: dict[S, int]) -> None:
        """Values from the ends of games backwards, nearest first, so that plies come out right."""
        worth = self._worth
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
            value, plies = worth[state]
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
            worth.setdefault(state, Worth(DRAW, None))
