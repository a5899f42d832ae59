"""Limits for each address: token buckets for rates, and turns for the processor."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from ipaddress import IPv6Address, IPv6Network
from time import monotonic

from numberduels.web.settings import ServerSettings

MAX_ADDRESSES = 100_000
"""Addresses with a bucket. The least recently seen ones are dropped, and start again with a full bucket."""

MOST_HELD = 128
"""Passes of the event loop for which turns wait while connections are accepted."""

HOUR = 3600

Clock = Callable[[], float]

ADDRESS: ContextVar[str] = ContextVar("address", default="")
"""The address whose request is handled now."""


def network_of(host: str) -> str:
    """The address that limits apply to: of IPv6 the /64 network, which one customer has.

    >>> network_of("2001:db8::1:2:3"), network_of("::ffff:10.0.0.1"), network_of("10.0.0.1")
    ('2001:db8::/64', '10.0.0.1', '10.0.0.1')
    """
    if ":" not in host:
        return host
    try:
        found = IPv6Address(host)
    except ValueError:  # a proxy may send anything
        return host
    return str(found.ipv4_mapped or IPv6Network((found, 64), strict=False))


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
        now = self._clock()
        tokens, since = self._buckets.pop(address, (self.burst, now))
        tokens = min(self.burst, tokens + (now - since) * self.rate)
        allowed = tokens >= 1
        self._buckets[address] = tokens - allowed, now
        if len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return allowed


class Turns:
    """All requests run in one thread. Each waits for a turn, and addresses take turns.

    One begins in each pass of the event loop. So a request waits for at most one of every other address,
    however many these have sent. Connections that wait to be accepted have no address yet, and some event
    loops accept one in each pass: no turn begins while they come, for at most MOST_HELD passes.
    """

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """Those who wait, by address; the first address is next."""
        self._due = False
        """Whether the next turn is due in the next pass: one was taken in this pass, or a connection came."""
        self._arrived = False
        """Whether a connection came since the last pass."""
        self._held = 0
        """The passes for which turns have waited for connections."""

    async def take(self) -> None:
        """Wait for a turn of this address."""
        if not self._due:
            self._schedule()
            return
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(ADDRESS.get(), deque()).append(turn)
        await turn

    def arrive(self) -> None:
        """A connection was accepted: more may wait."""
        self._arrived = True
        self._schedule()

    def _schedule(self) -> None:
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        self._due = False
        if self._arrived and self._held < MOST_HELD:
            self._arrived = False
            self._held += 1
            self._schedule()
            return
        self._held = 0
        while self._queues and not self._due:
            address, queue = self._queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._queues[address] = queue
            if not turn.done():  # otherwise the client has gone
                turn.set_result(None)
                self._schedule()


class RateLimits:
    """The limits of this worker."""

    def __init__(self, settings: ServerSettings, clock: Clock = monotonic) -> None:
        self.writes = TokenBucket(settings.rate, settings.burst, clock)
        self.reads = TokenBucket(settings.look_rate, settings.look_burst, clock)
        self.new_games = TokenBucket(settings.games / HOUR, settings.games, clock)
        self.turns = Turns()
        self.most_requests = settings.connections_each
        self._requests: Counter[str] = Counter()

    @contextmanager
    def request(self, address: str) -> Iterator[bool]:
        """A request that is being answered; whether this address may have so many."""
        self._requests[address] += 1
        try:
            yield self._requests[address] <= self.most_requests
        finally:
            self._requests[address] -= 1
            if not self._requests[address]:
                del self._requests[address]
