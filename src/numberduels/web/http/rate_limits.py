"""Rate limits for each address, by token buckets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from numberduels.web.settings import Settings

MAX_ADDRESSES = 100_000
"""Addresses with a bucket. The least recently seen ones are dropped, and start again with a full bucket."""

HOUR = 3600

Clock = Callable[[], float]


class TokenBucket:
    """A bucket of `burst` tokens for each address, refilled at `rate` tokens a second.

    >>> clock = iter([0.0, 0.0, 0.0, 1.0]).__next__
    >>> bucket = TokenBucket(1.0, 2, clock)
    >>> [bucket.take("a") for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, burst: float, clock: Clock = monotonic) -> None:
        self.rate = rate
        self.burst = float(burst)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens and the time of the last refill, by address."""

    def take(self, address: str) -> bool:
        """Take one token, if there is one."""
        allowed = self.tokens(address) >= 1
        if allowed:
            self.spend(address, 1)
        return allowed

    def tokens(self, address: str) -> float:
        """The tokens that an address has now; negative if it has spent more than it had."""
        now = self._clock()
        tokens, since = self._buckets.pop(address, (self.burst, now))
        tokens = min(self.burst, tokens + (now - since) * self.rate)
        self._buckets[address] = tokens, now
        if len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return tokens

    def spend(self, address: str, amount: float) -> None:
        """Spend tokens, even if there are not enough."""
        tokens, since = self._buckets.get(address) or (self.burst, self._clock())
        self._buckets[address] = tokens - amount, since

    def wait(self, address: str) -> float:
        """Seconds until the address has no debt."""
        return max(0.0, -self.tokens(address) / self.rate)


class RateLimits:
    """The token buckets of this worker."""

    def __init__(self, settings: Settings, clock: Clock = monotonic) -> None:
        self.writes = TokenBucket(settings.rate, settings.burst, clock)
        self.reads = TokenBucket(settings.look_rate, settings.look_burst, clock)
        self.cpu_seconds = TokenBucket(settings.work_rate / 1_000, settings.work_burst / 1_000, clock)
        self.new_games = TokenBucket(settings.games / HOUR, settings.games, clock)
