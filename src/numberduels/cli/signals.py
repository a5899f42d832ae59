"""Signals: requests to end become an exception, and Ctrl-Z leaves the terminal in order."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

SUSPEND: int | None = getattr(signal, "SIGTSTP", None)


class TerminationSignal(KeyboardInterrupt):
    """SIGTERM or SIGHUP came: to be handled as Ctrl-C is, with an exit status of its own."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def exit_status(end: KeyboardInterrupt) -> int:
    """The exit status after an interruption, as shells count it: 130 after Ctrl-C.

    >>> exit_status(KeyboardInterrupt()), exit_status(TerminationSignal(signal.SIGTERM))
    (130, 143)
    """
    return 128 + (end.number if isinstance(end, TerminationSignal) else signal.SIGINT)


@contextmanager
def raise_on_termination() -> Iterator[None]:
    """Raise Ended where SIGTERM or SIGHUP arrives, once: what is saved then is not interrupted again.

    A signal that the caller ignores stays ignored, as under nohup.
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
    """Ctrl-Z was pressed: `suspend` gives the terminal to the shell."""


@contextmanager
def raise_on_suspend() -> Iterator[None]:
    """Raise Suspended on Ctrl-Z, so that whoever reads a line can put the terminal in order first."""

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
    """Stop this process as Ctrl-Z does; this returns when the shell's `fg` goes on with it."""
    assert SUSPEND is not None, "it was this signal that asked for it"
    os.kill(os.getpid(), SUSPEND)
