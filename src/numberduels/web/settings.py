"""What a host may set, with defaults that suit one machine and a few hundred people."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass

VARIABLE = "NUMBERDUELS_SERVE"
"""How the settings reach the workers."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set."""

    store: str = ""
    """A file, or postgresql://...; nothing stands for a file in the data folder."""
    thinkers: int = 1
    """Processes of each worker that think for the computer, and as many that answer questions."""
    seconds: float = 3.0
    """For one thought."""
    largest: int = 100
    """The largest number that a visitor may choose for a size."""
    rate: float = 20.0
    """Requests a second from one address, over a while; of those that only look, five times as many."""
    burst: int = 60
    """Requests from one address at once, beyond that."""
    draws: float = 15.0
    """Tables that are drawn in a second for one address; those that were drawn before do not count."""
    games: int = 120
    """New games from one address in an hour."""
    streams: int = 20_000
    """Open streams in all."""
    streams_each: int = 40
    """Open streams from one address."""
    body: int = 16_384
    """Bytes of a request."""

    def hand_over(self) -> None:
        """Put the settings where the workers find them."""
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def handed_over(cls) -> Settings:
        """The settings that were put there, or the defaults."""
        return cls(**json.loads(os.environ.get(VARIABLE, "{}")))
