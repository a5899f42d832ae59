"""The names of the sample environments."""

from __future__ import annotations

from pathlib import Path

SAMPLES = Path(__file__).with_name("sample_envs.py")


def named(name: str) -> str:
    """How the command line names a sample."""
    return f"python:{SAMPLES}:{name}"
