"""Batches of 10,000 games, beside tic-tac-toe on pgx at the batch that suits it best."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import jax
import pgx
from pgx.experimental import act_randomly, auto_reset

import numberduels.envs
from benchmarks.rounds import compared, side_by_side
from numberduels import names

TITLE = "Batches: random play of 10,000 games, with restarts"
ROUNDS = 21
GAMES = 10_000
PEER_GAMES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
"""The sizes that the peer is tried at."""


def peer(n: int) -> Callable[[], float]:
    """Random play of n games of tic-tac-toe, compiled as a whole: moves a second."""
    env = pgx.make("tic_tac_toe")
    step = jax.vmap(auto_reset(env.step, env.init))
    steps = max(1, 600_000 // n)

    def move(carried: Any, _: None) -> tuple[Any, None]:
        key, state = carried
        key, choice, fresh = jax.random.split(key, 3)
        actions = act_randomly(choice, state.legal_action_mask)
        return (key, step(state, actions, jax.random.split(fresh, n))), None

    play = jax.jit(lambda carried: jax.lax.scan(move, carried, None, length=steps)[0])
    key = jax.random.PRNGKey(1)
    carried = key, jax.jit(jax.vmap(env.init))(jax.random.split(key, n))

    def burst() -> float:
        nonlocal carried
        start = time.perf_counter()
        carried = jax.block_until_ready(play(carried))
        return n * steps / (time.perf_counter() - start)

    return burst


def ours(name: str, n: int, *, masks: bool = False, **options: Any) -> Callable[[], float]:
    """Random play of a batch: choose, step, restart what has ended; moves a second."""
    games = numberduels.envs.batch(name, n=n, **options)
    games.reset(seed=1)
    steps = max(5, min(2_000, 1_000_000 // n))

    def burst() -> float:
        start = time.perf_counter()
        for _ in range(steps):
            if masks:
                games.legal()
            games.step(games.sample())
        return n * steps / (time.perf_counter() - start)

    return burst


def table() -> Iterator[str]:
    """Moves a second and the ratio to the peer at its best batch, all measured in turn in one run."""
    tried = side_by_side({str(n): peer(n) for n in PEER_GAMES}, 5)
    best = max(PEER_GAMES, key=lambda n: median(tried[str(n)]))
    name = f"pgx tic_tac_toe, {best:,} games, its best of {', '.join(f'{n:,}' for n in PEER_GAMES)}"
    bursts = {name: peer(best)}
    for game in names():
        bursts[game] = ours(game, GAMES)
        bursts[f"{game}, with the masks of all games at each step"] = ours(game, GAMES, masks=True)
    yield from compared(bursts, name, ROUNDS, "moves")
