"""Ends of programs on a pseudo-terminal. `close` of pexpect gives them a tenth of a second; these wait."""

from __future__ import annotations

import signal

import pexpect


def wait_for_end(child: pexpect.spawn[str]) -> str:
    """The output up to the end of the program, which has then ended by itself."""
    child.expect(pexpect.EOF)
    child.wait()
    child.close()
    return child.before or ""


def hang_up(child: pexpect.spawn[str]) -> None:
    """Close the terminal as a closed window does, and wait until the program has ended."""
    child.ptyproc.fileobj.close()  # type: ignore[attr-defined]
    child.wait()
    child.close()


def kill(child: pexpect.spawn[str]) -> None:
    """End the program if it still runs, and close the terminal."""
    if not child.closed:
        if child.isalive():
            child.kill(signal.SIGKILL)
            child.wait()
        child.close()
