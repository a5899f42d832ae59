"""TerminalDriver: reads keys without waking up for nothing, and ends the app when its terminal is closed.

Textual's own driver looks ten times a second whether the app ends. It reads a closed terminal again and
again, and a second thread of it does so after SIGCONT, which the system sends together with SIGHUP.
"""

from __future__ import annotations

import asyncio
import os
import re
import select
import signal
import sys
from codecs import getincrementaldecoder
from contextlib import suppress
from typing import IO, Any

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

ESCAPE_PAUSE = 0.1
"""Seconds after which Escape is a key of its own and not the beginning of another one."""

ESCAPE, ESCAPE_KEY = "\x1b", "\x1b[27u"
"""How most terminals send the key Escape, and how it cannot be taken for the beginning of something else."""

BEFORE_KEY = re.compile(r"\x1b(?=[^\x1b\[\]OPX^_\\])")
"""Escape before a character that begins no sequence."""

BEFORE_KEY_AT_ONCE = re.compile(r"\x1b(?=[^\x1b\[\]OPX^_\\bf\x7f\t])")
"""The same if both come together: Option+arrow, Alt+Backspace and Shift+Tab of some terminals stay."""


class TerminalDriver(LinuxDriver):
    """The driver of the app on Linux and macOS."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        assert sys.__stderr__ is not None
        self._file: Any = Output(sys.__stderr__)
        self._wake: tuple[int, int] | None = None

    def _sigcont_application(self, *_: object) -> None:
        if self._must_signal_resume:  # it was stopped by SIGTSTP; otherwise it runs
            super()._sigcont_application()

    def start_application_mode(self) -> None:
        """Take the terminal, and read its keys in a thread."""
        self._wake = os.pipe()
        super().start_application_mode()  # type: ignore[no-untyped-call]
        # A signal that comes just before the loop sleeps must wake it: let the loop listen to signals.
        resized: Any = signal.getsignal(signal.SIGWINCH)
        asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, resized, signal.SIGWINCH, None)

    def disable_input(self) -> None:
        """End the thread that reads the keys."""
        wake, self._wake = self._wake, None
        if wake:
            os.write(wake[1], b"\0")
        super().disable_input()
        for end in wake or ():
            os.close(end)

    def run_input_thread(self) -> None:
        """Read keys until the app or the terminal ends."""
        if wake := self._wake:
            for message in read_keys(self.fileno, wake[0], XTermParser(self._debug)):
                self.process_message(message)

    def _run_input_thread(self) -> None:
        super()._run_input_thread()
        if self._wake and (loop := self._app._loop):  # nobody has asked for the end
            with suppress(RuntimeError):  # the loop has just been closed
                loop.call_soon_threadsafe(self._app.terminal_closed)  # type: ignore[attr-defined]


def read_keys(terminal: int, wake: int, parser: XTermParser) -> Any:
    """The messages of a terminal, until it is closed or something is written to the pipe `wake`."""
    decode = getincrementaldecoder("utf-8")("replace").decode
    text = ""
    while True:
        awaited = parser._timeout_time is not None
        ready, _, _ = select.select([terminal, wake], [], [], ESCAPE_PAUSE if awaited else None)
        if wake in ready:
            return
        if terminal in ready:
            try:
                data = os.read(terminal, 4096)
            except OSError:
                return
            if not data:
                return
            waiting = text.endswith(ESCAPE) and parser._timeout_time is not None
            if text := decode(data):
                yield from parser.feed(separate_escape(text, waiting=waiting))
        yield from parser.tick()


def separate_escape(text: str, *, waiting: bool = False) -> str:
    """What was typed, with Escape as a key of its own before any other key. Textual would read Alt+key.

    `waiting` says that the text before ended with Escape, and that the parser waits for what follows it.

    >>> separate_escape("\\x1bl\\x1b[A")
    '\\x1b[27ul\\x1b[A'
    >>> separate_escape("l", waiting=True), separate_escape("[A", waiting=True)
    ('[27ul', '[A')
    """
    text = BEFORE_KEY_AT_ONCE.sub(ESCAPE_KEY, text)
    if waiting and BEFORE_KEY.match(ESCAPE + text):
        return ESCAPE_KEY.removeprefix(ESCAPE) + text
    return text


class Output:
    """A file that takes everything also after its terminal was closed."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write, if that is possible."""
        with suppress(OSError, ValueError):
            self._file.write(text)

    def flush(self) -> None:
        """Write what waits, if that is possible."""
        with suppress(OSError, ValueError):
            self._file.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
