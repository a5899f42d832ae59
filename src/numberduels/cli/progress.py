"""ProgressBar: what long work is expected to take and how far it is, on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Self

from numberduels.cli.amounts import format_bytes, format_seconds, free_memory, peak_memory
from numberduels.cli.wrapping import terminal_width
from numberduels.game.work_estimate import Bound, WorkEstimate

if TYPE_CHECKING:
    from threading import Event, Lock, Thread

SOON = 0.5
"""Seconds before the bar appears."""
OFTEN = 0.2
"""Seconds between two updates."""
LONGEST = 30
"""The most characters of the bar."""
MEASURED = 1.0
"""Seconds of work after which its rate is trusted; then the expectation is said."""
WORTH_SAYING = 3.0
"""Work with less than so many seconds left needs no expectation."""
LEFT = {Bound.ABOUT: "", Bound.AT_MOST: "at most "}
SHORTEST = 10
"""Figures follow the bar if that leaves it so many characters."""
SELDOM = 10.0
"""Seconds between two lines if standard error is not a terminal, and lines are asked for."""


class ProgressBar:
    """Shows what is being done, how much of it, the rate and the time left. It is cleared at the end.

        with ProgressBar("thinking") as bar:
            player.progress = bar.update  # optional

    Without figures it shows the seconds; of a search without a known end, the positions so far. After a
    second of work it says on a line of its own what the work is expected to take. If standard error is not a
    terminal, it says nothing, or a line now and then if `lines` asks for it.

    A thread draws it, so that it also moves during work that reports nothing.
    """

    threaded = True
    """Whether a thread draws the bar; otherwise only `update` does."""
    seldom = SELDOM
    """Seconds between two lines."""

    def __init__(self, about: str, unit: str = "positions", *, lines: bool = False) -> None:
        """`unit` is what `update` counts, if the end is not known."""
        self.seen = terminal_width(sys.stderr) is not None
        """Whether standard error is a terminal."""
        self.about = about
        """What is being done; it may change on the way."""
        self.unit = unit
        self.estimate: WorkEstimate | None = None
        """What the work is expected to take, if its ticks do not say it."""
        self._lines = lines and not self.seen
        self._began = time.monotonic()
        self._last = 0.0
        self._said = self._began
        self._announced = False
        self._first: int | None = None
        self._figures: tuple[int, int] | None = None
        self._thread: tuple[Thread, Event] | None = None
        self._drawing: Lock | None = None

    def __enter__(self) -> Self:
        if (self.seen or self._lines) and self.threaded:
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
        if self._first is None:
            self._first = done  # what was done earlier does not count for the rate
        self._figures = done, total
        if not self.threaded:
            now = time.monotonic()
            if now - self._began > SOON and now - self._last > OFTEN:
                self._show()

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
                self._show()
            pause = OFTEN

    def _show(self) -> None:
        """Say the expectation once, then draw the bar, or a line if it is time for one."""
        now = time.monotonic()
        if not self._announced and now - self._began >= MEASURED:
            expected = self._expectation()
            if expected:
                self._announced = True
                if self.seen or self._lines:
                    self.clear()
                    _write(f"{expected}\n")
        if self.seen:
            self._draw()
        elif self._lines and now - self._said >= self.seldom:
            self._said = now
            _write(f"{self._sentence()}\n")
        self._last = now

    def _draw(self) -> None:
        if _dumb():  # it cannot clear a line, so print once
            if not self._last:
                _write(f"{self.about} ...")
        else:
            width = (terminal_width(sys.stderr) or 80) - len("^C ")  # which the terminal prints after Ctrl-C
            _write(f"\r\033[K{self._line(width)[:width]}")

    # What is known

    def _rate(self) -> float | None:
        """Ticks a second; None before it can be trusted."""
        seconds = time.monotonic() - self._began
        if self._figures is None or self._first is None or seconds < MEASURED:
            return None
        done = self._figures[0] - self._first
        return done / seconds if done > 0 else None

    def _left(self) -> tuple[Bound, float] | None:
        """Seconds to the end, and what they are: about right, an upper bound, or those to the limit."""
        rate, figures = self._rate(), self._figures
        if rate is None or figures is None:
            return None
        done, total = figures
        if total:
            return Bound.ABOUT, (total - done) / rate
        if self.estimate is None:
            return None
        return self.estimate.bound, max(self.estimate.positions - done, 0) / rate

    def _expectation(self) -> str:
        """What the work is expected to take, as a sentence; empty if there is nothing to say."""
        left = self._left()
        if left is None or self._figures is None or left[1] < WORTH_SAYING:
            return ""
        bound, seconds = left
        time_left = format_seconds(seconds)
        estimate = self.estimate
        memory = _memory_phrase(estimate)
        if self._figures[1] or estimate is None:
            return f"Expected: about {time_left} more{memory}."
        count = f"{estimate.positions:,} {self.unit}"
        if bound is Bound.LIMIT:
            return (
                f"Expected: not known beforehand. It gives up after {count}:"
                f" at this rate {time_left} more{memory}."
            )
        return f"Expected: {bound.value} {count}, at this rate {time_left} more{memory}."

    def _details(self) -> list[str]:
        """The figures, the most important first."""
        if self._figures is None:
            return []
        done, total = self._figures
        rate, left = self._rate(), self._left()
        told = [] if total else [f"{done:,} {self.unit}"]
        if left is not None and left[0] is not Bound.LIMIT:
            told.append(f"{LEFT[left[0]]}{format_seconds(left[1])} left")
        if rate is not None:
            told.append(f"{rate:,.0f} a second" if rate >= 10 else f"{rate:,.1f} a second")
            if total:
                told.append(f"{done:,} of {total:,} {self.unit}")
            if memory := peak_memory():
                told.append(format_bytes(memory))
        return told

    def _sentence(self) -> str:
        """The progress as a line of its own."""
        seconds = format_seconds(time.monotonic() - self._began)
        return f"{self.about}: {', '.join([*self._details(), f'{seconds} so far'])}"

    def _line(self, width: int) -> str:
        if self._figures is None:
            return f"{self.about} ... {time.monotonic() - self._began:.0f} s"
        done, total = self._figures
        if not total:
            start = f"{self.about}: "
            return start + _join_fitting(self._details(), width - len(start))
        share = min(done / total, 1.0)
        told = _join_fitting(
            [f"{100 * share:.0f} %", *self._details()], width - len(self.about) - SHORTEST - 4
        )
        room = max(min(LONGEST, width - len(self.about) - len(told) - 5), 5)
        filled = int(room * share)
        return f"{self.about} [{'#' * filled}{'.' * (room - filled)}] {told}"


def _memory_phrase(estimate: WorkEstimate | None) -> str:
    """The memory that an estimate names, and whether there is so much."""
    if estimate is None or not estimate.memory:
        return ""
    free = free_memory()
    warning = f", more than the {format_bytes(free)} that are free" if free and free < estimate.memory else ""
    return f" and {format_bytes(estimate.memory)} of memory{warning}"


def _join_fitting(parts: list[str], width: int) -> str:
    """The first part, and those after it that fit.

    >>> _join_fitting(["50 %", "3 s left", "100 a second"], 20)
    '50 %, 3 s left'
    """
    text = parts[0]
    for part in parts[1:]:
        if len(text) + 2 + len(part) > width:
            break
        text += f", {part}"
    return text


def _dumb() -> bool:
    return os.environ.get("TERM", "dumb") == "dumb"


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # the terminal is closed; continue the work
