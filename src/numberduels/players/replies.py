"""Parse the replies of a chat server: an answer, or a failure that may be worth a retry.

API keys and long texts in a reply are removed here.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

SHORTEST_KEY = 8
"""A shorter key is not treated as a secret."""

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


class RequestFailure(NamedTuple):
    """Why a request failed. Not an exception, because a traceback could contain the key."""

    message: str
    cause: str = "error"
    again: bool = True
    """Whether a retry may help."""
    wait: float | None = None
    """The seconds of Retry-After."""


def parse_completion(data: bytes, key: str = "") -> Reply | RequestFailure:
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
        said = one_line(error_message(data), key) if "error" in body else ""
        return RequestFailure(f"The server's reply holds no answer{': ' * bool(said)}{said}")
    usage = body.get("usage")
    used = usage if isinstance(usage, dict) else {}
    tokens_in, tokens_out = token_count(used.get("prompt_tokens")), token_count(used.get("completion_tokens"))
    text = message_text(message.get("content")) or message_text(message.get("refusal"))
    if not text.strip():
        # A model that only reasoned has answered; otherwise the server failed.
        thought = message_text(message.get("reasoning_content")) or message_text(message.get("reasoning"))
        cut = choice.get("finish_reason") in ("length", "content_filter", "tool_calls")
        if not (thought.strip() or cut or tokens_out):
            return RequestFailure("The server's reply is empty")
    return Reply(redact_key(text, key), 0.0, tokens_in, tokens_out, reported_cost(used.get("cost")))


def parse_error_response(status: int, headers: Mapping[str, str], data: bytes, key: str) -> RequestFailure:
    """The failure for a status other than 200."""
    said = one_line(error_message(data), key)
    message = f"The server answered with status {status}{': ' * bool(said)}{said}"
    if 300 <= status < 400:
        place = one_line(headers.get("location", "elsewhere"), key)
        return RequestFailure(f"The server points to {place}, and a key is not sent there", again=False)
    if status == 429 or status >= 500:
        return RequestFailure(message, wait=parse_retry_after(headers.get("retry-after", "")))
    return RequestFailure(message, again=200 < status < 300)


def parse_retry_after(text: str, clock: Callable[[], float] = time.time) -> float | None:
    """Parse Retry-After, a number of seconds or a date; None if it is invalid.

    >>> parse_retry_after("2"), parse_retry_after("soon"), parse_retry_after("-1"), parse_retry_after("nan")
    (2.0, None, None, None)
    >>> parse_retry_after("Thu, 01 Jan 1970 00:01:00 GMT", clock=lambda: 50.0)
    10.0
    >>> parse_retry_after("Thu, 01 Jan 1970 00:01:00 -0000", clock=lambda: 50.0)
    10.0
    """
    try:
        seconds = float(text)
    except ValueError:
        try:
            date = parsedate_to_datetime(text)
            # HTTP dates are in GMT, even without a time zone.
            seconds = date.replace(tzinfo=date.tzinfo or UTC).timestamp() - clock()
        except (ValueError, OverflowError):
            return None
        seconds = max(seconds, 0.0)
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


def token_count(found: Any) -> int:
    """A number of tokens; 0 if it is invalid."""
    return found if type(found) is int and found > 0 else 0


def reported_cost(found: Any) -> float | None:
    """The cost in a reply; None if it is invalid."""
    known = isinstance(found, (int, float)) and not isinstance(found, bool)
    return float(found) if known and 0 <= found < math.inf else None


# Messages


def redact_key(text: str, key: str) -> str:
    """The text with the key replaced, in case a server sends it back.

    A very short key, as for local servers, is not replaced: `1` would be missing in the moves.

    >>> redact_key("Wrong key: sk-12345", "sk-12345"), redact_key("MOVE: 1", "1")
    ('Wrong key: [key]', 'MOVE: 1')
    """
    return text.replace(key, "[key]") if len(key) >= SHORTEST_KEY else text


def one_line(text: str, key: str = "", most: int = 200) -> str:
    """The text in one line, shortened, printable, and without the key and a final period.

    >>> one_line("No such\\n model.")
    'No such model'
    """
    line = " ".join(redact_key(text, key).split())  # before shortening: half a key is still a secret
    line = "".join(c if c.isprintable() else "?" for c in line).rstrip(".")
    return f"{line[:most]}..." if len(line) > most else line
