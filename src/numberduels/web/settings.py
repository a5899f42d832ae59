"""The settings of the server. The defaults suit one machine, a few hundred people, a class at one address.

Each limit is declared here only: `duel serve` makes an option of it, and docs/hosting.md lists it.
"""

from __future__ import annotations

import json
import os
from dataclasses import Field, asdict, dataclass, field, fields
from typing import Any

VARIABLE = "NUMBERDUELS_SERVE"
"""The environment variable that passes the settings to the workers."""

MOST = 1_000_000_000
"""The largest value of any limit."""


def limit(default: float, about: str, low: float = 1, high: float = MOST, *, each: bool = False) -> Any:
    """A limit with its help text and its range; `each` for limits of each address."""
    return field(default=default, metadata={"about": about, "low": low, "high": high, "each": each})


def each(default: float, about: str, low: float = 1) -> Any:
    """A limit of each address, in each worker."""
    return limit(default, about, low, each=True)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings."""

    store: str = ""
    """A file or a postgresql:// URL; empty for a file in the data folder."""
    trust: str = ""
    """Trusted proxies, separated by commas: their X-Forwarded headers are used. Empty for none."""
    hosts: tuple[str, ...] = ()
    """Host names that requests may have, in lower case; empty for any."""
    thinkers: int = 2
    """Engine processes of each worker: so many for moves, and so many for questions."""
    keep_days: int = 0
    """Days after which a finished game is deleted; 0 for never."""
    keep_unfinished_days: int = 0
    """Days without an event after which an unfinished game is deleted; 0 for never."""

    rate: float = each(30.0, "requests a second that change something", 0.01)
    burst: int = each(120, "such requests at once")
    look_rate: float = each(200.0, "read-only requests a second; files under /static/ do not count", 0.01)
    look_burst: int = each(1_000, "such requests at once")
    games: int = each(1_000, "new games an hour")
    connections_each: int = each(400, "open connections; behind a proxy, requests that wait for an answer")
    streams_each: int = each(200, "open streams")
    questions: int = each(64, "waiting questions to the computer")

    connections: int = limit(
        20_000,
        "open connections of all addresses together, in each worker; fewer if few files may be open",
        2,
    )
    streams: int = limit(20_000, "open streams of all addresses together, in each worker")
    seconds: float = limit(3.0, "seconds for one move or answer of the computer", 0.1, 600)
    memory: int = limit(1_024, "megabytes of memory for each engine process", 128, 1 << 20)
    largest: int = limit(100, "the largest size of a game", 1, 10_000)
    legal_moves: int = limit(200, "legal moves of a position on a page", 1, 100_000)
    body: int = limit(16_384, "bytes of the body of a request", 1_024, 1 << 30)
    headers: int = limit(65_536, "bytes of the headers of a request", 1_024, 1 << 30)
    arrival: float = limit(15.0, "seconds in which a request must arrive, and an answer be read", 0.1, 3_600)

    def to_environment(self) -> None:
        """Write the settings to the environment, for the workers."""
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> Settings:
        """Read the settings from the environment; the defaults if there are none."""
        given = json.loads(os.environ.get(VARIABLE, "{}"))
        return cls(**given | {"hosts": tuple(given.get("hosts", ()))})


def limits() -> list[Field[Any]]:
    """The dataclass fields of all limits.

    >>> [found.name for found in limits() if found.metadata["each"]][:2]
    ['rate', 'burst']
    """
    return [found for found in fields(Settings) if "about" in found.metadata]


def option_flag(name: str) -> str:
    """The option of `duel serve` for a setting.

    >>> option_flag("look_rate")
    '--look-rate'
    """
    return f"--{name.replace('_', '-')}"
