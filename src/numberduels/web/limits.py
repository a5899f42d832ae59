"""How much one address may ask for: buckets that fill again with time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from numberduels.web.settings import Settings

REMEMBERED = 100_000
"""Addresses that are remembered; the longest unseen are forgotten, and begin anew."""

HOUR = 3600

Clock = Callable[[], float]


class Allowance:
    """So many at once, and so many a second after that, for each address.

    >>> clock = iter([0.0, 0.0, 0.0, 1.0]).__next__
    >>> allowance = Allowance(1.0, 2, clock)
    >>> [allowance.take("a") for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, burst: int, clock: Clock = monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take one, if there is one left."""
        now = self._clock()
        left, since = self._left.pop(address, (float(self.burst), now))
        left = min(float(self.burst), left + (now - since) * self.rate)
        allowed = left >= 1
        self._left[address] = (left - allowed, now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return allowed


class Limits:
    """What each address may do in this worker."""

    def __init__(self, settings: Settings, clock: Clock = monotonic) -> None:
        self.acting = Allowance(settings.rate, settings.burst, clock)
        self.looking = Allowance(settings.look_rate, settings.look_burst, clock)
        self.drawing = Allowance(settings.draw_rate, settings.draw_burst, clock)
        self.creating = Allowance(settings.games / HOUR, settings.games, clock)
