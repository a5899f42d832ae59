"""Parse the replies of a chat server: an answer, or a failure that may be worth a retry.

API keys and long texts in a reply are removed here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from numberduels.players.player import FILTERED, REFUSED, TOOL_CALL, TRUNCATED

Secrets = tuple[str, ...]
"""The keys that were sent with a request."""

SHORTEST_KEY = 8
"""A shorter key is not treated as a secret."""

LARGEST_NUMBER = 10**9
"""A larger number is neither a count of tokens nor the cost of one answer: it is treated as not sent."""

TEXTS = ("text", "output_text", None)
"""The types of message parts that are part of the answer; others are reasoning or not text."""


class Reply(NamedTuple):
    """The answer of a model, with its time, tokens and cost."""

    text: str
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    """The cost that the server reports; few servers do."""
    finish: str = ""
    """The finish reason, in the words of the server."""
    reasoning: str = ""
    """The reasoning that the server sends beside the answer."""
    tokens_reasoning: int | None = None
    """The tokens of the reasoning, which are among those of the answer; None if the server does not say."""
    tokens_cached: int | None = None
    """The tokens of the prompt that were cached; None if the server does not say."""
    cause: str = ""
    """Why an answer without a move has none, if the server says it: see `failure_cause`."""


class RequestFailure(NamedTuple):
    """Why a request failed. Not an exception, because a traceback could contain the key."""

    message: str
    cause: str = "error"
    again: bool = True
    """Whether a retry may help."""
    wait: float | None = None
    """The seconds of Retry-After."""


def parse_completion(data: bytes, secrets: Secrets = ()) -> Reply | RequestFailure:
    """Parse the body of a successful response.

    >>> parse_completion(b'{"choices": [{"message": {"content": "MOVE: 5"}}]}').text
    'MOVE: 5'
    """
    body = parse_json(data)
    if not isinstance(body, dict):
        return RequestFailure("The server's reply is not a JSON object")
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        said = one_line(error_message(data), secrets) if "error" in body else ""
        return RequestFailure(f"The server's reply holds no answer{': ' * bool(said)}{said}")
    used = _table(body.get("usage"))
    tokens_out = _count(used.get("completion_tokens")) or 0
    content, refusal = message_text(message.get("content")), message_text(message.get("refusal"))
    reasoning = reasoning_text(message)
    cause = failure_cause(choice, message)
    if not (content + refusal + reasoning).strip() and not (cause or tokens_out):
        # A model that only reasoned has answered; otherwise the server failed.
        return RequestFailure("The server's reply is empty")
    cost: Any = used.get("cost")
    details = _table(used.get("prompt_tokens_details"))
    return Reply(
        redact_keys(content if content.strip() else refusal or content, secrets),
        tokens_in=_count(used.get("prompt_tokens")) or 0,
        tokens_out=tokens_out,
        cost=float(cost) if type(cost) in (int, float) and 0 <= cost <= LARGEST_NUMBER else None,
        finish=one_line(message_text(choice.get("finish_reason")), secrets, 40),
        reasoning=redact_keys(reasoning, secrets),
        tokens_reasoning=_count(_table(used.get("completion_tokens_details")).get("reasoning_tokens")),
        tokens_cached=_count(details.get("cached_tokens", used.get("prompt_cache_hit_tokens"))),
        cause=cause,
    )


FINISH_CAUSES = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), TRUNCATED),
    **dict.fromkeys(("content_filter", "safety", "blocked", "prohibited_content", "recitation"), FILTERED),
    **dict.fromkeys(("tool_calls", "tool_use", "function_call"), TOOL_CALL),
    "refusal": REFUSED,
}
"""What the finish reasons of servers mean."""


def failure_cause(choice: Mapping[str, Any], message: Mapping[str, Any]) -> str:
    """Why an answer has no move, as far as the server says it: TRUNCATED, FILTERED, TOOL_CALL or REFUSED.

    >>> failure_cause({"finish_reason": "length"}, {}), failure_cause({"finish_reason": "stop"}, {})
    ('truncated', '')
    """
    if message_text(message.get("refusal")).strip() and not message_text(message.get("content")).strip():
        return REFUSED
    cause = FINISH_CAUSES.get(message_text(choice.get("finish_reason")).lower(), "")
    return cause or (TOOL_CALL if message.get("tool_calls") or message.get("function_call") else "")


def reasoning_text(message: Mapping[str, Any]) -> str:
    """The reasoning in a message: in a field of its own, or in parts of the content."""
    for name in ("reasoning_content", "reasoning"):
        if text := message_text(message.get(name)):
            return text
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    kinds = ("thinking", "reasoning")
    thoughts = [part for part in parts if isinstance(part, dict) and part.get("type") in kinds]
    return "".join(message_text(part.get("text") or part.get(part["type"])) for part in thoughts)


def _table(found: Any) -> Mapping[str, Any]:
    return found if isinstance(found, dict) else {}


def _count(found: Any) -> int | None:
    """A number of tokens; None if it is invalid."""
    return found if type(found) is int and 0 <= found <= LARGEST_NUMBER else None


FILTER_CODES = ("content_filter", "content_policy_violation")


def parse_error_response(
    status: int, headers: Mapping[str, str], data: bytes, secrets: Secrets
) -> RequestFailure:
    """The failure for a status other than 200."""
    said = one_line(error_message(data), secrets)
    said = f": {said}" if said else ""
    error = _table(_table(parse_json(data)).get("error"))
    if status == 400 and (error.get("code") in FILTER_CODES or error.get("type") in FILTER_CODES):
        return RequestFailure(f"The server filtered the prompt{said}", FILTERED, again=False)
    if 300 <= status < 400:
        place = one_line(headers.get("location", "elsewhere"), secrets)
        return RequestFailure(f"The server redirects to {place}, which is not followed", again=False)
    message = f"The server answered with status {status}{said}"
    if status == 429 or status >= 500:
        return RequestFailure(message, wait=parse_retry_after(headers.get("retry-after", "")))
    return RequestFailure(message, again=200 < status < 300)


def parse_retry_after(text: str) -> float | None:
    """Parse the seconds of Retry-After; None if it is anything else, such as a date.

    >>> parse_retry_after("2"), parse_retry_after("soon"), parse_retry_after("-1"), parse_retry_after("nan")
    (2.0, None, None, None)
    """
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


# The parts of a reply


def parse_json(data: bytes) -> Any:
    """The parsed JSON, or None."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def error_message(data: bytes) -> str:
    """The error message of a server in one of the usual formats, or ""."""
    found = parse_json(data)
    if found is None:
        text = data[:2000].decode("utf-8", "replace").strip()
        return "" if text.startswith("<") else text  # an HTML page is no message
    for name in ("error", "message", "detail"):
        while isinstance(found, dict) and name in found:
            found = found[name]
    return found if isinstance(found, str) else ""


def message_text(found: Any) -> str:
    """The text of a message, which is a string or a list of parts."""
    if isinstance(found, list):
        spoken = [part for part in found if isinstance(part, dict) and part.get("type") in TEXTS]
        found = "".join(part["text"] for part in spoken if isinstance(part.get("text"), str))
    if not isinstance(found, str):
        return ""
    # JSON can contain lone surrogates, which UTF-8 cannot.
    return found.encode("utf-8", "replace").decode()


# Messages


def redact_keys(text: str, secrets: Secrets) -> str:
    """The text with the keys replaced, in case a server sends one back.

    A very short key, as for local servers, is not replaced: `1` would be missing in the moves.

    >>> redact_keys("Wrong key: sk-12345", ("sk-12345",)), redact_keys("MOVE: 1", ("1",))
    ('Wrong key: [key]', 'MOVE: 1')
    """
    for secret in secrets:
        text = text.replace(secret, "[key]") if len(secret) >= SHORTEST_KEY else text
    return text


def one_line(text: str, secrets: Secrets = (), most: int = 200) -> str:
    """The text in one line, shortened, printable, and without keys and a final period.

    >>> one_line("No such\\n model.")
    'No such model'
    """
    line = " ".join(redact_keys(text, secrets).split())  # before shortening: half a key is still a secret
    line = "".join(c if c.isprintable() else "?" for c in line).rstrip(".")
    return f"{line[:most]}..." if len(line) > most else line
