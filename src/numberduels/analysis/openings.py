"""The openings of a run: deals, first moves and sampled positions, drawn from a seed without repetition.

`equivalence_class` says which positions count as the same.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from numberduels.analysis.oracle_cache import ORACLES
from numberduels.game import registry
from numberduels.game.contract import Scored, Symmetric
from numberduels.game.table import Table, deal
from numberduels.solvers import Oracle, TooLarge

MAX_DRAWS = 500
"""Draws without a new opening after which the sequence is considered complete."""

MAX_PLIES = 200
"""The longest random game that is followed to sample a position."""


class Opening(NamedTuple):
    """The start of a game and its first moves."""

    game: Any
    """The game with a fixed start."""
    start: Any
    moves: tuple[Any, ...]
    """First moves, drawn at random."""


def start_generator(seed: int | str, draw: int = 0) -> Random:
    """The generator that draws the start of an episode; a later draw is used if the first is unsuitable.

    Environments and harnesses share it, so a seed gives the same deal in all of them.
    """
    return Random(f"{seed} {draw} start")


class OpeningSequence(ABC):
    """A lazy sequence of openings that depends only on the game and the seed."""

    def __init__(self, game: Any, seed: str) -> None:
        self.game = game
        self.seed = seed
        self._openings: list[Opening] = []
        self._seen: set[Any] = set()
        self._exhausted = False

    def first(self, count: int) -> list[Opening]:
        """The first `count` openings, all different; fewer if there are no more."""
        self._draw_up_to(count)
        return self._openings[:count]

    def _draw_up_to(self, count: int) -> None:
        while len(self._openings) < count and not self._exhausted:
            rng = Random(f"{self.seed} {len(self._openings) + 1}")
            for opening in (self.draw(rng) for _ in range(MAX_DRAWS)):
                if opening is not None and self.identity(opening) not in self._seen:
                    self._seen.add(self.identity(opening))
                    self._openings.append(opening)
                    break
            else:
                self._exhausted = True

    @abstractmethod
    def draw(self, rng: Random) -> Opening | None:
        """A random opening; None if the draw failed."""

    @abstractmethod
    def identity(self, opening: Opening) -> Any:
        """What makes two openings different."""


class GameOpenings(OpeningSequence):
    """Openings of whole games: a random deal, or else random first moves, so that games differ."""

    def __init__(self, game: Any, seed: str, plies: int) -> None:
        super().__init__(game, seed)
        self.plies = plies

    def of_round(self, number: int) -> Opening:
        """The opening of a round; if there are too few, they repeat."""
        self._draw_up_to(number)
        return self._openings[(number - 1) % len(self._openings)]

    def draw(self, rng: Random) -> Opening:
        game = deal(self.game, rng)
        start = game.start(rng)
        moves: list[Any] = []
        state = start
        for _ in range(self.plies if game is self.game else 0):
            # Skip moves that leave the opponent no choice.
            playable = [move for move in game.moves(state) if len(game.moves(game.play(state, move))) > 1]
            if not playable:
                break
            moves.append(rng.choice(playable))
            state = game.play(state, moves[-1])
        return Opening(game, start, tuple(moves))

    def identity(self, opening: Opening) -> Any:
        return opening.start, opening.moves


class SampledPositions(OpeningSequence):
    """Random positions in which some moves keep the value and some lose it."""

    def __init__(self, game: Any, seed: str) -> None:
        super().__init__(game, seed)
        self._first_judged = 0
        """The first ply at which no position has been too large to judge."""
        self._oracle: Oracle[Any, Any] | None = None

    def draw(self, rng: Random) -> Opening | None:
        game = deal(self.game, rng)
        start = game.start(rng)
        table: Table[Any, Any] = Table(game, start)
        states = []
        while not table.outcome and table.ply < MAX_PLIES:
            states.append(table.state)
            table.play(rng.choice(table.moves))
        plies = self._risky_plies(game, states)
        return Opening(game, start, table.played[: rng.choice(plies)]) if plies else None

    def _risky_plies(self, game: Any, states: list[Any]) -> list[int]:
        """The plies of a game at which a move can lose the value.

        The last positions are judged first. What comes before a position that is too large to judge is too
        large as well, so it is not tried, and neither are so early positions in later draws.
        """
        plies = []
        for ply in reversed(range(self._first_judged, len(states))):
            try:
                values = self._values(game, states[ply])
            except TooLarge:
                self._first_judged = ply + 1
                break
            if len(values) > 1:
                plies.append(ply)
        return plies[::-1]

    def _values(self, game: Any, state: Any) -> set[int]:
        """The values of all moves; TooLarge if a new oracle cannot judge them.

        An oracle serves until it has searched as much as it may, because it remembers what it has found.
        """
        if self._oracle is not None and self._oracle.game == game:
            try:
                return {worth.value for worth in self._oracle.evaluate_moves(state).values()}
            except TooLarge:
                pass
        self._oracle = ORACLES.oracle(game)
        return {worth.value for worth in self._oracle.evaluate_moves(state).values()}

    def identity(self, opening: Opening) -> Any:
        return opening.game, Table(opening.game, opening.start, opening.moves).state


class _SequenceCache(threading.local):
    """The sequences of a worker; each thread has its own."""

    def __init__(self) -> None:
        self.openings: dict[tuple[Any, str, int], GameOpenings] = {}
        self.positions: dict[tuple[Any, str], SampledPositions] = {}


_CACHE = _SequenceCache()


def game_openings(game: Any, seed: str, plies: int) -> GameOpenings:
    """The openings of a run in this game."""
    return _CACHE.openings.setdefault((game, seed, plies), GameOpenings(game, f"{seed} opening", plies))


def sampled_positions(game: Any, seed: str) -> SampledPositions:
    """The sampled positions of a run in this game."""
    return _CACHE.positions.setdefault((game, seed), SampledPositions(game, f"{seed} position"))


# Which positions count as the same, so that sets of positions can be kept apart


def equivalence_text(game: Any, state: Any) -> str:
    """A text that is the same for all equivalent positions of a game, in every process and with any options.

    Positions are equivalent if they have the same canonical form. In a game of points the scores do not
    count, because they do not change which move is best. What a position remembers of its past does not
    count either.

    >>> from numberduels.games.number_collision.rules import NumberCollision, Place
    >>> game = NumberCollision()
    >>> one, other = (game.play(game.start(None), move) for move in (Place(3, 1), Place(5, 10)))
    >>> equivalence_text(game, one) == equivalence_text(game, other)  # mirrored, and another number
    True
    """
    if isinstance(game, Scored):
        state = game.without_scores(state)
    if isinstance(game, Symmetric):
        state = game.canonical(state)
    return f"{registry.spec_of(game).name} {_stable_text(state)}"


def equivalence_class(game: Any, state: Any) -> str:
    """A short name for all positions that are equivalent to this one."""
    return sha256(equivalence_text(game, state).encode()).hexdigest()[:16]


def _stable_text(value: Any) -> str:
    """A text for a part of a position that is the same in every process; empty if there is none."""
    if isinstance(value, tuple):
        return f"({','.join(map(_stable_text, value))})"
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(_stable_text, value)))}}}"
    kind: Any = type(value)
    return "" if kind.__repr__ is object.__repr__ else repr(value)
