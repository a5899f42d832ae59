"""Abandoned calls: they are counted until they end, and too many of them stop further ones."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from numberduels.mcp_server.abandoned_calls import AbandonedCalls, Call, TooManyAbandoned


class LongCall:
    """A call that runs until it is told to end."""

    def __init__(self, calls: AbandonedCalls, threads: ThreadPoolExecutor) -> None:
        self.begun, self.end = threading.Event(), threading.Event()
        self.call = Call(self._work, calls)
        self.future: Future[str] = threads.submit(self.call)
        assert self.begun.wait(120)

    def _work(self) -> str:
        self.begun.set()
        assert self.end.wait(120)
        return "done"


def test_beyond_the_limit_calls_are_refused_until_an_abandoned_one_ends() -> None:
    calls = AbandonedCalls(most=2)
    with ThreadPoolExecutor(3) as threads:
        first, second, waited_for = (LongCall(calls, threads) for _ in range(3))
        first.call.abandon()
        assert Call(lambda: 7, calls)() == 7  # one more may be abandoned
        second.call.abandon()
        second.call.abandon()  # by its time limit, and by its client
        assert calls.count == 2
        with pytest.raises(TooManyAbandoned, match=r"^2 calls that took too long .*; try again later$"):
            Call(lambda: 7, calls)()
        first.end.set()
        assert first.future.result(120) == "done" and calls.count == 1
        assert Call(lambda: 7, calls)() == 7
        for each in (second, waited_for):
            each.end.set()
    assert calls.count == 0


def test_a_call_that_fails_after_it_was_abandoned_counts_no_more() -> None:
    calls = AbandonedCalls(most=1)
    begun, end = threading.Event(), threading.Event()

    def fail() -> None:
        begun.set()
        assert end.wait(120)
        raise ValueError("too large")

    with ThreadPoolExecutor(1) as threads:
        call = Call(fail, calls)
        future = threads.submit(call)
        assert begun.wait(120)
        call.abandon()
        end.set()
        assert isinstance(future.exception(120), ValueError)
    assert calls.count == 0


def test_a_call_that_was_abandoned_before_it_began_does_not_begin() -> None:
    calls, made = AbandonedCalls(most=1), []
    call = Call(lambda: made.append(7), calls)
    call.abandon()
    with pytest.raises(ValueError, match="abandoned before it began"):
        call()
    assert calls.count == 0 and not made


def test_a_call_that_has_ended_does_not_count() -> None:
    calls = AbandonedCalls(most=1)
    call = Call(lambda: 7, calls)
    assert call() == 7
    call.abandon()
    assert calls.count == 0
