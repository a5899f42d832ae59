"""How long a game lasts if one player wants it long and the other one short, whoever wins it.

>>> import numberduels
>>> game = numberduels.make("restricted-removal", size=10)
>>> solution = solve_length(game)
>>> solution.long_begins, solution.short_begins
(LengthBounds(low=5, high=5, best=(6,)), LengthBounds(low=4, high=4, best=(2, 3)))
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from numberduels.game import registry
from numberduels.game.contract import Game, ProgressCallback
from numberduels.solvers import MAX_POSITIONS
from numberduels.solvers.game_length import MAX_VERTICES, ConflictGraph, GameLength

METHOD = "null windows on the graph of conflicts"


class NoConflictGraph(ValueError):
    """The game is not one of moves that exclude each other and do nothing else."""

    def __init__(self, title: str) -> None:
        super().__init__(
            f"{title} cannot be solved for its length: that takes a game whose moves do nothing but"
            " exclude each other"
        )


class LengthBounds(NamedTuple):
    """The number of moves from a position on: at least, at most, and the moves that keep it.

    The bounds differ only if the search was stopped.
    """

    low: int
    high: int
    best: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LengthSolution:
    """The length of a game from one position on, if the player to move wants it long, and if short."""

    game: Game[Any, Any]
    state: Any
    long_begins: LengthBounds
    short_begins: LengthBounds
    positions: int
    seconds: float

    @property
    def solved(self) -> bool:
        """Whether both lengths are exact."""
        return all(each.low == each.high for each in (self.long_begins, self.short_begins))


class LengthSearch:
    """The lengths of a game, and of its smaller sizes, with one table for all."""

    def __init__(self, game: Game[Any, Any], max_positions: int = MAX_POSITIONS) -> None:
        """NoConflictGraph if the game is of another kind."""
        spec = registry.spec_of(game)
        to_graph = spec.load("conflicts")
        if to_graph is None:
            raise NoConflictGraph(spec.title)
        self.graph: ConflictGraph = to_graph(game)
        self.lengths = GameLength(self.graph.neighbours, self.graph.canon, max_positions)
        self._guesses: list[int | None] = [None, None]

    def solve(self, game: Game[Any, Any], state: Any = None, *, moves: bool = True) -> LengthSolution:
        """Solve a position, by default the start; TooLarge if that needs too many positions."""
        state = game.start(Random(0)) if state is None else state
        before, began = self.lengths.visited, time.perf_counter()
        for begins in (False, True):
            self.length(state, long_begins=begins)
        found = self.known(game, state, moves=moves)
        return replace(found, positions=self.lengths.visited - before, seconds=time.perf_counter() - began)

    def length(self, state: Any, *, long_begins: bool) -> int:
        """The number of moves from a state on."""
        found = self.lengths.length(
            self.graph.available(state), long_begins=long_begins, guess=self._guesses[long_begins]
        )
        self._guesses[long_begins] = found  # a good guess for the next size
        return found

    def known(self, game: Game[Any, Any], state: Any, *, moves: bool = False) -> LengthSolution:
        """What is known about a position by now; with `moves`, after a search, the best moves, too."""
        available = self.graph.available(state)

        def bounds(*, long_begins: bool) -> LengthBounds:
            best = self.lengths.best_moves(available, long_begins=long_begins) if moves else ()
            return LengthBounds(*self.lengths.bounds(available, long_begins=long_begins), tuple(best))

        long, short = bounds(long_begins=True), bounds(long_begins=False)
        return LengthSolution(game, state, long, short, self.lengths.visited, 0.0)


def solve_length(
    game: Game[Any, Any],
    state: Any = None,
    *,
    max_positions: int = MAX_POSITIONS,
    progress: ProgressCallback | None = None,
    moves: bool = True,
) -> LengthSolution:
    """The length of a game from a position on, by default from the start, with best play of both."""
    search = LengthSearch(game, max_positions)
    search.lengths.progress = progress
    return search.solve(game, state, moves=moves)


def length_table(
    name: str, sizes: Iterable[int], max_positions: int = MAX_POSITIONS
) -> Iterator[LengthSolution]:
    """The length of a game at each of these sizes, with one table for all.

    >>> [solution.long_begins.low for solution in length_table("restricted-removal", range(2, 13))]
    [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    """
    wanted = list(sizes)
    spec = registry.spec(name)
    search = LengthSearch(spec.build({"size": max(wanted)}), max_positions)
    for size in wanted:
        yield search.solve(spec.build({"size": size}), moves=False)


def length_terms(
    make_game: Callable[[int], Game[Any, Any]], *, long_begins: bool, max_positions: int = MAX_POSITIONS
) -> Callable[[range, ProgressCallback | None], Iterator[int]]:
    """A function that computes the lengths of make_game(n) for a range of n, as sequences need it."""

    def compute(indices: range, progress: ProgressCallback | None) -> Iterator[int]:
        search: LengthSearch | None = None
        for n in indices:
            if search is None or n > MAX_VERTICES:
                shared = max(n, min(indices[-1], MAX_VERTICES))  # one table for all sizes within reach
                search = LengthSearch(make_game(shared), max_positions)
                search.lengths.progress = progress
            yield search.length(make_game(n).start(Random(0)), long_begins=long_begins)

    return compute
