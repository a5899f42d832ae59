"""The `duel` command and its prompt: it reads arguments and lines, and prints; it decides no rule.

`main` finds a command in the table of `commands` and runs the function `run` of its module: `play`, `solve`,
`sweep`, `serve` and so on. `parser` and `arguments` are what the commands share, `prompt` what games, lessons
and puzzles share; `console`, `wrapping`, `progress` and `signals` deal with the terminal. A command may
import every other room but the fronts `tui` and `web`, which only `main` and `serve` start. Begin with
`main`, then `commands`, then the command you need.
"""

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
