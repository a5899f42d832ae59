"""Copies of environments, and keys of their positions."""

from __future__ import annotations

import copy
import logging
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from random import Random
from typing import Any

from numberduels.game.adopted.simulator import CannotAdopt, Environment, describe

PLIES = 30
"""Moves of the game in which copies are compared with their originals."""


def copied(env: Any) -> Any:
    """An independent copy; CannotAdopt if the environment cannot be copied.

    Environments are copied attribute by attribute: many of them inherit from EzPickle, which makes a new
    environment from the arguments instead of a copy.
    """
    try:
        return _clone(env, {})
    except Exception as fault:
        raise CannotAdopt(f"{type(env).__name__} cannot be copied: {describe(fault)}") from None


def _is_env(value: Any) -> bool:
    """Whether this is an environment, or a wrapper around one."""
    kind = type(value)
    return hasattr(kind, "step") and hasattr(kind, "reset") and hasattr(value, "__dict__")


def _clone(env: Any, memo: dict[int, Any]) -> Any:
    if id(env) in memo:
        return memo[id(env)]
    made = memo[id(env)] = object.__new__(type(env))
    for name, value in vars(env).items():
        made.__dict__[name] = _clone(value, memo) if _is_env(value) else copy.deepcopy(value, memo)
    return made


def key_of(env: Any) -> bytes | None:
    """A digest of everything that the environment holds; None if that cannot be written down.

    Equal digests mean equal objects, which are linked in the same way, so they behave alike. Equal positions
    may have different digests, if an environment keeps its history; then they count as different.
    """
    try:
        return blake2b(pickle.dumps(_content(env, []), protocol=5), digest_size=16).digest()
    except Exception:  # an object that cannot be pickled can fail in any way
        return None


def _content(env: Any, seen: list[int]) -> Any:
    """The attributes of an environment and of those inside of it."""
    if id(env) in seen:
        return seen.index(id(env))
    seen.append(id(env))
    return [
        (name, _content(value, seen) if _is_env(value) else value)
        for name, value in sorted(vars(env).items())
    ]


def check_copies(environment: Environment) -> bool:
    """Whether equal digests mean equal positions; CannotAdopt if copies do not behave like the original.

    A random game is played: every copy must look like its original, and every move must change the digest.
    """
    rng = Random("copies")
    episode = environment.reset(0)
    keys = set()
    for _ in range(PLIES):
        actions = list(episode.actions())
        twin = episode.copy()
        if list(twin.actions()) != actions or twin.seat != episode.seat:
            raise CannotAdopt(f"{environment.text} cannot be copied: a copy has other legal actions")
        keys.add(episode.key())
        if not actions:
            break
        try:
            episode.step(rng.choice(actions))
        except (Exception, SystemExit):  # whether legal actions fail is not the question here
            return False
    return None not in keys and len(keys) == len(episode.history) + (episode.seat is None)


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Hide what libraries log when something is tried that is not allowed."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def plain(value: Any) -> Any:
    """An observation as hashable data: arrays become their shape and bytes."""
    if isinstance(value, dict):
        return tuple(
            (str(name), plain(each)) for name, each in sorted(value.items(), key=lambda i: str(i[0]))
        )
    if isinstance(value, (list, tuple)):
        return tuple(map(plain, value))
    if hasattr(value, "tobytes") and hasattr(value, "shape"):
        return tuple(value.shape), str(value.dtype), value.tobytes()
    return value if value is None or isinstance(value, (str, int, float, bool, bytes)) else repr(value)
