"""What a host may set, with defaults that suit one machine, a few hundred people, and classes at one address.

Each limit is declared here once: `duel serve` makes an option of it, and docs/hosting.md lists it.
"""

from __future__ import annotations

import json
import os
from dataclasses import Field, asdict, dataclass, field, fields
from typing import Any

VARIABLE = "NUMBERDUELS_SERVE"
"""How the settings reach the workers."""

MOST = 1_000_000_000
"""No limit is larger."""


def limit(default: float, about: str, low: float = 1, high: float = MOST, *, each: bool = False) -> Any:
    """A limit, of each address or of all, that a host may set in this range; whole, if the default is."""
    return field(default=default, metadata={"about": about, "low": low, "high": high, "each": each})


def each(default: float, about: str, low: float = 1) -> Any:
    """A limit of each address, in each worker."""
    return limit(default, about, low, each=True)


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set."""

    store: str = ""
    """A file, or postgresql://...; nothing stands for a file in the data folder."""
    trust: str = ""
    """Proxies whose headers are believed, separated by commas; nobody's are if this is empty."""
    hosts: tuple[str, ...] = ()
    """Names under which the server may be asked, in small letters; any, if there are none."""
    thinkers: int = 2
    """Processes of each worker that move for the computer, and as many that answer questions."""
    keep_days: int = 0
    """Days after which a game that has ended is deleted; 0 for never."""
    keep_unfinished_days: int = 0
    """Days without a move after which a game that has not ended is deleted; 0 for never."""

    rate: float = each(30.0, "requests a second that change something", 0.01)
    burst: int = each(120, "such requests at once")
    look_rate: float = each(
        200.0, "requests a second that only look; files under /static/ do not count", 0.01
    )
    look_burst: int = each(1_000, "such requests at once")
    work_rate: float = each(500.0, "milliseconds a second that the processor works for its requests", 0.01)
    work_burst: int = each(100, "such milliseconds at once")
    work_waiting: int = each(200, "requests that wait for that at once")
    games: int = each(1_000, "new games an hour")
    streams_each: int = each(200, "open streams")
    questions: int = each(64, "questions to the computer that wait at once")

    streams: int = limit(20_000, "open streams of all addresses together, in each worker")
    seconds: float = limit(3.0, "seconds for one move or answer of the computer", 0.1, 600)
    memory: int = limit(1_024, "megabytes for each process that thinks", 128, 1 << 20)
    largest: int = limit(100, "the largest size of a game", 1, 10_000)
    legal_moves: int = limit(200, "legal moves of a position on a page", 1, 100_000)
    body: int = limit(16_384, "bytes of a request", 1_024, 1 << 30)
    headers: int = limit(65_536, "bytes of a request before its body", 1_024, 1 << 30)
    arrival: float = limit(15.0, "seconds in which a request must have arrived", 0.1, 3_600)

    def to_environment(self) -> None:
        """Put the settings where the workers find them."""
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings that were put there, or the defaults."""
        given = json.loads(os.environ.get(VARIABLE, "{}"))
        return cls(**given | {"hosts": tuple(given.get("hosts", ()))})


def limits() -> list[Field[Any]]:
    """Every limit, as `duel serve` offers it.

    >>> [found.name for found in limits() if found.metadata["each"]][:2]
    ['rate', 'burst']
    """
    return [found for found in fields(Settings) if "about" in found.metadata]


def option(name: str) -> str:
    """The option of `duel serve` for a setting.

    >>> option("look_rate")
    '--look-rate'
    """
    return f"--{name.replace('_', '-')}"
