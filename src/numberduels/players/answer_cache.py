"""AnswerCache: a folder with the answers of language models, so that the same request is sent only once.

Each answer is a JSON file of its own, named by the hash of its request, and is written atomically: a kill
leaves whole files only, and several runs can share the folder. A file that is not such an answer counts as
missing, and the next answer replaces it.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from numberduels.game import files
from numberduels.players.model_options import EnvValue, ModelOptions
from numberduels.players.player import FILTERED, REFUSED, TOOL_CALL, TRUNCATED
from numberduels.players.replies import LARGEST_NUMBER, Reply, message_text, parse_json

if TYPE_CHECKING:
    from numberduels.players.request_budget import RequestBudget

LARGEST_FILE = 8 << 20
"""The most bytes of a file; the longest reply has about an eighth of that."""


class RequestControl(NamedTuple):
    """What a run adds to the requests of its models."""

    cache: AnswerCache | None = None
    budget: RequestBudget | None = None


def request_id(base_url: str, options: ModelOptions, body: dict[str, Any], sample: int = 1) -> str:
    """The hash of a request: everything that is sent, but of keys only the names of their variables."""

    def told(value: str | EnvValue) -> Any:
        return value if isinstance(value, str) else {"env": value.name, "prefix": value.prefix}

    data = {
        "base_url": base_url,
        "query": {name: told(value) for name, value in options.query.items()},
        "headers": {name: told(value) for name, value in options.headers.items()},
        "body": body,
        "sample": sample,
    }
    return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


class AnswerCache:
    """The answers in a folder. Only answers are kept: a request that failed is sent again."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.fault: OSError | None = None
        """Why an answer could not be kept, if that has happened."""

    def find(self, request: str) -> Reply | None:
        """The answer to the request with this id; None if there is none."""
        try:
            # Not to follow a link, and not to wait for what is no file.
            opened = os.open(self._path(request), os.O_RDONLY | _flag("O_NOFOLLOW") | _flag("O_NONBLOCK"))
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
    if not isinstance(fields, dict) or set(fields) != set(_CHECKS):
        return None
    if not all(check(fields[name]) for name, check in _CHECKS.items()):
        return None
    cleaned: dict[str, Any] = {
        name: message_text(each) if isinstance(each, str) else each for name, each in fields.items()
    }
    return Reply(**cleaned)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_NUMBER


def _is_amount(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= LARGEST_NUMBER


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "seconds": _is_amount,
    "tokens_in": _is_count,
    "tokens_out": _is_count,
    "cost": lambda value: value is None or _is_amount(value),
    "finish": _is_text,
    "reasoning": _is_text,
    "tokens_reasoning": lambda value: value is None or _is_count(value),
    "tokens_cached": lambda value: value is None or _is_count(value),
    "cause": lambda value: value in ("", TRUNCATED, REFUSED, FILTERED, TOOL_CALL),
}
"""How each field of a Reply is checked."""


def _flag(name: str) -> int:
    return int(getattr(os, name, 0))  # Windows lacks some
