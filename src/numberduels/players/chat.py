"""A language model as a player: it is asked in plain words and answers with a line `MOVE: ...`.

A run may give its models a cache of answers, and a budget at which no more requests are sent.
"""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from numberduels.game import files
from numberduels.game.contract import Game, M, S
from numberduels.players.conversation import Conversation, shortened
from numberduels.players.endpoint import ChatMessage, Endpoint, request_body
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings
from numberduels.players.model_options import ModelOptions, parse_options
from numberduels.players.player import (
    FILTERED,
    REFUSED,
    TOOL_CALL,
    TRUNCATED,
    UNREADABLE,
    Attempt,
    Forfeit,
    Player,
)
from numberduels.players.replies import LARGEST_NUMBER, Reply, message_text, parse_json

FAULTS = {
    TRUNCATED: "The answer was cut off before it stated a move.",
    FILTERED: "The answer was held back by a content filter.",
    TOOL_CALL: "The answer was a call of a tool, and there are no tools.",
}
"""What a model is told if the server says why its answer has no move."""


class RequestControl(NamedTuple):
    """What a run adds to the requests of its models."""

    cache: AnswerCache | None = None
    budget: RequestBudget | None = None


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
            body = request_body(self.model, messages, self.endpoint.options)
            request = request_id(self.endpoint.base_url, self.endpoint.options, body)
            if found := cache.find(request):
                return found, True
        check = budget.check if budget else lambda: None
        reply = self.endpoint.ask(self.model, messages, check)
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


# The budget of a run


class BudgetSpent(Exception):
    """No request may be sent any more. The game cannot go on, and nobody loses it."""


class RequestBudget:
    """Counts the known cost of answers, from any number of threads.

    A limit can be kept only if every cost is known. So an answer without one also ends the requests.

    >>> budget = RequestBudget(0.5)
    >>> budget.add(0.5, "chat:llama3.1")
    >>> budget.spent
    True
    """

    def __init__(self, limit: float | None = None) -> None:
        """Without a limit the budget is never spent."""
        self.limit = limit
        self.cost = 0.0
        self.unpriced = ""
        """A player whose answer had no known cost, if there is a limit."""
        self._lock = threading.Lock()

    @property
    def spent(self) -> bool:
        """Whether no more requests may be sent."""
        return self.limit is not None and (self.cost >= self.limit or bool(self.unpriced))

    def add(self, cost: float | None, player: str = "") -> None:
        """Count an answer of a player; None if its cost is not known."""
        with self._lock:
            if cost is not None:
                self.cost += cost
            elif self.limit is not None:
                self.unpriced = player

    def check(self) -> None:
        """BudgetSpent if no more requests may be sent."""
        if self.spent:
            raise BudgetSpent


# The cache of answers

LARGEST_FILE = 8 << 20
"""The most bytes of a file; the longest reply has about an eighth of that."""


def request_id(base_url: str, options: ModelOptions, body: dict[str, Any]) -> str:
    """The hash of a request: everything that is sent, but of keys only the names of their variables."""
    data = {
        "base_url": base_url,
        "query": options.query,
        "headers": dict(options.headers),
        "secret_headers": dict(options.secret_headers),
        "body": body,
    }
    return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


class AnswerCache:
    """A folder with the answers of language models, so that the same request is sent only once.

    Each answer is a JSON file of its own, named by the hash of its request, and is written atomically: a kill
    leaves whole files only, and several runs can share the folder. A file that is not such an answer counts
    as missing, and the next answer replaces it. A request that failed is sent again.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.fault: OSError | None = None
        """Why an answer could not be kept, if that has happened."""

    def find(self, request: str) -> Reply | None:
        """The answer to the request with this id; None if there is none."""
        try:
            # Not to follow a link, and not to wait for what is no file.
            flags = (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK"))  # Windows lacks them
            opened = os.open(self._path(request), os.O_RDONLY | sum(flags))
            with open(opened, "rb") as file:
                regular = stat.S_ISREG(os.fstat(opened).st_mode)
                data = file.read(LARGEST_FILE + 1) if regular else b""
        except OSError:
            return None
        return read_answer(data, request) if len(data) <= LARGEST_FILE else None

    def keep(self, request: str, reply: Reply) -> None:
        """Keep an answer. If that fails, the run goes on without it; `fault` says why."""
        path = self._path(request)
        try:
            if os.path.islink(path):
                raise OSError(f"{os.path.basename(path)} is a link there")
            files.write_text(path, json.dumps({"request": request, "reply": reply._asdict()}), force=True)
        except OSError as fault:
            self.fault = fault

    def _path(self, request: str) -> str:
        return os.path.join(self.folder, f"{request}.json")


def read_answer(data: bytes, request: str) -> Reply | None:
    """The answer in a file, which may come from anywhere; None if it is none to this request."""
    found = parse_json(data)
    fields = found.get("reply") if isinstance(found, dict) and found.get("request") == request else None
    if not isinstance(fields, dict) or set(fields) != set(Reply._fields):
        return None
    texts = [fields[name] for name in ("text", "finish", "reasoning", "cause")]
    counts = [fields["tokens_in"], fields["tokens_out"]]
    counts += [fields[name] or 0 for name in ("tokens_reasoning", "tokens_cached")]
    amounts = [*counts, fields["seconds"], fields["cost"] or 0]
    if (
        not all(isinstance(text, str) for text in texts)
        or fields["cause"] not in ("", TRUNCATED, REFUSED, FILTERED, TOOL_CALL)
        or not all(type(count) is int for count in counts)
        or not all(type(amount) in (int, float) and 0 <= amount <= LARGEST_NUMBER for amount in amounts)
    ):
        return None
    cleaned: dict[str, Any] = {
        name: message_text(each) if isinstance(each, str) else each for name, each in fields.items()
    }
    return Reply(**cleaned)
