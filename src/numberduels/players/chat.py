"""A language model as a player: it is asked in plain words and answers with a line `MOVE: ...`."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

from numberduels.core import Game, M, S
from numberduels.players.conversation import Conversation, shortened
from numberduels.players.endpoint import Endpoint
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings
from numberduels.players.player import Attempt, Forfeit, Player


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
        self.endpoint = Endpoint(
            settings.base_url,
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
        fault = ""
        for left in reversed(range(conversation.attempts)):
            reply = self.endpoint.ask(self.model, messages)
            move, fault, _ = conversation.answer(state, reply.text)
            cost = self.settings.cost(self.model, reply.tokens_in, reply.tokens_out)
            reply = reply._replace(cost=reply.cost if cost is None else cost)
            kept.append(Attempt(shortened(reply.text), fault, *reply[1:]))
            if not fault:
                return move  # type: ignore[no-any-return]  # the words of the game have read it
            messages += conversation.again(reply.text, fault, left)
        raise Forfeit("illegal", f"There was no legal move in {len(kept)} answers; the last fault: {fault}")
