"""The progress bar of a run."""

from __future__ import annotations

import sys
import time

from numberduels.cli.progress import ProgressBar


class GamesProgressBar(ProgressBar):
    """A progress bar with the games, their rate and the time left."""

    threaded = False  # the workers are forked while it is visible
    first: int | None = None
    done = total = 0

    def __init__(self, about: str) -> None:
        super().__init__(about)
        self._said = self._began

    def update(self, done: int, total: int) -> None:
        if self.first is None:
            self.first = done  # games of an earlier run do not count for the rate
        self.done, self.total = done, total
        super().update(done, total)
        now = time.monotonic()
        if not self.seen and now - self._said > SELDOM:
            self._said = now
            print(self.note(done, total, now - self._began).strip(), file=sys.stderr, flush=True)

    def note(self, done: int, total: int, seconds: float) -> str:
        assert self.first is not None
        rate = (done - self.first) / seconds
        left = f", {(total - done) / rate:,.0f} s left" if rate else ""
        return f"  {done:,} of {total:,} games, {rate:,.1f} a second{left}   "


SELDOM = 60.0
"""Seconds between two progress lines if standard error is not a terminal."""
