"""Random games of an environment, for the checks."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from random import Random
from typing import Any

from numberduels.audit.report import Budget
from numberduels.game.adopted.simulator import Environment, Episode, NotChecked


class Subject:
    """The environment that is audited, and how much may be done with it."""

    def __init__(self, environment: Environment, budget: Budget) -> None:
        self.environment = environment
        self.budget = budget
        self.failed: set[str] = set()
        """The keys of the checks that failed so far."""
        self.games_played = 0
        """Random games since the counters were last set to 0."""
        self.positions_seen = 0
        """Their positions."""
        self.stopped_early = False
        """Whether the time was over before all of these games were played."""
        self.start_clock(self.budget.seconds)

    def start_clock(self, seconds: float) -> None:
        """Give the next part of the audit so many seconds."""
        self.deadline = time.monotonic() + seconds

    def start_counters(self) -> None:
        """Count games and positions from 0."""
        self.games_played, self.positions_seen, self.stopped_early = 0, 0, False

    @property
    def out_of_time(self) -> bool:
        """Whether no more positions are to be compared."""
        return time.monotonic() > self.deadline

    def require(self, *keys: str) -> None:
        """NotChecked if one of these checks failed: without it, nothing can be compared."""
        for key in keys:
            if key in self.failed:
                raise NotChecked(f"games cannot be repeated, see the check {key}")

    def reset(self, seed: int) -> Episode:
        """A new game."""
        return self.environment.reset(seed)

    def games(self) -> Iterator[tuple[int, Iterator[Episode]]]:
        """Random games: the seed of each, and its positions one after the other, the start first."""
        for number in range(self.budget.games):
            seed = self.budget.seed + number
            self.games_played += 1
            yield seed, self.walk(self.reset(seed), Random(f"audit {seed}"))
            if self.out_of_time and 0 < number < self.budget.games - 1:
                self.stopped_early = True
                return

    def walk(self, episode: Episode, rng: Random) -> Iterator[Episode]:
        """The positions of one random game. It is always the same object, which moves on."""
        for _ in range(self.budget.plies + 1):
            self.positions_seen += 1
            yield episode
            actions = episode.actions()
            if episode.seat is None or not actions:
                return
            episode.step(rng.choice(list(actions)))

    def finished_games(self) -> Iterator[tuple[int, Episode]]:
        """The end of each random game, with its seed; an endless game ends at the budget."""
        for seed, walk in self.games():
            yield seed, deque(walk, maxlen=1).pop()

    def moves(self, episode: Episode) -> tuple[str, ...]:
        """The moves so far, as text."""
        return tuple(map(self.environment.move_text, episode.history))


def look(episode: Episode) -> tuple[Any, ...]:
    """Everything that can be seen of a position: to compare two of them."""
    seen: list[Any] = [episode.seat, tuple(episode.actions()), episode.truncated]
    for seat in (0, 1):
        try:
            seen.append(episode.observation(seat))
        except NotChecked:
            seen.append(None)
    return tuple(seen)
