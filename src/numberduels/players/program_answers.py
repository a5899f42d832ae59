"""The answers of programs: one line of JSON each."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from numberduels.game.formatting import short


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; ValueError says what is wrong."""
    try:
        answer = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise ValueError(f"{_shown(line)} is not a line of JSON.") from None
    if not isinstance(answer, dict):
        raise ValueError(f'{_shown(line)} is not of the form {{"move": "2"}}.')
    return answer


def read_move(line: bytes) -> str | int:
    """The move in a line; ValueError says why there is none.

    >>> read_move(b'{"move": "3@5"}'), read_move(b'{"move": 7}')
    ('3@5', 7)
    """
    answer = read_object(line)
    if "move" not in answer:
        raise ValueError(f'{_shown(line)} is not of the form {{"move": "2"}}.')
    move = answer["move"]
    if type(move) is not int and not isinstance(move, str):
        raise ValueError("The move is neither a text nor a whole number.")
    return move


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")  # Python's parser would accept NaN and Infinity


def _shown(line: bytes) -> str:
    return short(line[:200].decode("utf-8", "backslashreplace").strip(), 40)
