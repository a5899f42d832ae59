"""Long texts through a pager, as git shows them: PAGER is respected, less is the default."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numberduels.cli.console import Console

LESS = "FRX"
"""What less does unless LESS says otherwise: leave at once if all fits, show colours, keep the screen."""

SHOWN = (0, 2)
"""The exit statuses of a pager that has shown the text; less returns 2 after Ctrl-C."""


def show(console: Console, text: str) -> None:
    """Show a text through the pager; where there is none, print it."""
    if not (console.draws and _paged(pager_command(), text)):
        console.say(text)


def pager_command() -> list[str]:
    """The pager and its arguments; empty if there is to be none. No shell reads them."""
    import shlex

    try:
        command = shlex.split(os.environ.get("PAGER", "less"))
    except ValueError:  # a quotation mark that is not closed
        return []
    return [] if command[:1] == ["cat"] else command


def _paged(command: list[str], text: str) -> bool:
    """Whether the pager showed the text."""
    if not command:
        return False
    import subprocess

    env = {"LESS": LESS, **os.environ}
    try:
        with _without_ctrl_c(), subprocess.Popen(command, stdin=subprocess.PIPE, env=env) as pager:
            try:
                with suppress(BrokenPipeError):  # the reader has seen enough
                    pager.communicate(text.encode("utf-8", "replace"))
            except BaseException:  # a signal to end
                pager.terminate()
                raise
        return pager.returncode in SHOWN
    except (OSError, ValueError):  # there is no such program, or its name is no name
        return False


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Leave Ctrl-C to the pager."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
