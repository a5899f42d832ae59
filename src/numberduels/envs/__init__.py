"""Environments for training and testing agents, with the usual interfaces.

- `aec(game, ...)` two agents in turn (PettingZoo AEC)
- `gymnasium.make("NumberDuels/RangeWar-v0", opponent=...)` one seat; import this package first
- `import numberduels.envs.openspiel` registers the games with OpenSpiel
- `batch(game, n=...)` many games stepped by one call; needs only NumPy
- `policy_opponent(policy)` an opponent for Gymnasium that chooses by observations and masks

Every game with `all_moves` works with all of them. Start with `episode.py` for single games, with
`batch_env.py` for arrays; `encoding.py` numbers moves and positions for both. The room knows players, solvers
and the game contract, and no front.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from numberduels.game import registry

if TYPE_CHECKING:
    from numberduels.envs.aec_env import DuelAEC
    from numberduels.envs.batch_env import BatchEnv
    from numberduels.envs.opponents import Policy, PolicyPlayer

__all__ = ["aec", "batch", "env_id", "policy_opponent"]


def aec(
    game: str,
    *,
    limit: int | None = None,
    dtype: Any = None,
    render_mode: str | None = None,
    **options: Any,
) -> DuelAEC:
    """A PettingZoo environment of the named game with these options.

    `dtype` is the NumPy dtype of observations; by default the smallest that fits.

    >>> env = aec("number-snatch", numbers=(2, 3, 10), render_mode="ansi")
    >>> env.reset(seed=1)
    >>> env.step(1)
    >>> print(env.render(), end="")
    Available Numbers: [3, 10]
    Player 1's last number: 2
    Scores:
    Player 1: 2
    Player 2: 0
    Player 2's turn.
    """
    spec = registry.adopted_spec(game)
    env: DuelAEC = _import("aec_env").DuelAEC(
        spec, spec.build(options), limit=limit, dtype=dtype, render_mode=render_mode
    )
    return env


def batch(game: str, n: int, *, limit: int | None = None, **options: Any) -> BatchEnv:
    """`n` games of the named game with these options, stepped together.

    >>> games = batch("summation-duel", n=1000, size=20, target=60)
    >>> games.reset(seed=1)
    >>> rewards, terminated, truncated = games.step(games.sample())
    >>> games.legal().shape
    (1000, 20)
    """
    spec = registry.adopted_spec(game)
    games: BatchEnv = _import("batch_env").BatchEnv(spec, spec.build(options), n, limit=limit)
    return games


def policy_opponent(policy: Policy, name: str = "policy") -> PolicyPlayer:
    """An opponent that asks a policy; a vector environment asks it once for all games.

    The policy is a function of observations and action masks, both with a row for each position. It returns
    an action for each row, or weights with a row for each position, from which the environment draws.

    >>> def lowest(observations, masks):
    ...     return masks.argmax(axis=1)
    >>> policy_opponent(lowest, "lowest").name
    'lowest'
    """
    player: PolicyPlayer = _import("opponents").PolicyPlayer(policy, name)
    return player


def _import(module: str) -> Any:
    """A module of this package; the error names the extra if a dependency is missing."""
    try:
        return import_module(f"numberduels.envs.{module}")
    except ModuleNotFoundError as fault:
        raise ModuleNotFoundError(
            f"{fault.name} is not installed; the environments need it: pip install 'numberduels[envs]'",
            name=fault.name,
        ) from None


def env_id(game: str) -> str:
    """The id of a game for `gymnasium.make`.

    >>> env_id("range-war")
    'NumberDuels/RangeWar-v0'
    """
    return f"NumberDuels/{game.title().replace('-', '')}-v0"


def _register() -> None:
    import gymnasium

    for name in registry.names():
        gymnasium.register(
            id=env_id(name),
            entry_point="numberduels.envs.gymnasium_env:DuelEnv",
            vector_entry_point="numberduels.envs.vector_env:DuelVectorEnv",
            kwargs={"game": name},
        )


if find_spec("gymnasium"):  # a batch needs nothing but NumPy
    _register()
