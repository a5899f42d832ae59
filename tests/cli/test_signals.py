"""Requests to end: an exception once, the exit status of shells, and nothing where they are ignored."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pexpect
import pytest

from numberduels.cli import rules
from numberduels.cli.main import main
from numberduels.cli.signals import POKE, TerminationSignal, interruptible_input, raise_on_termination
from pseudo_terminals import kill
from tables import table

NUMBERS = [signal.SIGTERM, signal.SIGHUP]


@table("number", [*NUMBERS, signal.SIGINT])
def test_every_command_ends_with_the_status_of_its_signal(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_arguments: list[str]) -> int:
        os.kill(os.getpid(), number)
        return 0

    monkeypatch.setattr(rules, "run_games", run)
    assert main(["games"]) == 128 + number


SIGNAL_AT_IMPORTS = """
import os, signal, sys

class Finder:
    count = 0
    def find_spec(self, name, path=None, target=None):
        self.count += 1
        if self.count == last:
            os.kill(os.getpid(), number)

import numberduels.__main__  # the script that pip writes begins with this import

number, arguments = int(sys.argv[1]), sys.argv[2:]
sys.argv[1:] = arguments
last, ended = 0, {}
while not last or ended[last] != 0:
    last += 1
    child = os.fork()
    if not child:
        sys.meta_path.insert(0, Finder())
        sys.exit(numberduels.__main__.run())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ended[last] = code if code >= 0 else 128 - code  # as a shell tells it
del ended[last]  # there were fewer imports than that
print(len(ended), sorted(set(ended.values())), file=sys.stderr)
"""


@pytest.mark.long
@table("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@table("arguments", ["--version", "games", "solve range-war --size 5"])
def test_a_signal_at_any_import_ends_the_command_and_prints_nothing(
    number: signal.Signals, status: int, arguments: str
) -> None:
    command = [sys.executable, "-c", SIGNAL_AT_IMPORTS, str(int(number)), *arguments.split()]
    said = subprocess.run(command, capture_output=True, text=True, timeout=600).stderr
    count, statuses = said.split(" ", 1)
    assert int(count) > 10 and statuses == f"[{status}]\n", said


@table("number", NUMBERS)
@table("again", NUMBERS)
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


EARLY_SIGNAL = """
import ctypes, functools, os, readline, signal, sys
from numberduels.cli import console

class Caught(Exception):
    pass

def catch(number, frame):
    raise Caught

# The line editor calls this between its prompt and its wait for a key. It is no Python code, in which the
# handler would run: os.kill would run it, too.
early = functools.partial(ctypes.CDLL(None).kill, os.getpid(), int(signal.SIGALRM))
signal.signal(signal.SIGALRM, catch)
screen = console.Console(sys.stdin, sys.stdout)
readline.set_pre_input_hook(early)
for _ in range(2):
    try:
        screen.ask("Your move: ")
    except Caught:
        print("caught")
readline.set_pre_input_hook(None)
print("then:", screen.ask("Your move: "))
"""


@pytest.mark.long
def test_a_signal_between_the_prompt_and_the_wait_for_a_key_needs_no_key() -> None:
    pytest.importorskip("readline")
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    screen = pexpect.spawn(
        sys.executable, ["-c", EARLY_SIGNAL], encoding="utf-8", timeout=120, env=environment
    )
    try:
        for _ in range(2):
            screen.expect("Your move: ")
            screen.expect("caught")
        screen.expect("Your move: ")
        screen.send("7\r")
        screen.expect("then: 7")
        screen.expect(pexpect.EOF)
    finally:
        kill(screen)


def test_what_watches_for_signals_leaves_nothing_behind() -> None:
    assert POKE is not None
    before = signal.getsignal(POKE), threading.active_count(), len(os.listdir("/proc/self/fd"))
    with interruptible_input():
        assert threading.active_count() == before[1] + 1
    with pytest.raises(TerminationSignal), raise_on_termination(), interruptible_input():
        os.kill(os.getpid(), signal.SIGTERM)
    assert (signal.getsignal(POKE), threading.active_count(), len(os.listdir("/proc/self/fd"))) == before
