"""Reading the keys of a terminal: no key is lost, and reading ends with the terminal or with the app."""

from __future__ import annotations

import io
import os
import select
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message

from numberduels.tui import terminal as terminal_module
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


def names(terminal: int, wake: int, parser: XTermParser | None = None) -> list[str]:
    found = read_keys(terminal, wake, parser or XTermParser())
    return [each.key for each in found if isinstance(each, events.Key)]


def test_reading_ends_with_the_terminal_after_its_last_key() -> None:
    with pipes() as (terminal, typed, wake, _):
        os.write(typed, b"6\r\x1b[A")
        os.close(typed)
        assert names(terminal, wake) == ["6", "enter", "up"]


@pytest.mark.parametrize("fault", [OSError, None])
def test_a_terminal_that_was_closed_is_read_once(
    fault: type[Exception] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a thread would read it again and again, for ever."""
    reads: list[int] = []

    def read(terminal: int, _: int) -> bytes:
        reads.append(terminal)
        assert len(reads) == 1
        if fault:
            raise fault
        return b""

    with pipes() as (terminal, typed, wake, _):
        os.write(typed, b"6")
        monkeypatch.setattr(os, "read", read)
        assert names(terminal, wake) == []


def test_escape_is_a_key_when_nothing_follows_it() -> None:
    with pipes() as (terminal, typed, wake, end):
        os.write(typed, b"\x1b")
        keys = read_keys(terminal, wake, XTermParser())
        assert next(each.key for each in keys if isinstance(each, events.Key)) == "escape"
        os.write(end, b"\0")
        assert list(keys) == []


def test_a_key_just_after_escape_is_a_key_of_its_own() -> None:
    typed_keys = {
        b"t\x1bl\x1bs": ["t", "escape", "l", "escape", "s"],
        b"\x1b\r\x1b1\x1b ": ["escape", "enter", "escape", "1", "escape", "space"],
        b"\x1b\x1b[B\r": ["escape", "down", "enter"],
        b"\x1bOP\x1b[5~\x1bb": ["f1", "pageup", "ctrl+left"],
    }
    for data, expected in typed_keys.items():
        with pipes() as (terminal, typed, wake, _):
            os.write(typed, data)
            os.close(typed)
            assert names(terminal, wake) == expected


class SlowParser(XTermParser):
    """A parser that waits for the rest of a sequence, while the next chunk is typed."""

    def __init__(self, typed: int, *chunks: bytes) -> None:
        super().__init__()
        self._typed = typed
        self._chunks = list(chunks)

    def tick(self) -> Iterator[Message]:
        if self._chunks:
            os.write(self._typed, self._chunks.pop(0))
        else:
            os.close(self._typed)
        return iter(())


def test_a_key_that_comes_after_escape_is_no_rest_of_a_sequence() -> None:
    rests = {b"l": ["escape", "l"], b"b": ["escape", "b"], b"\r": ["escape", "enter"], b"[B": ["down"]}
    for rest, expected in rests.items():
        with pipes() as (terminal, typed, wake, _):
            os.write(typed, b"\x1b")
            assert names(terminal, wake, SlowParser(typed, rest)) == expected


def test_a_reader_sleeps_until_something_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only after Escape it looks once more, since that may be the beginning of a sequence."""
    pauses: list[float | None] = []

    def counted(reading: list[int], *others: Any) -> Any:
        pauses.append(others[-1])
        return select.select(reading, *others)

    monkeypatch.setattr(terminal_module, "select", SimpleNamespace(select=counted))
    with pipes() as (terminal, typed, wake, _):
        for data, expected in ((b"6\x1b[A", [None]), (b"\x1b", [None, terminal_module.ESCAPE_PAUSE])):
            os.write(typed, data)
            keys = read_keys(terminal, wake, XTermParser())
            next(each for each in keys if isinstance(each, events.Key))
            assert pauses == expected
            pauses.clear()
            keys.close()


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
