"""The episodes that every adapter must replay, from episode.json, and the examples of the documents."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EPISODES: list[dict[str, Any]] = json.loads((HERE / "episode.json").read_text(encoding="utf-8"))
NAMES = [f"{each['settings']['game']} {each['settings']['reward']}" for each in EPISODES]
"""The ids of the episodes, for parametrized tests."""


def run_example(name: str, *arguments: str) -> str:
    """Run examples/harnesses/NAME.py with this interpreter, and return what it printed."""
    path = ROOT / "examples" / "harnesses" / f"{name}.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) < 40, "an example is short"
    done = subprocess.run(
        [sys.executable, path, *arguments], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    return done.stdout
