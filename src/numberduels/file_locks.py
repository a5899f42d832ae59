"""Lock an open file against other processes, on every platform."""

from __future__ import annotations

import errno
import os
import sys

WINDOWS_PLACE = 0x7FFFFFFE
"""The byte that is locked on Windows. Nobody can read a locked byte there, and no file here is that long."""


def lock_file(handle: int, *, wait: bool = True) -> None:
    """Lock an open file until it is closed; OSError if that is not possible.

    If another process holds the lock: wait for it, or raise BlockingIOError if `wait` is false.
    """
    if sys.platform == "win32":
        _lock_on_windows(handle, wait)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _lock_on_windows(handle: int, wait: bool) -> None:
    from importlib import import_module

    msvcrt = import_module("msvcrt")  # by name, so that type checkers of other platforms do not look into it
    before = os.lseek(handle, 0, os.SEEK_CUR)
    os.lseek(handle, WINDOWS_PLACE, os.SEEK_SET)
    try:
        while True:
            try:
                msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                return
            except OSError as fault:
                if not wait and fault.errno in (errno.EACCES, errno.EDEADLK):
                    raise BlockingIOError(errno.EAGAIN, "another process holds the lock") from None
                if fault.errno != errno.EDEADLK:  # it gives up after ten seconds
                    raise
    finally:
        os.lseek(handle, before, os.SEEK_SET)
