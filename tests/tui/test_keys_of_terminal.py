"""Reading the keys of a terminal: no key is lost, and reading ends with the terminal or with the app."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from textual import events
from textual._xterm_parser import XTermParser

from numberduels.tui.terminal import Output, read_keys


@contextmanager
def pipes() -> Iterator[tuple[int, int, int, int]]:
    """The reading and the writing end of a terminal, and of the pipe that wakes the reader."""
    terminal, typed = os.pipe()
    wake, end = os.pipe()
    try:
        yield terminal, typed, wake, end
    finally:
        for each in (terminal, typed, wake, end):
            with suppress(OSError):  # the test has closed it
                os.close(each)


def names(terminal: int, wake: int) -> list[str]:
    return [each.key for each in read_keys(terminal, wake, XTermParser()) if isinstance(each, events.Key)]


def test_reading_ends_with_the_terminal_after_its_last_key() -> None:
    with pipes() as (terminal, typed, wake, _):
        os.write(typed, b"6\r\x1b[A")
        os.close(typed)
        assert names(terminal, wake) == ["6", "enter", "up"]


def test_escape_is_a_key_when_nothing_follows_it() -> None:
    with pipes() as (terminal, typed, wake, end):
        os.write(typed, b"\x1b")
        keys = read_keys(terminal, wake, XTermParser())
        assert next(each.key for each in keys if isinstance(each, events.Key)) == "escape"
        os.write(end, b"\0")
        assert list(keys) == []


def test_reading_ends_when_the_app_says_so_although_the_terminal_is_open() -> None:
    with pipes() as (terminal, _, wake, end):
        os.write(end, b"\0")
        assert names(terminal, wake) == []


def test_bytes_that_are_no_text_do_not_stop_the_keys() -> None:
    with pipes() as (terminal, typed, wake, _):
        os.write(typed, b"\xff\xfe6")
        os.close(typed)
        assert names(terminal, wake)[-1] == "6"


class ClosedTerminal(io.StringIO):
    """A file whose terminal is gone."""

    def write(self, _: str) -> int:
        raise OSError(5, "Input/output error")

    def flush(self) -> None:
        raise OSError(5, "Input/output error")


def test_writing_to_a_closed_terminal_is_no_fault() -> None:
    output = Output(ClosedTerminal())
    output.write("x")
    output.flush()
    assert not output.isatty()
