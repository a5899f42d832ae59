"""The stored form of events. All stores accept and refuse the same data, so that games can be moved."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any

MAX_NAME = 200
MAX_DATA = 1_000_000
MAX_SEQ = 2**63 - 1

to_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_nul = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def serialize(game: str, seq: int, kind: str, data: Mapping[str, Any]) -> str:
    r"""The data of an event as JSON; TypeError or ValueError for data that any store would refuse.

    >>> serialize("kX3", 1, "move", {"move": "4", "seat": 0})
    '{"move":"4","seat":0}'
    >>> serialize("kX3", 1, "move", {"name": "\0"})
    Traceback (most recent call last):
    ValueError: a store keeps no NUL characters
    """
    for name, text in (("game", game), ("kind", kind)):
        if not 0 < len(text) <= MAX_NAME:
            raise ValueError(f"a {name} has 1 to {MAX_NAME} characters")
    if not 0 < seq <= MAX_SEQ:
        raise ValueError(f"events are numbered from 1 on, not {seq}")
    if not isinstance(data, Mapping):
        raise TypeError(f"data is a mapping, not {type(data).__name__}")
    try:
        text = to_json(dict(data))
    except RecursionError:
        raise ValueError("the data is nested too deeply") from None
    if len(text) > MAX_DATA:
        raise ValueError(f"the data of an event has at most {MAX_DATA:,} characters")
    if "\0" in game or "\0" in kind or ("\\u0000" in text and _nul.search(text)):
        raise ValueError("a store keeps no NUL characters")
    try:
        f"{game}{kind}{text}".encode()
    except UnicodeEncodeError:
        raise ValueError("a store keeps no halves of characters (lone surrogates)") from None
    return text


def is_storable(game: str, after: int) -> bool:
    """Whether a store can contain such a game; if not, there is no need to ask the database."""
    return 0 < len(game) <= MAX_NAME and "\0" not in game and _is_valid_utf8(game) and after < MAX_SEQ


def _is_valid_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def now_microseconds() -> int:
    """The time now as a whole number, which databases return exactly as it was stored."""
    return time.time_ns() // 1_000
