"""Where records are kept, and how a file is written so that nothing is ever lost.

A file that is there already is never replaced without being told to.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress

from numberduels import record
from numberduels.record import BadRecord

SUFFIXES = {"games": ".duel", "matches": ".match"}
"""The folders inside the data folder, and how the names of files in them end."""


def data_folder() -> str:
    """The user's data folder, by the convention of the platform; NUMBERDUELS_HOME overrides it."""
    if chosen := os.environ.get("NUMBERDUELS_HOME"):
        return absolute_path(chosen)
    user = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(user, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(user, "Library", "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or os.path.join(user, ".local", "share")
    return os.path.join(base, "numberduels")


def new_path(name: str, kind: str = "games") -> str:
    """A path in the data folder for a game (or a match) that has no file yet; two at once get two paths."""
    from datetime import datetime

    folder = os.path.join(data_folder(), kind)
    os.makedirs(folder, exist_ok=True)
    moment = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return os.path.join(folder, f"{moment}-{os.urandom(5).hex()}-{name}{SUFFIXES[kind]}")


def absolute_path(path: str) -> str:
    """The path as it works from every folder: absolute, and with ~ replaced by the user's home."""
    return os.path.abspath(os.path.expanduser(path)) if path else ""


def write_text(
    path: str, text: str, *, replacing: str | None = None, begins: str = "", force: bool = False
) -> None:
    """Write a text: whoever looks, and whatever fails, finds the old file or the new one.

    A file that is there already and not empty is replaced only if it holds the text `replacing`, or begins
    like `begins`, or by force; else OSError.
    """
    path = absolute_path(path)
    mode = _replaceable(path, replacing, begins, force)
    path = os.path.realpath(path)
    draft = _draft(path)
    try:
        with open(draft, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(draft, mode)
        os.replace(draft, path)
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise
    _settle(os.path.dirname(path))


def check_writable(path: str, *, replacing: str | None = None, force: bool = False) -> None:
    """See that `put` will be able to write there; OSError says why not."""
    path = absolute_path(path)
    _replaceable(path, replacing, "", force)
    draft = _draft(os.path.realpath(path))
    with open(draft, "x", encoding="utf-8"):
        os.unlink(draft)


def _draft(path: str) -> str:
    return os.path.join(os.path.dirname(path), f".numberduels-{os.urandom(4).hex()}.tmp")


def _settle(folder: str) -> None:
    """Make the change of a folder survive a loss of power, where the platform can."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _replaceable(path: str, replacing: str | None, begins: str, force: bool) -> int | None:
    """The mode of the file at the path, None where there is none; OSError where it must not be replaced."""
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


def read_text(path: str, longest: int = record.LONGEST) -> str:
    """The text in the file, to its last character or to one more than so many; BadRecord if it is none."""
    with open(absolute_path(path), "rb") as file:
        data = file.read(4 * longest + 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise BadRecord(f"line {line}: this is not UTF-8 text") from None


class GameFile:
    """The file that one game in progress is saved to, again and again, and nothing else's file.

    Without a path it is a new file in the data folder. Where the path cannot be written any more, or holds
    something that this game has not put there, a new file in the data folder takes its place.
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
        """`holds` is the text of the file as it is now; `force` allows to replace any other."""
        self.path = absolute_path(path)
        self.asked = bool(path)
        """Whether somebody has named the path."""
        self.holds = holds
        """The text in the file, as far as this game has put it there or goes on from it."""
        self.fault: OSError | None = None
        """Why the path that was asked for could not be written."""
        self._name, self._kind = name, kind
        self._force = force

    def check(self) -> None:
        """See that the path that was asked for can be written; OSError says why not."""
        check_writable(self.path, replacing=self.holds, force=self._force)

    def save(self, text: str) -> None:
        """Write the game; OSError where neither the path nor the data folder takes it."""
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
        """Remove the file if it is one of ours in the data folder."""
        if self.path and not self.asked:
            with suppress(OSError):
                os.unlink(self.path)
            self.path, self.holds = "", None
