"""Signals: SIGTERM and SIGHUP become an exception, Ctrl-Z restores the terminal first, none needs a key."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from numberduels.cli import exit_at_once

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

    Ctrl-C raises KeyboardInterrupt, also if it ended the process at once before. A signal that the parent
    process ignores stays ignored, as under nohup.
    """
    before = {number: signal.getsignal(number) for number in ENDING}
    wanted = [number for number in ENDING if before[number] is not signal.SIG_IGN]

    def end(number: int, _frame: FrameType | None) -> None:
        for each in wanted:
            signal.signal(each, lambda *_: None)
        raise TerminationSignal(number)

    for number in wanted:
        signal.signal(number, end)
    if starting := signal.getsignal(signal.SIGINT) is exit_at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if starting:
            signal.signal(signal.SIGINT, exit_at_once)
        for number in wanted:
            signal.signal(number, before[number])


POKE: int | None = getattr(signal, "SIGURG", None)
"""A signal that nobody else uses, and that is ignored by default."""

PAUSES = [0.01 * 2**count for count in range(13)]
"""Seconds before each attempt to interrupt the wait for input; over a minute in all."""


@contextmanager
def interruptible_input() -> Iterator[None]:
    """Let every signal interrupt a wait for input in the main thread, however early it comes.

    Python runs the handler of a signal when the main thread is interrupted in a system call, or comes back
    from it. The line editor prints the prompt and then waits for a key. A signal between the two is too early
    to interrupt the wait, and its handler would run after the next key. Here a thread hears of every signal,
    and interrupts the main thread by another, harmless one until the wait has ended.
    """
    if POKE is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    main = threading.get_ident()
    stop = threading.Event()
    woken, wake = os.pipe()

    def watch() -> None:
        while not stop.is_set():
            if not {POKE}.issuperset(os.read(woken, 64)):
                for pause in PAUSES:
                    if stop.wait(pause):
                        return
                    signal.pthread_kill(main, POKE)

    watcher = threading.Thread(target=watch, daemon=True)
    os.set_blocking(wake, False)
    before_poke = signal.signal(POKE, lambda *_: None)
    before_wake = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    try:
        watcher.start()
        yield
    finally:
        signal.set_wakeup_fd(before_wake)
        stop.set()
        with suppress(BlockingIOError):  # it is full, so the thread has something to read
            os.write(wake, b"\0")
        watcher.join()
        signal.signal(POKE, before_poke or signal.SIG_DFL)
        os.close(wake)
        os.close(woken)


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
