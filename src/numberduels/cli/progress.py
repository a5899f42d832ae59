"""ProgressBar: how far long work is, on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Self

from numberduels.cli.wrapping import terminal_width

if TYPE_CHECKING:
    from threading import Event, Lock, Thread

SOON = 0.5
"""Seconds before the bar appears."""
OFTEN = 0.2
"""Seconds between two updates."""
LONGEST, SHORTEST = 30, 10
"""The most characters of the bar, and the fewest that figures leave to it."""
MEASURED = 1.0
"""Seconds of work after which its rate is trusted."""


class ProgressBar:
    """Shows what is being done, how much of it, the rate and the time left. It is cleared at the end.

        with ProgressBar("thinking") as bar:
            player.progress = bar.update  # optional

    Without figures it shows the seconds; of a search without a known end, the positions so far. If standard
    error is not a terminal, it shows nothing. A thread draws it, so it moves during work without reports.
    """

    threaded = True
    """Whether a thread draws the bar; otherwise only `update` does."""

    def __init__(self, about: str, unit: str = "positions") -> None:
        """`unit` is what `update` counts."""
        self.seen = terminal_width(sys.stderr) is not None
        """Whether standard error is a terminal."""
        self.about = about
        """What is being done; it may change on the way."""
        self.unit = unit
        self._began = time.monotonic()
        self._last = 0.0
        self._first = -1
        self._figures: tuple[int, int] | None = None
        self._thread: tuple[Thread, Event] | None = None
        self._drawing: Lock | None = None

    def __enter__(self) -> Self:
        if self.seen and self.threaded:
            from threading import Event, Lock, Thread

            over, self._drawing = Event(), Lock()
            thread = Thread(target=self._draw_until, args=(over,), daemon=True)
            thread.start()
            self._thread = thread, over
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread:
            thread, over = self._thread
            over.set()
            thread.join()
        self.clear()

    def update(self, done: int, total: int) -> None:
        """Report how much is done and how much there is in all; 0 if that is not known."""
        if self._first < 0:
            self._first = done  # what was done earlier does not count for the rate
        self._figures = done, total
        if not self.threaded and self.seen:
            now = time.monotonic()
            if now - self._began > SOON and now - self._last > OFTEN:
                self._draw()

    @contextmanager
    def printing(self) -> Iterator[None]:
        """Keep the bar away while something else is printed."""
        with self._drawing or nullcontext():
            self.clear()
            yield

    def clear(self) -> None:
        """Remove the bar from the screen."""
        if self._last and self.seen:
            _write("\n" if _dumb() else "\r\033[K")
        self._last = 0.0

    def _draw_until(self, over: Event) -> None:
        pause = SOON
        while not over.wait(pause):
            with self._drawing or nullcontext():
                self._draw()
            pause = OFTEN

    def _draw(self) -> None:
        if _dumb():  # it cannot clear a line, so print once
            if not self._last:
                _write(f"{self.about} ...")
        else:
            width = (terminal_width(sys.stderr) or 80) - len("^C ")  # which the terminal prints after Ctrl-C
            _write(f"\r\033[K{self._line(width)[:width]}")
        self._last = time.monotonic()

    def _line(self, width: int) -> str:
        seconds = time.monotonic() - self._began
        if self._figures is None:
            return f"{self.about} ... {seconds:.0f} s"
        done, total = self._figures
        rate = (done - self._first) / seconds if seconds >= MEASURED else 0.0
        speed = [f"{rate:,.{0 if rate >= 10 else 1}f} a second"] if rate else []
        if not total:
            return f"{self.about}: {', '.join([f'{done:,} {self.unit}', *speed])}"
        share = min(done / total, 1.0)
        left = [f"{format_seconds((total - done) / rate)} left"] if rate else []
        parts = [f"{100 * share:.0f} %", *left, *speed, f"{done:,} of {total:,} {self.unit}"]
        while len(parts) > 1 and len(", ".join(parts)) > width - len(self.about) - SHORTEST - 4:
            parts.pop()
        told = ", ".join(parts)
        room = max(min(LONGEST, width - len(self.about) - len(told) - 5), 5)
        filled = int(room * share)
        return f"{self.about} [{'#' * filled}{'.' * (room - filled)}] {told}"


def format_seconds(seconds: float) -> str:
    """A time as people say it.

    >>> [format_seconds(each) for each in (0.2, 42.4, 90, 9000, 100_000)]
    ['0 s', '42 s', '1.5 min', '150 min', '28 h']
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3 * 3600:
        return f"{seconds / 60:.{1 if seconds < 600 else 0}f} min"
    return f"{seconds / 3600:,.0f} h"


def _dumb() -> bool:
    return os.environ.get("TERM", "dumb") == "dumb"


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # the terminal is closed; continue the work
