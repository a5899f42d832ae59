"""The console of Windows: escape codes for colours and drawing must be switched on there."""

from __future__ import annotations

import ctypes
from typing import Any

STANDARD_OUTPUT = -11
ESCAPE_CODES = 0x0004
"""ENABLE_VIRTUAL_TERMINAL_PROCESSING."""


def enable_escape_codes() -> bool:
    """Let the console understand escape codes; False if it cannot, as before Windows 10."""
    kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined]  # only Windows has it
    handle = kernel.GetStdHandle(STANDARD_OUTPUT)
    mode = ctypes.c_ulong()
    if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(handle, mode.value | ESCAPE_CODES))
