"""Environments of PettingZoo and Gymnasium, which a Python class or function makes anew for every game.

`pettingzoo:NAME_vN` is a classic environment of PettingZoo, for two agents in turn, with an action mask.
`python:FILE.py:NAME` is what a class or a function of a file makes: an environment of PettingZoo (AEC), or
one of Gymnasium whose `step` is called for both players in turn:

    reset(seed=...) -> observation, info
    step(action)    -> observation, reward, terminated, truncated, info
    valid_moves()   -> the legal actions; or `action_masks()`, or `action_mask` in the info

Its reward is that of the player who has just moved; the opponent gets its negative. If it has the attribute
`current_player`, that says whose turn it is; otherwise the players alternate.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from hashlib import blake2b
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, TypeVar

from numberduels.game.adopted.interface import (
    CannotAdopt,
    Environment,
    Episode,
    NotChecked,
    check_copies,
    copied,
    describe,
    key_of,
    plain,
    quiet_logs,
)
from numberduels.game.contract import Seat
from numberduels.game.formatting import short

TEXT = re.compile(r"([a-z0-9_]+_v\d+)(?:\((.*)\))?")

HIDDEN, TOGETHER = "it has hidden information", "the players move at the same time"
UNFIT = {
    "gin_rummy": HIDDEN,
    "hanabi": HIDDEN,
    "leduc_holdem": HIDDEN,
    "rps": TOGETHER,
    "texas_holdem": HIDDEN,
    "texas_holdem_no_limit": HIDDEN,
}
"""The classic environments that do not fit. PettingZoo does not declare such things."""


def load_pettingzoo(name: str) -> Environment:
    """The classic environment of PettingZoo with this name, such as `go_v5(board_size=5)`."""
    match = TEXT.fullmatch(name)
    if not match:
        raise CannotAdopt(f"write pettingzoo:NAME_vN, such as pettingzoo:tictactoe_v3, not {short(name, 60)}")
    if reason := UNFIT.get(match[1].rpartition("_v")[0]):
        raise CannotAdopt(f"pettingzoo:{match[1]} cannot be adopted: {reason}")
    arguments = _arguments(match[2] or "")
    try:
        module = import_module(f"pettingzoo.classic.{match[1]}")
    except ModuleNotFoundError as fault:
        if fault.name and fault.name.startswith("pettingzoo.classic"):
            raise CannotAdopt(f"PettingZoo has no classic environment {match[1]}") from None
        raise CannotAdopt(
            f"{fault.name} is not installed; pettingzoo:{match[1]} needs it:"
            " pip install 'pettingzoo[classic]'"
        ) from None
    except Exception as fault:  # PettingZoo's own refusals, such as a deprecated version
        raise CannotAdopt(f"pettingzoo:{match[1]} cannot be loaded: {describe(fault)}") from None
    return TurnEnvironment(f"pettingzoo:{name}", lambda: module.env(**arguments))


def _arguments(text: str) -> dict[str, Any]:
    """Arguments such as `board_size=5,komi=0.5`."""
    found = {}
    for each in filter(None, text.split(",")):
        name, equals, value = each.partition("=")
        try:
            found[name.strip()] = ast.literal_eval(value.strip())
        except (SyntaxError, ValueError):
            equals = ""
        if not equals:
            raise CannotAdopt(f"{short(each)} is no argument such as board_size=5")
    return found


def load_python(name: str) -> Environment:
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


Self = TypeVar("Self", bound="FactoryEpisode")


class FactoryEpisode(Episode):
    """One game of such an environment, which is an object that `step` changes."""

    environment: FactoryEnvironment
    env: Any
    _returns: tuple[float, float] = (0.0, 0.0)

    def returns(self) -> tuple[float, float]:
        return self._returns

    def copy(self: Self) -> Self:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.env = copied(self.env)
        return made

    def key(self) -> Hashable | None:
        found = key_of(self.env) if self.environment.has_keys else None
        return None if found is None else (found, self.seat is None, self.truncated, self._returns)

    @abstractmethod
    def refused_step(self, action: int) -> tuple[float, bool]:
        """Take a step that should be refused: the reward of the player, and whether the game is over then."""

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
        """Try a step that is not allowed. An exception is a refusal, and as such ""."""
        try:
            with quiet_logs():
                return self.refused_step(action)
        except Exception:
            return ""
        except SystemExit:
            return "ended the program"


class TurnEnvironment(FactoryEnvironment):
    """An AEC environment with two agents."""

    library = "PettingZoo"

    def __init__(self, text: str, factory: Callable[[], Any]) -> None:
        super().__init__(text, factory)
        env = self.make()
        agents = list(env.possible_agents)
        if len(agents) != 2:
            raise CannotAdopt(f"{text} cannot be adopted: it is for {len(agents)} agents, not for two")
        metadata = getattr(env, "metadata", None) or {}
        self.title = str(metadata.get("name", text))
        self.about = f"An environment of PettingZoo, {text}."
        sizes = [getattr(env.action_space(agent), "n", 0) for agent in agents]
        if 0 in sizes:
            raise CannotAdopt(f"{text} cannot be adopted: its actions are not numbered")
        self.num_actions = int(max(sizes))
        self.has_keys = check_copies(self)

    def reset(self, seed: int) -> TurnEpisode:
        return TurnEpisode(self.make_reset(seed)[0], self, seed)


class TurnEpisode(FactoryEpisode):
    """One game of an AEC environment."""

    def __init__(self, env: Any, environment: FactoryEnvironment, seed: int) -> None:
        self.env, self.environment, self.seed = env, environment, seed
        first = env.agent_selection
        self.agents = (first, next(agent for agent in env.possible_agents if agent != first))

    @property
    def seat(self) -> Seat | None:
        if self.over:
            return None
        return 0 if self.env.agent_selection == self.agents[0] else 1

    @property
    def over(self) -> bool:
        """Whether the agent to move has ended."""
        agent = self.env.agent_selection
        return (
            not self.env.agents
            or bool(self.env.terminations.get(agent, True))
            or bool(self.env.truncations.get(agent, True))
        )

    @property
    def truncated(self) -> bool:
        return self.over and any(self.env.truncations.values()) and not any(self.env.terminations.values())

    def actions(self) -> Sequence[int]:
        if self.over:
            return ()
        agent = self.env.agent_selection
        observed = self.env.observe(agent)
        mask = observed.get("action_mask") if isinstance(observed, dict) else None
        if mask is None:
            mask = self.env.infos.get(agent, {}).get("action_mask")
        if mask is None:
            raise CannotAdopt("the environment has no action_mask, so its legal actions are unknown")
        return [action for action, legal in enumerate(mask) if legal]

    def step(self, action: int) -> None:
        self.env.step(action)
        self.history = (*self.history, action)
        gains = [float(self.env.rewards.get(agent, 0.0)) for agent in self.agents]
        self._returns = self._returns[0] + gains[0], self._returns[1] + gains[1]

    def refused_step(self, action: int) -> tuple[float, bool]:
        agent, over = self.env.agent_selection, self.over
        before = key_of(self.env) if over else None
        self.env.step(action)
        stopped = over and before is not None and key_of(self.env) == before
        return float(self.env.rewards.get(agent, 0.0)), self.over or stopped

    def restarted(self, seed: int) -> TurnEpisode:
        self.env.reset(seed=seed)
        return TurnEpisode(self.env, self.environment, seed)

    def declared_winner(self) -> Seat | None:
        infos = [info["winner"] for info in self.env.infos.values() if "winner" in info]
        if infos:
            return None if infos[0] not in self.agents else 0 if infos[0] == self.agents[0] else 1
        first, second = self._received()
        return None if first == second else 0 if first > second else 1

    def _received(self) -> tuple[float, float]:
        """What the agents are told by `last()` in the same game, as programs that learn play it."""
        env, _ = self.environment.make_reset(self.seed)
        totals, actions = dict.fromkeys(self.agents, 0.0), iter(self.history)
        for agent in env.agent_iter(len(self.history) + 4):
            _, reward, terminated, truncated, _ = env.last()
            totals[agent] += float(reward)
            env.step(None if terminated or truncated else next(actions))
        return totals[self.agents[0]], totals[self.agents[1]]

    def picture(self) -> str:
        return f"{self.agents[self.seat or 0]} observes:\n{self.env.observe(self.agents[self.seat or 0])}"

    def observation(self, seat: Seat) -> Any:
        observed = self.env.observe(self.agents[seat])
        if isinstance(observed, dict) and "observation" in observed:
            observed = observed["observation"]
        return plain(observed)

    def space_fault(self) -> str:
        for agent in self.agents:
            space = self.env.observation_space(agent)
            if not space.contains(self.env.observe(agent)):
                return f"the observation of {agent} is not in its space"
        if self.seat is None:
            return ""
        agent = self.agents[self.seat]
        for action in self.actions():
            if not self.env.action_space(agent).contains(action):
                return f"the legal action {action} is not in {self.env.action_space(agent)}"
        return ""


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


class TwoSeatEpisode(FactoryEpisode):
    """One game of such an environment."""

    def __init__(self, environment: FactoryEnvironment, env: Any, observation: Any, info: Any) -> None:
        self.environment = environment
        self.env = env
        self.last_observation = observation
        self.info = info
        self.over = False
        self._truncated = False
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

    def refused_step(self, action: int) -> tuple[float, bool]:
        _, reward, terminated, truncated, _ = self.env.step(action)
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
