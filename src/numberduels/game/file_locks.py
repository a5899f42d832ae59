"""Locks against other processes, on every platform."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

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


@contextmanager
def exclusive_lock(path: str) -> Iterator[None]:
    """Lock a file of this name, which is made for it and removed afterwards.

    BlockingIOError if another process has the lock. It is released when the process ends, however it ends.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            lock_file(handle, wait=False)
            if sys.platform == "win32" or _same_file(handle, path):
                break
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # its last owner has just removed it
    try:
        yield
    finally:
        if sys.platform != "win32":  # which removes no open file
            with suppress(OSError):
                os.unlink(path)
        os.close(handle)


def _same_file(handle: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


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
