"""Windows as far as it can be simulated on another system: what is missing there is missing here.

`PRELUDE` goes before a program that runs in a process of its own. It loads the standard library first, which
must work on the real system. Then it hides the modules, functions and signals that Windows does not have,
and offers a `msvcrt` whose locks are those of the real system.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PRELUDE = """
import asyncio, concurrent.futures, ctypes, errno, fcntl, logging.handlers, multiprocessing.connection, os
import multiprocessing.popen_spawn_posix, multiprocessing.resource_tracker, multiprocessing.synchronize
import pathlib, selectors, shutil, signal, socket, socketserver, ssl, subprocess, sys, tempfile, types, uuid
import webbrowser, getpass, http.server, platform, sqlite3

# Packages of others are loaded before, too, because they look at the platform.
for name in {packages!r}:
    try:
        __import__(name)
    except ImportError:
        pass

real = fcntl


def locking(handle, mode, count):
    '''As msvcrt.locking: one byte at the current place, taken at once or after ten attempts.'''
    locked = os.lseek(handle, 0, os.SEEK_CUR)
    assert locked == 0x7FFFFFFE and count == 1, "a byte that somebody reads would be locked"
    try:
        real.flock(handle, real.LOCK_EX | real.LOCK_NB)
    except BlockingIOError:
        if mode == msvcrt.LK_LOCK:
            import time
            time.sleep(0.01)
            raise OSError(errno.EDEADLK, "Resource deadlock avoided") from None
        raise OSError(errno.EACCES, "Permission denied") from None


msvcrt = types.ModuleType("msvcrt")
msvcrt.LK_LOCK, msvcrt.LK_NBLCK, msvcrt.locking = 1, 2, locking
sys.modules["msvcrt"] = msvcrt
for name in ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "readline", "curses", "syslog",
             "uvloop"):
    sys.modules[name] = None
for name in ("fork", "getuid", "geteuid", "getgid", "getpgid", "killpg", "setsid", "nice", "sysconf", "uname",
             "wait4", "getloadavg", "sched_getaffinity", "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY"):
    if hasattr(os, name):
        delattr(os, name)
for name in dir(signal):
    if name.startswith("SIG") and name not in ("SIGINT", "SIGTERM", "SIGABRT", "SIGFPE", "SIGILL", "SIGSEGV",
                                               "SIG_DFL", "SIG_IGN"):
        delattr(signal, name)
for name in ("pthread_kill", "pthread_sigmask", "setitimer", "alarm", "sigwait", "pause"):
    if hasattr(signal, name):
        delattr(signal, name)
multiprocessing.resource_tracker._HAVE_SIGMASK = False  # the real system starts processes
sys.platform = "win32"
"""

OTHERS = (
    "gymnasium",
    "numpy",
    "pettingzoo",
    "prometheus_client.multiprocess",
    "pyspiel",
    "starlette.applications",
    "textual.app",
    "uvicorn",
)
"""Packages of others that must be loaded before the platform changes."""


def run_as_windows(
    program: str, *arguments: str, typed: str = "", packages: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a program on what looks like Windows; skipped on other systems than Linux, whose locks it uses."""
    if sys.platform != "linux":
        pytest.skip("Windows is simulated on Linux only")
    return subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", PRELUDE.format(packages=packages) + program, *arguments],
        input=typed,
        env={**os.environ, "LC_ALL": "C.UTF-8"},  # Windows reads arguments as Unicode in any language
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
