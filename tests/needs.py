"""What a test needs from the machine: skipped without it, and failed where CI must run everything."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def lacking(what: str, command: str) -> NoReturn:
    """End the test: this is not here, and that command would bring it."""
    reason = f"{what} is not installed; to run these: {command}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def chromium() -> str:
    """Where Chromium is."""
    return (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or lacking("Chromium", "apt-get install chromium")
    )


def firefox() -> str:
    """Where Firefox is."""
    return (
        shutil.which("firefox-esr")
        or shutil.which("firefox")
        or lacking("Firefox", "apt-get install firefox-esr")
    )
