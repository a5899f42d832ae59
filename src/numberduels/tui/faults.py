"""Faults of the app: each is written with its traceback to a file in the data folder."""

from __future__ import annotations

import os
import traceback
from datetime import datetime

from numberduels.game.files import data_folder

LARGEST = 1_000_000
"""Bytes from which on the file begins again."""


def fault_log_path() -> str:
    """The file of the faults."""
    return os.path.join(data_folder(), "errors.log")


def log_fault(error: BaseException) -> bool:
    """Write a fault with its traceback to the file; False if that is impossible."""
    path = fault_log_path()
    text = "".join(traceback.format_exception(error))
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        grown = os.path.exists(path) and os.path.getsize(path) > LARGEST
        with open(path, "w" if grown else "a", encoding="utf-8", errors="replace") as file:
            file.write(f"{datetime.now().isoformat(timespec='seconds')}\n{text}\n")
    except OSError:
        return False
    return True
