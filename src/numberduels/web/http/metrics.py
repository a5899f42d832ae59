"""What the server counts, told as Prometheus reads it."""

from __future__ import annotations

import os
from collections import Counter

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds at which the buckets of the times of requests end."""


class Metrics:
    """Counts of this worker."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.games = 0
        self._buckets = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; streams last as long as somebody looks, and so have no time."""
        known = method if method in ("GET", "HEAD", "POST") else "other"  # whoever asks chooses the word
        self.requests[known, route, status] += 1
        if route.endswith(("/events", "/stream")):
            return
        self._seconds += seconds
        self._buckets[sum(seconds > bound for bound in BOUNDS)] += 1

    def text(self, *, moves: int, streams: int, duels: int) -> str:
        """All counts, and what is open now."""
        worker = f'worker="{os.getpid()}"'
        lines = ["# TYPE numberduels_requests_total counter"]
        for (method, route, status), count in sorted(self.requests.items()):
            labels = f'method="{method}",route="{route}",status="{status}",{worker}'
            lines.append(f"numberduels_requests_total{{{labels}}} {count}")
        lines.append("# TYPE numberduels_request_seconds histogram")
        below = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self._buckets, strict=True):
            below += count
            lines.append(f'numberduels_request_seconds_bucket{{le="{bound}",{worker}}} {below}')
        lines.append(f"numberduels_request_seconds_sum{{{worker}}} {self._seconds:.6f}")
        lines.append(f"numberduels_request_seconds_count{{{worker}}} {below}")
        for name, kind, value in (
            ("moves_total", "counter", moves),
            ("games_total", "counter", self.games),
            ("streams", "gauge", streams),
            ("duels_in_memory", "gauge", duels),
        ):
            lines += [f"# TYPE numberduels_{name} {kind}", f"numberduels_{name}{{{worker}}} {value}"]
        return "\n".join(lines) + "\n"
