"""Progress of long work, on standard error where that is a terminal; elsewhere nothing is said."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Self

from numberduels.cli.wrapping import terminal_width

if TYPE_CHECKING:
    from threading import Event, Thread

SOON = 0.5
"""Seconds that work may take before anything is said about it."""
OFTEN = 0.2
"""Seconds between two drawings."""
LONGEST = 30
"""Characters of a full bar."""


class ProgressBar:
    """What is being done, for how long and, if somebody tells, how much of it; it goes away at the end.

        with Bar("thinking") as bar:
            player.progress = bar.show  # or nothing: then the seconds are shown

    A thread draws it, so that work which tells nothing is seen to go on, too. It can be broken off by
    Ctrl-C as without it.
    """

    threaded = True
    """Whether a thread draws; where not, it is drawn by `print_folded` alone."""

    def __init__(self, about: str) -> None:
        self.seen = terminal_width(sys.stderr) is not None
        """Whether there is somebody to see it."""
        self._about = about
        self._began = time.monotonic()
        self._last = 0.0
        self._figures: tuple[int, int] | None = None
        self._thread: tuple[Thread, Event] | None = None

    def __enter__(self) -> Self:
        if self.seen and self.threaded:
            from threading import Event, Thread

            over = Event()
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
        """Tell how much is done, and of how much."""
        self._figures = done, total
        if self.seen and not self.threaded:
            now = time.monotonic()
            if now - self._began > SOON and now - self._last > OFTEN:
                self._draw()

    def note(self, done: int, total: int, seconds: float) -> str:
        """What else is worth saying, behind the bar."""
        return ""

    def clear(self) -> None:
        """Make room for a line of text."""
        if self._last:
            _write("\n" if _dumb() else "\r\033[K")
            self._last = 0.0

    def _draw_until(self, over: Event) -> None:
        pause = SOON
        while not over.wait(pause):
            self._draw()
            pause = OFTEN

    def _draw(self) -> None:
        if _dumb():  # it cannot take a line back, so it is told once
            if not self._last:
                _write(f"{self._about} ...")
        else:
            width = (terminal_width(sys.stderr) or 80) - len("^C ")  # which a terminal writes behind it
            _write(f"\r\033[K{self._line(width)[:width]}")
        self._last = time.monotonic()

    def _line(self, width: int) -> str:
        seconds = time.monotonic() - self._began
        if self._figures is None:
            return f"{self._about} ... {seconds:.0f} s"
        done, total = self._figures
        share = min(done / total, 1.0) if total > 0 else 0.0
        behind = f"{100 * share:.0f} %{self.note(done, total, seconds)}"
        spec = max(min(LONGEST, width - len(self._about) - len(behind) - 5), 5)
        filled = int(spec * share)
        return f"{self._about} [{'#' * filled}{'.' * (spec - filled)}] {behind}"


def _dumb() -> bool:
    return os.environ.get("TERM", "dumb") == "dumb"


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # the terminal is gone; the work goes on
