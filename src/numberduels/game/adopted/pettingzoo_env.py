"""PettingZoo environments (AEC) for two agents in turn, with an action mask."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Hashable, Sequence
from importlib import import_module
from typing import Any

from numberduels.game.adopted.factory import (
    FactoryEnvironment,
    check_copies,
    copied,
    key_of,
    plain,
    quiet_logs,
)
from numberduels.game.adopted.simulator import CannotAdopt, Environment, Episode, describe
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


def load_environment(name: str) -> Environment:
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


class TurnEpisode(Episode):
    """One game of an AEC environment."""

    def __init__(self, env: Any, environment: TurnEnvironment, seed: int) -> None:
        self.env, self.environment, self.seed = env, environment, seed
        first = env.agent_selection
        self.agents = (first, next(agent for agent in env.possible_agents if agent != first))
        self._returns = (0.0, 0.0)

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

    def returns(self) -> tuple[float, float]:
        return self._returns

    def step(self, action: int) -> None:
        self.env.step(action)
        self.history = (*self.history, action)
        gains = [float(self.env.rewards.get(agent, 0.0)) for agent in self.agents]
        self._returns = self._returns[0] + gains[0], self._returns[1] + gains[1]

    def try_illegal(self, action: int) -> str:
        reward, changed = self._try(action)
        return "" if reward < 0 or not changed else f"was accepted with the reward {reward:g}"

    def try_after_end(self, action: int) -> str:
        reward, changed = self._try(action)
        if reward > 0:
            return f"was rewarded with {reward:g}"
        return "went on with the game" if changed and not self.over else ""

    def _try(self, action: int) -> tuple[float, bool]:
        """Try a step that is not allowed: the reward, and whether anything changed without an exception."""
        agent, before = self.env.agent_selection, key_of(self.env)
        try:
            with quiet_logs():
                self.env.step(action)
        except Exception:
            return 0.0, False
        return float(self.env.rewards.get(agent, 0.0)), before is None or key_of(self.env) != before

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
        again = self.environment.reset(self.seed)
        env, totals, actions = again.env, dict.fromkeys(self.agents, 0.0), iter(self.history)
        for agent in env.agent_iter(len(self.history) + 4):
            _, reward, terminated, truncated, _ = env.last()
            totals[agent] += float(reward)
            env.step(None if terminated or truncated else next(actions))
        return totals[self.agents[0]], totals[self.agents[1]]

    def copy(self) -> TurnEpisode:
        made = TurnEpisode.__new__(TurnEpisode)
        made.__dict__.update(self.__dict__)
        made.env = copied(self.env)
        return made

    def key(self) -> Hashable | None:
        found = key_of(self.env) if self.environment.has_keys else None
        return None if found is None else (found, self._returns)

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
