"""Seconds and bytes for people, and the memory of this process."""

from __future__ import annotations

import sys


def format_seconds(seconds: float) -> str:
    """A time as people say it.

    >>> [format_seconds(each) for each in (0.2, 42.4, 90, 3600, 100_000)]
    ['0 s', '42 s', '1.5 min', '60 min', '28 h']
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 600:
        return f"{seconds / 60:.1f} min"
    if seconds < 3 * 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:,.0f} h"


def format_bytes(count: int) -> str:
    """An amount of memory as people say it.

    >>> format_bytes(20_500_000), format_bytes(3_600_000_000), format_bytes(900)
    ('20 MB', '3.6 GB', '1 MB')
    """
    if count >= 1_000_000_000:
        return f"{count / 1e9:,.1f} GB"
    return f"{max(count // 1_000_000, 1)} MB"


def free_memory() -> int | None:
    """The bytes of memory that are free for new work; None where the platform does not tell."""
    return _linux_bytes("/proc/meminfo", "MemAvailable:")


def peak_memory() -> int | None:
    """The most bytes of memory that this process has used so far; None where the platform does not tell."""
    if peak := _linux_bytes("/proc/self/status", "VmHWM:"):
        return peak  # what `resource` says on Linux includes the process that has started this one
    try:
        import resource
    except ImportError:  # there is no such module on Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _linux_bytes(path: str, name: str) -> int | None:
    """The amount of this name, given in kB, in a file of the kernel."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith(name):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None
