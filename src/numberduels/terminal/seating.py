"""From the words of a command line to a room, chairs and records; every fault is one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels import registry
from numberduels.rooms import Room
from numberduels.terminal.console import reason
from numberduels.terminal.parser import Fault
from numberduels.terminal.session import HUMAN, Chair
from numberduels.text import read_number, short

if TYPE_CHECKING:
    from numberduels.record import Record


def find_room(name: str) -> Room:
    """The room of a game."""
    try:
        return registry.room(name)
    except registry.UnknownGame as fault:
        raise Fault(str(fault)) from None


def find_chair(kind: str, name: str = "") -> Chair:
    """A chair for a human, or for a computer player of this kind."""
    if kind == HUMAN:
        return Chair(name)
    from numberduels.players import find

    try:
        return Chair(name, kind, find(kind))
    except ValueError as fault:
        raise Fault(str(fault)) from None


def read_names(text: str) -> tuple[str, str]:
    """Two names, parted by a comma."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(name.isprintable() and 0 < len(name) <= 40 for name in names):
        raise Fault(f"--names takes two names of up to 40 letters, such as Alice,Bob, not {short(text)}")
    return names[0], names[1]


def read_delay(text: str) -> float:
    """Seconds, up to a minute."""
    digits = text.replace(".", "", 1)
    seconds = float(text) if digits.isascii() and digits.isdigit() and len(text) < 20 else -1
    if not 0 <= seconds <= 60:
        raise Fault(f"--delay takes seconds from 0 to 60, such as 0.5, not {short(text)}")
    return seconds


def read_count(option: str, text: str, low: int, high: int) -> int:
    """A whole number between two others."""
    try:
        count = read_number(text)
    except ValueError:
        count = -1
    if not low <= count <= high:
        raise Fault(f"{option} takes a whole number from {low} to {high}, not {short(text)}")
    return count


def read_ply(text: str | None, record: Record) -> int:
    """How many moves of a record are meant; without a number, all of them."""
    most = len(record.moves)
    return most if text is None else read_count("--ply", text, 0, most)


def load(path: str) -> Record:
    """The record in a file."""
    from numberduels import files
    from numberduels.record import BadRecord

    try:
        return files.load(path)
    except BadRecord as fault:
        raise Fault(f"{short(path, 200)}: {fault}") from None
    except (OSError, ValueError) as fault:
        raise Fault(f"{short(path, 200)} cannot be read: {reason(fault)}") from None
