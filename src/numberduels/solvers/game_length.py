"""How long a game lasts if one player wants it long and the other one short.

The game is played on a graph of conflicts: a move takes a vertex and removes it and its neighbours, and the
game is over when no vertex is left. Both players take from the same graph. Its length is the number of moves.

`GameLength` asks "does it last at least k moves?" until the answer changes (null windows), by a depth-first
search with a table of the bounds found so far. What keeps the search small:

1. Free moves. Let the graph be H and two isolated vertices. It lasts exactly two moves longer than H, whoever
   begins: either player follows a best strategy for H and answers the first isolated vertex by the second.
   So of all isolated vertices only the parity matters, and there is at most one free move to spend.
2. Components of fixed length. If all maximal independent sets of a component have m vertices, it takes m
   moves in whatever way it is played. It is worth exactly m isolated vertices.
   Other components are not independent of each other: who moves next in one depends on all of them.
3. Equal moves. Vertices with the same neighbours, adjacent or not, leave isomorphic graphs: one of them is
   tried. `canon` maps a set of vertices to one that induces an isomorphic graph, so equal positions meet.
4. Bounds. The rest of a game is a maximal independent set of what is left, so the bounds of
   `graphs.py` answer most questions without a search.
5. Order of moves: the player who wants a long game tries first what leaves the largest independent set, the
   other one what leaves the smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numberduels.game.contract import ProgressCallback
from numberduels.solvers.graphs import IndependentSets, Mask, connected_components, vertices
from numberduels.solvers.oracle import MAX_POSITIONS, TooLarge

MAX_VERTICES = 200
"""Positions with more moves are refused at once: they are far beyond reach."""


@dataclass(frozen=True, slots=True)
class ConflictGraph:
    """A game as a graph of conflicts: its moves are the vertices, and each excludes its neighbours for good.

    The graph of a smaller size of the same game must be a part of that of a larger one.
    """

    neighbours: Sequence[Mask]
    available: Callable[[Any], Mask]
    """The moves that are left in a state of the game."""
    canon: Callable[[Mask], Mask] | None = None
    """Maps a set of vertices to one that induces an isomorphic graph."""


class Rest(NamedTuple):
    """What a move leaves, without the components of fixed length."""

    core: Mask
    fixed: int
    """The moves in the components of fixed length."""
    low: int
    """The core lasts at least this many moves, whoever begins."""
    high: int


class GameLength:
    """The length of the game on one graph. All subsets of its vertices share one table.

    `visited` counts the positions whose moves were listed.

    >>> path = GameLength([0b0010, 0b0101, 0b0010])
    >>> path.length(0b111, long_begins=True), path.length(0b111, long_begins=False)
    (2, 1)
    >>> path.best_moves(0b111, long_begins=True), path.best_moves(0b111, long_begins=False)
    ([0, 2], [1])
    """

    def __init__(
        self,
        neighbours: Sequence[Mask],
        canon: Callable[[Mask], Mask] | None = None,
        max_positions: int = MAX_POSITIONS,
    ) -> None:
        """TooLarge is raised beyond `max_positions` visited positions."""
        self.visited = 0
        self.max_positions = max_positions
        self.progress: ProgressCallback | None = None
        self._sets = IndependentSets(neighbours)
        self._canon = canon
        self._rests: dict[Mask, Rest] = {}
        self._options: dict[Mask, list[Rest]] = {}  # by core, those that leave least first
        self._known: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        """For the short and for the long player to move, bounds by core and free move."""
        self._bounds: dict[tuple[Mask, bool], tuple[int, int]] = {}

    def bounds(self, available: Mask, *, long_begins: bool) -> tuple[int, int]:
        """The shortest and the longest that the game may last, as far as it is known by now."""
        known = self._bounds.get((available, long_begins))
        if known is None and available.bit_count() > MAX_VERTICES:
            known = 1, available.bit_count()
        elif known is None:
            rest = self._rest(available)
            known = rest.fixed + rest.low, rest.fixed + rest.high
        return known

    def length(self, available: Mask, *, long_begins: bool, guess: int | None = None) -> int:
        """The number of moves with best play; the player who begins wants a long game, or a short one.

        A good guess saves time. After TooLarge or KeyboardInterrupt `bounds` says what is known.
        """
        if available.bit_count() > MAX_VERTICES:
            raise TooLarge(f"there are {available.bit_count():,} moves, and at most {MAX_VERTICES} are tried")
        low, high = self.bounds(available, long_begins=long_begins)
        plies = low + 1 if guess is None else guess
        while low < high:
            plies = min(max(plies, low + 1), high)
            if self.lasts(available, plies, long_begins=long_begins):
                low, plies = plies, plies + 1
            else:
                high, plies = plies - 1, plies - 1
            self._bounds[available, long_begins] = low, high
        return low

    def lasts(self, available: Mask, plies: int, *, long_begins: bool) -> bool:
        """Whether the game lasts at least this many moves."""
        rest = self._rest(available)
        spare = rest.fixed & 1
        return self._lasts(rest, spare, plies - rest.fixed + spare, long_begins)

    def best_moves(self, available: Mask, *, long_begins: bool) -> list[int]:
        """The moves that keep the length."""
        after = self.length(available, long_begins=long_begins) - 1
        goal = after if long_begins else after + 1
        left_after = self._sets.left_after
        return [
            v
            for v in vertices(available)
            if self.lasts(available & left_after[v], goal, long_begins=not long_begins) == long_begins
        ]

    def _lasts(self, rest: Rest, spare: int, plies: int, long_moves: bool) -> bool:
        """Whether the core, with a free move if `spare` is 1, lasts at least this many moves."""
        core, _, low, high = rest
        if low + spare >= plies:
            return True
        if high + spare < plies:
            return False
        known = self._known[long_moves].setdefault(core << 1 | spare, [low + spare, high + spare])
        if known[0] >= plies:
            return True
        if known[1] < plies:
            return False
        options = self._options.get(core) or self._list_options(core)
        for option in reversed(options) if long_moves else options:
            free = option.fixed + spare
            odd = free & 1
            if self._lasts(option, odd, plies - 1 - free + odd, not long_moves) == long_moves:
                lasts = long_moves
                break
        else:
            # Nothing in the core serves the player to move; the free move is left.
            lasts = self._lasts(rest, 0, plies - 1, not long_moves) if spare else not long_moves
        if lasts:
            known[0] = plies
        else:
            known[1] = plies - 1
        return lasts

    def _list_options(self, core: Mask) -> list[Rest]:
        self.visited += 1
        if self.visited > self.max_positions:
            raise TooLarge(f"there are more than {self.max_positions:,} positions")
        if self.progress:
            self.progress(self.visited, 0)
        neighbours, left_after = self._sets.neighbours, self._sets.left_after
        closed: dict[Mask, int] = {}  # one vertex for each closed neighbourhood
        for v in vertices(core):
            closed.setdefault((neighbours[v] | 1 << v) & core, v)
        distinct = {neighbours[v] & core: v for v in closed.values()}
        found = dict.fromkeys(self._rest(core & left_after[v]) for v in distinct.values())
        options = sorted(found, key=lambda rest: (rest.fixed + rest.high, rest.fixed + rest.low))
        self._options[core] = options
        return options

    def _rest(self, available: Mask) -> Rest:
        rest = self._rests.get(available)
        if rest is None:
            canonical = self._canon(available) if self._canon else available
            rest = self._rests.get(canonical)
            if rest is None:
                rest = self._rests[canonical] = self._split(canonical)
            self._rests[available] = rest
        return rest

    def _split(self, available: Mask) -> Rest:
        core = fixed = low = high = 0
        for component in connected_components(self._sets.neighbours, available):
            least, greatest = self._sets.sizes(component)
            if least == greatest:
                fixed += least
            else:
                core |= component
                low += least
                high += greatest
        return Rest(core, fixed, low, high)
