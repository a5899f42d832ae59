"""The vector environment against opponents that are asked in batches, and against the same one by one.

The limit is the same loop against an opponent that does not think: the first legal action in every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np

from benchmarks.loops import play_vector
from benchmarks.rounds import Rate, rated, ratio, side_by_side
from numberduels import names
from numberduels.envs import policy_opponent
from numberduels.envs.vector_env import DuelVectorEnv
from numberduels.players.ladder import PerfectPlayer

TITLE = "Vector environment: agent steps a second against opponents that are asked in batches"
ROUNDS = 11
GAMES = 1_000
STEPS = 40
HIDDEN = 64

Opponent = Callable[[str], Any]


def one_by_one(_: str) -> Any:
    """The perfect player as a function, which can only be asked about one game after the other."""
    perfect = PerfectPlayer()

    def choose(game: Any, state: Any, rng: Any) -> Any:
        return perfect.choose(game, state, rng)

    return choose


def first_legal(_: str) -> Any:
    """The first legal action in all games: nothing is thought."""
    return policy_opponent(lambda _, masks: masks.argmax(axis=1))


def network(name: str) -> Any:
    """A policy with two layers of random weights."""
    rng = np.random.default_rng(1)
    encoding = DuelVectorEnv(name).batch.encoding
    into = rng.normal(size=(len(encoding.features), HIDDEN)).astype(np.float32)
    out = rng.normal(size=(HIDDEN, encoding.num_actions)).astype(np.float32)

    def policy(observations: Any, masks: Any) -> Any:
        values = np.tanh(observations.astype(np.float32) @ into) @ out
        return np.where(masks, values, -np.inf).argmax(axis=1)

    return policy_opponent(policy)


OPPONENTS: dict[str, tuple[Opponent, int, int]] = {
    "perfect, one by one": (one_by_one, 100, 12),
    "perfect": (lambda _: "perfect", GAMES, STEPS),
    "network": (network, GAMES, STEPS),
    "random": (lambda _: "random", GAMES, STEPS),
    "first legal action (the limit)": (first_legal, GAMES, STEPS),
}
"""By name, how the opponent of a game is made, the games, and the steps of a burst."""


def against(name: str, opponent: Opponent, n: int, steps: int) -> Callable[[], Rate]:
    """A burst of random play of the first seat."""
    return rated(play_vector(DuelVectorEnv(name, num_envs=n, opponent=opponent(name)), steps))


def from_nothing(name: str) -> float:
    """The rate of the first STEPS steps, in processor time, with the making of environment and player."""

    def loop() -> int:
        return play_vector(DuelVectorEnv(name, num_envs=GAMES, opponent="perfect"), STEPS)()

    return median(rated(loop)().processor for _ in range(3))


def table() -> Iterator[str]:
    """A row for each game, measured in turn in one run, in processor time."""
    yield f"{GAMES:,} games in one process, a random agent; agent steps a second of processor time (median)."
    yield ""
    yield f"| game | {' | '.join(OPPONENTS)} | perfect, from nothing | perfect to one by one (quartiles) |"
    yield f"|---|{'---|' * (len(OPPONENTS) + 2)}"
    for name in names():
        results = side_by_side({kind: against(name, *each) for kind, each in OPPONENTS.items()}, ROUNDS)
        rates = {kind: [rate.processor for rate in each] for kind, each in results.items()}
        cells = [f"{median(each):,.0f}" for each in rates.values()]
        middle, low, high = ratio(rates["perfect"], rates["perfect, one by one"])
        yield (
            f"| {name} | {' | '.join(cells)} | {from_nothing(name):,.0f}"
            f" | {middle:,.0f} ({low:,.0f} - {high:,.0f}) |"
        )
