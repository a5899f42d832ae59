"""`python:FILE.py:NAME`: an environment that a class or a function of a Python file makes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from hashlib import blake2b
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from numberduels.game.adopted.gymnasium_env import TwoSeatEnvironment
from numberduels.game.adopted.pettingzoo_env import TurnEnvironment
from numberduels.game.adopted.simulator import CannotAdopt, Environment, describe
from numberduels.game.formatting import short


def load_environment(name: str) -> Environment:
    """The environment that FILE.py:NAME makes; CannotAdopt if it has none of the known forms."""
    path, colon, attribute = name.rpartition(":")
    if not colon or not path.endswith(".py") or not attribute.isidentifier():
        raise CannotAdopt(
            f"write python:FILE.py:NAME, such as python:my_env.py:CustomEnv, not {short(name, 80)}"
        )
    factory = _loaded(path, attribute)
    text = f"python:{name}"
    try:
        env = factory()
    except (Exception, SystemExit) as fault:
        raise CannotAdopt(f"{short(text, 120)} cannot be made: {describe(fault)}") from None
    if hasattr(env, "possible_agents") and hasattr(env, "agent_iter"):
        return TurnEnvironment(text, factory)
    if hasattr(env, "step") and hasattr(env, "reset"):
        return TwoSeatEnvironment(text, factory)
    raise CannotAdopt(
        f"{short(text, 120)} makes {type(env).__name__}, which is neither a Gymnasium environment that"
        " steps both players nor one of PettingZoo (AEC)"
    )


def _loaded(path: str, attribute: str) -> Callable[[], Any]:
    module_name = f"adopted_{blake2b(os.path.abspath(path).encode(), digest_size=8).hexdigest()}"
    module = sys.modules.get(module_name)
    if module is None:
        if not os.path.isfile(path):
            raise CannotAdopt(f"there is no file {short(path, 120)}")
        spec = spec_from_file_location(module_name, path)
        if spec is None or spec.loader is None:
            raise CannotAdopt(f"{short(path, 120)} is no Python file")
        module = module_from_spec(spec)
        sys.modules[module_name] = module  # copies and pickles of its objects look here
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as fault:
            del sys.modules[module_name]
            raise CannotAdopt(f"{short(path, 120)} cannot be loaded: {describe(fault)}") from None
    found = getattr(module, attribute, None)
    if not callable(found):
        raise CannotAdopt(f"{short(path, 120)} has no class or function {attribute}")
    factory: Callable[[], Any] = found
    return factory
