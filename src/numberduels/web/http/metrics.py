"""Metrics for Prometheus, and logs as JSON.

Several workers write their values to shared files, and any of them adds them up. prometheus_client uses these
files if PROMETHEUS_MULTIPROC_DIR is set before it is imported.
"""

from __future__ import annotations

import json
import logging
import os
import re
from functools import cache
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from numberduels.engine.processes import has_ended

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with the folder that all workers share."""

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the buckets of request times, in seconds."""

disable_created_metrics()


class Metrics:
    """The metrics of this worker."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        labels = ["method", "route", "status"]
        requests = Counter("numberduels_requests", "Requests", labels, registry=registry)
        self._requests = cache(requests.labels)
        self._seconds = Histogram(
            "numberduels_request_seconds", "Times of requests", buckets=BUCKETS, registry=registry
        )
        self.games = Counter("numberduels_games", "New games", registry=registry)
        self.moves = Counter("numberduels_moves", "Moves", registry=registry)
        self.streams = Gauge(
            "numberduels_streams", "Open event streams", registry=registry, multiprocess_mode="liveall"
        )
        self._refusals = Counter(
            "numberduels_refusals", "Refused requests and connections", ["reason"], registry=registry
        )
        self.connections = Gauge(
            "numberduels_connections", "Open connections", registry=registry, multiprocess_mode="liveall"
        )
        self.matches_in_memory = Gauge(
            "numberduels_duels_in_memory", "Games in memory", registry=registry, multiprocess_mode="liveall"
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request. Streams have no time: they are open as long as somebody watches."""
        known = method if method in ("GET", "HEAD", "POST") else "other"  # clients can send any word
        self._requests(known, route, status).inc()
        if not route.endswith(("/events", "/stream")):
            self._seconds.observe(seconds)

    def refuse(self, reason: str) -> None:
        """Count a refused request or connection."""
        self._refusals.labels(reason).inc()

    def text(self) -> bytes:
        """All metrics in the text format of Prometheus: totals of all workers, gauges by process id."""
        registry = self._registry
        if folder := os.environ.get(SHARED_FOLDER):
            _drop_dead_workers(folder)
            registry = CollectorRegistry()
            MultiProcessCollector(registry)
        return generate_latest(registry)


def _drop_dead_workers(folder: str) -> None:
    """Delete the gauges of workers that have ended or were killed; their counters stay in the totals."""
    for file in Path(folder).glob("gauge_live*.db"):
        pid = int(re.sub(r"\D", "", file.name))
        if has_ended(pid):
            mark_process_dead(pid)


class JsonFormatter(logging.Formatter):
    """Formats a log record as a line of JSON; a message that is a JSON object becomes part of it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "worker": os.getpid(),
            "from": record.name,
        }
        text = record.getMessage()
        try:
            inner = json.loads(text)
            line |= inner if isinstance(inner, dict) else {"message": text}
        except ValueError:
            line["message"] = text
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return json.dumps(line)
