"""Requests to end: an exception once, the exit status of shells, and nothing where they are ignored."""

from __future__ import annotations

import os
import signal

import pytest

from numberduels.cli import games
from numberduels.cli.main import main
from numberduels.cli.signals import TerminationSignal, raise_on_termination

NUMBERS = [signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize("number", [*NUMBERS, signal.SIGINT])
def test_every_command_ends_with_the_status_of_its_signal(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_arguments: list[str]) -> int:
        os.kill(os.getpid(), number)
        return 0

    monkeypatch.setattr(games, "run", run)
    assert main(["games"]) == 128 + number


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("again", NUMBERS)
def test_what_is_done_after_a_signal_is_not_interrupted_by_another(
    number: signal.Signals, again: signal.Signals
) -> None:
    before = signal.getsignal(number), signal.getsignal(again)
    saved = False
    with pytest.raises(TerminationSignal), raise_on_termination():
        try:
            os.kill(os.getpid(), number)
        finally:
            os.kill(os.getpid(), again)
            saved = True
    assert saved and (signal.getsignal(number), signal.getsignal(again)) == before


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with raise_on_termination():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
