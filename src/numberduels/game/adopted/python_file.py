"""`python:FILE.py:NAME`: an environment that a class or a function of a Python file makes.

It is one of PettingZoo, or a Gymnasium environment whose `step` is called for both players in turn:

    reset(seed=...) -> observation, info
    step(action)    -> observation, reward, terminated, truncated, info
    valid_moves()   -> the legal actions; or `action_masks()`, or `action_mask` in the info

The reward is that of the player who has just moved; the opponent gets its negative. If the environment has
the attribute `current_player`, it says whose turn it is; otherwise the players alternate.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Hashable, Sequence
from hashlib import blake2b
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from numberduels.game.adopted.factory import (
    FactoryEnvironment,
    check_copies,
    copied,
    key_of,
    plain,
    quiet_logs,
)
from numberduels.game.adopted.pettingzoo_env import TurnEnvironment
from numberduels.game.adopted.simulator import CannotAdopt, Environment, Episode, NotChecked, describe
from numberduels.game.contract import Seat
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


class TwoSeatEnvironment(FactoryEnvironment):
    """A Gymnasium environment for two players in turn."""

    library = "Gymnasium"
    tells_both_rewards = False

    def __init__(self, text: str, factory: Callable[[], Any]) -> None:
        super().__init__(text, factory)
        env = self.make()
        self.title = type(env.unwrapped if hasattr(env, "unwrapped") else env).__name__
        self.about = f"A Gymnasium environment that steps both players, {text}."
        size = getattr(getattr(env, "action_space", None), "n", None)
        if size is None:
            raise CannotAdopt(f"{text} has no Discrete action_space, so its actions have no numbers")
        self.num_actions = int(size) + int(getattr(env.action_space, "start", 0))
        self.alternates = not hasattr(inner(env), "current_player")
        self.has_keys = check_copies(self)

    def reset(self, seed: int) -> TwoSeatEpisode:
        env, found = self.make_reset(seed)
        if not isinstance(found, tuple) or len(found) != 2:
            raise CannotAdopt(f"{self.text}: reset must return an observation and an info")
        return TwoSeatEpisode(self, env, found[0], found[1])


def inner(env: Any) -> Any:
    """The environment inside of its wrappers."""
    return getattr(env, "unwrapped", env)


class TwoSeatEpisode(Episode):
    """One game of such an environment."""

    def __init__(self, environment: TwoSeatEnvironment, env: Any, observation: Any, info: Any) -> None:
        self.environment = environment
        self.env = env
        self.last_observation = observation
        self.info = info
        self.over = False
        self._truncated = False
        self._returns = (0.0, 0.0)
        self._first = getattr(inner(env), "current_player", None)
        """What the environment calls the player who moves first, and the other one when it was seen."""
        self._second: Any = None

    @property
    def _mover(self) -> Seat:
        if self._first is None:
            return 1 if len(self.history) % 2 else 0
        return 0 if inner(self.env).current_player == self._first else 1

    @property
    def seat(self) -> Seat | None:
        return None if self.over else self._mover

    @property
    def truncated(self) -> bool:
        return self._truncated

    def actions(self) -> Sequence[int]:
        if self.over:
            return ()
        env = inner(self.env)
        if hasattr(env, "valid_moves"):
            return [int(action) for action in env.valid_moves()]
        mask = env.action_masks() if hasattr(env, "action_masks") else self._mask_of_info()
        return [action for action, legal in enumerate(mask) if legal]

    def _mask_of_info(self) -> Any:
        if not isinstance(self.info, dict) or "action_mask" not in self.info:
            raise CannotAdopt(
                f"{type(inner(self.env)).__name__} does not tell its legal actions: it needs valid_moves(),"
                " action_masks() or an action_mask in the info"
            )
        return self.info["action_mask"]

    def returns(self) -> tuple[float, float]:
        return self._returns

    def step(self, action: int) -> None:
        mover = self._mover
        found = self.env.step(action)
        if not isinstance(found, tuple) or len(found) != 5:
            raise CannotAdopt(f"{type(inner(self.env)).__name__}: step must return five values")
        self.last_observation, reward, terminated, truncated, self.info = found
        self.history = (*self.history, action)
        if self._first is not None and (marker := inner(self.env).current_player) != self._first:
            self._second = marker
        gain = float(reward) * (1 if mover == 0 else -1)
        self._returns = self._returns[0] + gain, self._returns[1] - gain
        self.over = bool(terminated) or bool(truncated)
        self._truncated = bool(truncated) and not terminated

    def try_illegal(self, action: int) -> str:
        before = key_of(self.env)
        found = self._try(action)
        if isinstance(found, str):
            return found
        reward, over = found
        unchanged = before is not None and key_of(self.env) == before and not over
        return "" if reward < 0 or unchanged else f"was accepted with the reward {reward:g}"

    def try_after_end(self, action: int) -> str:
        found = self._try(action)
        if isinstance(found, str):
            return found
        reward, over = found
        if reward > 0:
            return f"was rewarded with {reward:g}"
        return "" if over else "went on with the game"

    def _try(self, action: int) -> tuple[float, bool] | str:
        """Try a step that is not allowed: its reward and whether the game is over, or what else it did.

        An exception is a refusal, and as such "".
        """
        try:
            with quiet_logs():
                _, reward, terminated, truncated, _ = self.env.step(action)
        except Exception:
            return ""
        except SystemExit:
            return "ended the program"
        return float(reward), bool(terminated) or bool(truncated)

    def restarted(self, seed: int) -> TwoSeatEpisode:
        return TwoSeatEpisode(self.environment, self.env, *self.env.reset(seed=seed))

    def declared_winner(self) -> Seat | None:
        env = inner(self.env)
        if isinstance(self.info, dict) and "winner" in self.info:
            winner = self.info["winner"]
        elif hasattr(env, "winner"):
            winner = env.winner
        else:
            raise NotChecked("it names no winner besides its rewards")
        markers = (0, 1) if self._first is None else (self._first, self._second)
        if winner is None or winner not in markers:
            return None
        return 0 if winner == markers[0] else 1

    def copy(self) -> TwoSeatEpisode:
        made = TwoSeatEpisode.__new__(TwoSeatEpisode)
        made.__dict__.update(self.__dict__)
        made.env = copied(self.env)
        return made

    def key(self) -> Hashable | None:
        found = key_of(self.env) if self.environment.has_keys else None
        return None if found is None else (found, self.over, self._truncated, self._returns)

    def picture(self) -> str:
        return str(self.last_observation)

    def observation(self, seat: Seat) -> Any:
        return plain(self.last_observation)

    def space_fault(self) -> str:
        space = getattr(self.env, "observation_space", None)
        if space is None:
            raise NotChecked("it declares no observation_space")
        if not space.contains(self.last_observation):
            return f"the observation is not in {space}"
        for action in self.actions():
            if not self.env.action_space.contains(action):
                return f"the legal action {action} is not in {self.env.action_space}"
        return ""
