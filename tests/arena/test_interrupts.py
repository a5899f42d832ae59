"""Ctrl-C ends a run between two steps of its main loop, wherever it arrives."""

from __future__ import annotations

import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Executor, Future
from types import FrameType
from typing import Any

import pytest

from numberduels.arena.plan import Plan
from numberduels.arena.run import deferred_signals, play_chunks

GAMES = list(Plan(("greedy", "random"), ("range-war:size=10:opening=lower",), rounds=2).schedule())
PATIENCE = 60.0
"""Seconds before what never happens fails its test; nothing is timed by it."""


class Idle(Executor):
    """Finishes nothing before PATIENCE is over, and does `then` when a chunk is given to it."""

    def __init__(self, then: Callable[[], object]) -> None:
        self.then = then
        self.timers: list[threading.Timer] = []

    def submit(self, *_call: Any) -> Future[Any]:  # type: ignore[override]
        self.then()
        future: Future[Any] = Future()
        self.timers.append(threading.Timer(PATIENCE, future.set_result, args=[([], 0.0)]))
        self.timers[-1].start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for timer in self.timers:
            timer.cancel()


def run_until_interrupted(then: Callable[[], object]) -> None:
    """A loop of chunks that ends by KeyboardInterrupt while its chunks are not finished."""
    with Idle(then) as executor, pytest.raises(KeyboardInterrupt), deferred_signals() as check:
        for _ in play_chunks(executor, 1, GAMES, check_signals=check):
            pytest.fail("a chunk was finished, so the run has waited for it")


def is_waiting_for_a_chunk(frame: FrameType) -> bool:
    """Whether a thread with this frame is in the condition variable of `concurrent.futures.wait`."""
    callers = {each.f_code for each, _ in traceback.walk_stack(frame)}
    return {threading.Condition.wait.__code__, futures.wait.__code__} <= callers


@pytest.fixture(autouse=True)
def handlers_of_python() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_while_a_chunk_is_handed_over_ends_the_run() -> None:
    run_until_interrupted(lambda: signal.raise_signal(signal.SIGINT))


def test_ctrl_c_that_the_system_gives_to_another_thread_ends_the_run() -> None:
    # Such a signal does not wake the main thread, if that waits already.
    main = threading.get_ident()

    def kill_itself() -> None:
        while not is_waiting_for_a_chunk(sys._current_frames()[main]):
            pass
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    senders = [threading.Thread(target=kill_itself)]

    def then() -> None:
        if senders:
            senders.pop().start()

    run_until_interrupted(then)


def test_a_signal_that_nobody_checked_takes_effect_at_the_end() -> None:
    with pytest.raises(KeyboardInterrupt), deferred_signals():
        signal.raise_signal(signal.SIGINT)


def test_a_thread_that_is_not_the_main_one_changes_no_handler() -> None:
    found = []

    def look() -> None:
        with deferred_signals() as check:
            check()
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with deferred_signals():
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        signal.raise_signal(signal.SIGINT)
