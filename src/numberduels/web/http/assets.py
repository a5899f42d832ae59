"""The static files. The address of each changes with its content, so that browsers may keep it for ever."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
PREFIX = "/static/"


@cache
def _versions() -> dict[str, str]:
    """The version of every file, by its name."""
    found = (path for path in FOLDER.rglob("*") if path.is_file())
    return {path.relative_to(FOLDER).as_posix(): sha256(path.read_bytes()).hexdigest()[:12] for path in found}


def address(name: str) -> str:
    """Where a file is, with its version; nothing for a file that does not exist.

    >>> address("icon.svg").partition("?")[0], address("pictures/no-such-game.svg")
    ('/static/icon.svg', '')
    """
    version = _versions().get(name)
    return f"{PREFIX}{name}?{version}" if version else ""


def lasting(path: str, query: str) -> bool:
    """Whether this address has one content for ever: a file of ours, asked for by its version of today."""
    return bool(query) and address(path.removeprefix(PREFIX)) == f"{path}?{query}"
