"""FactoryEnvironment: an environment that a Python class or function makes, a new one for every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numberduels.game.adopted.simulator import CannotAdopt, Environment, describe


class FactoryEnvironment(Environment):
    """What the adapters for Gymnasium and PettingZoo share."""

    library = ""
    """The library whose interface it has."""
    has_keys = True
    """Whether the content of the object is known to be the position."""

    def __init__(self, text: str, factory: Callable[[], Any]) -> None:
        self.text = text
        self.factory = factory

    def make(self) -> Any:
        """A new environment; CannotAdopt if it cannot be made."""
        try:
            return self.factory()
        except (Exception, SystemExit) as fault:
            raise CannotAdopt(f"{self.text} cannot be made: {describe(fault)}") from None

    def make_reset(self, seed: int) -> tuple[Any, Any]:
        """A new environment that was reset with this seed, and what `reset` returned."""
        env = self.make()
        try:
            return env, env.reset(seed=seed)
        except (Exception, SystemExit) as fault:
            raise CannotAdopt(f"{self.text}: reset(seed={seed}) fails: {describe(fault)}") from None
