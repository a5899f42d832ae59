"""ProgressBar: progress of long work on standard error, if that is a terminal."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Self

from numberduels.cli.wrapping import terminal_width

if TYPE_CHECKING:
    from threading import Event, Thread

SOON = 0.5
"""Seconds before the bar appears."""
OFTEN = 0.2
"""Seconds between two updates."""
LONGEST = 30
"""The most characters of the bar."""


class ProgressBar:
    """Shows what is being done and how much of it; without figures, the seconds. It is cleared at the end.

        with Bar("thinking") as bar:
            player.progress = bar.update  # optional

    A thread draws it, so that it also moves during work that reports nothing.
    """

    threaded = True
    """Whether a thread draws the bar; otherwise only `update` does."""

    def __init__(self, about: str) -> None:
        self.seen = terminal_width(sys.stderr) is not None
        """Whether standard error is a terminal."""
        self.about = about
        """What is being done; it may change on the way."""
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
        """Report how much is done and how much there is in all."""
        self._figures = done, total
        if self.seen and not self.threaded:
            now = time.monotonic()
            if now - self._began > SOON and now - self._last > OFTEN:
                self._draw()

    def note(self, done: int, total: int, seconds: float) -> str:
        """A text after the bar; empty by default."""
        return ""

    def clear(self) -> None:
        """Remove the bar from the screen."""
        if self._last:
            _write("\n" if _dumb() else "\r\033[K")
            self._last = 0.0

    def _draw_until(self, over: Event) -> None:
        pause = SOON
        while not over.wait(pause):
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
        share = min(done / total, 1.0) if total > 0 else 0.0
        behind = f"{100 * share:.0f} %{self.note(done, total, seconds)}"
        room = max(min(LONGEST, width - len(self.about) - len(behind) - 5), 5)
        filled = int(room * share)
        return f"{self.about} [{'#' * filled}{'.' * (room - filled)}] {behind}"


def _dumb() -> bool:
    return os.environ.get("TERM", "dumb") == "dumb"


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # the terminal is closed; continue the work
