"""Signals: SIGTERM and SIGHUP become an exception; Ctrl-Z restores the terminal first."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

SUSPEND: int | None = getattr(signal, "SIGTSTP", None)


class TerminationSignal(KeyboardInterrupt):
    """SIGTERM or SIGHUP was received. It is handled like Ctrl-C, with its own exit status."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def exit_status(end: KeyboardInterrupt) -> int:
    """The exit status after a signal, as shells define it: 130 after Ctrl-C.

    >>> exit_status(KeyboardInterrupt()), exit_status(TerminationSignal(signal.SIGTERM))
    (130, 143)
    """
    return 128 + (end.number if isinstance(end, TerminationSignal) else signal.SIGINT)


@contextmanager
def raise_on_termination() -> Iterator[None]:
    """Raise TerminationSignal once on SIGTERM or SIGHUP; saving is then not interrupted again.

    A signal that the parent process ignores stays ignored, as under nohup.
    """
    before = {number: signal.getsignal(number) for number in ENDING}
    wanted = [number for number in ENDING if before[number] is not signal.SIG_IGN]

    def end(number: int, _frame: FrameType | None) -> None:
        for each in wanted:
            signal.signal(each, lambda *_: None)
        raise TerminationSignal(number)

    for number in wanted:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in wanted:
            signal.signal(number, before[number])


class SuspendSignal(Exception):
    """Ctrl-Z was pressed. Call `suspend` to stop the process."""


@contextmanager
def raise_on_suspend() -> Iterator[None]:
    """Raise SuspendSignal on Ctrl-Z, so that the caller can restore the terminal first."""

    def raise_it(_number: int, _frame: FrameType | None) -> None:
        raise SuspendSignal

    if SUSPEND is None or signal.getsignal(SUSPEND) is not signal.SIG_DFL:
        yield
        return
    signal.signal(SUSPEND, raise_it)
    try:
        yield
    finally:
        signal.signal(SUSPEND, signal.SIG_DFL)


def suspend() -> None:
    """Stop this process as Ctrl-Z does; returns after `fg`."""
    assert SUSPEND is not None, "only this signal leads here"
    os.kill(os.getpid(), SUSPEND)
