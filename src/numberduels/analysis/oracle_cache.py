"""The oracles that judge the moves of a run, cached for each game, and how deep a decision is.

The depth of a decision is the number of plies to the end at best play, or else the size of a proof:

1. Where the game is won or lost, it is the remoteness: the plies to the end if the winner hurries and the
   loser delays. If the oracle does not compute it, a search does that asks the oracle for values. It follows
   every move of the loser, and of the winner only the moves that win.
2. In a game of points it is the length of a line in which both always make a move with the best margin.
3. A draw that does not end the game has no remoteness. There, in a game that need not end, and where the
   search of 1. visits more than MAX_SEARCHED positions, the depth is the size of a proof: how many positions
   a plain depth-first search visits to show that each losing move loses. It tries moves in the order of the
   rules, stops at the first move that wins, and visits a position once. More than MAX_PROOF count as that.
"""

from __future__ import annotations

import threading
from random import Random
from typing import Any, NamedTuple

from numberduels.game.contract import Scored, Symmetric, always_ends
from numberduels.solvers import DRAW, LOSS, MAX_POSITIONS, WIN, Oracle, TooLarge, make_oracle
from numberduels.solvers.oracle import select_best

CACHE_SIZE = 8
"""Oracles that a worker keeps: a run plays its games in turn."""


class OracleCache(threading.local):
    """The oracles of a worker; each thread has its own.

    An oracle that has solved a whole game is reused. Another one is used for one game only: what it can judge
    depends on what it was asked before, and verdicts must be the same on every worker.
    """

    def __init__(self, max_positions: int = MAX_POSITIONS) -> None:
        """Limit each oracle to `max_positions`."""
        self.max_positions = max_positions
        self._oracles: dict[Any, Oracle[Any, Any] | None] = {}
        self._finders: dict[Any, DepthFinder] = {}

    def oracle(self, game: Any) -> Oracle[Any, Any]:
        """The oracle of a game with a fixed start."""
        cached = self._oracles.get(game)
        if cached is not None and 2 * cached.positions <= cached.max_positions:
            return cached
        fresh = make_oracle(game, self.max_positions)
        if game in self._oracles and cached is None:
            return fresh  # the game is too large to solve as a whole
        if len(self._oracles) >= CACHE_SIZE:
            del self._oracles[next(iter(self._oracles))]
        try:
            fresh.evaluate(game.start(Random(0)))
            self._oracles[game] = fresh
        except TooLarge:
            self._oracles[game] = None
            fresh = make_oracle(game, self.max_positions)
        return fresh

    def keeps(self, oracle: Oracle[Any, Any]) -> bool:
        """Whether this oracle is reused for the next game."""
        return self._oracles.get(oracle.game) is oracle

    def depth_finder(self, oracle: Oracle[Any, Any]) -> DepthFinder:
        """The finder of depths that uses this oracle; it is kept as long as the oracle."""
        found = self._finders.get(oracle.game)
        if found is None or found.oracle is not oracle:
            found = DepthFinder(oracle)
            self._finders = {game: each for game, each in self._finders.items() if self._oracles.get(game)}
            self._finders[oracle.game] = found
        return found


ORACLES = OracleCache()


MAX_SEARCHED = 1_000
"""Positions that a search for the remoteness of one decision visits at most."""
MAX_PROOF = 1_000
"""The largest proof that is counted."""
MAX_REMEMBERED = 20_000
"""Decisions whose depth is remembered."""


class Depth(NamedTuple):
    """The depth of a decision; one of the two is None, or both if it is not known."""

    remoteness: int | None = None
    """Plies to the end at best play."""
    proof: int | None = None
    """Positions of the proof that the losing moves lose, where there is no remoteness."""


class DepthFinder:
    """Finds the depth of the decisions of one game. The answer does not depend on what was asked before.

    >>> from numberduels.games.restricted_removal.rules import RestrictedRemoval
    >>> from numberduels.solvers import make_oracle
    >>> game = RestrictedRemoval(size=9)
    >>> DepthFinder(make_oracle(game)).find(game.start(None))
    Depth(remoteness=5, proof=None)
    """

    def __init__(self, oracle: Oracle[Any, Any]) -> None:
        self.oracle = oracle
        self.game = oracle.game
        self._canonical = self.game.canonical if isinstance(self.game, Symmetric) else _same
        self._found: dict[Any, Depth] = {}

    def find(self, state: Any) -> Depth:
        """The depth of a decision; unknown if the oracle cannot judge it."""
        if state not in self._found:
            if len(self._found) >= MAX_REMEMBERED:
                self._found.clear()
            try:
                self._found[state] = self._find(state)
            except TooLarge:
                self._found[state] = Depth()
        return self._found[state]

    def _find(self, state: Any) -> Depth:
        before = self.oracle.evaluate(state)
        if before.remoteness is not None:
            return Depth(before.remoteness)
        if isinstance(self.game, Scored):
            return Depth(self._best_line(state))
        if before.value != DRAW and always_ends(self.game):
            try:
                return Depth(self._remoteness(state, before.value == WIN, {}))
            except (TooLarge, RecursionError):
                pass
        choices = self.oracle.evaluate_moves(state)
        return Depth(
            proof=self._proof(
                [self.game.play(state, move) for move in choices if choices[move].value == LOSS]
            )
        )

    def _best_line(self, state: Any) -> int:
        plies = 0
        while choices := self.oracle.evaluate_moves(state):
            state = self.game.play(state, select_best(choices)[0])
            plies += 1
        return plies

    def _remoteness(self, state: Any, won: bool, known: dict[Any, int]) -> int:
        """The remoteness of a position that is won or lost; TooLarge beyond MAX_SEARCHED positions."""
        key = self._canonical(state)
        if key not in known:
            if len(known) >= MAX_SEARCHED:
                raise TooLarge(f"there are more than {MAX_SEARCHED:,} positions")
            known[key] = 0  # it counts from now on
            after = [self.game.play(state, move) for move in self.game.moves(state)]
            if after and won:
                lost = [each for each in after if self.oracle.value(each) == LOSS]
                known[key] = 1 + min(self._remoteness(each, False, known) for each in lost)
            elif after:
                known[key] = 1 + max(self._remoteness(each, True, known) for each in after)
        return known[key]

    def _proof(self, won: list[Any]) -> int:
        """How many positions a plain search visits to show that these are won for the player to move."""
        seen: set[Any] = set()
        waiting = [(state, True) for state in reversed(won)]
        while waiting and len(seen) < MAX_PROOF:
            state, is_won = waiting.pop()
            if state in seen:
                continue
            seen.add(state)
            moves = self.game.moves(state)
            after = (self.game.play(state, move) for move in moves)
            if is_won and moves:
                waiting.append((next(each for each in after if self.oracle.value(each) == LOSS), False))
            else:
                waiting += [(each, True) for each in after][::-1]
        return len(seen)


def _same(state: Any) -> Any:
    return state
