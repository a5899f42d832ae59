"""The general solvers: exact for any game with the capabilities that each one names.

- Retrograde, for finitely many positions. Values are propagated backwards from the final positions. The game
  need not end: a position that gets no value is a draw, because both players can avoid losing for ever. A tie
  counts as a draw.
- DepthFirstSearch, for any game that must end. It tries moves first that leave the opponent few replies, and
  stops at the first winning move. So it visits few positions and computes no remoteness.
- Margins, for `Scored` games that must end: the final margin at best play. The search leaves out the points
  already made: they only add the margin so far to the result.
- Nimbers, for `Decomposable` games that must end. These are impartial: both have the same moves, and a
  player who cannot move loses. The nimber of a position is the smallest number that is not the nimber of a
  position after one move. The nimber of a sum of independent components is the bitwise xor of their nimbers
  (Sprague and Grundy), so only components are cached.

`make_oracle` chooses: the theory of the game if it has one, else the general solver that fits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import xor
from typing import Any

from numberduels.game import registry
from numberduels.game.contract import Decomposable, Game, M, S, Scored, Symmetric
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth


def make_oracle(game: Any, max_positions: int = MAX_POSITIONS) -> Oracle[Any, Any]:
    """The strongest exact solver for this game; it visits no more than `max_positions` positions."""
    try:
        theory = registry.spec_of(game).load("theory")
    except registry.UnknownGame:
        theory = None
    found: Oracle[Any, Any] = theory(game, max_positions) if theory else general_oracle(game, max_positions)
    return found


def general_oracle(game: Game[S, M], max_positions: int = MAX_POSITIONS) -> Oracle[S, M]:
    """The general solver for the capabilities of the game."""
    if isinstance(game, Scored):
        return Margins(game, max_positions)
    if isinstance(game, Decomposable):
        return Nimbers(game, max_positions)
    return Retrograde(game, max_positions)


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


class DepthFirstSearch(Oracle[S, M]):
    """The value of a position, by depth-first search with a cache.

    >>> from numberduels.games.number_collision.rules import NumberCollision
    >>> from random import Random
    >>> game = NumberCollision(size=3, repetition="forbidden")
    >>> DepthFirstSearch(game).evaluate(game.start(Random())).value == WIN
    True
    """

    method = "depth-first search"

    def __init__(self, game: Game[S, M], max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._known: dict[S, int] = {}

    def evaluate(self, state: S) -> Worth:
        try:
            return Worth(self._value(state))
        except RecursionError:
            raise TooLarge(TOO_DEEP) from None

    def _value(self, state: S) -> int:
        found = self._known.get(state)
        if found is None:
            self.count_position()
            found = self._known[state] = self._best(state)
        return found

    def _best(self, state: S) -> int:
        game = self.game
        outcome = game.outcome(state)
        if outcome is not None:
            if outcome.winner is None:
                return DRAW
            return WIN if outcome.winner == game.turn(state) else LOSS
        best = LOSS
        after = [game.play(state, move) for move in game.moves(state)]
        for child in sorted(after, key=lambda child: len(game.moves(child))):
            best = max(best, -self._value(child))
            if best == WIN:
                break
        return best


class Margins(Oracle[S, M]):
    """The final margin of a position at best play by both players.

    >>> from numberduels.games.number_snatch.rules import NumberSnatch
    >>> from random import Random
    >>> game = NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20))
    >>> Margins(game).evaluate(game.start(Random()))
    Worth(value=1, remoteness=None, margin=11, nimber=None)
    """

    method = "best margins, each position once"

    def __init__(self, game: Game[S, M], max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._gains: dict[S, int] = {}

    def evaluate(self, state: S) -> Worth:
        return worth_of_margin(
            self.game, state, lead(self.game, state) + self._gain(self.game.without_scores(state))
        )

    def _gain(self, twin: S) -> int:
        """The points that the player to move still gains, from a position without scores."""
        found = self._gains.get(twin)
        if found is None:
            self.count_position()
            game = self.game
            ahead = lead(game, twin)
            try:
                best = max(
                    (self._lead_after(game.play(twin, move)) for move in game.moves(twin)), default=ahead
                )
            except RecursionError:
                raise TooLarge(TOO_DEEP) from None
            found = self._gains[twin] = best - ahead
        return found

    def _lead_after(self, state: S) -> int:
        """The final lead of the player who has just moved to this state."""
        return -lead(self.game, state) - self._gain(self.game.without_scores(state))


def lead(game: Any, state: S) -> int:
    """The current lead of the player to move in points."""
    first, second = game.scores(state)
    points: int = second - first if game.turn(state) else first - second
    return points


def worth_of_margin(game: Scored[S], state: S, margin: int) -> Worth:
    """The worth of a final margin for the player to move."""
    if margin:
        value = WIN if margin > 0 else LOSS
    else:
        winner = game.tie_winner()
        value = DRAW if winner is None else WIN if winner == game.turn(state) else LOSS  # type: ignore[attr-defined]
    return Worth(value, None, margin)


class Nimbers(Oracle[S, M]):
    """The nimber of a position.

    >>> from numberduels.games.restricted_removal.rules import RestrictedRemoval
    >>> from random import Random
    >>> game = RestrictedRemoval(size=9)
    >>> Nimbers(game).evaluate(game.start(Random())).nimber
    3
    """

    method = "nimbers of independent parts"

    def __init__(self, game: Game[S, M], max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._known: dict[S, int] = {}

    def evaluate(self, state: S) -> Worth:
        nimber = self._sum(state)
        return Worth(WIN if nimber else LOSS, nimber=nimber)

    def _sum(self, state: S) -> int:
        return reduce(xor, map(self._component, self.game.components(state)), 0)

    def _component(self, component: S) -> int:
        found = self._known.get(component)
        if found is None:
            self.count_position()
            try:
                found = mex(self._sum(self.game.play(component, move)) for move in self.game.moves(component))
            except RecursionError:
                raise TooLarge(TOO_DEEP) from None
            self._known[component] = found
        return found


def mex(nimbers: Iterable[int]) -> int:
    """The minimum excludant: the smallest number from 0 that is not among these.

    >>> mex([0, 1, 3])
    2
    """
    found = set(nimbers)
    return next(number for number in range(len(found) + 1) if number not in found)
