"""Observations that the game changes in place are those that are made anew."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

from numberduels.envs.encoding import Encoding
from numberduels.envs.episode import LiveObservation
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.range_war.rules import RangeWar
from tables import table

from .variants import VARIANTS, Variant, mask

LIVE = [variant for variant in VARIANTS if Encoding(variant.game).updates]


def test_the_games_whose_positions_hardly_ever_come_again_can_do_it() -> None:
    assert {variant.name for variant in LIVE} == {"number-snatch", "number-collision"}
    assert not any(variant.options.get("repetition") == "forbidden" for variant in LIVE)


@table("dtype", [None, "float32", "uint64"])
@table("variant", LIVE)
def test_in_random_games_every_observation_is_the_one_that_is_made_anew(variant: Variant, dtype: Any) -> None:
    game, rng = variant.game, Random(3)
    encoding = Encoding(game)
    live = LiveObservation(encoding, np.dtype(dtype or encoding.dtype))
    for _ in range(3):
        state = game.start(rng)
        live.set_start(state)
        for _ in range(120):
            assert live.observation.tolist() == list(game.observe(state))
            assert live.mask.tolist() == mask(game, state)
            if game.outcome(state) is not None:
                break
            move = rng.choice(game.moves(state))
            after = game.play(state, move)
            game.update_observation(live.numbers, live.flags, state, move, after)
            state = after


@table("copy", [deepcopy, lambda live: pickle.loads(pickle.dumps(live))])
def test_a_copy_goes_on_by_itself(copy: Callable[[LiveObservation], LiveObservation]) -> None:
    game = NumberCollision(size=3, values=2)
    start = game.start(Random())
    live = LiveObservation(Encoding(game), np.dtype(np.uint8))
    live.set_start(start)
    twin = copy(live)
    game.update_observation(twin.numbers, twin.flags, start, Place(2, 1), game.play(start, Place(2, 1)))
    assert live.observation.tolist() == [0, 0, 0, 1] and live.mask.tolist() == [1] * 6
    assert twin.observation.tolist() == [2, 0, 0, 2] and twin.mask.tolist() == [0, 0, 1, 1, 1, 1]


@table(
    "game, dtype, supported",
    [
        (NumberCollision(), "uint8", True),
        (NumberCollision(), "float64", True),
        (NumberCollision(), "float16", False),
        (NumberCollision(), "longdouble", False),
        (NumberCollision(repetition="forbidden"), "uint8", False),
        (RangeWar(), "uint8", False),
    ],
)
def test_what_it_supports(game: Any, dtype: str, supported: bool) -> None:
    assert LiveObservation.supports(Encoding(game), np.dtype(dtype)) is supported
