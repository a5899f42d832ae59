"""The app in a real pseudo-terminal: resizing, signals, the terminal closed. Nothing is ever lost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pyte
import pytest

from numberduels.play.saved_games import saved_games
from numberduels.play.settings import update_settings
from pseudo_terminals import hang_up, kill, wait_for_end

pytestmark = pytest.mark.long

DUEL = str(Path(sys.executable).with_name("duel"))
CTRL_C, CTRL_Z = "\x03", "\x1a"
WAIT = 120
"""Seconds after which a test gives up, for machines with much other work."""


class Terminal:
    """A program in a pseudo-terminal, and what stands on its screen."""

    def __init__(self, command: str, arguments: list[str], columns: int = 80, rows: int = 24) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self.child = pexpect.spawn(
            command,
            arguments,
            dimensions=(rows, columns),
            env=os.environ | {"TERM": "xterm-256color"},
            timeout=WAIT,
            encoding="utf-8",
        )

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def expect(self, pattern: str) -> None:
        """Read until the screen shows this."""
        while not re.search(pattern, self.text):
            try:
                data = self.child.read_nonblocking(65_536, WAIT)
            except (pexpect.EOF, pexpect.TIMEOUT) as fault:
                raise AssertionError(f"{pattern} is not on the screen:\n{self.text}") from fault
            self._stream.feed(data)

    def press(self, keys: str) -> None:
        """Type something."""
        self.child.send(keys)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal."""
        self._screen.resize(rows, columns)
        self._screen.reset()
        self.child.setwinsize(rows, columns)

    def clear(self) -> None:
        """Forget what stands on the screen, as a terminal does when a program leaves its second screen."""
        self._screen.reset()

    def ended(self) -> int:
        """Wait for the end; the exit status as shells see it."""
        wait_for_end(self.child)
        status = self.child.exitstatus
        return status if status is not None else 128 + (self.child.signalstatus or 0)


@contextmanager
def table(columns: int = 80, rows: int = 24) -> Iterator[Terminal]:
    """The app, started as a user starts it."""
    terminal = Terminal(DUEL, [], columns, rows)
    try:
        terminal.expect("All keys|q Quit")
        yield terminal
    finally:
        kill(terminal.child)


@pytest.fixture(autouse=True)
def _you_start() -> None:
    update_settings(first="1")


def begin(terminal: Terminal) -> None:
    """Start a game as the first player of Range War, and make a move."""
    terminal.press("p")
    terminal.expect("(?s)▸ Range War.*▸ you")
    terminal.press("\r")
    terminal.expect("Your turn")
    terminal.press("8\r")
    terminal.expect(r"2\. ◇")


def moves_kept() -> int:
    return len(saved_games()[0].record.moves)


def test_the_app_starts_and_is_left_by_q() -> None:
    with table() as terminal:
        assert "Today's puzzles" in terminal.text
        terminal.press("q")
        assert terminal.ended() == 0


def test_a_game_survives_a_small_terminal_and_back() -> None:
    with table() as terminal:
        begin(terminal)
        terminal.resize(40, 20)
        terminal.expect("(?s)Range War.*Your turn")
        terminal.resize(80, 24)
        terminal.expect("(?s)Range War.*Moves.*Your turn")
        assert moves_kept() >= 2


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, 137)]
)
def test_signals_lose_no_move(number: int, status: int) -> None:
    with table() as terminal:
        begin(terminal)
        terminal.child.kill(number)
        assert terminal.ended() == status
    assert moves_kept() >= 2


def test_ctrl_c_leaves_and_keeps_the_game() -> None:
    with table() as terminal:
        begin(terminal)
        terminal.press(CTRL_C)
        assert terminal.ended() in (0, 130)
    assert moves_kept() >= 2


def test_a_closed_terminal_loses_nothing_and_leaves_no_process() -> None:
    with table() as terminal:
        begin(terminal)
        hang_up(terminal.child)
    assert moves_kept() >= 2


def test_the_app_ends_with_its_terminal_even_if_it_is_told_nothing_of_it() -> None:
    """SIGHUP is ignored here, and SIGCONT, which comes with it, must not start a second reader."""
    terminal = Terminal("sh", ["-c", f"trap '' HUP; exec {DUEL}"])
    try:
        terminal.expect("All keys|q Quit")
        begin(terminal)
        children = _children(terminal.child.pid)
        assert children, "the background process"
        hang_up(terminal.child)
        _wait_for_end_of(*children)
    finally:
        kill(terminal.child)
    assert moves_kept() >= 2


def _children(pid: int | None) -> list[int]:
    """The processes that a process has started."""
    lists = [each.read_text() for each in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for each in lists for child in each.split()]


def _wait_for_end_of(*pids: int) -> None:
    deadline = time.monotonic() + WAIT
    while any(_runs(pid) for pid in pids):
        assert time.monotonic() < deadline, f"still running: {pids}"
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_the_background_process_ends_with_the_app() -> None:
    with table() as terminal:
        begin(terminal)
        children = _children(terminal.child.pid)
        terminal.child.kill(signal.SIGKILL)
        _wait_for_end_of(*children)


def test_ctrl_z_gives_the_shell_back_and_fg_the_game() -> None:
    terminal = Terminal("bash", ["--norc", "--noprofile", "-i"])
    try:
        terminal.press(f"PS1='ready> '; {DUEL}\r")
        terminal.expect("All keys|q Quit")
        begin(terminal)
        terminal.press(CTRL_Z)
        terminal.expect("Stopped")
        terminal.clear()
        terminal.press("fg\r")
        terminal.expect("(?s)Range War.*Your turn")
        terminal.press(CTRL_C)
        terminal.expect("ready> ")
        terminal.press("exit\r")
        terminal.ended()
    finally:
        kill(terminal.child)
    assert moves_kept() >= 2


def test_without_a_usable_terminal_there_is_no_full_screen() -> None:
    done = subprocess.run([DUEL], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert "\x1b[?1049h" not in done.stdout
