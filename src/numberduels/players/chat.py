"""A language model as a player: it is asked in plain words and answers with a line `MOVE: ...`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

from numberduels.game.contract import Game, M, S
from numberduels.players.answer_cache import RequestControl, request_id
from numberduels.players.conversation import Conversation, shortened
from numberduels.players.endpoint import ChatMessage, Endpoint, request_body
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
            began = self.endpoint.clock()
            try:
                reply, cached = self._ask(messages)
            except Forfeit as failure:
                seconds = self.endpoint.clock() - began
                kept.append(Attempt("", str(failure), seconds, cause=failure.cause, prompt=_told(messages)))
                raise
            move, fault, cause = conversation.answer(state, reply.text)
            if cause == UNREADABLE and reply.cause:
                cause, fault = reply.cause, FAULTS.get(reply.cause, fault)
            kept.append(self._attempt(reply, fault, cause, messages, cached))
            if not fault:
                return move  # type: ignore[no-any-return]  # the words of the game have read it
            messages += conversation.again(reply.text, fault, left)
        raise Forfeit(cause, f"There was no legal move in {len(kept)} answers; the last fault: {fault}")

    def _ask(self, messages: Sequence[ChatMessage]) -> tuple[Reply, bool]:
        """The next message of the model, and whether it comes from the cache; BudgetSpent, or Forfeit."""
        cache, budget = self.requests or RequestControl()
        request = ""
        if cache:
            body = request_body(self.model, messages, self.endpoint.options, self.sample)
            request = request_id(self.endpoint.base_url, self.endpoint.options, body, self.sample)
            if found := cache.find(request):
                return found, True
        check = budget.check if budget else lambda: None
        reply = self.endpoint.ask(self.model, messages, self.sample, check)
        if budget:
            budget.add(self._known_cost(reply), self.name)
        if cache:
            cache.keep(request, reply)
        return reply, False

    def _cost(self, reply: Reply) -> float | None:
        cost = self.settings.cost(self.model, reply.tokens_in, reply.tokens_out)
        return reply.cost if cost is None else cost

    def _known_cost(self, reply: Reply) -> float | None:
        """The cost; None if it is not known, also because the server does not count tokens."""
        counted = reply.tokens_in or reply.tokens_out or reply.cost is not None
        free = self.settings.cost(self.model, 1, 1) == 0
        return self._cost(reply) if counted or free else None

    def _attempt(
        self, reply: Reply, fault: str, cause: str, messages: Sequence[ChatMessage], cached: bool
    ) -> Attempt:
        """What is kept of an answer."""
        return Attempt(
            shortened(reply.text),
            fault,
            reply.seconds,
            reply.tokens_in,
            reply.tokens_out,
            0.0 if cached else self._cost(reply),
            cause,
            reply.finish,
            shortened(reply.reasoning),
            reply.tokens_reasoning,
            reply.tokens_cached,
            _told(messages),
            cached,
        )


def _told(messages: Sequence[ChatMessage]) -> tuple[tuple[str, str], ...]:
    return tuple((message["role"], message["content"]) for message in messages)
