"""The taskset and the environment for verifiers: games against a built-in opponent, scored move by move.

    vf-eval numberduels-verifiers -n 20 -m MODEL --env.taskset.games range-war,summation-duel

The environment steps the game; the model is asked for one move in each turn of a conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from numberduels.harness.episode_settings import read_settings
from numberduels.harness.episode_summary import summarize
from numberduels.harness.episode_tasks import STANDARD_GAMES, EpisodeTasks
from numberduels.harness.text_episode import TextEpisode


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

    def episode(self) -> TextEpisode:
        """A new episode of this task."""
        return TextEpisode(read_settings(self.settings), self.seed)


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


class DuelEnv(vf.Env[DuelEnvConfig]):
    """Plays a task to its end. The reward of the trace is the score of the episode."""

    async def run(self, task: DuelTask, agents: vf.Agents) -> None:
        """Ask for one move after the other; a model that stops answering forfeits."""
        episode = task.data.episode()
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
        finished = float(episode.done)
        episode.abandon()
        trace.record_reward(episode.settings.reward, episode.score)
        trace.record_metrics({**summarize(episode), "finished": finished})
        trace.info["episode"] = episode.transcript()
