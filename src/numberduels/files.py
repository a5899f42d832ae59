"""Where records are kept, and how a file is written so that nothing is ever lost."""

from __future__ import annotations

import os
import stat
import sys

from numberduels import record
from numberduels.record import BadRecord, Record

SUFFIX = ".duel"


def home() -> str:
    """The user's data folder, by the convention of the platform; NUMBERDUELS_HOME overrides it."""
    if chosen := os.environ.get("NUMBERDUELS_HOME"):
        return chosen
    user = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(user, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(user, "Library", "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or os.path.join(user, ".local", "share")
    return os.path.join(base, "numberduels")


def fresh(name: str) -> str:
    """A path in the data folder for a game that has no file yet; two at once get two paths."""
    from datetime import datetime

    folder = os.path.join(home(), "games")
    os.makedirs(folder, exist_ok=True)
    moment = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return os.path.join(folder, f"{moment}-{os.urandom(3).hex()}-{name}{SUFFIX}")


def save(path: str, game: Record) -> None:
    """Write the record: whoever looks, and whatever fails, finds the old file or the new one.

    Raises OSError, also where the path holds something that is not a record and would be lost.
    """
    put(path, record.write(game), over="[Game ", kind="a record")


def put(path: str, text: str, *, over: str, kind: str) -> None:
    """Write a text as `save` does, only ever over a file that is empty or begins as its kind does."""
    path = os.path.expanduser(path)
    mode = _replaceable(path, over.encode(), kind)
    path = os.path.realpath(path)
    draft = f"{path}.{os.urandom(4).hex()}.tmp"
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


def _settle(folder: str) -> None:
    """Make the change of a folder survive a loss of power, where the platform can."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _replaceable(path: str, over: bytes, kind: str) -> int | None:
    """The mode of the file of this kind at the path, None where there is none; OSError for all else."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    except ValueError:
        raise OSError("that is not the name of a file") from None
    if not stat.S_ISREG(found.st_mode):
        raise OSError("that is not a file")
    with open(path, "rb") as file:
        if found.st_size and file.read(len(over)) != over:
            raise OSError(f"that file is not {kind}, and is left alone")
    return stat.S_IMODE(found.st_mode)


def load(path: str) -> Record:
    """The record in the file; OSError where it cannot be opened, BadRecord where it is not one."""
    with open(path, "rb") as file:
        data = file.read(4 * record.LONGEST + 1)
    try:
        return record.read(data.decode("utf-8"))
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise BadRecord(f"line {line}: this is not UTF-8 text") from None
