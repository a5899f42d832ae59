"""Copies of environments, and keys that tell whether two of them are in the same position."""

from __future__ import annotations

import copy
import pickle
from hashlib import blake2b
from typing import Any

from numberduels.adopted.simulator import CannotAdopt
from numberduels.text import short


def copied(env: Any) -> Any:
    """An independent copy; CannotAdopt if the environment cannot be copied."""
    try:
        return copy.deepcopy(env)
    except Exception as fault:
        raise CannotAdopt(f"{type(env).__name__} cannot be copied: {describe(fault)}") from None


def key_of(env: Any) -> bytes | None:
    """A digest of everything that the environment holds; None if that cannot be written down.

    Equal digests mean equal objects, which are linked in the same way, so they behave alike. Equal positions
    may have different digests, if an environment keeps its history; then they count as different.
    """
    try:
        return blake2b(pickle.dumps(env, protocol=5), digest_size=16).digest()
    except Exception:  # an object that cannot be pickled can fail in any way
        return None


def describe(fault: BaseException) -> str:
    """An exception of somebody else's code in a few words."""
    return short(f"{type(fault).__name__}: {' '.join(str(fault).split())}", 160)


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
