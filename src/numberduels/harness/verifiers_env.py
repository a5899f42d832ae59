"""The taskset and the environment for verifiers: games against a built-in opponent, scored move by move.

    vf-eval numberduels-verifiers -n 20 -m MODEL --env.taskset.games range-war,summation-duel

The environment steps the game; the model is asked for one move in each turn of a conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from openai import APIConnectionError, APIStatusError, AsyncOpenAI
from pydantic import Field
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.errors import MODEL_TRANSPORT_ERROR_EXIT_CODE

from numberduels.harness.episode_results import summarize
from numberduels.harness.episode_tasks import STANDARD_GAMES, EpisodeTasks, start_episode

MAX_RETRIES = 5
"""Of one request: after a rate limit, an error of the server or a lost connection."""


class DuelTasksetConfig(vf.TasksetConfig):
    """Which episodes: the games, the split and the settings of an episode, as flags `--env.taskset.NAME`."""

    games: str = ",".join(STANDARD_GAMES)
    """Names with options, and with commas between them."""
    split: str = "train"
    """train, test or all."""
    start: int = 0
    """The first seed."""
    opponent: str | None = None
    """A built-in player; None is the standard one."""
    seat: str | None = None
    """The seat of the model: first, second or random."""
    reward: str | None = None
    """value_change, kept or outcome."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Further settings of an episode, such as {"attempts": 1, "legal": false}."""

    @property
    def chosen(self) -> dict[str, Any]:
        """The settings of an episode that differ from the standard."""
        named = {"opponent": self.opponent, "seat": self.seat, "reward": self.reward}
        return {**{name: value for name, value in named.items() if value is not None}, **self.settings}


class DuelData(vf.TaskData):
    """A task as verifiers records it: the first prompt, and what the episode is made from."""

    seed: int
    settings: dict[str, Any]


class DuelTask(vf.Task[DuelData, vf.State, vf.TaskConfig]):
    """One game from its first decision on."""


class DuelTaskset(vf.Taskset[DuelTask, DuelTasksetConfig]):
    """As many tasks as are taken: seed after seed."""

    INFINITE = True

    def load(self) -> Iterator[DuelTask]:
        """The tasks of the split; the games take turns."""
        config = self.config
        for task in EpisodeTasks(config.games, config.start, **config.chosen).tasks(config.split):
            episode = task.episode()
            data = DuelData(
                id=task.id,
                name=task.name,
                prompt=episode.prompt,
                system_prompt=episode.system,
                seed=task.seed,
                settings=task.settings.data(),
            )
            yield DuelTask(data, config.task)


class DuelEnvConfig(vf.EnvConfig):
    """One seat is a model; the other one is the built-in opponent of the task."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    """The model. The harness of this taskset executes nothing that it writes, so it needs no sandbox."""


class DuelVerifiersEnv(vf.Env[DuelEnvConfig]):
    """Plays a task to its end. The reward of the trace is the score of the episode."""

    async def run(self, task: DuelTask, agents: vf.Agents) -> None:
        """Ask for one move after the other; a model that stops answering forfeits."""
        episode = start_episode({"seed": task.data.seed, **task.data.settings})
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                episode.answer(segment.last_reply)
                if episode.done:
                    break
                segment = await interaction.turn(episode.prompt)
        trace = interaction.trace
        if trace.errors:
            return  # a failure of the server is no bad play
        episode.abandon()
        trace.record_reward(episode.settings.reward, episode.score)
        trace.record_metrics(summarize(episode))
        trace.info["episode"] = episode.transcript()


class DuelChatHarness(vf.Harness[vf.HarnessConfig]):
    """Sends the conversation to the model, and adds its answer: one completion for each turn.

    The harnesses of verifiers start a program for each turn, in a sandbox. Nothing that a model writes here
    is executed, so that is not needed.
    """

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Request one completion through the interception of verifiers, which records it."""
        system, prompt = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        else:
            messages += [message_to_wire(each) for each in prompt or []]
        try:
            async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=MAX_RETRIES) as client:
                await client.chat.completions.create(model=ctx.model, messages=messages)
        except APIConnectionError as fault:
            return vf.ProgramResult(exit_code=MODEL_TRANSPORT_ERROR_EXIT_CODE, stdout="", stderr=str(fault))
        except APIStatusError as fault:
            return vf.ProgramResult(exit_code=1, stdout="", stderr=str(fault))
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
