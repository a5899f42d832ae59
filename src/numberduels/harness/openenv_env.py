"""The OpenEnv environment and its client: one seat of a game, exact rewards for moves, tasks in splits.

with DuelClient(base_url="http://localhost:8000").sync() as env:
    result = env.reset(split="train", index=0)
    result = env.step(DuelAction(move=result.observation.legal_moves[0]))
"""

from __future__ import annotations

from html import escape
from random import SystemRandom
from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from numberduels import __version__
from numberduels.game.adopted import is_adopted
from numberduels.game.formatting import short, split_list
from numberduels.game.options import BadOption, check_among, check_whole
from numberduels.harness.episode_results import EpisodeStep
from numberduels.harness.episode_tasks import ALL, SPLITS, STANDARD_GAMES, EpisodeTask, EpisodeTasks
from numberduels.harness.text_episode import EpisodeOver, TextEpisode
from numberduels.players import LADDER

NUM_TASKS = {"train": 2_000, "test": 500}
"""The declared sizes of the splits; tasks are found when they are asked for."""

MAX_SEED = 2**32

OPPONENTS = ("random", "greedy", *LADDER)
"""The opponents that a client may choose."""

RESET_OPTIONS = ("split", "index", "game", "opponent", "seat")


class DuelAction(Action):
    """A move, or an answer in words that states one."""

    move: str = Field(
        max_length=100_000,
        description="A move as in legal_moves, such as 5, or an answer in words that ends with MOVE: 5",
    )


class DuelObservation(Observation):
    """What the agent sees. It never tells a value or a best move; the exact review comes with the end."""

    system: str = Field(default="", description="The rules, and how to answer: a system message")
    prompt: str = Field(default="", description="The question for a move: a user message; empty at the end")
    position: str = Field(default="", description="The position as text")
    legal_moves: list[str] = Field(
        default_factory=list, description="The legal moves, unless they are hidden"
    )
    player: int | None = Field(default=None, description="The agent's seat: 1 moves first, 2 second")
    fault: str = Field(default="", description="Why the last action could not be played; empty if it could")
    attempts_left: int = Field(default=0, description="After a fault: further attempts for this move")
    opponent_move: str | None = Field(default=None, description="The opponent's reply to the last action")
    outcome: str | None = Field(default=None, description="At the end: win, tie, loss or unfinished")
    review: dict[str, Any] | None = Field(
        default=None, description="At the end: every move with its judgement"
    )


class DuelSessionState(State):
    """The public state of a session."""

    game: str = Field(default="", description="The game with its options")
    player: int | None = Field(default=None, description="The agent's seat, 1 or 2")
    moves: list[str] = Field(default_factory=list, description="All moves so far, as the agent sees them")
    done: bool = False


class DuelClient(EnvClient[DuelAction, DuelObservation, DuelSessionState]):
    """The client of a running server; every client has a session of its own."""

    def _step_payload(self, action: DuelAction) -> dict[str, Any]:
        return {"move": action.move}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[DuelObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        observation = DuelObservation(**{**payload["observation"], "reward": reward, "done": done})
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> DuelSessionState:
        return DuelSessionState(**payload)


class DuelEnvironment(Environment[DuelAction, DuelObservation, DuelSessionState]):
    """One session: `reset` starts an episode, `step` makes a move of the agent and the opponent's reply.

    A client may choose the task, the seed, one of the served games, the opponent and the seat. Everything
    else is fixed by whoever runs the server, so that no client can ask for a game that takes hours to solve.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, games: str = ",".join(STANDARD_GAMES), **settings: Any) -> None:
        super().__init__()
        for game in split_list(games):
            if is_adopted(game):
                raise BadOption(
                    "game", f"{short(game, 80)} is a game of another library, which this server never runs"
                )
        self._games = games
        self._settings = settings
        self._tasks = EpisodeTasks(games, **settings)
        self._episode: TextEpisode | None = None
        self._state = DuelSessionState(step_count=0)

    # Episodes

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> DuelObservation:
        """Start an episode; BadOption says what is wrong with an option.

        `split` and `index` choose a task; a seed takes the place of the index. A `game` with a seed is that
        episode in every harness. Without a game, the seed chooses the game, too. `opponent` and `seat`
        replace those of the server.
        """
        for name in kwargs:
            check_among("option", name, RESET_OPTIONS)
        self._episode = self._task(seed, **kwargs).episode()
        self._state = DuelSessionState(episode_id=episode_id, step_count=0)
        return self._observation(None)

    def step(self, action: DuelAction, timeout_s: float | None = None, **_: Any) -> DuelObservation:
        """Make a move; an action that cannot be played costs an attempt, and changes nothing else."""
        if self._episode is None:
            raise EpisodeOver("there is no episode: reset first")
        step = self._episode.play(action.move)
        self._state.step_count += 1
        return self._observation(step)

    @property
    def state(self) -> DuelSessionState:
        """The public state; it tells no value."""
        episode = self._episode
        if episode is not None:
            self._state.game = "disguised" if episode.settings.disguise else episode.game_text
            self._state.player = _player(episode)
            self._state.moves = [episode.conversation.shown(move) for move in episode.table.played]
            self._state.done = episode.done
        return self._state

    def _observation(self, step: EpisodeStep | None) -> DuelObservation:
        episode = self._episode
        assert episode is not None
        return DuelObservation(
            done=episode.done,
            reward=None if step is None else step.reward,
            system="" if episode.done else episode.system,
            prompt=episode.prompt,
            position=episode.position,
            legal_moves=episode.legal_moves() if episode.settings.legal else [],
            player=_player(episode),
            fault=step.fault if step else "",
            attempts_left=step.attempts_left if step else 0,
            opponent_move=episode.reply_shown,
            outcome=step.outcome if step else None,
            review=episode.transcript() if episode.done else None,
        )

    # Tasks

    def _task(
        self,
        seed: int | None = None,
        split: str | None = None,
        index: int | None = None,
        game: str | None = None,
        opponent: str | None = None,
        seat: str | None = None,
    ) -> EpisodeTask:
        if index is not None and (seed is not None or split is None):
            raise BadOption("index", "give an index with a split, or a seed")
        tasks = self._chosen(game, opponent, seat)
        number = SystemRandom().randrange(MAX_SEED) if seed is None else seed
        check_whole("seed", number, 0, MAX_SEED)
        if split is None:
            return tasks.task(ALL, number)
        size = self.num_tasks(split)
        if index is None:
            index = number % size
        check_whole("index", index, 0, size - 1)
        return tasks.task(split, index)

    def _chosen(self, game: str | None, opponent: str | None, seat: str | None) -> EpisodeTasks:
        """The tasks with what the client has chosen."""
        chosen: dict[str, Any] = {}
        if game is not None:
            check_among("game", game, split_list(self._games))
        if opponent is not None:
            check_among("opponent", opponent, OPPONENTS)
            chosen["opponent"] = opponent
        if seat is not None:
            chosen["seat"] = seat
        if game is None and not chosen:
            return self._tasks
        return EpisodeTasks(game or self._games, **{**self._settings, **chosen})

    def list_splits(self) -> list[str]:
        """The splits, which share neither a seed nor a start."""
        return list(SPLITS)

    def num_tasks(self, split: str) -> int:
        """The size of a split."""
        check_among("split", split, SPLITS)
        return NUM_TASKS[split]

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """A task: what `reset(split=..., index=...)` starts."""
        if not 0 <= index < self.num_tasks(split):
            raise IndexError(f"{split} has the tasks 0 to {self.num_tasks(split) - 1}")
        task = self._tasks.task(split, index)
        return {"id": task.id, **task.data()}

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Tasks by the bounds of a slice."""
        return [self.get_task(split, index) for index in range(self.num_tasks(split))[start:stop]]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """All tasks of a split."""
        return self.get_task_range(split)

    # The web interface

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """A button for every legal move."""
        return [(move, {"move": move}) for move in observation.get("legal_moves", [])]

    def render_web(self, observation: dict[str, Any]) -> str | None:
        """The position, as the agent sees it."""
        return f"<pre>{escape(observation.get('position', ''))}</pre>"

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server tells about itself."""
        return EnvironmentMetadata(
            name="numberduels",
            description="Two-player number games with an exact reward for every move and graded opponents.",
            version=__version__,
        )


def _player(episode: TextEpisode) -> int | None:
    return None if episode.seat is None else episode.seat + 1
