"""Console: input and output of a session, on a terminal or through a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Any, TextIO

from numberduels.cli.signals import SuspendSignal, interruptible_input, raise_on_suspend, suspend
from numberduels.cli.wrapping import fold, terminal_width
from numberduels.game.formatting import printable

LONGEST_LINE = 4_096
"""The most bytes of an input line."""

TOO_LONG = "(too long)"
"""Replaces a longer line. It is neither a move nor a command."""

BOLD, RED, CYAN, MAGENTA = "1", "31", "36", "35"
Completer = Callable[[], Sequence[str]]


class Console:
    """Reads lines and prints text.

    A terminal has line editing, completion and colours. Through a pipe the text is plain, and each input
    line is echoed after its prompt, so that the output is a complete session.
    """

    def __init__(self, stdin: TextIO | None, stdout: TextIO) -> None:
        self._in = stdin
        self._out = stdout
        self.interactive = stdin is not None and stdin.isatty() and stdout.isatty()
        self._echoes = stdin is None or not stdin.isatty()
        self.colour = self.interactive and not os.environ.get("NO_COLOR") and not _dumb()
        self.draws = self.interactive and not _dumb()
        """Whether pictures of characters are welcome; otherwise the lines of the books are printed."""
        self._completer: Completer | None = None
        for stream in (stdin, stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        self._readline = self.interactive and _line_editor(self._complete)

    def paint(self, text: str, style: str) -> str:
        """The text in a colour, if colours are on."""
        return f"\033[{style}m{text}\033[0m" if self.colour and text and style else text

    @property
    def width(self) -> int | None:
        """The width of the terminal; None if the output is not a terminal."""
        return terminal_width(self._out)

    def say(self, text: str) -> None:
        """Print a text, on a terminal folded to its width."""
        self._out.write(fold(text, self.width))
        self._out.flush()

    def ask(self, prompt: str, completer: Completer | None = None) -> str:
        """Print a prompt and read a line; EOFError at the end of the input."""
        head, line_end, last = prompt.rpartition("\n")
        self.say(f"{head}{line_end}")
        if not self.interactive:
            self.say(last)
            line = self._next_line()
            if self._echoes:
                self.say(f"{printable(line)}\n")
            return line
        self._completer = completer
        try:
            *lines, last = fold(last, self.width).split("\n")
            self.say("".join(f"{self.paint(line, BOLD)}\n" for line in lines))
            return self._edited(self._bold(last))
        except (EOFError, KeyboardInterrupt):
            self.say("\n")
            raise

    def _edited(self, prompt: str) -> str:
        """Read a line with the line editor; after Ctrl-Z and `fg` the prompt and the typed text are back."""
        while True:
            try:
                with raise_on_suspend(), interruptible_input():
                    return input(prompt)
            except SuspendSignal:
                self._keep_typed()
                suspend()

    def _keep_typed(self) -> None:
        """Start the next input line with the text typed so far."""
        if self._readline:
            import readline

            typed = readline.get_line_buffer()

            def insert() -> None:
                readline.set_startup_hook(None)
                readline.insert_text(typed)

            readline.set_startup_hook(insert)

    def _next_line(self) -> str:
        if self._in is None:
            raise EOFError
        source = self._in.buffer
        data = source.readline(LONGEST_LINE)
        if not data:
            self.say("\n")
            raise EOFError
        if len(data) == LONGEST_LINE and not data.endswith(b"\n"):
            while (rest := source.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            return TOO_LONG
        return data.decode("utf-8", "replace").rstrip("\r\n")

    def _bold(self, prompt: str) -> str:
        if not (self.colour and self._readline):
            return self.paint(prompt, BOLD)
        # These marks tell the line editor that the codes have no width.
        return f"\001\033[{BOLD}m\002{prompt}\001\033[0m\002"

    def _complete(self, text: str, index: int) -> str | None:
        words = self._completer() if self._completer else ()
        fitting = [word for word in words if word.lower().startswith(text.lower())]
        return fitting[index] if index < len(fitting) else None


def _dumb() -> bool:
    if sys.platform == "win32" and "TERM" not in os.environ:
        return not enable_escape_codes()
    return os.environ.get("TERM", "dumb") == "dumb"


STANDARD_OUTPUT, ESCAPE_CODES = -11, 0x0004


def enable_escape_codes() -> bool:
    """Let the console of Windows understand escape codes; False if it cannot, as before Windows 10."""
    import ctypes

    kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined]  # only Windows has it
    handle = kernel.GetStdHandle(STANDARD_OUTPUT)
    mode = ctypes.c_ulong()
    if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(handle, mode.value | ESCAPE_CODES))


def _line_editor(complete: Callable[[str, int], str | None]) -> bool:
    """Enable line editing, history and completion; False if the system has none."""
    try:
        import readline
    except ImportError:
        return False
    readline.set_completer(complete)
    readline.set_completer_delims("")  # a whole line is one move
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    return True


def print_folded(text: str) -> None:
    """Print a text on standard output, on a terminal folded to its width."""
    sys.stdout.write(fold(text, terminal_width(sys.stdout)))
    sys.stdout.flush()


def standard_console() -> Console:
    """The console on standard input and output."""
    return Console(sys.stdin, sys.stdout)


def shell_command(*arguments: str) -> str:
    """A duel command, quoted for the shell; with the full path if `duel` is not on the PATH."""
    folder, name = os.path.split(os.path.abspath(sys.argv[0]))
    found = name != "duel" or folder in os.environ.get("PATH", "").split(os.pathsep)
    parts = ["duel" if found else os.path.join(folder, name), *arguments]
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline(parts)
    import shlex

    return " ".join(shlex.quote(part) if part.isprintable() else _escaped(part) for part in parts)


def _escaped(text: str) -> str:
    r"""The text quoted for bash and zsh, without control characters.

    >>> print(_escaped("it's \x1b[2J"))
    $'it\x27s \x1b[2J'
    """
    plain = frozenset(range(0x20, 0x7F)) - frozenset(b"'\\")
    escaped = (chr(byte) if byte in plain else rf"\x{byte:02x}" for byte in os.fsencode(text))
    return f"$'{''.join(escaped)}'"


def error_reason(fault: Exception) -> str:
    """The message of the system, without the path."""
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
