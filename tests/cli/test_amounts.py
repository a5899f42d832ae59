"""The memory of a process, as the progress bar shows it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from numberduels.cli.amounts import free_memory, peak_memory


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="what Linux tells")
def test_the_memory_of_the_process_that_starts_the_command_does_not_count() -> None:
    large = bytearray(400_000_000)
    large[::4096] = b"1" * len(large[::4096])  # so that it is really used
    code = "from numberduels.cli.amounts import peak_memory; print(peak_memory())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = peak_memory()
    assert own is not None and own > len(large) > int(done.stdout) > 1_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="what Linux tells")
def test_some_memory_is_free() -> None:
    assert (free_memory() or 0) > 1_000_000
