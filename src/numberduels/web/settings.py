"""The settings of the server, and all its limits. They suit one machine and a few hundred people.

`duel serve` has options for what a host must decide; docs/hosting.md names the limits.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from typing import Any

VARIABLE = "NUMBERDUELS_SERVE"
"""The environment variable that passes the settings to the workers."""

PEOPLE = 30
"""So many people can share one address with the limits below."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """All settings."""

    store: str = ""
    """A file or a postgresql:// URL; empty for a file in the data folder."""
    trust: str = ""
    """Trusted proxies, separated by commas: their X-Forwarded headers are used. Empty for none."""
    hosts: tuple[str, ...] = ()
    """Host names that requests may have, in lower case; empty for any."""
    thinkers: int = 2
    """Engine processes of each worker: so many for moves, and so many for questions."""
    memory: int = 1_024
    """Megabytes of memory for each engine process."""
    keep_days: int = 0
    """Days after which a finished game is deleted; 0 for never."""
    keep_unfinished_days: int = 0
    """Days without an event after which an unfinished game is deleted; 0 for never."""

    # Limits of each address, in each worker

    rate: float = 30.0
    """Requests a second that change something."""
    burst: int = 120
    """Such requests at once."""
    look_rate: float = 200.0
    """Read-only requests a second; files under /static/ do not count."""
    look_burst: int = 1_000
    """Such requests at once."""
    games: int = 1_000
    """New games an hour."""
    connections_each: int = 400
    """Open connections; behind a proxy, requests that wait for an answer."""
    streams_each: int = 200
    """Open streams."""
    questions: int = 64
    """Waiting questions to the computer."""

    # Limits of everybody together, in each worker

    connections: int = 20_000
    """Open connections; fewer if few files may be open."""
    streams: int = 20_000
    """Open streams."""
    seconds: float = 3.0
    """Seconds for one move or answer of the computer."""
    largest: int = 100
    """The largest size of a game."""
    legal_moves: int = 200
    """Legal moves of a position on a page."""
    body: int = 16_384
    """Bytes of the body of a request."""
    headers: int = 65_536
    """Bytes of the headers of a request."""
    arrival: float = 15.0
    """Seconds in which a request must arrive, and an answer be read."""

    def for_people(self, people: int) -> ServerSettings:
        """The settings with limits of each address for so many people behind it, if these are more.

        >>> ServerSettings().for_people(300).streams_each, ServerSettings().for_people(2).streams_each
        (2000, 200)
        """
        more: dict[str, Any] = {name: getattr(self, name) * people // PEOPLE for name in OF_EACH_ADDRESS}
        return replace(self, **more) if people > PEOPLE else self

    def to_environment(self) -> None:
        """Write the settings to the environment, for the workers."""
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> ServerSettings:
        """Read the settings from the environment; the defaults if there are none."""
        given = json.loads(os.environ.get(VARIABLE) or "{}")
        return cls(**given | {"hosts": tuple(given.get("hosts", ()))})


OF_EACH_ADDRESS = (
    *("rate", "burst", "look_rate", "look_burst"),
    *("games", "connections_each", "streams_each", "questions"),
)
"""The limits of each address."""
