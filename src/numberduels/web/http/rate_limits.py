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
    """So much at once, and so much a second after that, for each address.

    >>> clock = iter([0.0, 0.0, 0.0, 1.0]).__next__
    >>> allowance = Allowance(1.0, 2, clock)
    >>> [allowance.take("a") for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, burst: float, clock: Clock = monotonic) -> None:
        self.rate = rate
        self.burst = float(burst)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take one, if there is one left."""
        allowed = self.left(address) >= 1
        if allowed:
            self.spend(address, 1)
        return allowed

    def left(self, address: str) -> float:
        """How much there is now; below nothing, where more was spent than there was."""
        now = self._clock()
        left, since = self._left.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        self._left[address] = left, now
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return left

    def spend(self, address: str, amount: float) -> None:
        """Spend so much, whether there is so much or not."""
        left, since = self._left.get(address) or (self.burst, self._clock())
        self._left[address] = left - amount, since

    def wait(self, address: str) -> float:
        """Seconds until there is something left."""
        return max(0.0, -self.left(address) / self.rate)


class Limits:
    """What each address may do in this worker."""

    def __init__(self, settings: Settings, clock: Clock = monotonic) -> None:
        self.acting = Allowance(settings.rate, settings.burst, clock)
        self.looking = Allowance(settings.look_rate, settings.look_burst, clock)
        self.working = Allowance(settings.work_rate / 1_000, settings.work_burst / 1_000, clock)
        self.creating = Allowance(settings.games / HOUR, settings.games, clock)
