"""The `duel` command and its prompt."""

# Nothing else may be imported here: until `exit_on_interrupt` is called, Ctrl-C prints a traceback.
import _signal  # type: ignore[import-not-found]  # signal itself imports enum
import os


def exit_on_interrupt() -> None:
    """Let Ctrl-C end the process at once, with nothing to print, until the command itself begins."""
    if _signal.getsignal(_signal.SIGINT) is not _signal.SIG_IGN:  # as in a background job of a script
        _signal.signal(_signal.SIGINT, exit_at_once)


def exit_at_once(number: int, _frame: object) -> None:
    """End the process with the status that shells give to this signal."""
    os._exit(128 + number)
