"""What an event looks like when it is kept, in every store alike: what one could not keep, none does."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any

LONGEST_NAME = 200
LONGEST_DATA = 1_000_000
LAST = 2**63 - 1

to_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_nul = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def packed(game: str, seq: int, kind: str, data: Mapping[str, Any]) -> str:
    r"""The data as JSON; TypeError or ValueError, in every store alike, for what some store could not keep.

    >>> packed("kX3", 1, "move", {"move": "4", "seat": 0})
    '{"move":"4","seat":0}'
    >>> packed("kX3", 1, "move", {"name": "\0"})
    Traceback (most recent call last):
    ValueError: a store keeps no NUL characters
    """
    for name, text in (("game", game), ("kind", kind)):
        if not 0 < len(text) <= LONGEST_NAME:
            raise ValueError(f"a {name} has 1 to {LONGEST_NAME} characters")
    if not 0 < seq <= LAST:
        raise ValueError(f"events are numbered from 1 on, not {seq}")
    if not isinstance(data, Mapping):
        raise TypeError(f"data is a mapping, not {type(data).__name__}")
    try:
        text = to_json(dict(data))
    except RecursionError:
        raise ValueError("the data is nested too deeply") from None
    if len(text) > LONGEST_DATA:
        raise ValueError(f"the data of an event has at most {LONGEST_DATA:,} characters")
    if "\0" in game or "\0" in kind or ("\\u0000" in text and _nul.search(text)):
        raise ValueError("a store keeps no NUL characters")
    try:
        f"{game}{kind}{text}".encode()
    except UnicodeEncodeError:
        raise ValueError("a store keeps no halves of characters (lone surrogates)") from None
    return text


def findable(game: str, after: int) -> bool:
    """Whether a store can hold such events at all; a question for others needs no database."""
    return 0 < len(game) <= LONGEST_NAME and "\0" not in game and _whole(game) and after < LAST


def _whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def microseconds() -> int:
    """Now: a whole number, so that it is the same on its way into a database and out of it."""
    return time.time_ns() // 1_000


# A whole group goes in, or out, as one JSON text, because each row that is stepped through gives up Python's
# lock, and beside a busy event loop a thread waits five milliseconds to get it back.
