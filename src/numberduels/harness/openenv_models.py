"""The action, the observation and the state of the OpenEnv environment, and its typed client.

with DuelEnv(base_url="http://localhost:8000").sync() as env:
    result = env.reset(split="train", index=0)
    result = env.step(DuelAction(move=result.observation.legal_moves[0]))
"""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field, model_validator


class DuelAction(Action):
    """A move, or an answer in words that states one."""

    move: str | None = Field(default=None, max_length=200, description="A move as in legal_moves, such as 5")
    answer: str | None = Field(
        default=None, max_length=100_000, description="Or an answer in words that ends with a line MOVE: ..."
    )

    @model_validator(mode="after")
    def _exactly_one(self) -> DuelAction:
        if (self.move is None) == (self.answer is None):
            raise ValueError("give a move or an answer, and not both")
        return self


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


class DuelState(State):
    """The public state of a session."""

    game: str = Field(default="", description="The game with its options")
    player: int | None = Field(default=None, description="The agent's seat, 1 or 2")
    moves: list[str] = Field(default_factory=list, description="All moves so far, as the agent sees them")
    done: bool = False


class DuelEnv(EnvClient[DuelAction, DuelObservation, DuelState]):
    """The client of a running server; every client has a session of its own."""

    def _step_payload(self, action: DuelAction) -> dict[str, Any]:
        payload: dict[str, Any] = action.model_dump(exclude_none=True)
        return payload

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[DuelObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        observation = DuelObservation(**{**payload["observation"], "reward": reward, "done": done})
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> DuelState:
        return DuelState(**payload)
