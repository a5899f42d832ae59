"""What is audited: an environment with its random games, one of our games as an environment, forbidden steps.

    python -m numberduels.audit.subject

tries forbidden steps in a process of its own, because compiled code may crash. It reads JSON from standard
input: the name of the environment, and a list of cases `[seed, history, action, after_end]`. It prints what
happened in each case, one line for each.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from numberduels.audit.report import Budget
from numberduels.game.adopted import load_environment
from numberduels.game.adopted.interface import Environment, Episode, NotChecked
from numberduels.game.contract import (
    FiniteMoves,
    IllegalMove,
    Observable,
    Scored,
    Seat,
    always_ends,
    history_matters,
)
from numberduels.game.spec import GameSpec
from numberduels.game.table import PLY_LIMIT

PROBE_SECONDS = 120
"""Seconds until the process that tries forbidden steps is ended."""


class Subject:
    """The environment that is audited, and how much may be done with it."""

    def __init__(self, environment: Environment, budget: Budget) -> None:
        self.environment = environment
        self.budget = budget
        self.failed: set[str] = set()
        """The keys of the checks that failed so far."""
        self.start_counters()
        self.start_clock(self.budget.seconds)

    def start_clock(self, seconds: float) -> None:
        """Give the next part of the audit so many seconds."""
        self.deadline = time.monotonic() + seconds

    def start_counters(self) -> None:
        """Count random games and their positions from 0."""
        self.games_played, self.positions_seen, self.stopped_early = 0, 0, False

    def counters(self) -> dict[str, Any]:
        """What was counted, and whether the time was over before all games were played."""
        return {
            "games": self.games_played,
            "positions": self.positions_seen,
            "stopped_early": self.stopped_early,
        }

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


class OwnEnvironment(Environment):
    """The rules of one of our games. An action is the index of a move among all moves."""

    def __init__(self, text: str, spec: GameSpec, game: Any) -> None:
        self.text, self.title, self.about = text, spec.title, spec.summary
        self.game = game
        self.game_text = spec.text_for(game)
        if not isinstance(game, FiniteMoves):
            raise NotChecked("the game has no all_moves, so its moves have no numbers")
        self.all_moves: tuple[Hashable, ...] = tuple(game.all_moves())
        self.action_of = {move: action for action, move in enumerate(self.all_moves)}
        self.num_actions = len(self.all_moves)
        self.max_plies = getattr(game, "max_plies", None)
        self.alternates = True
        self.ends = always_ends(game)

    def reset(self, seed: int) -> OwnEpisode:
        return OwnEpisode(self, self.game.start(Random(seed)))

    def move_text(self, action: int) -> str:
        return self.game_text.format_move(self.all_moves[action])


class OwnEpisode(Episode):
    """A position of one of our games; a game that need not end stops at the usual limit of moves."""

    def __init__(self, environment: OwnEnvironment, state: Any, history: tuple[int, ...] = ()) -> None:
        self.environment, self.state, self.history = environment, state, history

    @property
    def seat(self) -> Seat | None:
        game = self.environment.game
        over = game.outcome(self.state) is not None or self.truncated
        return None if over else game.turn(self.state)

    @property
    def truncated(self) -> bool:
        return (
            not self.environment.ends
            and len(self.history) >= PLY_LIMIT
            and self.environment.game.outcome(self.state) is None
        )

    def actions(self) -> Sequence[int]:
        if self.truncated:
            return ()
        return [self.environment.action_of[move] for move in self.environment.game.moves(self.state)]

    def returns(self) -> tuple[float, float]:
        outcome = self.environment.game.outcome(self.state)
        if outcome is None or outcome.winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if outcome.winner == 0 else (-1.0, 1.0)

    def step(self, action: int) -> None:
        self.state = self.environment.game.play(self.state, self.environment.all_moves[action])
        self.history = (*self.history, action)

    def try_illegal(self, action: int) -> str:
        if action >= self.environment.num_actions:
            return ""
        try:
            self.environment.game.play(self.state, self.environment.all_moves[action])
        except IllegalMove:
            return ""
        except Exception as fault:
            return f"raises {type(fault).__name__} instead of IllegalMove"
        return "was accepted"

    try_after_end = try_illegal

    def declared_winner(self) -> Seat | None:
        game = self.environment.game
        if not isinstance(game, Scored):
            raise NotChecked("the outcome is its only word on who won")
        first, second = game.scores(self.state)
        return game.tie_winner() if first == second else 0 if first > second else 1

    def copy(self) -> OwnEpisode:
        return OwnEpisode(self.environment, self.state, self.history)

    def key(self) -> Hashable | None:
        return self.state, self.truncated

    def observation(self, seat: Seat) -> Any:
        game = self.environment.game
        if not isinstance(game, Observable) or history_matters(game):
            raise NotChecked("the environments observe the whole history")
        return tuple(game.observe(self.state))

    def space_fault(self) -> str:
        game = self.environment.game
        if not isinstance(game, Observable):
            raise NotChecked("the game declares no features")
        numbers, features = game.observe(self.state), game.features()
        if len(numbers) != len(features):
            return f"there are {len(numbers)} numbers for {len(features)} features"
        for number, feature in zip(numbers, features, strict=True):
            if not feature.low <= number <= feature.high:
                return f"{feature.name} is {number}, outside of {feature.low} to {feature.high}"
        return ""


class Case(NamedTuple):
    """An action that is not allowed after these actions."""

    seed: int
    history: tuple[int, ...]
    action: int
    after_end: bool


def try_case(environment: Environment, case: Case) -> str:
    """What happened, as a phrase; nothing if the action was refused."""
    episode = environment.reset(case.seed)
    for action in case.history:
        episode.step(action)
    return episode.try_after_end(case.action) if case.after_end else episode.try_illegal(case.action)


def probe(text: str, cases: Sequence[Case]) -> list[str]:
    """What happened in each case; a crash ends the list with a phrase that says so."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "numberduels.audit.subject"],
            input=json.dumps([text, cases]),
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [f"did not return within {PROBE_SECONDS} seconds"]
    results = [json.loads(line) for line in done.stdout.splitlines()]
    if len(results) < len(cases):
        end = f"by signal {-done.returncode}" if done.returncode < 0 else f"with status {done.returncode}"
        results.append(f"ended the Python process {end}")
    return results


def main() -> None:
    """Try the cases of standard input."""
    text, cases = json.load(sys.stdin)
    environment = load_environment(text)
    for case in cases:
        print(json.dumps(try_case(environment, Case(*case))), flush=True)


if __name__ == "__main__":
    main()
