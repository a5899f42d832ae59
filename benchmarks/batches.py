"""Batches of 10,000 games, beside tic-tac-toe on pgx at the batch that suits it best.

Both sides do the same work: at each step every game has its mask and its observation made, a legal move drawn
and played, and is begun anew if that ended it. pgx computes on all cores, ours on one: the ratio by the clock
is that of the whole machine, and needs it to be quiet; the ratio by processor time is that of one core, and
does not mind what else runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import act_randomly, auto_reset

import numberduels.envs
from benchmarks.loops import play_batch
from benchmarks.rounds import Rate, rated, ratio, side_by_side
from numberduels import names

TITLE = "Batches: random play of 10,000 games, with masks, observations and restarts"
ROUNDS = 41
GAMES = 10_000
PEER_GAMES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
"""Batch sizes to try for the peer."""

Draw = Callable[[Any, Any], Any]


def drawn_once(key: Any, masks: Any) -> Any:
    """A legal move for each game from one random number; pgx's `act_randomly` draws one for each action."""
    nth = (jax.random.uniform(key, masks.shape[:1]) * masks.sum(axis=1)).astype(jnp.int32)
    return jnp.argmax(jnp.cumsum(masks, axis=1) > nth[:, None], axis=1)


PEERS: dict[str, tuple[str, Draw]] = {
    "pgx tic_tac_toe": ("threefry2x32", act_randomly),
    "pgx tic_tac_toe, tuned (generator unsafe_rbg, one random number a move)": ("unsafe_rbg", drawn_once),
}
"""The generator and the sampling of moves: as in the documentation of pgx, and the fastest that we found."""


def peer(n: int, generator: str, draw: Draw) -> Callable[[], Rate]:
    """Random play of n games of tic-tac-toe, compiled as a whole.

    A state of pgx holds its mask and its observation, so each step makes both.
    """
    env = pgx.make("tic_tac_toe")
    step = jax.vmap(auto_reset(env.step, env.init))
    steps = max(1, 300_000 // n)

    def move(carried: Any, _: None) -> tuple[Any, None]:
        key, state = carried
        key, choice, fresh = jax.random.split(key, 3)
        actions = draw(choice, state.legal_action_mask)
        return (key, step(state, actions, jax.random.split(fresh, n))), None

    play = jax.jit(lambda carried: jax.lax.scan(move, carried, None, length=steps)[0])
    key = jax.random.key(1, impl=generator)
    carried = key, jax.jit(jax.vmap(env.init))(jax.random.split(key, n))

    def loop() -> int:
        nonlocal carried
        carried = jax.block_until_ready(play(carried))
        return n * steps

    return rated(loop)


def ours(name: str, *, bare: bool = False) -> Callable[[], Rate]:
    """Random play of a batch; `bare`: without masks and observations."""
    games = numberduels.envs.batch(name, n=GAMES)
    games.reset(seed=1)
    return rated(play_batch(games, 200, bare=bare))


def best_of(generator: str, draw: Draw) -> int:
    """The fastest batch size of the peer."""
    tried = side_by_side({str(n): peer(n, generator, draw) for n in PEER_GAMES}, 5)
    return max(PEER_GAMES, key=lambda n: median(rate.clock for rate in tried[str(n)]))


def table() -> Iterator[str]:
    """Moves a second and the ratios to the peer at its best batch, all measured in turn in one run."""
    bursts: dict[str, Callable[[], Rate]] = {}
    for name, (generator, draw) in PEERS.items():
        best = best_of(generator, draw)
        bursts[f"{name}, {best:,} games"] = peer(best, generator, draw)
    reference = next(iter(bursts))
    bursts |= {game: ours(game) for game in names()}
    bursts |= {f"{game}, moves alone": ours(game, bare=True) for game in names()}
    results = side_by_side(bursts, ROUNDS)
    yield f"pgx at its best of {', '.join(f'{n:,}' for n in PEER_GAMES)} games, ours with {GAMES:,}."
    yield ""
    yield "| what | moves a second (median) | ratio to pgx (median, quartiles) | by processor time |"
    yield "|---|---|---|---|"
    for name, rates in results.items():
        clock, processor = (
            "{:.2f} ({:.2f} - {:.2f})".format(
                *ratio([each[kind] for each in rates], [each[kind] for each in results[reference]])
            )
            for kind in (0, 1)
        )
        yield f"| {name} | {median(rate.clock for rate in rates):,.0f} | {clock} | {processor} |"
