"""What a server's reply means: an answer, or trouble that may pass.

Keys and long texts that a server sends back go no further than this.
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
"""Letters: whatever is shorter is no secret."""

TEXTS = ("text", "output_text", None)
"""The types of those parts of a message that are said; others are thought, or are no text."""


class Reply(NamedTuple):
    """What a model said, how long that took, and what the server counted."""

    text: str
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    """What the server says that it cost; few do."""


class RequestFailure(NamedTuple):
    """Why a try came to nothing. It is a value, not an exception: those carry along what they met."""

    message: str
    cause: str = "error"
    again: bool = True
    """Whether another try may help."""
    wait: float | None = None
    """Seconds that the server asked for."""


def parse_completion(data: bytes, key: str = "") -> Reply | RequestFailure:
    """The answer in the body of a completed chat, or what is wrong with that.

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
        # A model that thought and then said nothing has answered so; else it was the server that failed.
        thought = message_text(message.get("reasoning_content")) or message_text(message.get("reasoning"))
        cut = choice.get("finish_reason") in ("length", "content_filter", "tool_calls")
        if not (thought.strip() or cut or tokens_out):
            return RequestFailure("The server's reply is empty")
    return Reply(redact_key(text, key), 0.0, tokens_in, tokens_out, reported_cost(used.get("cost")))


def parse_error_response(status: int, headers: Mapping[str, str], data: bytes, key: str) -> RequestFailure:
    """What a status other than 200 means."""
    said = one_line(error_message(data), key)
    message = f"The server answered with status {status}{': ' * bool(said)}{said}"
    if 300 <= status < 400:
        place = one_line(headers.get("location", "elsewhere"), key)
        return RequestFailure(f"The server points to {place}, and a key is not sent there", again=False)
    if status == 429 or status >= 500:
        return RequestFailure(message, wait=parse_retry_after(headers.get("retry-after", "")))
    return RequestFailure(message, again=200 < status < 300)


def parse_retry_after(text: str, clock: Callable[[], float] = time.time) -> float | None:
    """The seconds that a Retry-After asks for: a number or a date.

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
            # Dates of HTTP are in GMT, also where that is not said.
            seconds = date.replace(tzinfo=date.tzinfo or UTC).timestamp() - clock()
        except (ValueError, OverflowError):
            return None
        seconds = max(seconds, 0.0)
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


# The parts of a reply


def parse_json(data: bytes) -> Any:
    """The JSON that the bytes are, or None."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def error_message(data: bytes) -> str:
    """What a server says about an error, in whichever of the usual shapes; else nothing."""
    found = parse_json(data)
    if found is None:
        text = data[:2000].decode("utf-8", "replace").strip()
        return "" if text.startswith("<") else text  # a page for a browser helps nobody here
    for name in ("error", "message", "detail"):
        while isinstance(found, dict) and name in found:
            found = found[name]
    return found if isinstance(found, str) else ""


def message_text(found: Any) -> str:
    """The text of a message: one string, or parts of which those that are text count."""
    if isinstance(found, list):
        spoken = [part for part in found if isinstance(part, dict) and part.get("type") in TEXTS]
        found = "".join(part["text"] for part in spoken if isinstance(part.get("text"), str))
    if not isinstance(found, str):
        return ""
    # Half a character can be written in JSON, and nowhere else.
    return found.encode("utf-8", "replace").decode()


def token_count(found: Any) -> int:
    """A number of tokens; 0 for whatever is none."""
    return found if type(found) is int and found > 0 else 0


def reported_cost(found: Any) -> float | None:
    """A price that the server names; None for whatever is none."""
    known = isinstance(found, (int, float)) and not isinstance(found, bool)
    return float(found) if known and 0 <= found < math.inf else None


# What may be told of it


def redact_key(text: str, key: str) -> str:
    """The text without the key, should a server have sent it back.

    A key of a few letters is none: local servers are given such, and `1` would be missing in the moves.

    >>> redact_key("Wrong key: sk-12345", "sk-12345"), redact_key("MOVE: 1", "1")
    ('Wrong key: [key]', 'MOVE: 1')
    """
    return text.replace(key, "[key]") if len(key) >= SHORTEST_KEY else text


def one_line(text: str, key: str = "", most: int = 200) -> str:
    """The text in one line, never long, without its final period and the key, and safe to print.

    >>> one_line("No such\\n model.")
    'No such model'
    """
    line = " ".join(redact_key(text, key).split())  # hidden before it is cut: half a key is still a secret
    line = "".join(c if c.isprintable() else "?" for c in line).rstrip(".")
    return f"{line[:most]}..." if len(line) > most else line
