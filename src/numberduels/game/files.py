"""The data folder, the folder of the settings, writing files safely, and locks against other processes.

A file is written completely or not at all, and an existing file is never replaced by accident.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

SUFFIXES = {"games": ".duel", "matches": ".match"}
"""The folders inside the data folder, and the suffix of the files in each."""

LONGEST_NAME = 80
"""The most characters of the name of a game in the name of a file; its end tells most."""


def data_folder() -> str:
    """The data folder of the user, by the convention of the platform; NUMBERDUELS_HOME overrides it."""
    return _user_folder("LOCALAPPDATA", "Local", "XDG_DATA_HOME", ".local/share")


def config_folder() -> str:
    """The folder of the user's settings, by the convention of the platform; NUMBERDUELS_HOME overrides it."""
    return _user_folder("APPDATA", "Roaming", "XDG_CONFIG_HOME", ".config")


def _user_folder(windows_variable: str, windows: str, xdg_variable: str, xdg: str) -> str:
    """Our folder in the one that the environment variable of the platform names, or else in its default."""
    if chosen := os.environ.get("NUMBERDUELS_HOME"):
        return absolute_path(chosen)
    user = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get(windows_variable) or os.path.join(user, "AppData", windows)
    elif sys.platform == "darwin":
        base = os.path.join(user, "Library", "Application Support")
    else:
        base = os.environ.get(xdg_variable) or os.path.join(user, xdg)
    return os.path.join(base, "numberduels")


def new_path(name: str, kind: str = "games") -> str:
    """A new path in the data folder for a game or a match. It is unique."""
    from datetime import datetime

    folder = os.path.join(data_folder(), kind)
    os.makedirs(folder, exist_ok=True)
    moment = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return os.path.join(folder, f"{moment}-{os.urandom(5).hex()}-{file_name(name)}{SUFFIXES[kind]}")


def file_name(text: str) -> str:
    """A text as a part of a file name that every platform allows.

    >>> file_name("range-war"), file_name("python:my games/env.py:Nim")
    ('range-war', 'python-my-games-env.py-Nim')
    """
    allowed = (char if char.isascii() and (char.isalnum() or char in "-_.") else "-" for char in text)
    return "".join(allowed)[-LONGEST_NAME:]


def absolute_path(path: str) -> str:
    """The absolute path, with ~ replaced by the home folder; an empty path stays empty."""
    return os.path.abspath(os.path.expanduser(path)) if path else ""


def write_text(
    path: str, text: str, *, replacing: str | None = None, begins: str = "", force: bool = False
) -> None:
    """Write a file atomically: readers see the old file or the new one, also after a crash.

    An existing file that is not empty is replaced only if its text is `replacing`, if it begins with
    `begins`, or with `force`; otherwise OSError.
    """
    with atomic_writer(path, replacing=replacing, begins=begins, force=force) as file:
        file.write(text.encode("utf-8"))


@contextmanager
def atomic_writer(
    path: str, *, replacing: str | None = None, begins: str = "", force: bool = False
) -> Iterator[BinaryIO]:
    """A file to write bytes to, which is in its place when the block ends; an error changes nothing.

    It is for files that are written piece by piece. What may be replaced is as in `write_text`.
    """
    path = absolute_path(path)
    mode = _replaceable(path, replacing, begins, force)
    path = os.path.realpath(path)
    draft = _draft(path)
    try:
        with open(draft, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(draft, mode)
        os.replace(draft, path)
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise
    if sys.platform != "win32":  # the new name survives a power loss, too
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def check_writable(path: str, *, replacing: str | None = None, force: bool = False) -> None:
    """Check that `write_text` can write there; OSError says why not."""
    path = absolute_path(path)
    _replaceable(path, replacing, "", force)
    draft = _draft(os.path.realpath(path))
    with open(draft, "x", encoding="utf-8"):
        os.unlink(draft)


def _draft(path: str) -> str:
    return os.path.join(os.path.dirname(path), f".numberduels-{os.urandom(4).hex()}.tmp")


def _replaceable(path: str, replacing: str | None, begins: str, force: bool) -> int | None:
    """The mode of the file, None if there is none; OSError if it must not be replaced."""
    if not path:
        raise OSError("a file must have a name")
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    except ValueError:
        raise OSError("that is not the name of a file") from None
    if not stat.S_ISREG(found.st_mode):
        raise OSError("that is not a file")
    if not (force or found.st_mode & 0o222):
        raise OSError("that file is read-only")
    if found.st_size and not force:
        own, start = (replacing or "").encode(), begins.encode()
        with open(path, "rb") as file:
            data = file.read(max(len(own), len(start)) + 1)
        if data != own and not (begins and data.startswith(start)):
            raise OSError("that file exists already, and --force would replace it")
    return stat.S_IMODE(found.st_mode)


def read_text(path: str, longest: int | None = None) -> str:
    """The text of the file; BadRecord if it is not UTF-8.

    At most `longest` characters and one more are read; without it, as many as a record may have.
    """
    from numberduels.game.record import LONGEST, BadRecord  # the menu needs this module, but no record

    with open(absolute_path(path), "rb") as file:
        data = file.read(4 * (LONGEST if longest is None else longest) + 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise BadRecord(f"line {line}: this is not UTF-8 text") from None


class GameFile:
    """The file that one game in progress is saved to, again and again.

    Without a path it is a new file in the data folder. If the path can no longer be written, or if somebody
    else has changed the file, the game moves to a new file in the data folder.
    """

    def __init__(
        self,
        name: str,
        path: str = "",
        *,
        kind: str = "games",
        holds: str | None = None,
        force: bool = False,
    ) -> None:
        """`holds` is the present text of the file; `force` allows replacing any other text."""
        self.path = absolute_path(path)
        self.asked = bool(path)
        """Whether the user has named the path."""
        self.holds = holds
        """The text that this game has written, or that it was resumed from."""
        self.fault: OSError | None = None
        """Why the requested path could not be written."""
        self._name, self._kind = name, kind
        self._force = force

    def check(self) -> None:
        """Check that the requested path can be written; OSError says why not."""
        check_writable(self.path, replacing=self.holds, force=self._force)

    def save(self, text: str) -> None:
        """Write the game; OSError if neither the path nor the data folder can be written."""
        if self.path:
            try:
                self._write(text)
                return
            except OSError as fault:
                if self.asked:
                    self.fault = fault
        self.path, self.asked, self.holds, self._force = new_path(self._name, self._kind), False, None, False
        self._write(text)

    def _write(self, text: str) -> None:
        write_text(self.path, text, replacing=self.holds, force=self._force)
        self.holds, self._force = text, False

    def discard(self) -> None:
        """Remove the file if it is in the data folder, unless the user has named it."""
        if self.path and not self.asked:
            with suppress(OSError):
                os.unlink(self.path)
            self.path, self.holds = "", None


# Locks against other processes

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
