"""A language model as a player: it is asked in plain words and answers with a line `MOVE: ...`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

from numberduels.core import Game, M, S
from numberduels.players.conversation import Conversation, shortened
from numberduels.players.endpoint import ChatMessage, Endpoint
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings
from numberduels.players.model_options import parse_options
from numberduels.players.player import FILTERED, TOOL_CALL, TRUNCATED, UNREADABLE, Attempt, Forfeit, Player
from numberduels.players.replies import Reply

FAULTS = {
    TRUNCATED: "The answer was cut off before it stated a move.",
    FILTERED: "The answer was held back by a content filter.",
    TOOL_CALL: "The answer was a call of a tool, and there are no tools.",
}
"""What a model is told if the server says why its answer has no move."""


class ChatPlayer(Player):
    """Any language model behind an OpenAI-compatible endpoint."""

    def __init__(
        self,
        model: str,
        settings: ExternalSettings = DEFAULT_SETTINGS,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: Random | None = None,
    ) -> None:
        """Name the model as its server does; `sleep` and `rng` make and spread the waits between tries."""
        if not model.strip():
            raise ValueError("chat needs the name of a model, such as chat:llama3.1")
        self.name = f"chat:{model}"
        self.model = model
        self.settings = settings
        options = parse_options(settings.options_of(model))
        for variable in options.variables():
            if not os.environ.get(variable):
                raise ValueError(
                    f"the environment variable {variable}, which the options of {self.name} name, is not set"
                )
        self.endpoint = Endpoint(
            settings.base_url,
            options=options,
            seconds=settings.seconds,
            concurrency=settings.concurrency,
            sleep=sleep,
            clock=clock,
            rng=rng,
        )
        self._played: Sequence[Hashable] | None = None

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        Conversation(game, self.settings)  # a game without a disguise is refused here, not in the middle
        self._played = None

    def set_history(self, played: Sequence[Hashable]) -> None:
        self._played = tuple(played)

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        conversation = Conversation(game, self.settings)
        messages = conversation.question(state, self._played, self.opening_plies)
        kept: list[Attempt] = []
        self.attempts = kept
        fault = cause = ""
        for left in reversed(range(conversation.attempts)):
            reply = self.endpoint.ask(self.model, messages, self.sample)
            move, fault, cause = conversation.answer(state, reply.text)
            if cause == UNREADABLE and reply.cause:
                cause, fault = reply.cause, FAULTS.get(reply.cause, fault)
            kept.append(self._attempt(reply, fault, cause, messages))
            if not fault:
                return move  # type: ignore[no-any-return]  # the words of the game have read it
            messages += conversation.again(reply.text, fault, left)
        raise Forfeit(cause, f"There was no legal move in {len(kept)} answers; the last fault: {fault}")

    def _attempt(self, reply: Reply, fault: str, cause: str, messages: Sequence[ChatMessage]) -> Attempt:
        """What is kept of an answer."""
        cost = self.settings.cost(self.model, reply.tokens_in, reply.tokens_out)
        return Attempt(
            shortened(reply.text),
            fault,
            reply.seconds,
            reply.tokens_in,
            reply.tokens_out,
            reply.cost if cost is None else cost,
            cause,
            reply.finish,
            shortened(reply.reasoning),
            reply.tokens_reasoning,
            reply.tokens_cached,
            tuple((message["role"], message["content"]) for message in messages),
        )
