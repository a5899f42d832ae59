"""Making puzzles: random games at the options that a source names, and what becomes of their positions.

A candidate becomes a puzzle if an exact solver finds exactly one right answer, no shortcut gives it
(`shortcuts.py`), and a search of depth 2 does not see it. Its level follows from the smallest depth from
which on a limited search is right: depth 3 or 4 is level 1, each level needs two plies more, and depth 11
and deeper is level 5.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from numberduels.analysis.puzzles.kinds import KINDS
from numberduels.analysis.puzzles.model import DEEPEST, LEVELS, Puzzle, PuzzlePlan, PuzzleSource, level_of
from numberduels.analysis.puzzles.move_puzzles import WhichPosition
from numberduels.analysis.puzzles.shortcuts import LimitedSearch, falls_to_greedy, falls_to_recipe
from numberduels.game import options
from numberduels.game.contract import Bounded, RandomStart
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.solvers import LOSS, WIN, Margins, Oracle, Retrograde, TooLarge, make_oracle

GAMES = 400
"""The most random games of one search for a puzzle."""

LONGEST = 100
"""A longer random game is dropped."""

WALKS = 40
"""Random continuations of one random game."""

REACH = 6_000
"""The most positions that the general solver visits for one random game."""

BUDGET = 400_000
"""The most positions of one search for a puzzle."""

LIVE_SOURCES = ("only-move", "only-draw")
"""The kinds of puzzles of a game that declares none."""


class NoPuzzle(ValueError):
    """No puzzle of that level was found; the message is one sentence for the player."""


class Workshop:
    """Makes puzzles of one game: its solver, its limited search, and what was spent on them."""

    def __init__(
        self, spec: GameSpec, game: Any, oracle: Oracle[Any, Any] | None = None, max_seen: int = 4 * REACH
    ) -> None:
        """Without an oracle, the strongest solver of the game is used."""
        self.spec = spec
        self.game = game
        self.plan: PuzzlePlan | None = spec.load("puzzles")
        self.oracle = oracle or make_oracle(game)
        twin = self.plan.twin(game) if self.plan and self.plan.twin else None
        self.search = LimitedSearch(game, max_seen, twin)

    @property
    def positions(self) -> int:
        """The number of positions searched."""
        return self.oracle.positions + self.search.positions

    def judge(self, candidate: Puzzle, levels: Collection[int] = LEVELS) -> Puzzle | None:
        """The candidate as a puzzle with answer, depth and level; None if it is none of these levels."""
        try:
            if level_of(longest(candidate)) < min(levels, default=DEEPEST):
                return None
            answer = candidate.solve(self.oracle)
            if answer is None:
                return None
            puzzle = replace(candidate, answer=answer)
            if falls_to_recipe(puzzle, self.plan):
                return None
            depth = depth_of(puzzle, self.search)
        except TooLarge:
            return None
        level = level_of(depth)
        if level not in levels or falls_to_greedy(puzzle):
            return None
        return replace(puzzle, depth=depth, level=level)


def longest(puzzle: Puzzle) -> int:
    """The most moves that can still be made, as far as levels distinguish them."""
    game = puzzle.game
    if not isinstance(game, Bounded):
        return DEEPEST
    return min(max(game.max_plies - table.ply for table in puzzle.tables), LONGEST)


def depth_of(puzzle: Puzzle, search: LimitedSearch) -> int:
    """The smallest depth from which on a limited search is right, at most DEEPEST; TooLarge if unknown.

    What a search sees of the ends of a game stays as it looks deeper, so the first depth that is right
    will do. Points at the horizon change, so in a game of points every depth is tried.
    """
    most = longest(puzzle)
    if not search.scored:
        for depth in range(1, min(most, DEEPEST)):
            if puzzle.seen_by(search, depth) == {puzzle.answer}:
                return depth
        return min(most, DEEPEST)
    for depth in range(most - 1, 0, -1):
        if puzzle.seen_by(search, depth) != {puzzle.answer}:
            return min(depth + 1, DEEPEST)
    return 1


# Candidates


def random_game(spec: GameSpec, source: PuzzleSource, rng: Random) -> Table[Any, Any] | None:
    """A random game with options of the source; None if it does not end soon, or the options do not fit."""
    values = {name: rng.choice(list(choices)) for name, choices in source.options.items()}
    try:
        game = spec.build(values)
    except ValueError:
        return None
    start = game.start(rng)
    if isinstance(game, RandomStart):
        game = game.with_start(start)
    table: Table[Any, Any] = Table(game, start)
    play_on(table, rng)
    return table if table.outcome else None


def play_on(table: Table[Any, Any], rng: Random) -> None:
    """Play random moves to the end, or to the longest length."""
    while table.ply < LONGEST and not table.outcome:
        table.play(rng.choice(table.moves))


def candidates(
    workshop: Workshop, source: PuzzleSource, table: Table[Any, Any], rng: Random, root: int = 0
) -> Iterator[Puzzle]:
    """Candidates of a source from the positions of one random game and of variations of it."""
    if source.kind == WhichPosition.kind:
        yield from pairs(workshop.spec, source, table, workshop.oracle, rng)
        return
    for moves, each in positions(table, source, rng, root):
        if source.where(each):
            yield KINDS[source.kind](workshop.spec, table.game, (moves,))


def positions(
    table: Table[Any, Any], source: PuzzleSource, rng: Random, root: int = 0
) -> Iterator[tuple[tuple[Any, ...], Table[Any, Any]]]:
    """Positions of a game and of random continuations from one of them, each once."""
    seen = set()
    for _ in range(WALKS):
        for ply in range(table.ply):
            if ply < root or ply not in source.plies:
                continue
            at = table.at(ply)
            if at.state not in seen and len(at.moves) >= source.choices:
                seen.add(at.state)
                yield at.played, at
        table = table.at(rng.randrange(root, max(table.ply, root + 1)))
        play_on(table, rng)


def pairs(
    spec: GameSpec, source: PuzzleSource, table: Table[Any, Any], oracle: Oracle[Any, Any], rng: Random
) -> Iterator[Puzzle]:
    """Pairs of a won and a lost position with as many legal moves, the won one first or second by chance."""
    waiting: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
    for moves, each in positions(table, source, rng):
        if not source.where(each):
            continue
        try:
            value = oracle.value(each.state)
        except TooLarge:
            continue
        if value not in (WIN, LOSS):
            continue
        count = len(each.moves)
        partners = waiting.get((count, -value))
        if partners:
            both = [partners.pop(), moves]
            rng.shuffle(both)
            yield WhichPosition(spec, table.game, tuple(both))
        else:
            waiting.setdefault((count, value), []).append(moves)


# Puzzles on demand, for games without a file of puzzles


def generate_puzzle(spec: GameSpec, level: int, seed: str) -> Puzzle:
    """Make the puzzle of this level and seed; NoPuzzle if none is found within the limits.

    Only the general solvers are used: what the theory of a game can solve may depend on what is installed,
    and the same seed must give the same puzzle everywhere.
    """
    rng = Random(f"{seed} puzzle {spec.name} {level}")
    plan: PuzzlePlan | None = spec.load("puzzles")
    spent = 0
    for _ in range(GAMES):
        source = rng.choice(plan.sources) if plan and plan.sources else _default_source(spec, level, rng)
        table = random_game(spec, source, rng)
        if table is None:
            continue
        game = table.game
        solver = (Margins if hasattr(game, "without_scores") else Retrograde)(game, REACH)
        workshop = Workshop(spec, game, solver)
        for candidate in candidates(workshop, source, table, rng, _solvable_from(solver, table)):
            if found := workshop.judge(candidate, [level]):
                return replace(found, seed=seed)
        spent += workshop.positions + table.ply
        if spent > BUDGET:
            break
    raise NoPuzzle(f"no puzzle of level {level} was found for {spec.name}: try another level or another seed")


def _solvable_from(oracle: Oracle[Any, Any], table: Table[Any, Any]) -> int:
    """The first ply from which on the solver can evaluate this game. Everything after it is solved, too."""
    states = [before for before, _, _ in table.steps()]
    root = len(states)
    while root:
        try:
            oracle.evaluate(states[root - 1])
        except TooLarge:
            break
        root -= 1
    return root


def _default_source(spec: GameSpec, level: int, rng: Random) -> PuzzleSource:
    """A source for a game that declares none: any options, larger for higher levels."""
    drawn: dict[str, Any] = {}
    for each in options.declared(spec.rules):
        if isinstance(each.default, int):
            drawn[each.name] = range(1 + each.default // 6, max(3, each.default * (level + 4) // 3 + 1))
        elif each.metadata["choices"]:
            drawn[each.name] = tuple(each.metadata["choices"])
    return PuzzleSource(rng.choice(LIVE_SOURCES), drawn, choices=2)
